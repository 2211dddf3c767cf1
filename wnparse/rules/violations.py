"""What a tree does with rules: where it breaks them, and where it could have.

A *chance* to break a rule is

- of a forbidden arc: an arc of the relations it names; if it names none, one that is all else it says
- of *at most k*: a head with at least one such dependent; of *at most 0*, and of *at least k*: a head of the kind
- of siblings: a head with at least one of them
- of all other rules: an arc that they speak of

O(words) for a projective tree and arcs of a few words. Which rows concern a word by its relation and its bits is
looked up, as few kinds of words make up a treebank.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from wnparse.errors import TreebankError
from wnparse.rules.patterns import (
    BETWEEN,
    CONTIGUOUS,
    FORBID,
    LEAST,
    LEFT,
    MOST,
    PARENT,
    PROJECTIVE,
    RIGHT,
    SIBLINGS,
    Pattern,
    Row,
)
from wnparse.rules.program import label_sets_of, predicates_of
from wnparse.rules.ruleset import Rules
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import block_degrees

LONG_ARC = 64  # words between its ends that are worth sums for all arcs of its head
MOST_SUMS = 64  # heads that have them at the same time

Place = tuple[int, ...]  # the nodes that a chance, or a violation, is about


class _Arc(NamedTuple):
    """A pattern with numbers for words and relations; -1 is anything."""

    head: int
    dependent: int
    side: int
    least: int
    most: int
    labels: int


class _Concerned(NamedTuple):
    """The rows that concern a word, by its relation and bits."""

    arcs: tuple[int, ...]  # whose arc it may be
    others: tuple[int, ...]  # of siblings, whose other arc it may be
    chances: tuple[int, ...]  # that forbid something which it may be, but for what is left to be looked at
    heads: tuple[int, ...]  # that speak of each head of its kind


class Violation(NamedTuple):
    """A chance that was taken."""

    place: Place
    units: int  # as penalties count them
    words: Place  # those to look at


@dataclass
class Found:
    """What one tree does with one rule."""

    chances: set[Place] = field(default_factory=set)
    violations: list[Violation] = field(default_factory=list)

    def add(self, place: Place, units: int, words: Iterable[int]) -> None:
        """Note a violation, unless it comes to nothing."""
        if units:
            self.chances.add(place)
            self.violations.append(Violation(place, units, tuple(sorted({*words} - {0}))))


class RuleCounter:
    """Looks for violations in trees, one at a time."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        numbered = [(number, row) for number, rule in enumerate(rules) for row in rule.rows]
        self._rows = [row for _, row in numbered]
        self._owners = [number for number, _ in numbered]
        self._predicates = predicates_of(self._rows)
        self._sets = label_sets_of(self._rows)
        self._arcs = [self._numbered(row.arc) for row in self._rows]
        self._others = [self._numbered(row.other) if row.other else None for row in self._rows]
        self._nodes = [self._predicates.number(row.node) for row in self._rows]
        self._between = [self._predicates.number(row.between) for row in self._rows]
        self._classes = [
            sum(1 << self._predicates.number(word) for word in set(row.classes)) for row in self._rows
        ]
        # At least k asks each head for something, and so does at most k but for heads without such dependents.
        twice = {owner for owner, row in numbered if row.kind == LEAST}
        self._asks = [
            row.kind == LEAST or (row.kind == MOST and not row.limit and owner not in twice)
            for owner, row in numbered
        ]
        self._silent = [row.kind == MOST and owner in twice for owner, row in numbered]
        self._wide = any(row.kind in (PROJECTIVE, CONTIGUOUS) for row in self._rows)
        self._concerned: dict[tuple[int, int], _Concerned] = {}

    def _numbered(self, pattern: Pattern) -> _Arc:
        head, dependent = self._predicates.number(pattern.head), self._predicates.number(pattern.dependent)
        labels = self._sets.number(pattern.relations)
        return _Arc(head, dependent, pattern.side, pattern.least, pattern.most, labels)

    @property
    def labels(self) -> set[str]:
        """The relations that it has seen."""
        return self._sets.seen

    def look(
        self, sentence: Sentence, heads: Sequence[int] | None = None, labels: Sequence[str] | None = None
    ) -> list[Found]:
        """What a tree does with each rule: the sentence's own, or other heads (n + 1) and relations (n + 1)."""
        tree = sentence.heads.tolist() if heads is None else [int(head) for head in heads]
        if min(tree[1:], default=0) < 0:
            raise TreebankError("a word without head; expected a full tree", sentence.path, sentence.line)
        names = sentence.column("deprel") if labels is None else labels[1:]
        bits = self._predicates.of(sentence)
        signatures = [0, *map(self._sets.signature, names)]
        return _Look(self, tree, bits, signatures).found

    def concerned(self, signature: int, bits: int) -> _Concerned:
        """The rows that concern a word."""
        found = self._concerned.get((signature, bits))
        if found is None:
            rows = range(len(self._rows))

            def may_be(arc: _Arc | None) -> bool:
                return arc is not None and _has(signature, arc.labels) and _has(bits, arc.dependent)

            found = self._concerned[signature, bits] = _Concerned(
                tuple(r for r in rows if may_be(self._arcs[r])),
                tuple(r for r in rows if self._rows[r].kind == SIBLINGS and may_be(self._others[r])),
                tuple(r for r in rows if self._rows[r].kind == FORBID and self._is_near(r, signature, bits)),
                tuple(
                    r
                    for r in rows
                    if self._asks[r]
                    and _has(bits, self._nodes[r])
                    and (self._others[r] is None or may_be(self._others[r]))
                ),
            )
        return found

    def _is_near(self, r: int, signature: int, bits: int) -> bool:
        """Whether a word may be a chance of a forbidden arc."""
        if self.names_relations(r):
            return _has(signature, self._arcs[r].labels)
        return _has(bits, self._arcs[r].dependent)

    def names_relations(self, r: int) -> bool:
        """Whether a row forbids arcs of relations that it names."""
        relations = self._rows[r].arc.relations
        return relations is not None and relations.listed is not None


