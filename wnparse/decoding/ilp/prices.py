"""An upper bound by prices of rows, which is rigorous whatever the tolerance of the solver.

With prices u >= 0 of the rows (soft ones at most their penalty),

    L(u) = max over arborescences of sum over arcs of max over labels (score - sum over rows of u factor) + u limit

bounds every valid tree. With the duals of the linear program as prices it is as low as the optimum. It takes
O(n^2) and a product of prices and rows.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from wnparse._core.decoding import solve
from wnparse.decoding.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from wnparse.decoding.ilp.columns import ArcColumns
    from wnparse.decoding.ilp.highs import Relaxed

SLACK = 1e-6


class Prices:
    """The rows of a program that have prices."""

    def __init__(self, columns: ArcColumns) -> None:
        self.columns = columns
        self.count = 0
        self._factors = np.zeros((16, len(columns)))  # of each row, with room for more rows
        self._place: list[int] = []  # of the linear program
        self._limit: list[float] = []
        self._most: list[float] = []  # the largest price

    def add(self, place: int, columns: IntArray | slice, factors: FloatArray, limit: float, most: float) -> None:
        """Add the row at a place of the linear program; its price is at most `most`."""
        if self.count == len(self._factors):
            more = np.zeros((self.count + 16, len(self.columns)))
            self._factors = np.concatenate([self._factors, more])
        self._factors[self.count, columns] = factors
        self._place.append(place)
        self._limit.append(limit)
        self._most.append(most)
        self.count += 1

    def slack(self, relaxed: Relaxed) -> BoolArray:
        """Return which rows are not tight at a point, and have no price."""
        sums = self._factors[: self.count] @ relaxed.columns[: len(self.columns)]
        return (relaxed.duals[self._place] <= 0.0) & (sums < np.array(self._limit) - SLACK)

    def drop(self, rows: BoolArray) -> IntArray:
        """Remove rows; return their places in the linear program, where those behind move up."""
        remaining = np.flatnonzero(~rows).tolist()
        place = np.array(self._place, np.int32)
        dropped = np.sort(place[rows])
        place -= np.searchsorted(dropped, place).astype(np.int32)
        self._factors = self._factors[remaining]
        self._place = place[remaining].tolist()
        self._limit, self._most = [self._limit[row] for row in remaining], [self._most[row] for row in remaining]
        self.count = len(remaining)
        return dropped

    def bound(self, weights: FloatArray, duals: FloatArray) -> tuple[float, list[int] | None]:
        """Return L(u) and its best arborescence; `weights` are the scores of columns, -inf if forbidden."""
        columns = self.columns
        constant = 0.0
        if self.count:
            prices = np.clip(duals[self._place], 0.0, self._most)
            weights = weights - prices @ self._factors[: self.count]
            constant = float(prices @ self._limit)
        matrix = np.full((columns.words + 1, columns.words + 1), -np.inf)
        matrix[columns.arc_modifier, columns.arc_head] = columns.best_of_arcs(weights)
        best = solve(matrix, columns.msa)
        return (-math.inf, None) if best is None else (best.score + constant, best.heads.tolist())
