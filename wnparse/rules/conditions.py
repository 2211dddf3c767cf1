"""Conditions of rules on words and relations: tests of columns, and sets of relations.

A condition on a word is a disjunction of conjunctions of tests, each of which reads one column: so the bits of a
sentence are cheap to compute (`wnparse.rules.predicates`). The number of attempts to match a regular expression
is limited, so that no word takes long.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass

WORD_COLUMNS = ("form", "lemma", "upos", "xpos", "feats")
FOLDED = ("form", "lemma")  # compared without regard to case, but for regular expressions
NO_FEATURES = "_"
LONGEST_PATTERN = 200  # characters
LONGEST_VALUE = 64  # characters of a word that a regular expression is tried on; the rest is ignored
MOST_ATTEMPTS = 300_000  # at matching a value that a regular expression may need
MOST_ATTEMPTS_OF_FILE = 10 * MOST_ATTEMPTS  # that all regular expressions of a rule file may need together


@dataclass(frozen=True, order=True)
class ColumnTest:
    """A test of one column: whether it is, begins or ends with, or matches one of some values."""

    column: str
    comparison: str  # is, begins, ends or matches
    values: tuple[str, ...]
    negated: bool

    def compiled(self) -> Callable[[str], bool]:
        """Return a function that tests a value of the column."""
        values, negated = self.values, self.negated
        if self.column == "feats":
            return _feature_test(values, negated)
        if self.comparison == "matches":
            patterns = [re.compile(pattern) for pattern in values]
            return lambda value: any(pattern.fullmatch(value[:LONGEST_VALUE]) for pattern in patterns) != negated
        fold = str.casefold if self.column in FOLDED else str
        if self.comparison == "is":
            names = frozenset(values)
            return lambda value: (fold(value) in names) != negated
        if self.comparison == "begins":
            return lambda value: fold(value).startswith(values) != negated
        return lambda value: fold(value).endswith(values) != negated


def split_features(feats: str) -> dict[str, str]:
    """Return the features of FEATS with their values, which are not split: ``PronType=Int,Rel`` has one."""
    if feats == NO_FEATURES:
        return {}
    return dict(feature.partition("=")[::2] for feature in feats.split("|"))


def _feature_test(values: Collection[str], negated: bool) -> Callable[[str], bool]:
    """Test whether FEATS has all features of a value such as ``Number=Sing|Poss``, Poss with any value.

    ``_`` means no features.
    """
    bundles = [
        [feature.partition("=") for feature in value.split("|")] for value in values if value != NO_FEATURES
    ]
    if_none = (NO_FEATURES in values) != negated

    def test(value: str) -> bool:
        if value == NO_FEATURES:
            return if_none
        features = split_features(value)
        return negated != any(
            all(
                name in features
                and (not equals or wanted == features[name] or wanted in features[name].split(","))
                for name, equals, wanted in bundle
            )
            for bundle in bundles
        )

    return test


@dataclass(frozen=True)
class Condition:
    """Tests that a word must all pass; `root` is True for node 0, which has no columns to test."""

    tests: tuple[ColumnTest, ...] = ()
    root: bool = False

    def joined(self, other: Condition) -> Condition:
        """Return the conjunction of two conditions."""
        return Condition(tuple(sorted({*self.tests, *other.tests})), self.root or other.root)

    @property
    def possible(self) -> bool:
        """Whether a node can satisfy it: node 0 has no columns."""
        return not (self.root and self.tests)


@dataclass(frozen=True)
class Word:
    """A condition on one token: one of the alternatives must hold. An empty one holds for all words but node 0."""

    alternatives: tuple[Condition, ...]

    @property
    def at_root(self) -> bool:
        """Whether node 0 satisfies it."""
        return any(condition.root and not condition.tests for condition in self.alternatives)

    @property
    def columns(self) -> set[str]:
        """The columns that it reads."""
        return {test.column for condition in self.alternatives for test in condition.tests}


@dataclass(frozen=True)
class Relations:
    """A set of relations: those listed (None: all) but for those excluded.

    ``nsubj`` is nsubj with any subtype or none, ``nsubj:pass`` that subtype alone, ``nsubj:`` no subtype at all,
    ``*`` any relation.
    """

    listed: tuple[str, ...] | None = None
    excluded: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """The names that are listed or excluded."""
        return (*(self.listed or ()), *self.excluded)

    def holds(self, label: str) -> bool:
        """Return whether a relation belongs to the set."""
        if self.listed is not None and not any(_names(name, label) for name in self.listed):
            return False
        return not any(_names(name, label) for name in self.excluded)


NO_RELATION = Relations(())


def _names(name: str, label: str) -> bool:
    """Return whether a name in a rule stands for a relation."""
    if name.endswith(":"):
        return label == name[:-1]
    return name == "*" or label == name or label.startswith(name + ":")


def fault_of_pattern(pattern: str) -> str | None:
    """Return what is wrong with a regular expression, and what would be right; None if it can be used."""
    if len(pattern) > LONGEST_PATTERN:
        return f"has {len(pattern)} characters; expected at most {LONGEST_PATTERN}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # about patterns that other versions of Python read differently
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, ValueError, Warning) as error:
        return f"is none ({str(error) or type(error).__name__}); expected one such as .*en or (de|het)"
    attempts = count_attempts(pattern)
    if attempts is None:
        return "has something else; expected characters, classes, groups, |, and repeats of one character or class"
    if attempts > MOST_ATTEMPTS:
        return "could take forever; expected at most three of *, + and {}, and few of | and ?"
    return None


# An atom is one character, an escape but for back-references, a class, or a group of letters and digits.
_TOKEN = re.compile(
    r"(?P<repeat>[*+?]|\{(?=[0-9,])(?P<least>[0-9]*)(?P<comma>,?)(?P<most>[0-9]*)\})\??"
    r"|(?P<atom>[^\\()|[]|\\[^1-9]|\[\^?\]?(?:\\.|[^]\\])*\]|\((?:\?:)?\w+\))"
    r"|(?P<open>\((?:\?:|(?!\?)))|(?P<branch>\|)|(?P<close>\))",
    re.DOTALL,
)


def count_attempts(pattern: str) -> int | None:
    """Bound the attempts that matching a value may need; None if the regular expression is not supported.

    A repeat of a group is not supported unless the group has only letters: it could have a choice in each round,
    or match nothing in any number of rounds.
    """
    groups = [[0, 1]]  # for each open group, the attempts of its branches, and of the branch that is being read
    before, attempts = "", 1  # the kind of the last token, and the attempts of what it ends
    text, place = re.sub(r"\A\(\?[aimsu]+\)", "", pattern), 0  # flags
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            return None
        kind, place = token.lastgroup or "", token.end()
        if kind == "repeat":
            least, most = _limits(token)
            if before not in ("atom", "close") or (before == "close" and most > 1):
                return None
            groups[-1][1] = groups[-1][1] // attempts * (most - least + attempts)
        elif kind == "open":
            groups.append([0, 1])
        elif kind == "branch":
            groups[-1] = [sum(groups[-1]), 1]
        else:
            attempts = sum(groups.pop()) if kind == "close" else 1
            groups[-1][1] *= attempts
        before = kind
    return sum(groups[0])


def _limits(repeat: re.Match[str]) -> tuple[int, int]:
    """Return how often a repeat matches at least and at most, in a value of LONGEST_VALUE characters."""
    if repeat["repeat"] in ("*", "+", "?"):
        return int(repeat["repeat"] == "+"), 1 if repeat["repeat"] == "?" else LONGEST_VALUE
    least = int(repeat["least"] or 0)
    most = int(repeat["most"] or LONGEST_VALUE) if repeat["comma"] else least
    return min(least, LONGEST_VALUE), min(most, LONGEST_VALUE)
