"""Results of decoders: a Solution for a sentence, a Ranking of several, a Batch of columns for many sentences."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import Solution

if TYPE_CHECKING:
    from wnparse.treebanks.sentence import Sentence

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


def make_ranking(ranked: tuple[list[Solution], bool] | None, sentence: Sentence | None = None) -> Ranking:
    """Make a ranking of the trees that the core returns, and whether none is missing; None: not one was found."""
    if ranked is None:
        return Ranking(complete=False)
    trees, complete = ranked
    for tree in trees if sentence is not None else ():
        tree.sentence = sentence
    return Ranking(trees, complete=complete)


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
    broken : ndarray of int32, shape (B,)
        How often each tree breaks hard rules.
    labels : ndarray of int32, shape (B, N), or None
        The labels of the arcs, as places in `names`; -1 for node 0 and beyond the end of a sentence. None without
        labels.
    names : tuple of str
        The names of the labels.
    sentences : sequence of Sentence or None
        The sentences that were decoded, if they were given. A notebook then shows ``batch[i]`` as a picture.
    """

    heads: npt.NDArray[np.int32]
    score: npt.NDArray[np.float64]
    upper_bound: npt.NDArray[np.float64]
    certified: npt.NDArray[np.bool_]
    iterations: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int64]
    broken: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int32] | None = None
    names: tuple[str, ...] = ()
    sentences: Sequence[Sentence | None] = ()

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, index: SupportsIndex) -> Solution:
        i = operator.index(index)
        if not -len(self) <= i < len(self):
            raise IndexError(f"there is no sentence {i} in a batch of {len(self)}")
        width = self.lengths[i] + 1
        labels = None
        if self.labels is not None:
            labels = [
                "",
                *(self.names[label] if label >= 0 else "_" for label in self.labels[i, 1:width].tolist()),
            ]
        return Solution(
            self.heads[i, :width].copy(),
            self.score[i],
            self.upper_bound[i],
            self.certified[i],
            self.iterations[i],
            self.nodes[i],
            labels,
            self.broken[i],
            self.sentences[i] if self.sentences else None,
        )

    def __iter__(self) -> Iterator[Solution]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"Batch({len(self)} sentences, {np.count_nonzero(self.certified)} certified)"
