"""The arrays of compiled rules by the definitions of their kinds: units of violation, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from wnparse.rules.compile import RuleProgram


def row_violations(
    program: RuleProgram, bits: npt.NDArray[np.uint64], heads: Sequence[int], labels: Sequence[int]
) -> list[int]:
    """The units of each row of a tree; heads and numbers of labels have n + 1 places."""
    return [_Row(program, number, bits, heads, labels).units() for number in range(len(program.table))]


class _Row:
    def __init__(
        self,
        program: RuleProgram,
        number: int,
        bits: npt.NDArray[np.uint64],
        heads: Sequence[int],
        labels: Sequence[int],
    ) -> None:
        fields = program.table[number].tolist()
        self.kind, self.node, self.limit, self.between, self.crossing = fields[:5]
        self.arc = (*fields[5:10], int(program.masks[number, 0]), fields[18])
        self.other = (*fields[11:16], int(program.masks[number, 1]), fields[19]) if fields[10] else None
        self.alike = program.classes[fields[16] : fields[17]].tolist()
        self.predicate_words, self.features = program.predicates.width, len(program.predicates.features)
        self.classes = program.label_class
        self.bits, self.heads, self.labels = bits, heads, labels
        self.words = range(1, len(heads))

    def holds(self, predicate: int, node: int) -> bool:
        return predicate < 0 or bool(int(self.bits[node, predicate // 64]) >> predicate % 64 & 1)

    def matches(self, pattern: tuple[int, ...], m: int) -> bool:
        head, dependent, direction, least, most, mask, agreement = pattern
        if m == 0:
            return False
        h = self.heads[m]
        return (
            self.holds(head, h)
            and self.holds(dependent, m)
            and (direction == 0 or (direction == 1) == (h < m))
            and abs(h - m) >= least
            and (most == 0 or abs(h - m) <= most)
            and bool(mask >> int(self.classes[self.labels[m]]) & 1)
            and (agreement == 0 or (h > 0 and bool(agreement & self.comparison(agreement // 8, h, m))))
        )

    def comparison(self, feature: int, h: int, m: int) -> int:
        """1: a word lacks the feature, 2: they share a value, 4: they do not."""
        size = (self.bits.shape[1] - self.predicate_words) // self.features
        begin = self.predicate_words + feature * size
        of_head, of_dependent = (self.bits[node, begin : begin + size] for node in (h, m))
        if not of_head.any() or not of_dependent.any():
            return 1
        return 2 if (of_head & of_dependent).any() else 4

    def units(self) -> int:
        arcs = [m for m in self.words if self.matches(self.arc, m)]
        if self.kind == 0:
            return len(arcs)
        if self.kind in (1, 2):
            return sum(self.counted(h, arcs) for h in range(len(self.heads)))
        if self.kind == 3:
            return sum(self.pair(a, b) for a, b in combinations(self.words, 2))
        return sum({4: self.parent, 5: self.inner, 6: self.crossings, 7: self.gap}[self.kind](m) for m in arcs)

    def counted(self, h: int, arcs: list[int]) -> int:
        if not self.holds(self.node, h) or (self.other and not self.matches(self.other, h)):
            return 0
        count = sum(self.heads[m] == h for m in arcs)
        if self.kind == 1:
            return max(0, count - self.limit)
        return 0 if h == 0 and self.node < 0 else max(0, self.limit - count)

    def pair(self, a: int, b: int) -> bool:
        other = self.other or self.arc
        h = self.heads[a]
        if self.heads[b] != h or not self.holds(self.node, h):
            return False
        if not (
            (self.matches(self.arc, a) and self.matches(other, b))
            or (self.matches(other, a) and self.matches(self.arc, b))
        ):
            return False
        if self.between >= 0 and any(self.holds(self.between, j) for j in range(a + 1, b)):
            return False
        return not any(self.holds(predicate, a) and self.holds(predicate, b) for predicate in self.alike)

    def parent(self, m: int) -> bool:
        assert self.other
        return not self.matches(self.other, self.heads[m])

    def inner(self, m: int) -> int:
        assert self.other
        h = self.heads[m]
        inside = [j for j in range(min(h, m) + 1, max(h, m)) if self.holds(self.between, j)]
        return sum(self.heads[j] != h or not self.matches(self.other, j) for j in inside)

    def crossings(self, m: int) -> int:
        h, count = self.heads[m], 0
        for j in self.words:
            i = self.heads[j]
            if {i, j} & {h, m} or (self.other and not self.matches(self.other, j)):
                continue
            j_inside, i_inside = (min(h, m) < x < max(h, m) for x in (j, i))
            m_inside, h_inside = (min(i, j) < x < max(i, j) for x in (m, h))
            if j_inside != i_inside:
                count += bool((j_inside | i_inside << 1 | m_inside << 2 | h_inside << 3) & self.crossing)
        return count

    def gap(self, m: int) -> bool:
        below = {m}
        for _ in self.words:
            below |= {j for j in self.words if self.heads[j] in below}
        return max(below) - min(below) + 1 != len(below)
