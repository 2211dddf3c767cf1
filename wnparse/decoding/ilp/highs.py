"""A linear program that grows, on HiGHS: columns and rows are added, and it is solved again from the last basis.

HiGHS can solve integer programs too, but starts from scratch whenever a row is added. Its solutions and proofs
hold within tolerances (1e-9 here).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from wnparse.decoding.arrays import FloatArray, IntArray
from wnparse.errors import LimitError

TOLERANCE = 1e-9  # of the linear programs
LEAST_SECONDS = 1e-3

_ANSWERS = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible)
_LIMITED = (
    highspy.HighsModelStatus.kTimeLimit,
    highspy.HighsModelStatus.kInterrupt,
    highspy.HighsModelStatus.kIterationLimit,
)


class SolverError(RuntimeError):
    """HiGHS ended without an answer to the problem."""


@dataclass(frozen=True)
class Row:
    """A sum of columns between two limits."""

    columns: IntArray
    factors: FloatArray
    lower: float
    upper: float


@dataclass(frozen=True)
class Relaxed:
    """The optimum of a linear program."""

    value: float
    columns: FloatArray
    duals: FloatArray  # of the rows: what the optimum gains for a unit more of a limit
    gains: FloatArray  # of the columns: what it gains for a unit more of each


class LinearProgram:
    """Maximises the sum of costs times columns, which are between 0 and their limits."""

    def __init__(self, costs: FloatArray, upper: FloatArray, deadline: float | None) -> None:
        self.deadline = deadline
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in (
            ("output_flag", False),
            ("threads", 1),
            ("parallel", "off"),
            ("primal_feasibility_tolerance", TOLERANCE),
            ("dual_feasibility_tolerance", TOLERANCE),
        ):
            self._highs.setOptionValue(name, value)
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self.rows = 0
        self.columns = 0
        self.add_columns(costs, upper)

    def add_columns(self, costs: FloatArray, upper: FloatArray) -> int:
        """Add columns that no row has yet; return the place of the first."""
        first, count = self.columns, len(costs)
        none = np.empty(0, np.int32)
        self._highs.addCols(count, costs, np.zeros(count), upper, 0, np.zeros(count, np.int32), none, np.empty(0))
        self.columns += count
        return first

    def add_rows(self, rows: list[Row]) -> int:
        """Add rows; return the place of the first."""
        if not rows:
            return self.rows
        lower, upper = np.array([row.lower for row in rows]), np.array([row.upper for row in rows])
        places = np.repeat(np.arange(len(rows)), [len(row.columns) for row in rows])
        columns = np.concatenate([row.columns for row in rows])
        return self.add_sparse(lower, upper, places, columns, np.concatenate([row.factors for row in rows]))

    def add_sparse(self, lower: FloatArray, upper: FloatArray, places: Any, columns: Any, factors: Any) -> int:
        """Add rows by their entries, where `places` counts the new rows from 0; return the place of the first."""
        first, count = self.rows, len(lower)
        order = np.argsort(places, kind="stable")
        starts = np.searchsorted(np.asarray(places)[order], np.arange(count)).astype(np.int32)
        index = np.asarray(columns, np.int32)[order]
        values = np.asarray(factors, np.float64)[order]
        self._highs.addRows(count, lower, upper, len(index), starts, index, values)
        self.rows += count
        return first

    def drop_rows(self, places: IntArray) -> None:
        """Remove rows; those behind move up."""
        self._highs.deleteRows(len(places), places)
        self.rows -= len(places)

    def begin_from(self, columns: IntArray) -> None:
        """Begin with the basis of some columns, one for each of the first rows; other rows are not tight."""
        basis = highspy.HighsBasis()
        low, basic = highspy.HighsBasisStatus.kLower, highspy.HighsBasisStatus.kBasic
        status = [low] * self.columns
        for column in columns.tolist():
            status[column] = basic
        basis.col_status = status
        basis.row_status = [low] * len(columns) + [basic] * (self.rows - len(columns))
        basis.valid = True
        self._highs.setBasis(basis)

    def solve(self) -> Relaxed | None:
        """Return the optimum; None if there is no solution. LimitError if the time limit is reached first."""
        self._run()
        status = self._highs.getModelStatus()
        if status not in _ANSWERS and status not in _LIMITED:
            self._highs.clearSolver()  # numbers of very different sizes may have made the basis useless
            self._run()
            status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status in _LIMITED:
            raise LimitError("the time limit was reached before the linear program was solved")
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS ended without an answer: {status.name}")
        solution = self._highs.getSolution()
        value = self._highs.getInfo().objective_function_value
        duals, gains = np.array(solution.row_dual), np.array(solution.col_dual)
        return Relaxed(value, np.array(solution.col_value), duals, gains)

    def bound_columns(self, upper: FloatArray) -> None:
        """Replace the limits of the first columns."""
        places = np.arange(len(upper), dtype=np.int32)
        self._highs.changeColsBounds(len(upper), places, np.zeros(len(upper)), upper)

    def _run(self) -> None:
        if self.deadline is not None:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise LimitError("the time limit was reached before the linear program was solved")
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(left, LEAST_SECONDS))
        self._highs.run()
