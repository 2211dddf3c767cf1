"""A linear program that grows, on HiGHS: columns and rows are added, and it is solved again from the last basis.

HiGHS has integer programs too, but these start from scratch whenever a row is added. It keeps to tolerances (1e-9
here), and so do its proofs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from wnparse.errors import LimitError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

TOLERANCE = 1e-9  # of the linear programs
LEAST_SECONDS = 1e-3

_ANSWERS = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible)
_LIMITED = (
    highspy.HighsModelStatus.kTimeLimit,
    highspy.HighsModelStatus.kInterrupt,
    highspy.HighsModelStatus.kIterationLimit,
)


class SolverError(RuntimeError):
    """HiGHS ended in a way that says nothing of the problem."""


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
    """Maximise costs over columns between 0 and their limits."""

    def __init__(self, costs: FloatArray, upper: FloatArray, deadline: float | None) -> None:
        self.deadline = deadline
        self.solves = 0
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
        """Add columns that no row has yet; the place of the first."""
        first, count = self.columns, len(costs)
        none = np.empty(0, np.int32)
        self._highs.addCols(count, costs, np.zeros(count), upper, 0, np.zeros(count, np.int32), none, np.empty(0))
        self.columns += count
        return first

    def add_rows(self, rows: list[Row]) -> int:
        """Add rows; the place of the first."""
        first = self.rows
        if not rows:
            return first
        lengths = [len(row.columns) for row in rows]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int32)
        lower, upper = np.array([row.lower for row in rows]), np.array([row.upper for row in rows])
        index = np.concatenate([row.columns for row in rows]).astype(np.int32)
        values = np.concatenate([row.factors for row in rows]).astype(np.float64)
        self._highs.addRows(len(rows), lower, upper, len(index), starts, index, values)
        self.rows += len(rows)
        return first

    def add_sparse(self, lower: FloatArray, upper: FloatArray, places: Any, columns: Any, factors: Any) -> int:
        """Add many rows by entries: `places` counts the new rows from 0; the place of the first."""
        first, count = self.rows, len(lower)
        order = np.argsort(places, kind="stable")
        starts = np.searchsorted(np.asarray(places)[order], np.arange(count)).astype(np.int32)
        index = np.asarray(columns, np.int32)[order]
        values = np.asarray(factors, np.float64)[order]
        self._highs.addRows(count, lower, upper, len(index), starts, index, values)
        self.rows += count
        return first

    def drop_rows(self, places: IntArray) -> None:
        """Take rows away; those behind move up."""
        self._highs.deleteRows(len(places), places)
        self.rows -= len(places)

    def begin_from(self, columns: IntArray) -> None:
        """Begin with the basis of some columns, one for each of the first rows; other rows have room."""
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
        """The optimum; None if there is no solution. LimitError if time is up first."""
        self._run()
        status = self._highs.getModelStatus()
        if status not in _ANSWERS and status not in _LIMITED:
            self._highs.clearSolver()  # a basis that numbers of very different sizes have spoilt
            self._run()
            status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status != highspy.HighsModelStatus.kOptimal:
            raise _failure(status)
        found = self._highs.getSolution()
        value = self._highs.getInfo().objective_function_value
        duals, gains = np.array(found.row_dual), np.array(found.col_dual)
        return Relaxed(value, np.array(found.col_value), duals, gains)

    def bound_columns(self, upper: FloatArray) -> None:
        """Give the first columns other limits."""
        places = np.arange(len(upper), dtype=np.int32)
        self._highs.changeColsBounds(len(upper), places, np.zeros(len(upper)), upper)

    def _run(self) -> None:
        if self.deadline is not None:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise LimitError("the time was up before the linear program was solved")
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + max(left, LEAST_SECONDS))
        self._highs.run()
        self.solves += 1


def _failure(status: Any) -> Exception:
    if status in _LIMITED:
        return LimitError("the time was up before the linear program was solved")
    return SolverError(f"HiGHS ended with {status.name}, which says nothing of the problem")
