"""What a parser reports about a tree of a sentence, which the sentence then has as its attribute `parse`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Parse(NamedTuple):
    """The tree of one sentence, with its score and bound."""

    heads: npt.NDArray[np.int32]
    labels: list[str] | None  # n + 1 of them, the first unused
    score: float
    upper_bound: float
    certified: bool
    iterations: int
    nodes: int
    seconds: tuple[float, float, float]  # for features, decoding and labels
    broken: int = 0  # violations of hard rules
    head_probabilities: npt.NDArray[np.float64] | None = None  # [n + 1], the first unused, if requested
    fallback: str = ""  # what was relaxed, if no tree satisfies everything
    complete: bool = True  # False if a limit shortened the list of trees that this tree belongs to
