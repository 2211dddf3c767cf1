"""How far a treebank satisfies rules: counts over its trees, the rules to enforce, and the rules that suit it.

Reports call an occasion to break a rule (`wnparse.rules.violations`) a case of the rule. In a half-annotated
treebank, a case counts only if every head, relation and tag that the rule mentions is annotated.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from wnparse.rules.conditions import Relations
from wnparse.rules.ruleset import Rules
from wnparse.rules.violations import RuleCounter, RuleOccasions, Violation
from wnparse.treebanks.parallel import Group
from wnparse.treebanks.partial import NOTHING, AnnotationCounter
from wnparse.treebanks.sentence import Sentence, is_filled
from wnparse.treebanks.ud import RELATIONS, RELATIONS_V1
from wnparse.wording import counted

COVERAGE = 99.0  # percentage of its cases in which a treebank must satisfy a rule for its parser to enforce it
NO_OCCASION = "never applies"


@dataclass
class Tally:
    """Counts of one rule over trees."""

    cases: int = 0
    broken: int = 0  # cases
    violations: int = 0  # units, as penalties count them
    sentences: int = 0  # with a violation

    @property
    def satisfied(self) -> float:
        """Percentage of the cases in which the rule is satisfied; 100 if there are none."""
        return 100 * (self.cases - self.broken) / self.cases if self.cases else 100.0


class RuleCounts:
    """Counts of rules over the trees of a treebank.

    Attributes
    ----------
    rules : Rules
    tallies : list of Tally
        One per rule.
    sentences, breaking : int
        Sentences with words, and those of them that break a rule.
    relations : Counter
        The number of words per relation.
    examples : list of list
        For each rule the first sentences that break it, with the violations.
    annotation : AnnotationCounter
        How many words and sentences are annotated.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.tallies = [Tally() for _ in rules]
        self.sentences = self.breaking = 0
        self.relations: Counter[str] = Counter()
        self.examples: list[list[tuple[Sentence, list[Violation]]]] = [[] for _ in rules]
        self.annotation = AnnotationCounter()

    def add(self, sentence: Sentence, results: list[RuleOccasions], examples: int = 0) -> None:
        """Count a tree by the results of a `RuleCounter`; keep at most so many examples per rule."""
        self.sentences += 1
        self.breaking += any(result.violations for result in results)
        for tally, result, sentences in zip(self.tallies, results, self.examples, strict=True):
            tally.cases += len(result.occasions)
            if result.violations:
                tally.broken += len({violation.place for violation in result.violations})
                tally.violations += sum(violation.units for violation in result.violations)
                tally.sentences += 1
                if len(sentences) < examples:
                    sentences.append((sentence, result.violations))

    def merge(self, other: RuleCounts, examples: int = 0) -> None:
        """Add the counts of another treebank under the same rules."""
        self.sentences += other.sentences
        self.breaking += other.breaking
        self.relations.update(other.relations)
        self.annotation.merge(other.annotation)
        for tally, added in zip(self.tallies, other.tallies, strict=True):
            tally.cases += added.cases
            tally.broken += added.broken
            tally.violations += added.violations
            tally.sentences += added.sentences
        for sentences, more in zip(self.examples, other.examples, strict=True):
            sentences.extend(more[: max(0, examples - len(sentences))])


def count_rules(sentences: Iterable[Sentence], rules: Rules, examples: int = 0) -> RuleCounts:
    """Count cases and violations of rules in the trees of a treebank; sentences without words are skipped."""
    return count_rule_sets(sentences, [rules], examples)[0]


def count_rule_sets(
    sentences: Iterable[Sentence], rule_sets: Sequence[Rules], examples: int = 0
) -> list[RuleCounts]:
    """Count several sets of rules in one pass over a treebank."""
    counters, counts = [RuleCounter(rules) for rules in rule_sets], [RuleCounts(rules) for rules in rule_sets]
    annotation = AnnotationCounter()
    relations: Counter[str] = Counter()
    columns = FilledColumns(frozenset().union(*(counter.columns for counter in counters)))

    def count(ready: Iterable[Sentence]) -> None:
        for sentence in ready:
            for counter, part in zip(counters, counts, strict=True):
                part.add(sentence, counter.look(sentence, annotated=columns.filled), examples)

    for sentence in sentences:
        if len(sentence):
            annotation.add(sentence)
            names = sentence.column("deprel")
            relations.update(name for name, head in zip(names, sentence.heads[1:], strict=True) if head >= 0)
            count(columns.add(sentence))
    count(columns.rest())
    for part in counts:
        part.relations, part.annotation = relations, annotation
    return counts


