"""The program of one problem: its columns and first rows, and branch and bound on linear programs with lazy rows.

At a node the program is solved, rows that its point violates are added, and it is solved again from where it was,
for as long as the bound falls; rows stay for other nodes, but for those without use where there are many.

The bound of a program without parts is rigorous (wnparse.decoding.ilp.prices); with parts it is the solver's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wnparse.decoding.ilp.columns import WHOLE, Columns
from wnparse.decoding.ilp.highs import LinearProgram, Relaxed, Row, SolverError
from wnparse.decoding.ilp.part_flows import PartFlows
from wnparse.decoding.ilp.prices import Prices
from wnparse.decoding.ilp.rule_constraints import RuleRow
from wnparse.decoding.ilp.separation import Found, Separation
from wnparse.decoding.ilp.tree_cuts import EPSILON, Sets, find_cycles, sets_row
from wnparse.errors import LimitError

if TYPE_CHECKING:
    from wnparse.decoding.ilp.normalised import Normalised

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

# Both are in units of the normalised problem, or of the value at hand if that is larger.
SOLVED = 1e-8  # how far an optimum of the solver is trusted
CLOSE = 1e-9  # a bound this close to a tree is its own
ROUNDS, PROGRESS = 2, 0.3  # in so many rounds of rows a node's bound must come so much nearer to the incumbent
MANY_ROWS = 40


class Program:
    """Maximise scores, or count broken rules, over the trees that keep what was found so far.

    Attributes
    ----------
    incumbent : tuple or None
        The best valid tree: its value, heads and columns.
    bound : float
        No valid tree is worth more.
    proved : bool
        Whether the incumbent is the best.
    pool : dict
        The rows of rules, by name; they outlive the program.
    """

    def __init__(
        self,
        problem: Normalised,
        columns: Columns,
        deadline: float | None,
        *,
        counting: bool = False,
        budget: int | None = None,
    ) -> None:
        self.problem, self.columns, self.deadline = problem, columns, deadline
        self.counting, self.budget = counting, budget
        self.strict = not counting and budget is None  # hard rules are kept
        self.separation = Separation(problem, columns)
        self.rules = self.separation.rules
        self.parts = PartFlows(problem, columns) if problem.parts is not None else None
        self.exact = self.parts is None and budget is None  # bounds are those of prices
        self.incumbent: tuple[float, IntArray, IntArray] | None = None
        self.bound = math.inf
        self.proved = False
        self.solves = self.nodes = 0
        self._cheapest: list[int] | None = None  # the best arborescence by the last prices
        self._left = -math.inf  # the highest bound of a node that was left for not being better than the incumbent
        self.pool: dict[tuple[int, ...], RuleRow] = {}
        self._prices = Prices(columns)

    def start(self, pool: dict[tuple[int, ...], RuleRow] | None = None) -> None:
        """Write the columns and the first rows."""
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
        self.add(Found([], list((pool or {}).values())))

    def add(self, found: Found) -> None:
        """Add rows; those of rules that may be broken with a column for what they are exceeded by."""
        for place, row in enumerate(found.rows, self.linear.add_rows(found.rows)):
            self._prices.add(place, row.columns, row.factors, row.upper, math.inf)
        for rule in found.rules:
            if rule.name in self.pool:
                continue
            self.pool[rule.name] = rule
            self._add_rule(rule)

    def add_sets(self, cuts: list[Sets]) -> None:
        """Add rows of block degree or nesting by their sets."""
        self.add(Found([sets_row(self.columns, each) for each in cuts], []))

    def begin_from(self, heads: npt.NDArray[np.intp]) -> None:
        """Have the first solution begin with the best head of each word, which no price improves on."""
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
        if find_cycles(heads.tolist()) or not self.separation.shapes.allow(heads.tolist()):
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

    def maximise(self, max_nodes: int) -> bool:
        """Find the best tree and prove it, as far as limits allow; False if there is none.

        Branch and bound: a node forbids columns. Of two branches on an arc that which has it comes first.
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
                stack.append((bound, banned))  # should time be up, the node is open
                bound, point = self._relax(banned)
                stack.pop()
                if point is not None:
                    stack += [(bound, branch) for branch in self._branches(point, banned)]
                if self.nodes == 1:
                    self.bound = min(self.bound, bound)
        finally:
            still = max((each for each, _ in stack), default=-math.inf)
            value = -math.inf if self.incumbent is None else self.incumbent[0]
            self.bound = min(self.bound, max(still, value, self._left))
        self.proved = not stack and self.incumbent is not None
        if stack and self.incumbent is None:
            raise LimitError("a limit came before the first tree")
        return self.incumbent is not None

    def _relax(self, banned: BoolArray) -> tuple[float, FloatArray | None]:
        """Solve and separate at a node: its bound, and a point that is not whole if it has to be branched on."""
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
            found = self._separate(relaxed.columns)
            if self._beaten(best):
                return best, None
            if not banned.any():
                self._strike_out(relaxed)
            bounds.append(best)
            whole = self.columns.is_whole(relaxed.columns)
            if not self._new(found) or (not whole and self._stalls(bounds)):
                if not whole:
                    self._tidy(relaxed)
                    return best, relaxed.columns
                # Where nothing is violated a whole point is a valid tree, and the best of the node.
                chosen = self.columns.chosen(relaxed.columns)
                if not self.offer(self.columns.heads_of(chosen), chosen):
                    raise SolverError("HiGHS took an invalid tree for a solution; the tree is not proved")
                return best, None
            self.add(found)

    def _stalls(self, bounds: list[float]) -> bool:
        """Whether rows have stopped to lower the bound of a node."""
        if self.incumbent is None or len(bounds) <= ROUNDS:
            return False
        return bounds[-1 - ROUNDS] - bounds[-1] < PROGRESS * (bounds[-1] - self.incumbent[0])

    def _tidy(self, relaxed: Relaxed) -> None:
        """Take away rows that the point leaves room, if they are many; after a node, lest one comes back."""
        if self.rules is None and self._prices.count > MANY_ROWS:
            slack = self._prices.slack(relaxed)
            if slack.any():
                self.linear.drop_rows(self._prices.drop(slack))

    def _strike_out(self, relaxed: Relaxed) -> None:
        """Forbid the columns that no better tree has: a whole one of them would cost too much."""
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
        """Two parts of a node: without an arc, or a label of it, that the point takes in part; and with it."""
        columns = self.columns
        values = columns.arc_values(point)
        partly = np.minimum(values, 1.0 - values) > WHOLE
        if partly.any():
            # The likeliest head of the word whose heads differ most in score.
            modifier, score = columns.arc_modifier[partly], columns.best_of_arcs(columns.score)[partly]
            best, worst = np.full(columns.words + 1, -np.inf), np.full(columns.words + 1, np.inf)
            np.maximum.at(best, modifier, score)
            np.minimum.at(worst, modifier, score)
            word = int(np.argmax(best - worst))
            among = np.where(partly & (columns.arc_modifier == word), values, -1.0)
            chosen = columns.arc == int(np.argmax(among))
        else:
            values = point[: len(columns)]
            chosen = np.arange(len(columns)) == int(np.argmax(np.minimum(values, 1.0 - values)))
            word = int(columns.modifier[int(np.argmax(chosen))])
        return [banned | chosen, banned | ((columns.modifier == word) & ~chosen)]

    def _beaten(self, bound: float) -> bool:
        """Whether nothing below a bound is better than the incumbent."""
        if self.incumbent is None:
            return bound == -math.inf
        value = self.incumbent[0]
        beaten = bound - value <= (CLOSE if self.exact else 2 * SOLVED) * max(1.0, abs(value))
        if beaten:
            self._left = max(self._left, bound)
        return beaten

    def _new(self, found: Found) -> bool:
        """Whether some row is not there yet; those of soft rules are where they are exceeded, too."""
        return bool(found.rows) or any(
            rule.name not in self.pool and not (self.counting and math.isfinite(rule.penalty))
            for rule in found.rules
        )

    def _bound_of(self, relaxed: Relaxed, banned: BoolArray) -> float:
        """A bound by an optimum, exact where arcs are all there is."""
        if self.exact:
            return self._lagrangian(relaxed, banned)
        return relaxed.value + SOLVED * max(1.0, abs(relaxed.value))

    def _lagrangian(self, relaxed: Relaxed, banned: BoolArray) -> float:
        columns = self.columns
        weights = -columns.broken.astype(np.float64) if self.counting else columns.score.copy()
        weights[banned | (self._upper == 0.0)] = -np.inf
        bound, self._cheapest = self._prices.bound(weights, relaxed.duals)
        return bound

    def _separate(self, point: FloatArray) -> Found:
        """Rows that a point violates, and the tree that is near to it as an incumbent."""
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
        found = Found([], rules)
        return found if self._new(found) else Found(self.separation.of_point(point, trees), [])
