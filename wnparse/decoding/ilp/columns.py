"""The columns of arcs: one for each arc or, under rules, for each arc with a class of labels.

Write x(h, m, c) for them; z(h, m) is their sum over c. `ArcColumns` converts between points and trees.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve
from wnparse.decoding.arrays import BoolArray, FloatArray, IntArray
from wnparse.decoding.ilp.highs import Row

if TYPE_CHECKING:
    from wnparse._core.external import Problem
    from wnparse._core.settings import Settings
    from wnparse.decoding.ilp.normalised import Normalised

WHOLE = 1e-6  # a value this close to 0 or 1 counts as 0 or 1


class ArcColumns:
    """The arcs of a problem in the order of their columns.

    Attributes
    ----------
    head, modifier, label_class, broken : ndarray of int32, shape (k,)
        The labelled arc of each column, and how many hard rules it breaks; both last are 0 without labels.
    score : ndarray of float64, shape (k,)
    arc_head, arc_modifier : ndarray of int32, shape (a,)
        The arcs.
    arc : ndarray of int32, shape (k,)
        The arc of each column.
    place : ndarray of int32, shape (n + 1, n + 1)
        The number of the arc [m, h]; -1 if it is forbidden.

    Without labels, `remaining` says which arcs [m, h] have columns; None: all that are not forbidden.
    """

    def __init__(self, problem: Problem | Normalised, msa: Settings, remaining: BoolArray | None = None) -> None:
        self.words = problem.words
        self.msa = msa
        if problem.choices is None:
            modifier, head = np.nonzero(problem.scores > -np.inf if remaining is None else remaining)
            self.head, self.modifier = head.astype(np.int32), modifier.astype(np.int32)
            self.score = problem.scores[modifier, head]
            self.label_class = self.broken = np.zeros(len(head), np.int32)
        else:
            rows, self.score = problem.choices
            self.head, self.modifier, _, self.label_class, self.broken = np.ascontiguousarray(rows.T)
        nodes = self.words + 1
        cells = self.modifier * nodes + self.head
        arcs, self._first, self.arc = np.unique(cells, return_index=True, return_inverse=True)
        self.arc = self.arc.astype(np.int32)
        self.arc_modifier, self.arc_head = (arcs // nodes).astype(np.int32), (arcs % nodes).astype(np.int32)
        self.place = np.full((nodes, nodes), -1, np.int32)
        self.place[self.arc_modifier, self.arc_head] = np.arange(len(arcs), dtype=np.int32)

    def __len__(self) -> int:
        return len(self.head)

    @property
    def arcs(self) -> int:
        """Number of arcs."""
        return len(self.arc_head)

    def row(self, chosen: BoolArray, upper: float, lower: float = -np.inf) -> Row:
        """Return the row that limits the sum of some columns."""
        columns = np.flatnonzero(chosen).astype(np.int32)
        return Row(columns, np.ones(len(columns)), lower, upper)

    def degree_rows(self, single_root: bool) -> list[Row]:
        """Return rows that give each word one head (Corro et al. 2016, (2)), and node 0 one child if required."""
        order = np.argsort(self.modifier, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(self.modifier, minlength=self.words + 1))
        ones = np.ones(len(order))
        rows = [Row(order[a:b], ones[a:b], 1.0, 1.0) for a, b in pairwise(ends.tolist())]
        if single_root:
            rows.append(self.row(self.head == 0, 1.0, 1.0))
        return rows

    def best_of_arcs(self, weights: FloatArray) -> FloatArray:
        """Return the largest weight of each arc's columns."""
        if len(self) == self.arcs:
            return weights[self._first]
        best = np.full(self.arcs, -np.inf)
        np.maximum.at(best, self.arc, weights)
        return best

    def arc_values(self, point: FloatArray) -> FloatArray:
        """Return z of each arc, from x of each column."""
        return np.asarray(np.bincount(self.arc, point[: len(self)], self.arcs), np.float64)

    def is_whole(self, point: FloatArray) -> bool:
        """Return whether a point is integral: a choice for each word."""
        values = point[: len(self)]
        return bool((np.abs(values - np.round(values)) <= WHOLE).all())

    def chosen(self, point: FloatArray) -> IntArray:
        """Return the column of each word, [n + 1], of an integral point."""
        chosen = np.full(self.words + 1, -1, np.int32)
        columns = np.flatnonzero(point[: len(self)] > 0.5)
        chosen[self.modifier[columns]] = columns
        return chosen

    def heads_of(self, chosen: IntArray) -> IntArray:
        """Return the heads of a choice for each word."""
        heads = self.head[chosen]
        heads[0] = -1
        return heads

    def project(self, point: FloatArray) -> tuple[IntArray, IntArray] | None:
        """Return the arborescence nearest to a point (Martins et al. 2009, section 4), and its best columns."""
        values = np.full((self.words + 1, self.words + 1), -np.inf)
        values[self.arc_modifier, self.arc_head] = self.arc_values(point)
        nearest = solve(values, self.msa)
        if nearest is None:
            return None
        # The largest value, and of equal ones the highest score.
        return nearest.heads, self._last_columns(nearest.heads, self.score - 1e3 * self.broken, point[: len(self)])

    def best_choice(self, heads: IntArray) -> IntArray:
        """Return the best column of each arc of a tree, [n + 1]."""
        return self._last_columns(heads, self.score, -self.broken)

    def _last_columns(self, heads: IntArray, *keys: npt.NDArray[Any]) -> IntArray:
        """Return the column of each arc of a tree that is last in the order of some keys, the last key first."""
        order = np.lexsort(keys)
        last = np.full(self.arcs, -1, np.int32)
        last[self.arc[order]] = order
        arcs = self.place[np.arange(1, len(heads)), heads[1:]]
        return np.concatenate([[-1], last[arcs]]).astype(np.int32)

    def point_of(self, chosen: IntArray) -> FloatArray:
        """Return the point of a choice for each word."""
        point = np.zeros(len(self))
        point[chosen[1:]] = 1.0
        return point
