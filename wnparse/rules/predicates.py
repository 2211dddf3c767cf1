"""Predicates: the conditions on tokens that rules have, and which tokens of a sentence satisfy them.

A predicate holds if one of several conditions does, and a condition if a token passes all of its tests, each of
which reads one column. What a token satisfies is stored as bits. For each column, a table has the bits of the
conditions that a value does not fail; the AND over the columns gives the conditions that hold. So a sentence costs
one look-up per word, whatever the rules, and a new word a few more.

Rules may also compare the values of a feature on two words. Which values a feature has is known only for a given
sentence, so the values of each sentence are numbered, and a word has a bit for each of its values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.rules.conditions import ColumnTest, Condition, Word, split_features
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


class _FeatureValues(dict[str, list[list[str]]]):
    """The values of some features, by FEATS; no values for a feature that a word does not have."""

    def __init__(self, features: Sequence[str]) -> None:
        super().__init__()
        self._features = features

    def __missing__(self, feats: str) -> list[list[str]]:
        present = split_features(feats)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[feats] = values = [
            present[feature].split(",") if feature in present else [] for feature in self._features
        ]
        return values


class Predicates:
    """The distinct conditions on tokens that rules have, and the features that they compare, by number.

    Attributes
    ----------
    words : list of Word
        The predicates; the number of one is its place.
    features : list of str
        The features whose values rules compare; the number of one is its place.
    columns : list of str
        The columns of CoNLL-U that they read.
    width : int
        Words of 64 bits that have a bit for each predicate.
    """

    def __init__(self, words: Iterable[Word], features: Iterable[str] = ()) -> None:
        self.words = list(dict.fromkeys(words))
        self.features = list(dict.fromkeys(features))
        columns = {column for word in self.words for column in word.columns}
        self.columns = sorted(columns | {"feats"} if self.features else columns)
        self.width = max(1, math.ceil(len(self.words) / 64))
        self._numbers = {word: number for number, word in enumerate(self.words)}
        self._feature_values = _FeatureValues(self.features)
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
        """Return the predicates that nodes satisfy, uint64[n + 1, width], followed by the values of features.

        Predicate p is bit p % 64 of word p // 64 of a node's row. Each feature has the same number of words after
        those of the predicates: as many as it takes to give each value in the sentence a bit.
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
        rows = np.frombuffer(bytearray().join([self._root, *bits]), "<u8").reshape(-1, self.width)
        return np.hstack([rows, self._values(sentence)]) if self.features and sentence is not None else rows

    def _values(self, sentence: Sentence) -> npt.NDArray[np.uint64]:
        """Return the values of features that nodes have, as bits; values are numbered as they first occur."""
        numbers: list[dict[str, int]] = [{} for _ in self.features]
        nodes = [[0] * len(self.features)]
        for feats in sentence.column("feats"):
            values_of_word = zip(numbers, self._feature_values[feats], strict=True)
            nodes.append(
                [
                    sum(1 << known.setdefault(value, len(known)) for value in dict.fromkeys(values))
                    for known, values in values_of_word
                ]
            )
        size = 8 * max(1, math.ceil(max(map(len, numbers)) / 64))
        data = b"".join(bits.to_bytes(size, "little") for node in nodes for bits in node)
        return np.frombuffer(data, "<u8").reshape(len(nodes), -1)


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
    listed = list(patterns)
    return Predicates(
        (word for pattern in listed for word in pattern.words if word is not None),
        (feature for pattern in listed for feature in pattern.features),
    )
