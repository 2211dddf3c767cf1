"""Where a tree breaks rules, and where it could break them, by cext/decoders/rules/occasions.hpp.

An *occasion* to break a rule, which reports call a case, is

- for a forbidden arc: an arc with one of the relations that the rule names; if it names none, an arc that matches
  everything else in the description
- for agreement: an arc that matches the description and whose words have the feature, if others are exempt
- for *at most k*: a head with at least one such dependent; for *at most 0* and *at least k*: a head that matches
- for siblings: a head with at least one of them
- for all other rules: an arc that matches the description
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.rules import CountedRules
from wnparse.errors import TreebankError
from wnparse.rules.compile import label_sets_of, tabulate
from wnparse.rules.patterns import DIFFERENT, FORBID, SAME, Agreement, ArcPattern, ConstraintPattern
from wnparse.rules.predicates import predicates_of
from wnparse.rules.ruleset import Rules
from wnparse.treebanks.sentence import Sentence

Nodes = tuple[int, ...]  # the nodes that an occasion or a violation is about: a head, or a head and a dependent


class Violation(NamedTuple):
    """An occasion on which a rule is broken."""

    place: Nodes
    units: int  # as penalties count them
    words: Nodes  # those to look at, in order


class RuleOccasions(NamedTuple):
    """The occasions of one rule in one tree, and its violations."""

    occasions: list[Nodes]  # each once
    violations: list[Violation]  # a rule of several parts may be broken more than once on an occasion


class RuleCounter:
    """Finds the occasions and violations of rules in trees, one tree at a time."""

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
        self._numbers: dict[str, int] = {}  # of the relations seen
        self._label_sets = np.empty((0, self._sets.width), np.uint64)  # [relations seen, width]

    def look(
        self,
        sentence: Sentence,
        heads: Sequence[int] | npt.NDArray[np.integer] | None = None,
        labels: Sequence[str] | None = None,
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

        Raises
        ------
        TreebankError
            If a word has no head.
        ValueError
            If the heads are not a tree.
        """
        tree = np.ascontiguousarray(sentence.heads if heads is None else heads, np.int32)
        if (tree[1:] < 0).any():
            raise TreebankError("a word without head; expected a full tree", sentence.path, sentence.line)
        names = sentence.column("deprel") if labels is None else labels[1:]
        numbers = self._number_labels(names)
        bits = self._predicates.bits(sentence)
        return [
            RuleOccasions(occasions, [Violation(*violation) for violation in violations])
            for occasions, violations in self._core.find(tree, numbers, self._label_sets, bits)
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