class FilledColumns:
    """Finds out which columns are not empty, and holds sentences back while a column is empty.

    An empty value means that a word is not annotated only in a column that is not empty everywhere.

    Attributes
    ----------
    filled : set of str
        The columns that are not empty, of those that matter.
    """

    def __init__(self, columns: Iterable[str]) -> None:
        self.filled: set[str] = set()
        self._empty = set(columns)
        self._held: list[Sentence] = []

    def add(self, sentence: Sentence) -> list[Sentence]:
        """Look at the next sentence; return those that can be counted, in order."""
        self._held.append(sentence)
        if self._empty:
            self.filled |= {column for column in self._empty if is_filled([sentence], column)}
            self._empty -= self.filled
        return [] if self._empty else self.rest()

    def rest(self) -> list[Sentence]:
        """Return the sentences that were held back: the columns that are empty now are empty everywhere."""
        ready, self._held = self._held, []
        return ready


def keep_rules(counts: RuleCounts, coverage: float = COVERAGE) -> tuple[Rules, dict[str, str]]:
    """Return the rules that a treebank satisfies in enough cases, and why each of the others is left out.

    Rules with `always = true` are always kept. Other rules that have no case in the treebank are left out. Soft
    rules are kept whatever the coverage, because their penalty says how important they are.

    Parameters
    ----------
    counts : RuleCounts
        Counts over the trees of the treebank.
    coverage : float
        Percentage of the cases.
    """
    names: list[str] = []
    left_out: dict[str, str] = {}
    for rule, tally in zip(counts.rules, counts.tallies, strict=True):
        if rule.always or (tally.cases and (not rule.hard or tally.satisfied >= coverage)):
            names.append(rule.name)
        elif not tally.cases:
            left_out[rule.name] = NO_OCCASION
        else:
            digits = 2 if tally.satisfied < coverage - 0.005 else 4  # so that it differs from the coverage
            left_out[rule.name] = f"satisfied in {tally.satisfied:.{digits}f} % of {counted(tally.cases, 'case')}"
    return counts.rules.keep(names), left_out


def kept_rules(
    sentences: Iterable[Sentence], rules: Rules, coverage: float = COVERAGE
) -> tuple[Rules, dict[str, str]]:
    """Count rules over trees, and keep those that `keep_rules` keeps."""
    return keep_rules(count_rules(sentences, rules), coverage)


UD_RELATIONS = {"ud": RELATIONS, "ud1": RELATIONS_V1}
NEEDED = frozenset({"root", "nsubj"})  # a treebank with few relations could have either version
MOST_STRAY = 0.001  # part of the words whose relation may belong to neither version


def detect_rules(relations: Mapping[str, int]) -> str | None:
    """Return the bundled rules for a treebank with so many words per relation; None if it is not a UD treebank.

    The version of UD is the one whose relations the treebank has, the newer one if both fit.
    """
    counts: Counter[str] = Counter()
    for name, count in relations.items():
        if name != NOTHING:
            counts[name.split(":", 1)[0]] += count
    if not counts.keys() >= NEEDED:
        return None
    stray = {
        name: sum(n for base, n in counts.items() if base not in known) for name, known in UD_RELATIONS.items()
    }
    best = min(stray, key=lambda name: stray[name])
    return best if stray[best] <= MOST_STRAY * counts.total() else None


def strange_relations(rules: Rules, labels: Collection[str]) -> list[tuple[str, str, str | None]]:
    """Find relations in rules that are neither labels nor in UD; return rule, relation and the nearest label."""
    strange: dict[str, tuple[str, str, str | None]] = {}
    known = frozenset().union(*UD_RELATIONS.values())
    for rule in rules:
        sets = [relations for pattern in rule.patterns for relations in pattern.relations if relations]
        for name in [name for relations in sets for name in relations.named]:
            if name in strange or name.split(":")[0] in known:
                continue
            if not any(Relations((name,)).holds(label) for label in labels):
                near = difflib.get_close_matches(name, sorted(labels), 1, 0.6)
                strange[name] = (rule.name, name, near[0] if near else None)
    return list(strange.values())


class RuleWatcher:
    """Counts rules over gold trees and those of systems, as an evaluation reads them in parallel."""

    def __init__(self, rules: Rules, systems: int) -> None:
        self._counter = RuleCounter(rules)
        self._counts = [RuleCounts(rules) for _ in range(1 + systems)]
        self._columns = [FilledColumns(self._counter.columns) for _ in self._counts]

    def __call__(self, group: Group, scored: bytes) -> None:
        """Count sentences of gold and all systems; words that are not scored count, too."""
        for counts, columns, sentences in zip(self._counts, self._columns, group.inputs, strict=True):
            for sentence in sentences:
                self._count(counts, columns.add(sentence), columns.filled)

    @property
    def counts(self) -> list[RuleCounts]:
        """Counts of gold and of each system, once all sentences were counted."""
        for counts, columns in zip(self._counts, self._columns, strict=True):
            self._count(counts, columns.rest(), columns.filled)
        return self._counts

    def _count(self, counts: RuleCounts, sentences: Iterable[Sentence], filled: Collection[str]) -> None:
        for sentence in sentences:
            counts.add(sentence, self._counter.look(sentence, annotated=filled))
