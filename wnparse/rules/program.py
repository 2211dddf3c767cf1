"""Rules compiled for the labels of a parser: tables that the core reads, and the bits of each sentence.

A predicate is a condition on one token. What predicates a token satisfies are bits: of each column that some
predicate reads, a table has the bits of the predicates that the value does not fail, and those of a token are the
AND over its columns. So a sentence costs some look-ups a word, whatever the rules.

Labels that belong to the same sets of relations are interchangeable for the rules, and make one class.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wnparse._core.rules import CompiledRules
from wnparse.errors import RulesError
from wnparse.rules.conditions import ColumnTest, Condition, Relations, Word
from wnparse.rules.patterns import LEAST, Pattern, Row
from wnparse.rules.ruleset import Rules
from wnparse.treebanks.sentence import COLUMNS

if TYPE_CHECKING:
    from wnparse.treebanks.sentence import Sentence

MOST_CLASSES = 63  # one is left for arcs without a label
MOST_REMEMBERED = 1 << 19  # values of a column; more are forgotten, so that an endless pipeline stays small
ALL = 2**64 - 1
TABLE_COLUMNS = 20
MOST_PROGRAMS = 16  # of the same rules, kept for different labels


class _Values(dict[str, int]):
    """The bits of the conditions that a value of one column does not fail; computed once for each value."""

    def __init__(self, tests: Iterable[tuple[int, Sequence[ColumnTest]]], count: int) -> None:
        super().__init__()
        self._tests = [(1 << bit, tuple(each)) for bit, each in tests]
        self._unread = (1 << count) - 1 - sum(bit for bit, _ in self._tests)

    def __missing__(self, value: str) -> int:
        found = self._unread
        for bit, tests in self._tests:
            if all(test.holds(value) for test in tests):
                found |= bit
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[value] = found
        return found


class _Joined(dict[int, bytes]):
    """From the bits of conditions to those of predicates, which hold if one of several conditions does.

    As bytes: words of 64 bits, the first predicate in the lowest bit of the first.
    """

    def __init__(self, alternatives: Sequence[int], size: int) -> None:
        super().__init__()
        self._alternatives = alternatives  # of each predicate, the bits of its conditions
        self._size = size

    def __missing__(self, bits: int) -> bytes:
        found = sum(1 << number for number, mask in enumerate(self._alternatives) if bits & mask)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[bits] = told = found.to_bytes(self._size, "little")
        return told


class _Spans(dict[bytes, bytes]):
    """From the bytes of neighbouring columns of a word, tabs between them, to the bits of its predicates."""

    def __init__(self, tables: Sequence[tuple[int, _Values]], joined: _Joined) -> None:
        super().__init__()
        self._tables = tables  # with the place of each column in the span
        self._joined = joined

    def __missing__(self, span: bytes) -> bytes:
        values = span.decode(errors="replace").split("\t")
        found = -1
        for place, table in self._tables:
            found &= table[values[place]]
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[span] = told = self._joined[found]
        return told


class Predicates:
    """The distinct conditions on tokens that rules have, by number.

    Attributes
    ----------
    words : list of Word
        The predicates; the number of one is its place.
    columns : list of str
        The columns of CoNLL-U that they read.
    root_bits : int
        Those that node 0 satisfies.
    """

    def __init__(self, words: Iterable[Word]) -> None:
        self.words = list(dict.fromkeys(words))
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self.root_bits = sum(1 << number for number, word in enumerate(self.words) if word.at_root)
        conditions: dict[Condition, int] = {}
        alternatives = []
        for word in self.words:
            mine = [each for each in word.alternatives if not each.root]
            alternatives.append(sum({1 << conditions.setdefault(each, len(conditions)) for each in mine}))
        self.columns = sorted({column for word in self.words for column in word.columns})
        count = len(conditions)
        self._tables = [
            _Values(
                [
                    (bit, tests)
                    for condition, bit in conditions.items()
                    if (tests := [test for test in condition.tests if test.column == column])
                ],
                count,
            )
            for column in self.columns
        ]
        self._everything = (1 << count) - 1
        self._width = max(1, math.ceil(len(self.words) / 64))
        self._joined = _Joined(alternatives, 8 * self._width)
        self._root = self.root_bits.to_bytes(8 * self._width, "little")
        places = [COLUMNS.index(column) for column in self.columns]
        self._first, self._last = min(places, default=0), max(places, default=0)
        self._spans = _Spans(
            [(place - self._first, table) for place, table in zip(places, self._tables, strict=True)], self._joined
        )

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: Word | None) -> int:
        """The number of a predicate; -1 of none, which anything satisfies."""
        return -1 if word is None else self._numbers[word]

    def bits(self, sentence: Sentence | None, words: int = 0) -> npt.NDArray[np.uint64]:
        """What each node satisfies: uint64[n + 1, width], bit p % 64 of word p // 64 of a row for predicate p.

        Without a sentence, whose columns nothing may read then, the bits are those of so many words.
        """
        found: Any
        if not self.columns or sentence is None:
            found = [self._joined[self._everything]] * (words if sentence is None else len(sentence))
        else:
            # One look-up a word: the columns that rules read stand side by side.
            raw, spans = sentence.raw, self._spans
            begin = sentence.fields[1:, self._first].tolist()
            end = sentence.fields[1:, self._last + 1].tolist()
            found = [spans[raw[a : b - 1]] for a, b in zip(begin, end, strict=True)]
        data = bytearray().join([self._root, *found])
        return np.frombuffer(data, "<u8").reshape(-1, self._width)


class LabelSets:
    """The distinct sets of relations that rules have, by number.

    Attributes
    ----------
    sets : list of Relations
    width : int
        Words of 64 bits that have a bit for each set.
    """

    def __init__(self, sets: Iterable[Relations]) -> None:
        self.sets = list(dict.fromkeys(sets))
        self.width = max(1, math.ceil(len(self.sets) / 64))
        self._numbers = {relations: number for number, relations in enumerate(self.sets)}

    def number(self, relations: Relations | None) -> int:
        """The number of a set; -1 of all relations."""
        return -1 if relations is None else self._numbers[relations]

    def signature(self, label: str) -> int:
        """Which sets a label belongs to, a bit for each."""
        return sum(1 << number for number, relations in enumerate(self.sets) if relations.holds(label))

    def bits(self, labels: Iterable[str]) -> npt.NDArray[np.uint64]:
        """Return the signatures of labels, uint64[L, width]."""
        data = b"".join(self.signature(label).to_bytes(8 * self.width, "little") for label in labels)
        return np.frombuffer(data, "<u8").reshape(-1, self.width)


@dataclass(frozen=True, eq=False)
class RuleProgram:
    """Rules as the core reads them, for one inventory of labels.

    Attributes
    ----------
    rules : Rules
        What was compiled.
    predicates : Predicates
        What tokens are asked; `predicates.bits(sentence)` answers.
    label_class : ndarray
        int32[L]: the class of each label.
    table : ndarray
        int32[R, 20]: kind, node, limit, between, crossing, the arc (head, dependent, direction, least, most),
        whether there is another, the other (likewise), where the row's classes begin and end; two zeros.
    masks : ndarray
        uint64[R, 2]: classes of labels of the arc and the other; all bits for any label.
    penalties : ndarray
        float64[R]: what a unit of violation costs; infinite if the rule is hard.
    classes : ndarray
        int32[C]: lists of predicates of which siblings must share one.
    row_rules : ndarray
        int32[R]: the rule that each row belongs to, by its place in `rules`. A rule may have several rows; one
        that no tree over these labels could break has none.
    """

    rules: Rules
    predicates: Predicates
    label_class: npt.NDArray[np.int32]
    table: npt.NDArray[np.int32]
    masks: npt.NDArray[np.uint64]
    penalties: npt.NDArray[np.float64]
    classes: npt.NDArray[np.int32]
    row_rules: npt.NDArray[np.int32]

    @property
    def columns(self) -> list[str]:
        """The columns of CoNLL-U that the rules read."""
        return self.predicates.columns

    @functools.cached_property
    def core(self) -> CompiledRules:
        """The same in the core."""
        width = max(1, math.ceil(len(self.predicates) / 64))
        return CompiledRules(self.table, self.masks, self.penalties, self.classes, self.label_class, width)


def patterns(row: Row) -> list[Pattern]:
    """The arcs that a row speaks of."""
    return [row.arc] if row.other is None else [row.arc, row.other]


def predicates_of(rows: Iterable[Row]) -> Predicates:
    """The predicates of some rows, in the order in which they first stand there."""
    found: list[Word | None] = []
    for row in rows:
        found += [row.node, row.between, *row.classes]
        found += [word for pattern in patterns(row) for word in (pattern.head, pattern.dependent)]
    return Predicates(word for word in found if word is not None)


def label_sets_of(rows: Iterable[Row]) -> LabelSets:
    """The sets of relations of some rows."""
    found = [pattern.relations for row in rows for pattern in patterns(row)]
    return LabelSets(each for each in found if each is not None)


def compile_rules(rules: Rules, labels: Sequence[str]) -> RuleProgram:
    """Compile rules for an inventory of labels, or find what was compiled before: it takes milliseconds.

    Raises
    ------
    RulesError
        If they tell more than 63 classes of labels apart.
    """
    programs: dict[tuple[str, ...], RuleProgram] = rules.__dict__.setdefault("_programs", {})
    key = tuple(labels)
    found = programs.get(key)
    if found is None:
        found = _compile(rules, key)
        if len(programs) >= MOST_PROGRAMS:
            programs.clear()
        programs[key] = found
    return found


def _compile(rules: Rules, labels: Sequence[str]) -> RuleProgram:
    numbered = [(number, row) for number, rule in enumerate(rules) for row in rule.rows]
    sets = label_sets_of(row for _, row in numbered)
    signatures = [sets.signature(label) for label in labels]
    classes = {signature: number for number, signature in enumerate(dict.fromkeys(signatures))}
    if len(classes) > MOST_CLASSES:
        raise RulesError(
            f"the rules tell {len(classes)} classes of relations apart; expected at most {MOST_CLASSES}",
            rules.name,
        )

    def mask(relations: Relations | None) -> int:
        number = sets.number(relations)
        if number < 0:
            return ALL
        return sum(1 << place for signature, place in classes.items() if signature >> number & 1)

    # An arc that no label can have breaks nothing, unless it is asked for.
    kept = [(number, row) for number, row in numbered if row.kind == LEAST or mask(row.arc.relations)]
    rows = [row for _, row in kept]
    predicates = predicates_of(rows)
    table, lists = tabulate(rows, predicates)
    masks = [[mask(relations) for relations in row.relations] for row in rows]
    return RuleProgram(
        rules=rules,
        predicates=predicates,
        label_class=np.array([classes[signature] for signature in signatures], np.int32),
        table=table,
        masks=np.array(masks, np.uint64).reshape(-1, 2),
        penalties=np.array([rules.rules[number].penalty for number, _ in kept], np.float64),
        classes=lists,
        row_rules=np.array([number for number, _ in kept], np.int32),
    )


def tabulate(rows: Sequence[Row], predicates: Predicates) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return `table` and `classes` of a `RuleProgram` for some rows."""
    table = np.zeros((len(rows), TABLE_COLUMNS), np.int32)
    classes: list[int] = []
    for place, row in enumerate(rows):
        begin = len(classes)
        classes += [predicates.number(word) for word in row.classes]
        table[place, :18] = (
            row.kind,
            predicates.number(row.node),
            row.limit,
            predicates.number(row.between),
            row.crossing,
            *_numbers(row.arc, predicates),
            row.other is not None,
            *_numbers(row.other or Pattern(), predicates),
            begin,
            len(classes),
        )
    return table, np.array(classes, np.int32)


def _numbers(pattern: Pattern, predicates: Predicates) -> tuple[int, int, int, int, int]:
    """A pattern but for its labels."""
    head, dependent = predicates.number(pattern.head), predicates.number(pattern.dependent)
    return head, dependent, pattern.side, pattern.least, pattern.most
