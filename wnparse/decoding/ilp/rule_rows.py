"""Rules as rows over the columns of labelled arcs, and which of them a point violates, integral or not.

Riedel & Clarke (2006), section 3.1. Write x(h, m, L) for the columns of the arc h -> m with a label of a set L,
and x(., h, Q) for those of h's own arc:

    most        sum over m of x(h, m, L) <= k                       each node h
      h's own arc of Q, k = 0:   x(., h, Q) + x(h, m, L) <= 1       each m
                        k > 0:   sum over m of x(h, m, L) + M x(., h, Q) <= k + M
    least       k - sum over m of x(h, m, L) <= 0                   or k x(., h, Q) - ...
    siblings    x(h, m, L) + x(h, s, L') <= 1                       each pair m < s that excludes each other
      the other way round, what the first row has left out:
                x(h, m, L' without L) + x(h, s, L) <= 1
                x(h, m, L and L') + x(h, s, L without L') <= 1
    parent      x(h, m, L) - x(., h, Q) <= 0
    between     x(h, m, L) - x(h, j, Q) <= 0                        each j between
    projective  x(h, m, L) + sum over i of x(i, j, .) <= 1          i -> j crosses h -> m
    contiguous  x(outside W, r, L) - z(in(W)) - z(out(W)) <= -1     W, with r in it, has a gap

The row of a soft rule may be exceeded: each unit costs the penalty. Rules that forbid single arcs, such as rules
of agreement, have no rows: the scores of the columns include them. The tables of rules have the layout of
`wnparse.rules.compile`. Nothing here calls the core, so that the two can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.decoding.arrays import BoolArray, FloatArray, IntArray
from wnparse.decoding.ilp.tree_cuts import EPSILON

if TYPE_CHECKING:
    from wnparse._core.rules import CompiledRules
    from wnparse.decoding.ilp.columns import ArcColumns

KINDS = ("forbid", "most", "least", "siblings", "parent", "between", "projective", "contiguous")
ENTERS, LEAVES, OVER_DEPENDENT, OVER_HEAD = 1, 2, 4, 8
Support = npt.NDArray[np.intp]  # the columns that a point has


class RuleRow(NamedTuple):
    """A row of a rule: the weighted sum of columns must not exceed a limit."""

    name: tuple[int, ...]  # the rule, and the nodes that distinguish its rows
    factors: FloatArray  # [k], of the columns
    limit: float
    penalty: float


@dataclass(frozen=True)
class _Rule:
    number: int
    kind: str
    node: int
    limit: int
    between: int
    crossing: int
    arc: list[int]  # head, dependent, direction, least, most
    other: list[int] | None
    masks: list[int]
    classes: list[int]
    penalty: float


def _read_rules(compiled: CompiledRules, unit: float) -> list[_Rule]:
    """Return the rules of a table, with penalties in some unit; those that forbid single arcs are left out."""
    rules = []
    for number, line in enumerate(compiled.table.tolist()):
        kind, node, limit, between, crossing = line[:5]
        other = line[11:16] if line[10] else None
        masks, penalty = compiled.masks[number].tolist(), float(compiled.penalties[number]) / unit
        classes = compiled.classes[line[16] : line[17]].tolist()
        rules.append(
            _Rule(number, KINDS[kind], node, limit, between, crossing, line[5:10], other, masks, classes, penalty)
        )
    return [rule for rule in rules if rule.kind != "forbid"]


class RuleRows:
    """The rows of rules over the columns of a problem."""

    def __init__(
        self, compiled: CompiledRules, bits: npt.NDArray[np.uint64], columns: ArcColumns, unit: float = 1.0
    ) -> None:
        self.columns = columns
        self.rules = _read_rules(compiled, unit)
        node_bytes = np.ascontiguousarray(bits, "<u8").view(np.uint8)
        self._satisfied = np.unpackbits(node_bytes, axis=1, bitorder="little").astype(bool)  # [node, predicate]
        self._matches: dict[tuple[int, bool], BoolArray] = {}

    def violated(self, point: FloatArray, heads: list[int] | None) -> list[RuleRow]:
        """Return the rows that a point violates; those of contiguous yields are taken from a tree near to it."""
        values = point[: len(self.columns)]
        support = np.flatnonzero(values > EPSILON)
        used = sum(1 << label_class for label_class in np.unique(self.columns.label_class[support]).tolist())
        rows: list[RuleRow] = []
        for rule in self.rules:
            if rule.kind == "least" or rule.masks[0] & used:
                candidates = self.rows_of(rule, support, heads)
                rows += [row for row in candidates if row.factors @ values > row.limit + EPSILON]
        return rows

    def rows_of(self, rule: _Rule, support: Support, heads: list[int] | None) -> Iterator[RuleRow]:
        """Make the rows of a rule about the arcs of a support, whether a point violates them or not."""
        if rule.kind == "contiguous":
            return self._contiguous(rule, support, heads)
        makers = {
            "most": self._most,
            "least": self._least,
            "siblings": self._siblings,
            "parent": self._parent,
            "between": self._between,
            "projective": self._projective,
        }
        return makers[rule.kind](rule, support)

    def cost(self, rows: list[RuleRow], values: FloatArray) -> tuple[int, float]:
        """Return how often an integral point breaks hard rules, and what the soft ones that it breaks cost."""
        broken, cost = 0, 0.0
        for row in rows:
            amount = round(float(row.factors @ values[: len(self.columns)]) - row.limit)
            if math.isinf(row.penalty):
                broken += amount
            else:
                cost += amount * row.penalty
        return broken, cost

    def _has(self, predicate: int, node: int) -> bool:
        return predicate < 0 or bool(self._satisfied[node, predicate])

    def _matching(self, rule: _Rule, other: bool = False) -> BoolArray:
        """Return which columns match a pattern of a rule."""
        key = (rule.number, other)
        if key not in self._matches:
            columns = self.columns
            pattern = rule.other if other else rule.arc
            assert pattern is not None
            head, dependent, direction, least, most = pattern
            in_mask = np.array([bool(rule.masks[other] >> label_class & 1) for label_class in range(64)])
            matches = in_mask[columns.label_class]
            if direction:
                matches &= (columns.head < columns.modifier) == (direction == 1)
            distance = np.abs(columns.head - columns.modifier)
            if least:
                matches &= distance >= least
            if most:
                matches &= distance <= most
            if head >= 0:
                matches &= self._satisfied[columns.head, head]
            if dependent >= 0:
                matches &= self._satisfied[columns.modifier, dependent]
            self._matches[key] = matches
        return self._matches[key]

    def _head_arc(self, rule: _Rule, h: int) -> FloatArray:
        """Select the columns of h's own arc that match the other pattern."""
        return np.asarray(self._matching(rule, True) & (self.columns.modifier == h), np.float64)

    def _arc(self, rule: _Rule, h: int, m: int, other: bool = False) -> FloatArray:
        return np.asarray(self._matching(rule, other) & (self.columns.arc == self.columns.place[m, h]), np.float64)

    def _dependents(self, rule: _Rule, h: int) -> FloatArray:
        return np.asarray(self._matching(rule) & (self.columns.head == h), np.float64)

    def _matching_arcs(self, rule: _Rule, support: Support, other: bool = False) -> list[tuple[int, int]]:
        """Return the arcs (h, m) of the support that match a pattern."""
        columns = self.columns
        arcs = dict.fromkeys(columns.arc[support[self._matching(rule, other)[support]]].tolist())
        return [(int(columns.arc_head[arc]), int(columns.arc_modifier[arc])) for arc in arcs]

    def _row(self, rule: _Rule, factors: FloatArray, limit: float, *nodes: int) -> RuleRow:
        return RuleRow((rule.number, *nodes), factors, limit, rule.penalty)

    def _most(self, rule: _Rule, support: Support) -> Iterator[RuleRow]:
        arcs = self._matching_arcs(rule, support)
        if rule.other is not None and rule.limit == 0:
            for h, m in arcs:
                if h > 0 and self._has(rule.node, h):
                    yield self._row(rule, self._arc(rule, h, m) + self._head_arc(rule, h), 1.0, h, m)
            return
        for h in dict.fromkeys(h for h, _ in arcs):
            if not self._has(rule.node, h):
                continue
            dependents = self._dependents(rule, h)
            if rule.other is None:
                yield self._row(rule, dependents, float(rule.limit), h)
                continue
            words = len(np.unique(self.columns.modifier[dependents > 0]))
            spare = max(0, words - rule.limit)
            yield self._row(rule, dependents + spare * self._head_arc(rule, h), float(rule.limit + spare), h)

    def _least(self, rule: _Rule, support: Support) -> Iterator[RuleRow]:
        # Node 0 needs children only if the rule has a condition on the head.
        for h in range(0 if rule.node >= 0 else 1, self.columns.words + 1):
            if not self._has(rule.node, h):
                continue
            dependents = self._dependents(rule, h)
            if rule.other is None:
                yield self._row(rule, -dependents, -float(rule.limit), h)
            elif h > 0:
                yield self._row(rule, rule.limit * self._head_arc(rule, h) - dependents, 0.0, h)

    def _siblings(self, rule: _Rule, support: Support) -> Iterator[RuleRow]:
        arcs = set(self._matching_arcs(rule, support))
        if rule.other is not None:
            arcs |= set(self._matching_arcs(rule, support, True))
        for (h, m), (h_of_s, s) in combinations(sorted(arcs), 2):
            if h != h_of_s or not self._has(rule.node, h) or not self._exclude(rule, m, s):
                continue
            first_m, first_s = self._arc(rule, h, m), self._arc(rule, h, s)
            if rule.other is None:
                yield self._row(rule, first_m + first_s, 1.0, h, m, s)
                continue
            second_m, second_s = self._arc(rule, h, m, True), self._arc(rule, h, s, True)
            pairs = (
                (first_m, second_s),
                (second_m * (1 - first_m), first_s),
                (first_m * second_m, first_s * (1 - second_s)),
            )
            for number, (of_m, of_s) in enumerate(pairs):
                yield self._row(rule, of_m + of_s, 1.0, h, m, s, number)

    def _exclude(self, rule: _Rule, m: int, s: int) -> bool:
        """Return whether siblings m < s exclude each other."""
        if rule.between >= 0 and self._satisfied[m + 1 : s, rule.between].any():
            return False
        return not (self._satisfied[m, rule.classes] & self._satisfied[s, rule.classes]).any()

    def _parent(self, rule: _Rule, support: Support) -> Iterator[RuleRow]:
        for h, m in self._matching_arcs(rule, support):
            yield self._row(rule, self._arc(rule, h, m) - self._head_arc(rule, h), 0.0, h, m)

    def _between(self, rule: _Rule, support: Support) -> Iterator[RuleRow]:
        for h, m in self._matching_arcs(rule, support):
            for j in range(min(h, m) + 1, max(h, m)):
                if self._has(rule.between, j):
                    allowed = self._arc(rule, h, j, True) if self.columns.place[j, h] >= 0 else 0.0
                    yield self._row(rule, self._arc(rule, h, m) - allowed, 0.0, h, m, j)

    def _projective(self, rule: _Rule, support: Support) -> Iterator[RuleRow]:
        columns = self.columns
        for h, m in self._matching_arcs(rule, support):
            crossing = _crossing_kinds(columns.head, columns.modifier, h, m) & rule.crossing > 0
            if rule.other is not None:
                crossing &= self._matching(rule, True)
            arc = self._arc(rule, h, m)
            for j in np.unique(columns.modifier[support[crossing[support]]]).tolist():
                yield self._row(rule, arc + (crossing & (columns.modifier == j)), 1.0, h, m, j)

    def _contiguous(self, rule: _Rule, support: Support, heads: list[int] | None) -> Iterator[RuleRow]:
        if heads is None:
            return
        columns = self.columns
        for _, m in self._matching_arcs(rule, support):
            below = {m}
            while more := {v for v in range(1, len(heads)) if heads[v] in below} - below:
                below |= more
            if max(below) - min(below) + 1 == len(below):
                continue
            inside = np.zeros(columns.words + 1, bool)
            inside[list(below)] = True
            cut = (inside[columns.head] != inside[columns.modifier]).astype(np.float64)
            top = self._matching(rule) & (columns.modifier == m) & ~inside[columns.head]
            yield self._row(rule, top - cut, -1.0, m, *sorted(below))


def _crossing_kinds(heads: IntArray, modifiers: IntArray, h: int, m: int) -> IntArray:
    """Return how arcs i -> j cross h -> m, as bits; 0 if they do not."""
    low, high = min(h, m), max(h, m)
    enters = (modifiers > low) & (modifiers < high)
    leaves = (heads > low) & (heads < high)
    apart = (heads != h) & (heads != m) & (modifiers != h) & (modifiers != m)
    span_low, span_high = np.minimum(heads, modifiers), np.maximum(heads, modifiers)
    over_dependent = (span_low < m) & (m < span_high)
    kinds = np.where(enters, ENTERS, LEAVES) | np.where(over_dependent, OVER_DEPENDENT, OVER_HEAD)
    return np.where(apart & (enters != leaves), kinds, 0).astype(np.int32)
