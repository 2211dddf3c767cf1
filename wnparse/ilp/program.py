"""The program of one problem: its columns and first rows, and the loop that separates, solves and separates again.

The bound of a program without parts is rigorous, whatever the tolerance of the solver: with prices u >= 0 of the
rows (soft ones at most their penalty),

    L(u) = max over arborescences of sum over arcs of max over labels (score - sum over rows of u factor) + u limit

bounds every valid tree, and the duals of the linear program are prices that make it as low as its optimum. With
parts the bound is the solver's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve
from wnparse.errors import LimitError
from wnparse.ilp.highs import LinearProgram, Relaxed, Row
from wnparse.ilp.part_flows import PartFlows
from wnparse.ilp.projective_rows import crossing_rows
from wnparse.ilp.rule_constraints import RuleRow, RuleRows
from wnparse.ilp.tree_cuts import EPSILON, ShapeCuts, find_closed_sets, find_cycles, sets_row

if TYPE_CHECKING:
    from wnparse._core.external import Problem
    from wnparse.ilp.columns import Columns

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]

CLOSE = 1e-9  # of the larger of 1 and the score: a bound this close to a tree is its own


class Found(NamedTuple):
    """Rows that a point violates."""

    rows: list[Row]  # of trees and their shapes
    rules: list[RuleRow]

    def __bool__(self) -> bool:
        return bool(self.rows or self.rules)


class Program:
    """Maximise scores, or count broken rules, over the trees that keep what was found so far.

    Attributes
    ----------
    incumbent : tuple or None
        The best valid tree: its value, heads and columns.
    bound : float
        No valid tree is worth more.
    proved, by_whole : bool
        Whether the incumbent is the best, and whether that rests on an integer program.
    pool : dict
        The rows of rules, by name; they outlive the program.
    """

    def __init__(
        self,
        problem: Problem,
        columns: Columns,
        deadline: float | None,
        *,
        counting: bool = False,
        budget: int | None = None,
    ) -> None:
        self.problem, self.columns, self.deadline = problem, columns, deadline
        self.counting, self.budget = counting, budget
        self.strict = not counting and budget is None  # hard rules are kept
        self.shapes = ShapeCuts(problem.block_degree, problem.well_nested)
        self.rules = (
            RuleRows(problem.rules, problem.bits, columns)
            if problem.rules is not None and problem.bits is not None
            else None
        )
        self.parts = PartFlows(problem, columns) if problem.parts is not None else None
        self.exact = self.parts is None and budget is None  # bounds are those of prices
        self.incumbent: tuple[float, IntArray, IntArray] | None = None
        self.bound = math.inf
        self.proved = self.by_whole = False
        self.solves = self.nodes = 0
        self.pool: dict[tuple[int, ...], RuleRow] = {}
        self._priced: list[tuple[int, FloatArray, float, float]] = []  # place, factors, limit, largest price

    def start(self, pool: dict[tuple[int, ...], RuleRow] | None = None) -> None:
        """Write the columns and the first rows."""
        columns = self.columns
        costs = -columns.broken.astype(np.float64) if self.counting else columns.score
        upper = np.where(columns.broken > 0, 0.0, 1.0) if self.strict else np.ones(len(columns))
        self.linear = LinearProgram(costs, upper, self.deadline)
        self.linear.add_rows(columns.degree_rows(self.problem.single_root))
        self._budget_row: list[int] = []
        if self.parts is not None and not self.counting:
            self.parts.write(self.linear)
        self.add(Found([], list((pool or {}).values())))

    def add(self, found: Found) -> None:
        """Add rows; those of soft rules, and of hard ones where they may be broken, with what they are exceeded by."""
        for row in found.rows:
            factors = np.zeros(len(self.columns))
            factors[row.columns] = row.factors
            self._priced.append((self.linear.rows, factors, row.upper, math.inf))
            self.linear.add_rows([row])
        for rule in found.rules:
            if rule.name in self.pool:
                continue
            self.pool[rule.name] = rule
            self._add_rule(rule)

    def _add_rule(self, rule: RuleRow) -> None:
        hard = math.isinf(rule.penalty)
        if self.counting and not hard:
            return
        places = np.flatnonzero(rule.factors).astype(np.int32)
        factors = rule.factors[places]
        price = rule.penalty
        if not hard or not self.strict:
            price = 1.0 if self.counting else 0.0 if hard else rule.penalty
            beyond = self.linear.add_columns(np.array([-price]), np.array([np.inf]))
            places, factors = np.append(places, np.int32(beyond)), np.append(factors, -1.0)
            if hard:
                self._budget_row.append(beyond)
        self._priced.append((self.linear.rows, rule.factors, rule.limit, price))
        self.linear.add_rows([Row(places, factors, -np.inf, rule.limit)])
        if self.budget is not None and hard:
            self._add_budget()

    def _add_budget(self) -> None:
        """No more hard rules are broken than must be; rows with fewer terms stay true."""
        broken = np.flatnonzero(self.columns.broken)
        places = np.concatenate([broken, self._budget_row]).astype(np.int32)
        factors = np.concatenate([self.columns.broken[broken], np.ones(len(self._budget_row))])
        self.linear.add_rows([Row(places, factors, -np.inf, float(self.budget or 0))])

    def value(self, heads: IntArray, chosen: IntArray) -> float:
        """What a tree is worth: its score or, when counting, how often it breaks hard rules, negated."""
        broken, cost = self._broken(heads, chosen)
        if self.counting:
            return -float(broken)
        score = float(self.columns.score[chosen[1:]].sum())
        return score - cost + (self.parts.value(heads) if self.parts is not None else 0.0)

    def _broken(self, heads: IntArray, chosen: IntArray) -> tuple[int, float]:
        broken, cost = int(self.columns.broken[chosen[1:]].sum()), 0.0
        if self.rules is not None:
            point = self.columns.point_of(chosen, len(self.columns))
            rows, cost = self.rules.cost(self.rules.violated(point, heads.tolist()), point)
            broken += rows
        return broken, cost

    def broken(self) -> int:
        """How often the incumbent breaks hard rules."""
        assert self.incumbent is not None
        return self._broken(*self.incumbent[1:])[0]

    def offer(self, heads: IntArray, chosen: IntArray) -> bool:
        """Keep a tree if it is valid and better than the incumbent; whether it is valid."""
        if find_cycles(heads.tolist()) or self.shapes.separate(heads.tolist()):
            return False
        if self.problem.single_root and int((heads[1:] == 0).sum()) != 1:
            return False
        if not self.counting and self.problem.choices is not None:
            most = 0 if self.budget is None else self.budget
            if self._broken(heads, chosen)[0] > most:
                return False
        value = self.value(heads, chosen)
        if self.incumbent is None or value > self.incumbent[0]:
            self.incumbent = (value, heads, chosen)
        return True

    def tree_rows(self, heads: IntArray, chosen: IntArray) -> Found:
        """The rows that a choice for each word violates, whether it is a tree or not."""
        told = heads.tolist()
        cycles = find_cycles(told)
        point = self.columns.point_of(chosen, len(self.columns))
        rows = [sets_row(self.columns, (cycle,)) for cycle in cycles] or self._shape_rows(told, point)
        violated = self.rules.violated(point, told) if self.rules is not None and not cycles else []
        return Found(rows, violated)

    def _shape_rows(self, heads: list[int], point: FloatArray) -> list[Row]:
        """Rows of block degree and nesting that a point violates, by a tree that is near to it."""
        columns = self.columns
        if self.problem.block_degree == 1:
            return crossing_rows(columns, columns.arc_values(point))
        rows = [sets_row(columns, each) for each in self.shapes.separate(heads)]
        return [row for row in rows if row.factors @ point[row.columns] > row.upper + EPSILON]

    def maximise(self, max_nodes: int) -> bool:
        """Find the best tree and prove it, as far as limits allow; False if there is none."""
        while True:
            relaxed = self.linear.solve()
            self.solves = self.solves + 1
            if relaxed is None:
                return False
            self._tighten(relaxed)
            if self._closed():
                return True
            found = self._separate(relaxed.columns)
            if self._closed():
                return True
            if not self._new(found):
                whole = self.columns.is_whole(relaxed.columns)
                if whole and self.incumbent is not None:
                    # Nothing is violated: the point is a valid tree, and the best.
                    self.proved = True
                    return True
                solved = self._solve_whole(max_nodes)
                if solved is not None:
                    return solved
                continue
            self.add(found)

    def _new(self, found: Found) -> bool:
        """Whether some row is not there yet; those of soft rules are where they are exceeded, too."""
        return bool(found.rows) or any(
            rule.name not in self.pool and not (self.counting and math.isfinite(rule.penalty))
            for rule in found.rules
        )

    def _closed(self) -> bool:
        """Whether the bound has come down to the incumbent."""
        if self.incumbent is not None:
            value = self.incumbent[0]
            self.proved = self.bound - value <= CLOSE * max(1.0, abs(value))
        return self.proved

    def _tighten(self, relaxed: Relaxed) -> None:
        """Lower the bound by an optimum, exactly where arcs are all there is."""
        value = self._lagrangian(relaxed) if self.exact else relaxed.value + EPSILON * max(1.0, abs(relaxed.value))
        self.bound = min(self.bound, value)

    def _lagrangian(self, relaxed: Relaxed) -> float:
        columns = self.columns
        weights = -columns.broken.astype(np.float64) if self.counting else columns.score.copy()
        if self.strict:
            weights[columns.broken > 0] = -np.inf
        constant = 0.0
        for place, factors, limit, most in self._priced:
            price = min(max(float(relaxed.duals[place]), 0.0), most)
            if price > 0.0:
                weights -= price * factors
                constant += price * limit
        best = np.full(columns.arcs, -np.inf)
        np.maximum.at(best, columns.arc, weights)
        matrix = np.full((columns.words + 1, columns.words + 1), -np.inf)
        matrix[columns.arc_modifier, columns.arc_head] = best
        found = solve(matrix, columns.msa)
        return -math.inf if found is None else found.score + constant

    def _separate(self, point: FloatArray) -> Found:
        """Rows that a point violates, and the tree that is near to it as an incumbent."""
        columns = self.columns
        if columns.is_whole(point):
            chosen = columns.chosen(point)
            heads = columns.heads_of(chosen)
            found = self.tree_rows(heads, chosen)
            if not find_cycles(heads.tolist()):
                self.offer(heads, chosen)
            return found
        near = columns.project(point)
        told = None
        rows: list[Row] = []
        if near is not None:
            told = near[0].tolist()
            self.offer(*near)
            rows = self._shape_rows(told, point)
        rules = self.rules.violated(point[: len(columns)], told) if self.rules is not None else []
        found = Found(rows, rules)
        if not self._new(found):
            closed = find_closed_sets(columns, columns.arc_values(point))
            return Found([sets_row(columns, (each,)) for each in closed], [])
        return found

    def _solve_whole(self, max_nodes: int) -> bool | None:
        """Solve the integer program; whether there is a tree, None if it violates rows that are added now."""
        if self.nodes >= max_nodes:
            return self._end_early()
        start = None
        if self.incumbent is not None and self.parts is None and not self.pool:
            start = self.columns.point_of(self.incumbent[2], self.linear.columns)
        whole = np.arange(len(self.columns), dtype=np.int32)
        solved = self.linear.solve_whole(whole, start, max_nodes - self.nodes)
        self.solves += 1
        if solved is None:
            return False
        self.nodes += solved.nodes
        self.bound = min(self.bound, solved.bound + EPSILON * max(1.0, abs(solved.bound)))
        if solved.columns is None:
            return self._end_early()
        chosen = self.columns.chosen(solved.columns)
        heads = self.columns.heads_of(chosen)
        found = self.tree_rows(heads, chosen)
        if self._new(found):
            self.add(found)
            return self._end_early() if solved.limited else None
        self.offer(heads, chosen)
        self.proved = self.by_whole = not solved.limited
        return True

    def _end_early(self) -> bool:
        if self.incumbent is None:
            message = "a limit came before the first tree"
            raise LimitError(message)
        return True
