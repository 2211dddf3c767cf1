"""Where a tree breaks rules, and where it could break them, by cext/decoders/rules/occasions.hpp.

An *occasion* to break a rule, which reports call a case, is

- for a forbidden arc: an arc with one of the relations that the rule names; if it names none, an arc that matches
  everything else in the description
- for agreement: an arc that matches the description and whose words have the feature, if others are exempt
- for *at most k*: a head with at least one such dependent; for *at most 0* and *at least k*: a head that matches
- for siblings: a head with at least one of them
- for all other rules: an arc that matches the description

In a half-annotated tree, an occasion counts only if every head, relation and tag that the rule mentions is
annotated. Rules that read more than an arc and the arc of its head have occasions only in sentences in which all
words are annotated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.rules import CountedRules
from wnparse.rules.compile import label_sets_of, tabulate
from wnparse.rules.conditions import NO_RELATION, Relations, Word
from wnparse.rules.patterns import DIFFERENT, FORBID, PARENT, SAME, Agreement, ArcPattern, ConstraintPattern, Rule
from wnparse.rules.predicates import predicates_of
from wnparse.rules.ruleset import Rules
from wnparse.treebanks.partial import NOTHING
from wnparse.treebanks.sentence import Sentence

ANNOTATED_COLUMNS = frozenset({"deprel", "upos", "xpos"})  # where _ can mean that a word is not annotated

Nodes = tuple[int, ...]  # the nodes that an occasion or a violation is about: a head, or a head and a dependent


class Violation(NamedTuple):
    """An occasion on which a rule is broken."""

    place: Nodes
    units: int  # as penalties count them
    words: Nodes  # those to look at, in order

    def arcs(self, heads: Sequence[int] | npt.NDArray[np.integer]) -> Nodes:
        """Return the dependents of the arcs that break the rule, in a tree with these heads."""
        head, *dependents = self.place
        return tuple(dependents) or tuple(word for word in self.words if heads[word] == head)


def words_of(violations: Iterable[Violation]) -> list[int]:
    """Return the words to look at, in order."""
    return sorted({word for violation in violations for word in violation.words})


class RuleOccasions(NamedTuple):
    """The occasions of one rule in one tree, and its violations."""

    occasions: list[Nodes]  # each once
    violations: list[Violation]  # a rule of several parts may be broken more than once on an occasion


class _Mentions(NamedTuple):
    """The columns that a rule reads, HEAD included, of those that may lack annotation."""

    everywhere: frozenset[str]  # of any word
    # Of the dependent of an arc, of its head, and of the head of that. None if the rule may read any word.
    along_path: tuple[frozenset[str], frozenset[str], frozenset[str]] | None


class RuleCounter:
    """Finds the occasions and violations of rules in trees, one tree at a time.

    Attributes
    ----------
    rules : Rules
    columns : frozenset of str
        The columns of `ANNOTATED_COLUMNS` that the rules read.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        patterns = [_with_occasions(pattern) for rule in rules for pattern in rule.patterns]
        self._predicates = predicates_of(patterns)
        self._sets = label_sets_of(patterns)
        table, classes = tabulate(patterns, self._predicates)
        sets = [[self._sets.number(relations) for relations in pattern.relations] for pattern in patterns]
        self._core = CountedRules(
            table,
            classes,
            np.repeat(np.arange(len(rules), dtype=np.int32), [len(rule.patterns) for rule in rules]),
            np.array(sets, np.int32).reshape(-1, 2),
            len(rules),
            self._predicates.width,
            len(self._predicates.features),
        )
        self._mentions = [_mentions_of(rule) for rule in rules]
        self.columns = frozenset().union(*(mentions.everywhere for mentions in self._mentions)) - {"head"}
        self._numbers: dict[str, int] = {}  # of the relations seen
        self._label_sets = np.empty((0, self._sets.width), np.uint64)  # [relations seen, width]

    def look(
        self,
        sentence: Sentence,
        heads: Sequence[int] | npt.NDArray[np.integer] | None = None,
        labels: Sequence[str] | None = None,
        annotated: Collection[str] = (),
    ) -> list[RuleOccasions]:
        """Find the occasions and violations of each rule in a tree.

        Parameters
        ----------
        sentence : Sentence
            Its words, and the tree if no other is given.
        heads : sequence of int, optional
            n + 1 heads, in place of those of the sentence.
        labels : sequence of str, optional
            n + 1 relations, in place of those of the sentence; the first is not used.
        annotated : collection of str
            The columns of `ANNOTATED_COLUMNS` in which ``_`` means that a word is not annotated.

        Raises
        ------
        ValueError
            If the heads are not part of a tree.
        """
        tree = np.ascontiguousarray(sentence.heads if heads is None else heads, np.int32)
        names = sentence.column("deprel") if labels is None else labels[1:]
        gaps = _find_gaps(sentence, tree, names, self.columns.intersection(annotated))
        if "head" in gaps:  # the core needs a tree; no occasion that mentions these arcs is returned
            tree = np.where(gaps["head"], 0, tree).astype(np.int32)
        numbers = self._number_labels(names)
        bits = self._predicates.bits(sentence)
        results = [
            RuleOccasions(occasions, [Violation(*violation) for violation in violations])
            for occasions, violations in self._core.find(tree, numbers, self._label_sets, bits)
        ]
        if not gaps:
            return results
        return [
            _without_gaps(result, mentions, tree, gaps)
            for result, mentions in zip(results, self._mentions, strict=True)
        ]

    def _number_labels(self, names: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the numbers of the relations of words, [n + 1]; new relations get the next ones."""
        numbers = self._numbers
        new = [name for name in dict.fromkeys(names) if name not in numbers]
        if new:
            self._label_sets = np.concatenate([self._label_sets, self._sets.bits(new)])
            numbers.update(zip(new, range(len(numbers), len(self._label_sets)), strict=True))
        return np.array([-1, *map(numbers.__getitem__, names)], np.int32)


def _with_occasions(pattern: ConstraintPattern) -> ConstraintPattern:
    """Add a second pattern to a constraint that forbids arcs: the arcs that are its occasions."""
    if pattern.kind != FORBID:
        return pattern
    if pattern.arc.agreement is not None:
        feature, broken = pattern.arc.agreement
        case = Agreement(feature, broken | SAME | DIFFERENT)
        return replace(pattern, other=replace(pattern.arc, agreement=case))
    relations = pattern.arc.relations
    if relations is not None and relations.listed is not None:
        return replace(pattern, other=ArcPattern(relations=relations))
    return replace(pattern, other=replace(pattern.arc, relations=None))


def _mentions_of(rule: Rule) -> _Mentions:
    """Return the columns that a rule reads."""
    everywhere = {"head"}
    dependent, head, grandparent = {"head"}, set[str](), set[str]()
    for pattern in rule.patterns:
        for word in pattern.words:
            everywhere |= _columns(word)
        for relations in pattern.relations:
            everywhere |= _relation_column(relations)
        if pattern.features:
            everywhere, dependent, head = everywhere | {"upos"}, dependent | {"upos"}, head | {"upos"}
        dependent |= _columns(pattern.arc.dependent) | _relation_column(pattern.arc.relations)
        head |= _columns(pattern.arc.head)
        if pattern.other:
            head |= {"head"} | _columns(pattern.other.dependent) | _relation_column(pattern.other.relations)
            grandparent |= _columns(pattern.other.head)
    if not all(pattern.kind in (FORBID, PARENT) for pattern in rule.patterns):
        return _Mentions(frozenset(everywhere), None)
    return _Mentions(frozenset(everywhere), (frozenset(dependent), frozenset(head), frozenset(grandparent)))


def _columns(word: Word | None) -> set[str]:
    """Return the columns of a condition that may lack annotation; for FEATS, where ``_`` is a value, UPOS."""
    columns = word.columns if word else set()
    return {"upos" if column == "feats" else column for column in columns} & ANNOTATED_COLUMNS


def _relation_column(relations: Relations | None) -> set[str]:
    """Return DEPREL if a condition depends on the relation."""
    return set() if relations in (None, NO_RELATION) else {"deprel"}


def _find_gaps(
    sentence: Sentence, tree: npt.NDArray[np.int32], relations: Sequence[str], columns: Collection[str]
) -> dict[str, npt.NDArray[np.bool_]]:
    """Return the nodes without annotation, bool[n + 1], of each column that lacks some."""
    gaps = {}
    without_head = tree < 0
    without_head[0] = False
    if without_head.any():
        gaps["head"] = without_head
    for column in columns:
        values = relations if column == "deprel" else sentence.column(column)
        if NOTHING in values:
            gaps[column] = np.array([False, *(value == NOTHING for value in values)])
    return gaps


def _without_gaps(
    result: RuleOccasions,
    mentions: _Mentions,
    tree: npt.NDArray[np.int32],
    gaps: dict[str, npt.NDArray[np.bool_]],
) -> RuleOccasions:
    """Keep the occasions of a rule for which everything that it mentions is annotated."""
    if mentions.everywhere.isdisjoint(gaps):
        return result
    if mentions.along_path is None:
        return RuleOccasions([], [])

    def is_annotated(place: Nodes) -> bool:
        assert mentions.along_path is not None
        head, dependent = place
        path = (dependent, head, max(int(tree[head]), 0))
        return not any(
            column in gaps and gaps[column][node]
            for node, columns in zip(path, mentions.along_path, strict=True)
            for column in columns
        )

    return RuleOccasions(
        [place for place in result.occasions if is_annotated(place)],
        [violation for violation in result.violations if is_annotated(violation.place)],
    )
