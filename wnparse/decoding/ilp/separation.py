"""Rows that a point violates, integral or not: of trees and their shapes, and of rules.

Rows for a tree are made from it. Rows for a fractional point are minimum cuts (wnparse.decoding.ilp.flow_cuts),
for the words by which trees near to it violate block degree or nesting: the arborescence nearest to it (Martins et
al. 2009, section 4), the best one by the prices of the rows and, if these lead to no row, some with other arcs of
the point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wnparse._core.decoding import solve
from wnparse.decoding.arrays import FloatArray, IntArray
from wnparse.decoding.ilp.columns import ArcColumns
from wnparse.decoding.ilp.flow_cuts import FlowCuts
from wnparse.decoding.ilp.highs import Row
from wnparse.decoding.ilp.projective_rows import crossing_rows
from wnparse.decoding.ilp.rule_rows import RuleRow, RuleRows
from wnparse.decoding.ilp.tree_cuts import EPSILON, Sets, ShapeCuts, find_cycles, sets_row

if TYPE_CHECKING:
    from wnparse.decoding.ilp.normalised import Normalised

MOST_ROWS = 5  # at a time
MOST_TREES = 5  # near to a point, whose words are tried


class ViolatedRows(NamedTuple):
    """Rows that a point violates."""

    rows: list[Row]  # of trees and their shapes
    rules: list[RuleRow]

    def __bool__(self) -> bool:
        return bool(self.rows or self.rules)


class Separation:
    """Finds rows for the points of a program."""

    def __init__(self, problem: Normalised, columns: ArcColumns) -> None:
        self.columns = columns
        self.shapes = ShapeCuts(problem.block_degree, problem.well_nested)
        self.rules = (
            RuleRows(problem.rules, problem.bits, columns, problem.unit)
            if problem.rules is not None and problem.bits is not None
            else None
        )

    def of_tree(self, heads: IntArray, chosen: IntArray) -> ViolatedRows:
        """Return the rows that a choice for each word violates, whether it is a tree or not."""
        head_list = heads.tolist()
        cycles = find_cycles(head_list)
        point = self.columns.point_of(chosen)
        rows = [sets_row(self.columns, (cycle,)) for cycle in cycles] or self._of_shapes(point, head_list)
        violated = self.rules.violated(point, head_list) if self.rules is not None and not cycles else []
        return ViolatedRows(rows, violated)

    def _of_shapes(self, point: FloatArray, heads: list[int]) -> list[Row]:
        if self.shapes.block_degree == 1:
            return crossing_rows(self.columns, self.columns.arc_values(point))
        return self._violated(point, self.shapes.separate(heads))

    def of_rules(self, point: FloatArray, heads: list[int] | None) -> list[RuleRow]:
        """Return rows of rules that a point violates; those of contiguous yields come from a tree near to it."""
        return self.rules.violated(point[: len(self.columns)], heads) if self.rules is not None else []

    def of_point(self, point: FloatArray, trees: list[list[int]]) -> list[Row]:
        """Return rows of trees and of their shapes that a fractional point violates; `trees` are near to it."""
        values = self.columns.arc_values(point)
        if self.shapes.block_degree == 1:
            rows = crossing_rows(self.columns, values)
            return rows or self._closed(FlowCuts(self.columns, values))
        flows = FlowCuts(self.columns, values)
        if not self.shapes:
            return self._closed(flows)
        return (
            self._by_words(point, flows, trees)
            or self._closed(flows)
            or self._by_words(point, flows, self._more_trees(flows, trees))
        )

    def _closed(self, flows: FlowCuts) -> list[Row]:
        return [sets_row(self.columns, (members,)) for members in flows.closed_sets()]

    def _by_words(self, point: FloatArray, flows: FlowCuts, trees: Iterable[list[int]]) -> list[Row]:
        """Return rows of block degree and nesting for the words by which trees violate them."""
        patterns = dict.fromkeys(pattern for heads in trees for pattern in self.shapes.patterns(heads))
        cuts = (flows.least_sets(*pattern) for pattern in patterns)
        return self._violated(point, dict.fromkeys(sets for sets in cuts if sets is not None))

    def _violated(self, point: FloatArray, cuts: Iterable[Sets]) -> list[Row]:
        """Return the rows that the point violates most."""
        rows = [sets_row(self.columns, sets) for sets in cuts]
        excess = [float(row.factors @ point[row.columns]) - row.upper for row in rows]
        order = sorted(range(len(rows)), key=lambda i: -excess[i])
        return [rows[i] for i in order[:MOST_ROWS] if excess[i] > EPSILON]

    def _more_trees(self, flows: FlowCuts, trees: list[list[int]]) -> Iterator[list[int]]:
        """Find arborescences near to the point that have an arc which the others do not have."""
        weights = np.full((flows.nodes, flows.nodes), -np.inf)
        weights[flows.modifier, flows.head] = flows.value
        order = np.argsort(-flows.value, kind="stable")
        arcs = list(zip(flows.head[order].tolist(), flows.modifier[order].tolist(), strict=True))
        seen = {(h, m) for heads in trees for m, h in enumerate(heads)}
        for _ in range(MOST_TREES):
            h, m = next((arc for arc in arcs if arc not in seen), (-1, 0))
            if h < 0:
                return
            weights[m, h] += 1.0
            solution = solve(weights, self.columns.msa)
            weights[m, h] -= 1.0
            seen.add((h, m))
            if solution is not None:
                heads = solution.heads.tolist()
                seen |= {(h, m) for m, h in enumerate(heads)}
                yield heads
