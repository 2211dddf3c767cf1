"""The incremental integer linear program of Riedel & Clarke 2006, as they solve it: for comparison with ours.

*Incremental Integer Linear Programming for Non-projective Dependency Parsing*, Algorithm 1: the program is solved
with the base constraints alone, what its solution violates of all others is added, and it is solved again, until
nothing is violated. Each solve is a whole integer program of the solver, here HiGHS, which starts from scratch.

A column e(i, j, l) stands for an arc with the best label of a class that rules tell apart; the others of the class
cannot be part of a better tree, so that this is as good as all labels (the paper does not tell its k). d(i, j) is
written as the sum of its e. The base constraints are one head a word (T1), a single root if there must be one, and
the rules that count (A1, C1, C2); cycles (T2), as they are printed, and all other rules (C3, C4, P1) are added
where they are violated. The rows of rules are those of `wnparse.decoding.ilp.rule_rows`. At worst there are
as many rounds as rows; a round is an integer program of O(n^2) columns for each class.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np
import numpy.typing as npt

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.ilp.columns import ArcColumns
from wnparse.decoding.ilp.rule_rows import RuleRows
from wnparse.decoding.ilp.tree_cuts import find_cycles
from wnparse.decoding.options import DecodeOptions

if TYPE_CHECKING:
    from wnparse._core.external import Answer, Problem

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
SparseRow = tuple[IntArray, FloatArray, float, float]  # columns, factors, lower, upper

PATIENCE = 120.0  # seconds of CPU time: the limit of the paper's Table 2
COUNTING = ("most", "least")  # kinds of rules whose rows are there from the beginning
CLOSE = 1e-6  # of the larger of 1 and the score: what the solver's proof may miss
OPTIONS = (
    ("output_flag", False),
    ("threads", 1),
    ("parallel", "off"),
    ("mip_rel_gap", 0.0),
    ("mip_abs_gap", 1e-7),
)


@dataclass
class Rounds:
    """What one sentence took."""

    seconds: list[float] = field(default_factory=list)  # of CPU time, of each round; the first writes the program
    rows: int = 0  # added after the first round
    limited: bool = False  # the time was up

    @property
    def count(self) -> int:
        """How often a program was solved."""
        return len(self.seconds)


class IntegerProgram:
    """Maximise scores over whole columns between 0 and their limits; rows can be added."""

    def __init__(self, costs: FloatArray, upper: FloatArray) -> None:
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in OPTIONS:
            self._highs.setOptionValue(name, value)
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        count = len(costs)
        empty, places = np.empty(0, np.int32), np.arange(count, dtype=np.int32)
        self._highs.addCols(count, costs, np.zeros(count), upper, 0, np.zeros(count, np.int32), empty, np.empty(0))
        self._highs.changeColsIntegrality(count, places, np.full(count, highspy.HighsVarType.kInteger))

    def add(self, rows: list[SparseRow]) -> None:
        """Add rows."""
        if not rows:
            return
        starts = np.cumsum([0, *(len(columns) for columns, *_ in rows)])[:-1].astype(np.int32)
        columns, factors = (np.concatenate([row[place] for row in rows]) for place in (0, 1))
        lower, upper = (np.array([row[place] for row in rows]) for place in (2, 3))
        self._highs.addRows(len(rows), lower, upper, len(columns), starts, columns, factors)

    def solve(self, seconds: float) -> tuple[float, FloatArray] | None:
        """The optimum and its columns; None if there is no solution, TimeoutError if the time is up first."""
        if seconds <= 0:
            raise TimeoutError
        # Its clock begins anew with each integer program.
        self._highs.setOptionValue("time_limit", seconds)
        self._highs.run()
        status = self._highs.getModelStatus()
        if status == highspy.HighsModelStatus.kOptimal:
            return self._highs.getInfo().objective_function_value, np.array(self._highs.getSolution().col_value)
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise TimeoutError
        raise RuntimeError(f"HiGHS ended with {status.name}")


def base_rows(columns: ArcColumns, rules: RuleRows, single_root: bool) -> list[SparseRow]:
    """B of the paper: T1 and the single root; A1, C1 and C2."""
    rows = [(row.columns, row.factors, row.lower, row.upper) for row in columns.degree_rows(single_root)]
    every = np.arange(len(columns))
    counting = [row for rule in rules.rules if rule.kind in COUNTING for row in rules.rows_of(rule, every, None)]
    return rows + [_sparse(row.factors, row.limit) for row in counting]


def violated_rows(columns: ArcColumns, rules: RuleRows, chosen: IntArray) -> list[SparseRow]:
    """Those of I that a choice for each word violates: T2, and what rules say of arcs together."""
    heads = columns.heads_of(chosen).tolist()
    rows = []
    for cycle in find_cycles(heads):
        arcs = [columns.place[m, heads[m]] for m in cycle]
        rows.append(_sparse(np.isin(columns.arc, arcs).astype(np.float64), len(cycle) - 1.0))
    violated = rules.violated(columns.point_of(chosen), heads)
    return rows + [_sparse(row.factors, row.limit) for row in violated]


def _sparse(factors: FloatArray, limit: float) -> SparseRow:
    places = np.flatnonzero(factors).astype(np.int32)
    return places, factors[places], -np.inf, limit


def solve_incrementally(problem: Problem, patience: float = PATIENCE) -> tuple[Answer | None, Rounds]:
    """Find the best tree of a first-order problem with labels under hard rules by Algorithm 1.

    Returns
    -------
    answer, rounds : tuple or None, Rounds
        As a decoder of `wnparse.register_decoder(..., whole=True)` answers; None if no tree keeps all rules.
    """
    assert problem.rules is not None and problem.bits is not None and problem.parts is None
    assert np.isinf(problem.rules.penalties).all(), "only hard rules are rows of the paper's program"
    spent, start = Rounds(), time.process_time()
    deadline = start + patience
    columns = ArcColumns(problem, DecodeOptions(decoder="msa", constraints=Constraints()).settings)
    rules = RuleRows(problem.rules, problem.bits, columns)
    program = IntegerProgram(columns.score, np.where(columns.broken > 0, 0.0, 1.0))
    new = base_rows(columns, rules, problem.single_root)
    while True:
        program.add(new)
        try:
            solution = program.solve(deadline - time.process_time())
        except TimeoutError:
            spent.limited = True
        chosen = None if spent.limited or solution is None else columns.chosen(solution[1])
        new = [] if chosen is None else violated_rows(columns, rules, chosen)
        now = time.process_time()
        spent.seconds.append(now - start)
        start = now
        if spent.limited:
            return (None, None, math.inf, 0.0, spent.count, 1), spent
        if solution is None:
            return None, spent
        if chosen is not None and not new:
            value = solution[0]
            tolerance = CLOSE * max(1.0, abs(value))
            return (columns.heads_of(chosen), chosen, value + tolerance, 2 * tolerance, spent.count, 1), spent
        spent.rows += len(new)
