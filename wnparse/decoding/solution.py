"""Results of decoders: a Solution for a sentence, a Ranking of several, a Batch of columns for many sentences."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution

__all__ = ["Batch", "Ranking", "Solution"]


class Ranking(list[Solution]):
    """The k best trees of a sentence, those that break fewer hard rules first, then by decreasing score.

    Attributes
    ----------
    complete : bool
        False if a limit ended the search before k trees, or all trees that exist, were found.
    """

    def __init__(self, solutions: Iterable[Solution] = (), *, complete: bool = True) -> None:
        super().__init__(solutions)
        self.complete = complete


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """The solutions of a batch of B sentences, as columns; ``batch[i]`` is the i-th Solution.

    Attributes
    ----------
    heads : ndarray of int32, shape (B, N)
        The trees, one per row; ``heads[i, 0] == -1``, and -1 again beyond the end of a sentence.
    score : ndarray of float64, shape (B,)
        The score of each tree.
    upper_bound : ndarray of float64, shape (B,)
        No valid tree of the sentence scores more.
    certified : ndarray of bool, shape (B,)
        Whether each tree is proved to be the best.
    iterations : ndarray of int32, shape (B,)
        Maximum spanning arborescences computed.
    nodes : ndarray of int32, shape (B,)
        Nodes of the search; 0 if there was none.
    lengths : ndarray of int64, shape (B,)
        Words in each sentence.
    """

    heads: npt.NDArray[np.int32]
    score: npt.NDArray[np.float64]
    upper_bound: npt.NDArray[np.float64]
    certified: npt.NDArray[np.bool_]
    iterations: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, index: SupportsIndex) -> Solution:
        i = operator.index(index)
        if not -len(self) <= i < len(self):
            raise IndexError(f"there is no sentence {i} in a batch of {len(self)}")
        return Solution(
            self.heads[i, : self.lengths[i] + 1].copy(),
            self.score[i],
            self.upper_bound[i],
            self.certified[i],
            self.iterations[i],
            self.nodes[i],
        )

    def __iter__(self) -> Iterator[Solution]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"Batch({len(self)} sentences, {np.count_nonzero(self.certified)} certified)"
