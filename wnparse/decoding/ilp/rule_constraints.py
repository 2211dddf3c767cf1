"""Rules as rows over columns of labelled arcs, found where a point violates them, whole or not.

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

A soft rule's row may be exceeded at its penalty for each unit. What a rule forbids arc by arc is in the scores of
the columns already. The layout of rules is that of `wnparse.rules.compile`; nothing here calls the core.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.decoding.ilp.tree_cuts import EPSILON

if TYPE_CHECKING:
    from wnparse._core.rules import CompiledRules
    from wnparse.decoding.ilp.columns import Columns

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
KINDS = ("forbid", "most", "least", "siblings", "parent", "between", "projective", "contiguous")
ENTERS, LEAVES, OVER_DEPENDENT, OVER_HEAD = 1, 2, 4, 8


class RuleRow(NamedTuple):
    """A row of a rule: the sum of factors of columns that must not exceed a limit."""

    name: tuple[int, ...]  # the rule, and the nodes that tell its rows apart
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
    arc: tuple[int, int, int, int, int]  # head, dependent, direction, least, most
    other: tuple[int, int, int, int, int] | None
    masks: tuple[int, int]
    classes: tuple[int, ...]
    penalty: float


def read_rules(compiled: CompiledRules, unit: float = 1.0) -> list[_Rule]:
    """The rules of a table, penalties in some unit; those that forbid arcs one by one are left out."""
    found = []
    for number, row in enumerate(compiled.table.tolist()):
        kind = KINDS[row[0]]
        if kind == "forbid":
            continue
        found.append(
            _Rule(
                number,
                kind,
                row[1],
                row[2],
                row[3],
                row[4],
                (row[5], row[6], row[7], row[8], row[9]),
                (row[11], row[12], row[13], row[14], row[15]) if row[10] else None,
                (int(compiled.masks[number, 0]), int(compiled.masks[number, 1])),
                tuple(compiled.classes[row[16] : row[17]].tolist()),
                float(compiled.penalties[number]) / unit,
            )
        )
    return found


class RuleRows:
    """Finds the rows of rules that a point violates."""

    def __init__(
        self, compiled: CompiledRules, bits: npt.NDArray[np.uint64], columns: Columns, unit: float = 1.0
    ) -> None:
        self.columns = columns
        self.rules = read_rules(compiled, unit)
        self._bits = [sum(word << 64 * i for i, word in enumerate(row)) for row in bits.tolist()]
        self._predicates: dict[int, BoolArray] = {}
        self._fits: dict[tuple[int, int], BoolArray] = {}

    def violated(self, point: FloatArray, heads: list[int] | None) -> list[RuleRow]:
        """The rows that a point violates; those of contiguous yields by a tree near to it."""
        columns = self.columns
        values = point[: len(columns)]
        support = np.flatnonzero(values > EPSILON)
        used = 0
        for each in np.unique(columns.label_class[support]).tolist():
            used |= 1 << each
        found: list[RuleRow] = []
        for rule in self.rules:
            if rule.kind == "least" or rule.masks[0] & used:
                rows = getattr(self, f"_{rule.kind}")(rule, values, support, heads)
                found += [row for row in rows if row.factors @ values > row.limit + EPSILON]
        return found

    def every(self, kinds: Sequence[str]) -> list[RuleRow]:
        """All rows of the rules of some kinds, whether a point violates them or not."""
        point, support = np.ones(len(self.columns)), np.arange(len(self.columns))
        found: list[RuleRow] = []
        for rule in self.rules:
            if rule.kind in kinds:
                found += getattr(self, f"_{rule.kind}")(rule, point, support, None)
        return found

    def cost(self, rows: list[RuleRow], values: FloatArray) -> tuple[int, float]:
        """How often hard rules are broken by a whole point, and what soft ones cost."""
        broken, cost = 0, 0.0
        for row in rows:
            amount = round(float(row.factors @ values[: len(self.columns)]) - row.limit)
            if math.isinf(row.penalty):
                broken += amount
            else:
                cost += amount * row.penalty
        return broken, cost

    def has(self, predicate: int, node: int) -> bool:
        """Whether a node satisfies a predicate."""
        return predicate < 0 or bool(self._bits[node] >> predicate & 1)

    def _nodes(self, predicate: int) -> BoolArray:
        if predicate not in self._predicates:
            self._predicates[predicate] = np.array([self.has(predicate, v) for v in range(len(self._bits))])
        return self._predicates[predicate]

    def _fitting(self, rule: _Rule, other: bool) -> BoolArray:
        """The columns that a pattern of a rule speaks of."""
        key = (rule.number, int(other))
        if key not in self._fits:
            columns = self.columns
            pattern = rule.other if other else rule.arc
            assert pattern is not None
            head, dependent, direction, least, most = pattern
            mask = rule.masks[int(other)]
            fits = np.array([bool(mask >> c & 1) for c in range(64)])[columns.label_class]
            if direction:
                fits &= (columns.head < columns.modifier) == (direction == 1)
            distance = np.abs(columns.head - columns.modifier)
            if least:
                fits &= distance >= least
            if most:
                fits &= distance <= most
            if head >= 0:
                fits &= self._nodes(head)[columns.head]
            if dependent >= 0:
                fits &= self._nodes(dependent)[columns.modifier]
            self._fits[key] = fits
        return self._fits[key]

    def _own(self, rule: _Rule, h: int) -> FloatArray:
        """H's own arc, if it is one of the other pattern."""
        return np.asarray(self._fitting(rule, True) & (self.columns.modifier == h), np.float64)

    def _arc(self, rule: _Rule, h: int, m: int, other: bool = False) -> FloatArray:
        columns = self.columns
        place = columns.place[m, h]
        return np.asarray(self._fitting(rule, other) & (columns.arc == place), np.float64)

    def _supported(self, rule: _Rule, support: npt.NDArray[np.intp], other: bool = False) -> list[tuple[int, int]]:
        """The arcs (h, m) of the support that a pattern speaks of."""
        mine = support[self._fitting(rule, other)[support]]
        columns = self.columns
        arcs = dict.fromkeys(columns.arc[mine].tolist())
        return [(int(columns.arc_head[a]), int(columns.arc_modifier[a])) for a in arcs]

    def _row(self, rule: _Rule, factors: FloatArray, limit: float, *nodes: int) -> RuleRow:
        return RuleRow((rule.number, *nodes), factors, limit, rule.penalty)

    def _counted(self, rule: _Rule, h: int) -> FloatArray:
        return np.asarray(self._fitting(rule, False) & (self.columns.head == h), np.float64)

    def _most(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], _: object
    ) -> Iterator[RuleRow]:
        arcs = self._supported(rule, support)
        if rule.other is not None and rule.limit == 0:
            for h, m in arcs:
                if h > 0 and self.has(rule.node, h):
                    yield self._row(rule, self._arc(rule, h, m) + self._own(rule, h), 1.0, h, m)
            return
        for h in dict.fromkeys(h for h, _ in arcs):
            if not self.has(rule.node, h):
                continue
            counted = self._counted(rule, h)
            if rule.other is None:
                yield self._row(rule, counted, float(rule.limit), h)
                continue
            words = len(np.unique(self.columns.modifier[counted > 0]))
            spare = max(0, words - rule.limit)
            yield self._row(rule, counted + spare * self._own(rule, h), float(rule.limit + spare), h)

    def _least(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], _: object
    ) -> Iterator[RuleRow]:
        # Node 0 needs children only where the rule speaks of it.
        for h in range(0 if rule.node >= 0 else 1, self.columns.words + 1):
            if not self.has(rule.node, h):
                continue
            counted = self._counted(rule, h)
            if rule.other is None:
                yield self._row(rule, -counted, -float(rule.limit), h)
            elif h > 0:
                yield self._row(rule, rule.limit * self._own(rule, h) - counted, 0.0, h)

    def _siblings(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], _: object
    ) -> Iterator[RuleRow]:
        arcs = dict.fromkeys(self._supported(rule, support))
        if rule.other is not None:
            arcs |= dict.fromkeys(self._supported(rule, support, True))
        for (h, m), (other, s) in combinations(sorted(arcs), 2):
            if h != other or not self.has(rule.node, h) or not self._exclude(rule, m, s):
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
            for way, (of_m, of_s) in enumerate(pairs):
                yield self._row(rule, of_m + of_s, 1.0, h, m, s, way)

    def _exclude(self, rule: _Rule, m: int, s: int) -> bool:
        low, high = min(m, s), max(m, s)
        if rule.between >= 0 and any(self.has(rule.between, j) for j in range(low + 1, high)):
            return False
        return not any(self.has(each, m) and self.has(each, s) for each in rule.classes)

    def _parent(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], _: object
    ) -> Iterator[RuleRow]:
        for h, m in self._supported(rule, support):
            yield self._row(rule, self._arc(rule, h, m) - self._own(rule, h), 0.0, h, m)

    def _between(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], _: object
    ) -> Iterator[RuleRow]:
        for h, m in self._supported(rule, support):
            for j in range(min(h, m) + 1, max(h, m)):
                if self.has(rule.between, j):
                    allowed = self._arc(rule, h, j, True) if self.columns.place[j, h] >= 0 else 0.0
                    yield self._row(rule, self._arc(rule, h, m) - allowed, 0.0, h, m, j)

    def _projective(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], _: object
    ) -> Iterator[RuleRow]:
        columns = self.columns
        for h, m in self._supported(rule, support):
            low, high = min(h, m), max(h, m)
            crossing = crossing_kinds(columns.head, columns.modifier, h, m) & rule.crossing > 0
            if rule.other is not None:
                crossing &= self._fitting(rule, True)
            mine = self._arc(rule, h, m)
            for j in np.unique(columns.modifier[support[crossing[support]]]).tolist():
                row = mine + (crossing & (columns.modifier == j))
                yield self._row(rule, row, 1.0, low, high, h, j)

    def _contiguous(
        self, rule: _Rule, values: FloatArray, support: npt.NDArray[np.intp], heads: list[int] | None
    ) -> Iterator[RuleRow]:
        if heads is None:
            return
        columns = self.columns
        for _, m in self._supported(rule, support):
            below = {m}
            while more := {v for v in range(1, len(heads)) if heads[v] in below} - below:
                below |= more
            if max(below) - min(below) + 1 == len(below):
                continue
            inside = np.zeros(columns.words + 1, bool)
            inside[list(below)] = True
            cut = (inside[columns.head] != inside[columns.modifier]).astype(np.float64)
            top = self._fitting(rule, False) & (columns.modifier == m) & ~inside[columns.head]
            yield self._row(rule, top - cut, -1.0, m, *sorted(below))


def crossing_kinds(
    heads: npt.NDArray[np.int32], modifiers: npt.NDArray[np.int32], h: int, m: int
) -> npt.NDArray[np.int32]:
    """How arcs i -> j cross h -> m: bits, 0 where they do not."""
    low, high = min(h, m), max(h, m)
    enters = (modifiers > low) & (modifiers < high)
    leaves = (heads > low) & (heads < high)
    apart = (heads != h) & (heads != m) & (modifiers != h) & (modifiers != m)
    span_low, span_high = np.minimum(heads, modifiers), np.maximum(heads, modifiers)
    over_dependent = (span_low < m) & (m < span_high)
    kinds = np.where(enters, ENTERS, LEAVES) | np.where(over_dependent, OVER_DEPENDENT, OVER_HEAD)
    return np.where(apart & (enters != leaves), kinds, 0).astype(np.int32)