def _has(bits: int, number: int) -> bool:
    """Whether a bit is set; -1 stands for anything."""
    return number < 0 or bool(bits >> number & 1)


class _Look:
    """One tree under the eyes of a counter."""

    def __init__(self, counter: RuleCounter, heads: list[int], bits: list[int], signatures: list[int]) -> None:
        self.counter, self.heads, self.bits, self.signatures = counter, heads, bits, signatures
        self.found = [Found() for _ in counter.rules]
        self._sums: dict[tuple[int, int], list[int]] = {}
        self._degrees = block_degrees(heads).tolist() if counter._wide else []
        self._projective = max(self._degrees, default=1) <= 1
        self._children: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._seconds: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for word in range(1, len(heads)):
            self._look_at(word)
        self._look_at_root()
        for r, by_head in self._children.items():
            if counter._rows[r].kind != SIBLINGS:
                self._count(r, by_head)
        for r in sorted(self._children.keys() | self._seconds.keys()):
            if counter._rows[r].kind == SIBLINGS:
                self._pairs(r)

    def _matches(self, arc: _Arc, head: int, dependent: int) -> bool:
        """Whether an arc is of a kind, relation and dependent included."""
        return (
            _has(self.signatures[dependent], arc.labels)
            and _has(self.bits[dependent], arc.dependent)
            and self._fits(arc, head, dependent)
        )

    def _fits(self, arc: _Arc, head: int, dependent: int) -> bool:
        """Whether an arc is of a kind but for its relation and dependent: head, side and distance."""
        distance = dependent - head
        return (
            (arc.side == 0 or (arc.side == RIGHT and distance > 0) or (arc.side == LEFT and distance < 0))
            and abs(distance) >= arc.least
            and (arc.most == 0 or abs(distance) <= arc.most)
            and _has(self.bits[head], arc.head)
        )

    def _own_matches(self, other: _Arc | None, node: int) -> bool:
        """Whether the arc to a node is of a kind; node 0 has none."""
        return other is None or (node > 0 and self._matches(other, self.heads[node], node))

    def _of(self, r: int) -> Found:
        return self.found[self.counter._owners[r]]

    def _look_at(self, word: int) -> None:
        """Look at the arc to a word, and at the word as a head."""
        counter, head = self.counter, self.heads[word]
        concerned = counter.concerned(self.signatures[word], self.bits[word])
        for r in concerned.chances:
            if counter.names_relations(r) or self._fits(counter._arcs[r], head, word):
                self._of(r).chances.add((head, word))
        for r in concerned.arcs:
            if self._fits(counter._arcs[r], head, word):
                self._take(r, counter._rows[r], head, word)
        for r in concerned.others:
            other = counter._others[r]
            assert other is not None
            if self._fits(other, head, word):
                self._seconds[r][head].append(word)
        for r in concerned.heads:
            other = counter._others[r]
            if other is None or self._fits(other, head, word):
                self._of(r).chances.add((word,))
                self._children[r][word]

    def _look_at_root(self) -> None:
        counter = self.counter
        for r, asks in enumerate(counter._asks):
            node = counter._nodes[r]
            if asks and counter._others[r] is None and node >= 0 and _has(self.bits[0], node):
                self._of(r).chances.add((0,))
                self._children[r][0]

    def _take(self, r: int, row: Row, head: int, word: int) -> None:
        """Look at an arc that a row speaks of."""
        if row.kind in (MOST, LEAST, SIBLINGS):
            self._children[r][head].append(word)
            return
        found, place = self._of(r), (head, word)
        if row.kind == FORBID:
            units = 1
        else:
            found.chances.add(place)
            units = self._units(r, row, head, word)
        found.add(place, units, place)

    def _units(self, r: int, row: Row, head: int, word: int) -> int:
        """How often an arc breaks a rule that looks at more than itself."""
        counter = self.counter
        other = counter._others[r]
        if row.kind == PARENT:
            assert other is not None
            return int(head == 0 or not self._own_matches(other, head))
        if row.kind == CONTIGUOUS:
            return int(self._degrees[word] > 1)
        low, high = min(head, word), max(head, word)
        if row.kind == BETWEEN:
            assert other is not None
            if high - low > LONG_ARC:
                sums = self._strangers(r, head)
                return sums[high - 1] - sums[low]
            return sum(self._is_strange(r, other, head, j) for j in range(low + 1, high))
        assert row.kind == PROJECTIVE
        if self._projective:
            return 0
        return sum(
            bool(self._crossing(head, word, j) & row.crossing)
            for j in range(1, len(self.heads))
            if other is None or self._matches(other, self.heads[j], j)
        )

    def _is_strange(self, r: int, other: _Arc, head: int, j: int) -> bool:
        """Whether a word must not stand between a head and a dependent."""
        return _has(self.bits[j], self.counter._between[r]) and (
            self.heads[j] != head or not self._matches(other, head, j)
        )

    def _strangers(self, r: int, head: int) -> list[int]:
        """How many such words there are up to each node: a head may have thousands of dependents."""
        if (r, head) not in self._sums:
            other = self.counter._others[r]
            assert other is not None
            if len(self._sums) >= MOST_SUMS:
                self._sums.clear()
            nodes = range(1, len(self.heads))
            self._sums[r, head] = list(accumulate((self._is_strange(r, other, head, j) for j in nodes), initial=0))
        return self._sums[r, head]

    def _crossing(self, h: int, m: int, j: int) -> int:
        """How the arc to j crosses the arc h -> m; 0 if it does not."""
        i = self.heads[j]
        if i in (h, m) or j in (h, m):
            return 0
        low, high = min(h, m), max(h, m)
        if (low < i < high) == (low < j < high):
            return 0
        return (1 if low < j < high else 2) | (4 if min(i, j) < m < max(i, j) else 8)

    def _count(self, r: int, by_head: dict[int, list[int]]) -> None:
        """Most and least dependents."""
        counter = self.counter
        row, found = counter._rows[r], self._of(r)
        for head, words in by_head.items():
            if not _has(self.bits[head], counter._nodes[r]) or not self._own_matches(counter._others[r], head):
                continue
            if row.kind == LEAST and head == 0 and counter._nodes[r] < 0:
                continue
            if words and not counter._asks[r] and not counter._silent[r]:
                found.chances.add((head,))
            units = max(0, len(words) - row.limit) if row.kind == MOST else max(0, row.limit - len(words))
            found.add((head,), units, [head, *words])

    def _pairs(self, r: int) -> None:
        """Pairs of siblings."""
        counter = self.counter
        row, found = counter._rows[r], self._of(r)
        firsts = self._children[r]
        seconds = self._seconds[r] if row.other else firsts
        for head in sorted(firsts.keys() | seconds.keys()):
            if not _has(self.bits[head], counter._nodes[r]):
                continue
            found.chances.add((head,))
            pairs, words = self._strained(r, row, firsts.get(head, []), seconds.get(head, []))
            found.add((head,), pairs, {head, *words})

    def _strained(self, r: int, row: Row, firsts: list[int], seconds: list[int]) -> tuple[int, set[int]]:
        """Pairs of siblings that lack what they need, one thing of those that are named; and their words.

        Few kinds of siblings matter, by the lists that they are in and their classes: each sibling is paired with
        the kinds before it, back to the last word that may stand between.
        """
        counter, classes = self.counter, self.counter._classes[r]
        first, second = set(firsts), set(seconds)
        siblings = sorted(first | second)
        parted = row.between is not None
        before: dict[tuple[bool, bool, int], list[int]] = defaultdict(list)
        told: dict[tuple[bool, bool, int], int] = defaultdict(int)  # of each kind, that are in `words`
        pairs, words, last = 0, set[int](), 0
        for sibling in siblings:
            if parted and any(_has(self.bits[j], counter._between[r]) for j in range(last + 1, sibling)):
                before.clear()
                told.clear()
            mine = (sibling in first, sibling in second, self.bits[sibling] & classes)
            for kind, members in before.items():
                if ((mine[0] and kind[1]) or (mine[1] and kind[0])) and not mine[2] & kind[2]:
                    pairs += len(members)
                    words.update((sibling, *members[told[kind] :]))
                    told[kind] = len(members)
            if parted and _has(self.bits[sibling], counter._between[r]):
                before.clear()
                told.clear()
            before[mine].append(sibling)
            last = sibling
        return pairs, words
