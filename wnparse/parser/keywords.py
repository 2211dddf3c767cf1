"""The options of `Model.parse`, for type checkers."""

from __future__ import annotations

import os
from typing import Literal, TypedDict

from wnparse.rules import Rules


class ParseKeywords(TypedDict, total=False):
    """Options of `Model.parse` that do not change the type of what it yields."""

    decoder: str
    confidence: bool
    block_degree: int | Literal["model"] | None
    well_nested: bool | Literal["model"]
    single_root: bool | Literal["model"]
    max_nodes: int
    time_limit: float | None
    rules: Rules | str | os.PathLike[str] | None
    crossing_price: float | Literal["model"]
    jobs: int
    strict: bool
    retag: bool
    tag_sequences: int | Literal["model"]
