"""What a parser returns for a sentence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Parse(NamedTuple):
    """The tree of one sentence, and how good it is known to be."""

    heads: npt.NDArray[np.int32]
    labels: list[str] | None  # n + 1 of them, the first unused
    score: float
    upper_bound: float
    certified: bool
    iterations: int
    nodes: int
    seconds: tuple[float, float, float]  # for features, decoding and labels
    broken: int = 0  # how often hard rules are
    chances: npt.NDArray[np.float64] | None = None  # [n + 1] of the heads, the first unused, where asked for
    fallback: str = ""  # what was relaxed, if no tree satisfies everything
    complete: bool = True  # False if a limit cut the list short that the tree is one of
