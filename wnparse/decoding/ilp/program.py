"""The program of one problem: its columns and first rows, and branch and bound on linear programs with lazy rows.

At a node the program is solved, rows that its point violates are added, and it is solved again from the last
basis, for as long as the bound falls. Rows stay for other nodes, but if there are many, those that are not tight
are removed.

The bound of a program without parts is rigorous (wnparse.decoding.ilp.prices); with parts it is the solver's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse.decoding.arrays import BoolArray, FloatArray, IntArray
from wnparse.decoding.ilp.columns import WHOLE, ArcColumns
from wnparse.decoding.ilp.highs import LinearProgram, Relaxed, Row, SolverError
from wnparse.decoding.ilp.part_flows import PartFlows
from wnparse.decoding.ilp.prices import Prices
from wnparse.decoding.ilp.rule_rows import RuleRow
from wnparse.decoding.ilp.separation import Separation, ViolatedRows
from wnparse.decoding.ilp.tree_cuts import EPSILON, Sets, sets_row
from wnparse.errors import LimitError

if TYPE_CHECKING:
    from wnparse.decoding.ilp.normalised import Normalised

# Both are in units of the normalised problem, or of the value at hand if that is larger.
SOLVED = 1e-8  # tolerance of an optimum of the solver
CLOSE = 1e-9  # a bound this close to the value of a tree equals it
ROUNDS, PROGRESS = (
    2,
    0.3,
)  # rounds in which a node's bound must close this part of the gap to the incumbent
MANY_ROWS = 40


class Program:
    """Maximises scores, or minimises broken hard rules, over the trees that satisfy the rows found so far.

    Attributes
    ----------
    incumbent : tuple or None
        The best valid tree: its value, heads and columns.
    bound : float
        No valid tree has a higher value.
    proved : bool
        Whether the incumbent is the best tree.
    pool : dict
        The rows of rules, by name; another program can start with them.
    """

    def __init__(
        self,
        problem: Normalised,
        columns: ArcColumns,
        deadline: float | None,
        *,
        counting: bool = False,
        budget: int | None = None,
    ) -> None:
        self.problem, self.columns, self.deadline = problem, columns, deadline
        self.counting, self.budget = counting, budget
        self.strict = not counting and budget is None  # no hard rule may be broken
        self.separation = Separation(problem, columns)
        self.rules = self.separation.rules
        self.parts = PartFlows(problem, columns) if problem.parts is not None else None
        self.exact = self.parts is None and budget is None  # bounds are those of prices
        self.incumbent: tuple[float, IntArray, IntArray] | None = None
        self.bound = math.inf
        self.proved = False
        self.solves = self.nodes = 0
        self._cheapest: list[int] | None = None  # the best arborescence by the last prices
        self._pruned = -math.inf  # the highest bound of a node that was pruned
        self.pool: dict[tuple[int, ...], RuleRow] = {}
        self._prices = Prices(columns)

    def start(self, pool: dict[tuple[int, ...], RuleRow] | None = None) -> None:
        """Write the columns and the first rows, with the rules of a pool."""
        columns = self.columns
        costs = -columns.broken.astype(np.float64) if self.counting else columns.score
        self._upper = np.where(columns.broken > 0, 0.0, 1.0) if self.strict else np.ones(len(columns))
        self.linear = LinearProgram(costs, self._upper, self.deadline)
        self.linear.add_rows(columns.degree_rows(self.problem.single_root))
        self._budget_row: list[int] = []
        if self.parts is not None and not self.counting:
            self.parts.write(self.linear)
        if self.budget is not None:
            self._add_budget()
        self.add(ViolatedRows([], list((pool or {}).values())))

    def add(self, violated: ViolatedRows) -> None:
        """Add rows; those of rules that may be broken get a column for the amount by which they are exceeded."""
        for place, row in enumerate(violated.rows, self.linear.add_rows(violated.rows)):
            self._prices.add(place, row.columns, row.factors, row.upper, math.inf)
        for rule in violated.rules:
            if rule.name not in self.pool:
                self.pool[rule.name] = rule
                self._add_rule(rule)

    def add_sets(self, cuts: list[Sets]) -> None:
        """Add rows of block degree or nesting by their sets."""
        self.add(ViolatedRows([sets_row(self.columns, sets) for sets in cuts], []))

    def begin_from(self, heads: npt.NDArray[np.intp]) -> None:
        """Let the solver begin with these heads."""
        self.linear.begin_from(self.columns.place[np.arange(1, len(heads)), heads[1:]])

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
        self._prices.add(self.linear.rows, slice(None), rule.factors, rule.limit, price)
        self.linear.add_rows([Row(places, factors, -np.inf, rule.limit)])
        if self.budget is not None and hard:
            self._add_budget()

    def _add_budget(self) -> None:
        """Limit the number of broken hard rules; earlier rows with fewer terms remain true."""
        broken = np.flatnonzero(self.columns.broken)
        places = np.concatenate([broken, self._budget_row]).astype(np.int32)
        factors = np.concatenate([self.columns.broken[broken], np.ones(len(self._budget_row))])
        self.linear.add_rows([Row(places, factors, -np.inf, float(self.budget or 0))])

    def value(self, heads: IntArray, chosen: IntArray) -> float:
        """Return the score of a tree or, when counting, how often it breaks hard rules, negated."""
        broken, cost = self._broken(heads, chosen)
        if self.counting:
            return -float(broken)
        score = float(self.columns.score[chosen[1:]].sum())
        return score - cost + (self.parts.value(heads) if self.parts is not None else 0.0)

    def _broken(self, heads: IntArray, chosen: IntArray) -> tuple[int, float]:
        broken, cost = int(self.columns.broken[chosen[1:]].sum()), 0.0
        if self.rules is not None:
            point = self.columns.point_of(chosen)
            broken_rows, cost = self.rules.cost(self.rules.violated(point, heads.tolist()), point)
            broken += broken_rows
        return broken, cost

    def broken(self) -> int:
        """Return how often the incumbent breaks hard rules."""
        assert self.incumbent is not None
        return self._broken(*self.incumbent[1:])[0]

    def offer(self, heads: IntArray, chosen: IntArray) -> bool:
        """Make a tree the incumbent if it is valid and better; return whether it is valid."""
        if not self.separation.shapes.allow(heads.tolist(), self.problem.single_root):
            return False
        restricted = not self.counting and self.problem.choices is not None
        if restricted and self._broken(heads, chosen)[0] > (self.budget or 0):
            return False
        value = self.value(heads, chosen)
        if self.incumbent is None or value > self.incumbent[0]:
            self.incumbent = (value, heads, chosen)
        return True

    def maximise(self, max_nodes: int) -> bool:
        """Find the best tree and prove it, as far as limits allow; return False if there is none.

        Branch and bound: a node forbids columns. Of two branches on an arc, the one that has it comes first.
        """
        stack = [(math.inf, np.zeros(len(self.columns), bool))]
        try:
            while stack:
                bound, banned = stack.pop()
                if self._beaten(bound):
                    continue
                if self.nodes >= max_nodes:
                    stack.append((bound, banned))
                    break
                self.nodes += 1
                stack.append((bound, banned))  # the node is open if the time limit is reached in it
                bound, point = self._relax(banned)
                stack.pop()
                if point is not None:
                    stack += [(bound, branch) for branch in self._branches(point, banned)]
                if self.nodes == 1:
                    self.bound = min(self.bound, bound)
        finally:
            open_bound = max((bound for bound, _ in stack), default=-math.inf)
            value = -math.inf if self.incumbent is None else self.incumbent[0]
            self.bound = min(self.bound, max(open_bound, value, self._pruned))
        self.proved = not stack and self.incumbent is not None
        if stack and self.incumbent is None:
            raise LimitError("a limit was reached before the first tree was found")
        return self.incumbent is not None

    def _relax(self, banned: BoolArray) -> tuple[float, FloatArray | None]:
        """Solve and separate at a node; return its bound, and a fractional point if it must be branched on."""
        self.linear.bound_columns(np.where(banned, 0.0, self._upper))
        best = math.inf
        bounds: list[float] = []
        while True:
            relaxed = self.linear.solve()
            self.solves += 1
            if relaxed is None:
                return -math.inf, None
            best = min(best, self._bound_of(relaxed, banned))
            if self._beaten(best):
                return best, None
            violated = self._separate(relaxed.columns)
            if self._beaten(best):
                return best, None
            if not banned.any():
                self._fix_to_zero(relaxed)
            bounds.append(best)
            whole = self.columns.is_whole(relaxed.columns)
            if not self._has_new(violated) or (not whole and self._stalls(bounds)):
                if not whole:
                    self._tidy(relaxed)
                    return best, relaxed.columns
                # An integral point that violates nothing is a valid tree, and the best of the node.
                chosen = self.columns.chosen(relaxed.columns)
                if not self.offer(self.columns.heads_of(chosen), chosen):
                    raise SolverError("HiGHS took an invalid tree for a solution; the tree is not proved")
                return best, None
            self.add(violated)

    def _stalls(self, bounds: list[float]) -> bool:
        """Return whether new rows no longer lower the bound of a node enough."""
        if self.incumbent is None or len(bounds) <= ROUNDS:
            return False
        return bounds[-1 - ROUNDS] - bounds[-1] < PROGRESS * (bounds[-1] - self.incumbent[0])

    def _tidy(self, relaxed: Relaxed) -> None:
        """Remove rows that are not tight, if there are many; only after a node, so that none returns."""
        if self.rules is None and self._prices.count > MANY_ROWS:
            slack = self._prices.slack(relaxed)
            if slack.any():
                self.linear.drop_rows(self._prices.drop(slack))

    def _fix_to_zero(self, relaxed: Relaxed) -> None:
        """Forbid the columns that no better tree has, by their reduced costs."""
        if self.incumbent is None:
            return
        value = self.incumbent[0]
        gains = relaxed.gains[: len(self.columns)]
        useless = relaxed.value + gains < value - EPSILON * max(1.0, abs(value))
        useless &= (relaxed.columns[: len(gains)] <= WHOLE) & (self._upper > 0.0)
        if useless.any():
            self._upper = np.where(useless, 0.0, self._upper)
            self.linear.bound_columns(self._upper)

    def _branches(self, point: FloatArray, banned: BoolArray) -> list[BoolArray]:
        """Split a node in two: without an arc, or a label of it, that is fractional in the point; and with it."""
        columns = self.columns
        values = columns.arc_values(point)
        fractional = np.minimum(values, 1.0 - values) > WHOLE
        if fractional.any():
            # The head with the largest value, of the word whose heads differ most in score.
            modifier, score = columns.arc_modifier[fractional], columns.best_of_arcs(columns.score)[fractional]
            best, worst = np.full(columns.words + 1, -np.inf), np.full(columns.words + 1, np.inf)
            np.maximum.at(best, modifier, score)
            np.minimum.at(worst, modifier, score)
            word = int(np.argmax(best - worst))
            of_word = np.where(fractional & (columns.arc_modifier == word), values, -1.0)
            chosen = columns.arc == int(np.argmax(of_word))
        else:
            values = point[: len(columns)]
            chosen = np.arange(len(columns)) == int(np.argmax(np.minimum(values, 1.0 - values)))
            word = int(columns.modifier[int(np.argmax(chosen))])
        return [banned | chosen, banned | ((columns.modifier == word) & ~chosen)]

    def _beaten(self, bound: float) -> bool:
        """Return whether no tree within a bound is better than the incumbent."""
        if self.incumbent is None:
            return bound == -math.inf
        value = self.incumbent[0]
        beaten = bound - value <= (CLOSE if self.exact else 2 * SOLVED) * max(1.0, abs(value))
        if beaten:
            self._pruned = max(self._pruned, bound)
        return beaten

    def _has_new(self, violated: ViolatedRows) -> bool:
        """Return whether some row is not in the program yet; rows of soft rules may be there and exceeded."""
        return bool(violated.rows) or any(
            rule.name not in self.pool and not (self.counting and math.isfinite(rule.penalty))
            for rule in violated.rules
        )

    def _bound_of(self, relaxed: Relaxed, banned: BoolArray) -> float:
        """Return the bound of a node, which is rigorous if it can be computed by prices."""
        if not self.exact:
            return relaxed.value + SOLVED * max(1.0, abs(relaxed.value))
        columns = self.columns
        weights = -columns.broken.astype(np.float64) if self.counting else columns.score.copy()
        weights[banned | (self._upper == 0.0)] = -np.inf
        bound, self._cheapest = self._prices.bound(weights, relaxed.duals)
        return bound

    def _separate(self, point: FloatArray) -> ViolatedRows:
        """Return rows that a point violates; the tree nearest to it may become the incumbent."""
        columns = self.columns
        if columns.is_whole(point):
            chosen = columns.chosen(point)
            heads = columns.heads_of(chosen)
            self.offer(heads, chosen)
            return self.separation.of_tree(heads, chosen)
        near = columns.project(point)
        trees = [] if near is None else [near[0].tolist()]
        if self._cheapest is not None and self._cheapest not in trees:
            trees.append(self._cheapest)
        if near is not None:
            self.offer(*near)
        rules = self.separation.of_rules(point, None if near is None else trees[0])
        violated = ViolatedRows([], rules)
        return violated if self._has_new(violated) else ViolatedRows(self.separation.of_point(point, trees), [])
