"""Predicates: the conditions on tokens that rules have, and which tokens of a sentence satisfy them.

A predicate holds if one of several conditions does, and a condition if a token passes all of its tests, each of
which reads one column. What a token satisfies is stored as bits. For each column, a table has the bits of the
conditions that a value does not fail; the AND over the columns gives the conditions that hold. So a sentence costs
one look-up per word, whatever the rules, and a new word a few more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.rules.conditions import ColumnTest, Condition, Word
from wnparse.rules.patterns import ConstraintPattern
from wnparse.treebanks.sentence import COLUMNS

if TYPE_CHECKING:
    from wnparse.treebanks.sentence import Sentence

MOST_REMEMBERED = 1 << 19  # values of a column; more are forgotten, so that an endless pipeline stays small


class _Column(NamedTuple):
    """A column of CoNLL-U that conditions read."""

    place: int  # among the columns that are looked up together
    tests: list[tuple[Callable[[str], bool], int]]  # and the bits of the conditions that fail with the test
    passed: dict[str, int]  # by value, the bits of the conditions that do not fail


class _PredicateBits(dict[int, bytes]):
    """The bits of predicates, by the bits of the conditions that hold.

    As bytes: words of 64 bits, the first predicate in the lowest bit of the first.
    """

    def __init__(self, alternatives: Sequence[int], width: int) -> None:
        super().__init__()
        self._alternatives = alternatives  # of each predicate, the bits of its conditions
        self._size = 8 * width

    def __missing__(self, conditions: int) -> bytes:
        bits = sum(1 << number for number, mask in enumerate(self._alternatives) if conditions & mask)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[conditions] = data = bits.to_bytes(self._size, "little")
        return data


class _WordBits(dict[bytes, bytes]):
    """The bits of predicates, by the bytes of neighbouring columns of a word with tabs between them."""

    def __init__(self, columns: Sequence[_Column], predicates: _PredicateBits) -> None:
        super().__init__()
        self._columns = columns
        self._predicates = predicates

    def __missing__(self, span: bytes) -> bytes:
        values = span.decode(errors="replace").split("\t")
        conditions = -1
        for place, tests, passed in self._columns:
            value = values[place]
            if value not in passed:
                if len(passed) >= MOST_REMEMBERED:
                    passed.clear()
                bits = -1
                for test, failing in tests:
                    if not test(value):
                        bits &= ~failing
                passed[value] = bits
            conditions &= passed[value]
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[span] = data = self._predicates[conditions]
        return data


class Predicates:
    """The distinct conditions on tokens that rules have, by number.

    Attributes
    ----------
    words : list of Word
        The predicates; the number of one is its place.
    columns : list of str
        The columns of CoNLL-U that they read.
    width : int
        Words of 64 bits that have a bit for each predicate.
    """

    def __init__(self, words: Iterable[Word]) -> None:
        self.words = list(dict.fromkeys(words))
        self.columns = sorted({column for word in self.words for column in word.columns})
        self.width = max(1, math.ceil(len(self.words) / 64))
        self._numbers = {word: number for number, word in enumerate(self.words)}
        at_root = sum(1 << number for number, word in enumerate(self.words) if word.at_root)
        self._root = at_root.to_bytes(8 * self.width, "little")
        conditions: dict[Condition, int] = {}  # and the bit of each
        alternatives = []
        for word in self.words:
            of_words = [condition for condition in word.alternatives if not condition.root]
            bits = {conditions.setdefault(condition, 1 << len(conditions)) for condition in of_words}
            alternatives.append(sum(bits))
        self._predicate_bits = _PredicateBits(alternatives, self.width)
        places = [COLUMNS.index(column) for column in self.columns]
        self._first, self._last = min(places, default=0), max(places, default=0)
        self._word_bits = _WordBits(
            [
                _Column(place - self._first, _column_tests(column, conditions), {})
                for place, column in zip(places, self.columns, strict=True)
            ],
            self._predicate_bits,
        )

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: Word | None) -> int:
        """Return the number of a predicate; -1 for none, which any node satisfies."""
        return -1 if word is None else self._numbers[word]

    def bits(self, sentence: Sentence | None, words: int = 0) -> npt.NDArray[np.uint64]:
        """Return the predicates that nodes satisfy, uint64[n + 1, width].

        Predicate p is bit p % 64 of word p // 64 of a node's row.
        Without a sentence, whose columns no predicate may read then, the bits are those of `words` words.
        """
        if not self.columns or sentence is None:
            bits = [self._predicate_bits[-1]] * (words if sentence is None else len(sentence))
        else:
            # One look-up per word: the columns that rules read, and those between them.
            raw, word_bits = sentence.raw, self._word_bits
            begin = sentence.fields[1:, self._first].tolist()
            end = sentence.fields[1:, self._last + 1].tolist()
            bits = [word_bits[raw[a : b - 1]] for a, b in zip(begin, end, strict=True)]
        return np.frombuffer(bytearray().join([self._root, *bits]), "<u8").reshape(-1, self.width)


def _column_tests(column: str, conditions: dict[Condition, int]) -> list[tuple[Callable[[str], bool], int]]:
    """Return the distinct tests of a column, each with the bits of the conditions that it belongs to."""
    masks: dict[ColumnTest, int] = {}
    for condition, bit in conditions.items():
        for test in condition.tests:
            if test.column == column:
                masks[test] = masks.get(test, 0) | bit
    return [(test.compiled(), mask) for test, mask in masks.items()]


def predicates_of(patterns: Iterable[ConstraintPattern]) -> Predicates:
    """Return the predicates of some constraints, in the order in which they first occur there."""
    return Predicates(word for pattern in patterns for word in pattern.words if word is not None)
