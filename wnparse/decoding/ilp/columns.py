"""The columns that stand for arcs: one for each arc or, under rules, for each arc with a class of labels.

Write x(h, m, c) for them; z(h, m) is their sum over c. `Columns` knows which is which, and how a point and a tree
become each other.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve
from wnparse.decoding.ilp.highs import Row

if TYPE_CHECKING:
    from wnparse._core.external import Problem
    from wnparse._core.settings import Settings
    from wnparse.decoding.ilp.normalised import Normalised

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]
BoolArray = npt.NDArray[np.bool_]

WHOLE = 1e-6  # a value this close to 0 or 1 is


class Columns:
    """The arcs of a problem in the order of their columns.

    Attributes
    ----------
    head, modifier, label_class, broken : ndarray of int32, shape (k,)
        What each column stands for; class 0, none broken where there are no labels.
    score : ndarray of float64, shape (k,)
    arc_head, arc_modifier : ndarray of int32, shape (a,)
        The arcs.
    arc : ndarray of int32, shape (k,)
        The arc of each column.
    place : ndarray of int32, shape (n + 1, n + 1)
        The number of the arc [m, h]; -1 if it is forbidden.

    `left`, where there are no labels: which arcs [m, h] are of interest; None: all that are not forbidden.
    """

    def __init__(self, problem: Problem | Normalised, msa: Settings, left: BoolArray | None = None) -> None:
        self.words = problem.words
        self.msa = msa
        if problem.choices is None:
            modifier, head = np.nonzero(problem.scores > -np.inf if left is None else left)
            self.head, self.modifier = head.astype(np.int32), modifier.astype(np.int32)
            self.score = problem.scores[modifier, head]
            self.label_class = self.broken = np.zeros(len(head), np.int32)
        else:
            rows, self.score = problem.choices
            self.head, self.modifier, _, self.label_class, self.broken = np.ascontiguousarray(rows.T)
        nodes = self.words + 1
        cells = self.modifier * nodes + self.head
        found, self._first, self.arc = np.unique(cells, return_index=True, return_inverse=True)
        self.arc = self.arc.astype(np.int32)
        self.arc_modifier, self.arc_head = (found // nodes).astype(np.int32), (found % nodes).astype(np.int32)
        self.place = np.full((nodes, nodes), -1, np.int32)
        self.place[self.arc_modifier, self.arc_head] = np.arange(len(found), dtype=np.int32)

    def __len__(self) -> int:
        return len(self.head)

    @property
    def arcs(self) -> int:
        """How many arcs there are."""
        return len(self.arc_head)

    def row(self, chosen: BoolArray, upper: float, lower: float = -np.inf) -> Row:
        """The sum of some columns within limits."""
        columns = np.flatnonzero(chosen).astype(np.int32)
        return Row(columns, np.ones(len(columns)), lower, upper)

    def degree_rows(self, single_root: bool) -> list[Row]:
        """Each word has one head: paper 000's (2); one word hangs from node 0, if it must be one."""
        order = np.argsort(self.modifier, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(self.modifier, minlength=self.words + 1))
        ones = np.ones(len(order))
        rows = [Row(order[a:b], ones[a:b], 1.0, 1.0) for a, b in pairwise(ends.tolist())]
        if single_root:
            rows.append(self.row(self.head == 0, 1.0, 1.0))
        return rows

    def best_of_arcs(self, weights: FloatArray) -> FloatArray:
        """The largest weight of each arc's columns."""
        if len(self) == self.arcs:
            return weights[self._first]
        best = np.full(self.arcs, -np.inf)
        np.maximum.at(best, self.arc, weights)
        return best

    def arc_values(self, point: FloatArray) -> FloatArray:
        """Z of each arc, from x of each column."""
        return np.asarray(np.bincount(self.arc, point[: len(self)], self.arcs), np.float64)

    def is_whole(self, point: FloatArray) -> bool:
        """Whether a point is a choice for each word."""
        values = point[: len(self)]
        return bool((np.abs(values - np.round(values)) <= WHOLE).all())

    def chosen(self, point: FloatArray) -> IntArray:
        """The column of each word, [n + 1], of a whole point."""
        found = np.full(self.words + 1, -1, np.int32)
        columns = np.flatnonzero(point[: len(self)] > 0.5)
        found[self.modifier[columns]] = columns
        return found

    def heads_of(self, chosen: IntArray) -> IntArray:
        """The heads of a choice for each word."""
        heads = self.head[chosen]
        heads[0] = -1
        return heads

    def project(self, point: FloatArray) -> tuple[IntArray, IntArray] | None:
        """The arborescence nearest to a point, by Martins et al. (2009), section 4, and the best columns of it."""
        values = np.full((self.words + 1, self.words + 1), -np.inf)
        values[self.arc_modifier, self.arc_head] = self.arc_values(point)
        found = solve(values, self.msa)
        if found is None:
            return None
        arcs = self.place[np.arange(1, self.words + 1), found.heads[1:]]
        best = np.full(self.arcs, -1, np.int32)
        # The last of an arc wins: the largest value, and of equal ones the highest score.
        order = np.lexsort((self.score - 1e3 * self.broken, point[: len(self)]))
        best[self.arc[order]] = order
        return found.heads, np.concatenate([[-1], best[arcs]]).astype(np.int32)

    def point_of(self, chosen: IntArray, size: int) -> FloatArray:
        """The point of a choice for each word; zeros beyond the arcs."""
        point = np.zeros(size)
        point[chosen[1:]] = 1.0
        return point
