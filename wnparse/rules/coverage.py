"""How far a treebank satisfies rules: counts over its trees, the rules to enforce, and the rules that suit it."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from wnparse.rules.conditions import Relations
from wnparse.rules.ruleset import Rules
from wnparse.rules.violations import Place, RuleCounter, RuleOccasions
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.ud import RELATIONS, RELATIONS_V1
from wnparse.wording import plural

COVERAGE = 99.0  # percentage of occasions on which a treebank must satisfy a rule for its parser to enforce it
NO_OCCASION = "no chance to break it"


@dataclass
class Tally:
    """Counts of one rule over trees."""

    occasions: int = 0
    broken: int = 0  # occasions
    violations: int = 0  # units, as penalties count them
    sentences: int = 0  # with a violation

    @property
    def kept(self) -> float:
        """Percentage of the occasions on which the rule is satisfied; 100 if there are none."""
        return 100 * (self.occasions - self.broken) / self.occasions if self.occasions else 100.0


class RuleCounts:
    """Counts of rules over the trees of a treebank.

    Attributes
    ----------
    rules : Rules
    tallies : list of Tally
        One per rule.
    sentences, breaking : int
        Sentences with words, and those of them that break a rule.
    labels : set of str
        The relations of the trees.
    examples : list of list
        For each rule the first sentences that break it, and the words to look at.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.tallies = [Tally() for _ in rules]
        self.sentences = self.breaking = 0
        self.labels: set[str] = set()
        self.examples: list[list[tuple[Sentence, Place]]] = [[] for _ in rules]

    def add(self, sentence: Sentence, results: list[RuleOccasions], examples: int = 0) -> None:
        """Count a tree by the results of a `RuleCounter`; keep at most so many examples per rule."""
        self.sentences += 1
        self.breaking += any(result.violations for result in results)
        for tally, result, sentences in zip(self.tallies, results, self.examples, strict=True):
            tally.occasions += len(result.occasions)
            if result.violations:
                tally.broken += len({violation.place for violation in result.violations})
                tally.violations += sum(violation.units for violation in result.violations)
                tally.sentences += 1
                if len(sentences) < examples:
                    words = {word for violation in result.violations for word in violation.words}
                    sentences.append((sentence, tuple(sorted(words))))

    def merge(self, other: RuleCounts, examples: int = 0) -> None:
        """Add the counts of another treebank under the same rules."""
        self.sentences += other.sentences
        self.breaking += other.breaking
        self.labels |= other.labels
        for tally, added in zip(self.tallies, other.tallies, strict=True):
            tally.occasions += added.occasions
            tally.broken += added.broken
            tally.violations += added.violations
            tally.sentences += added.sentences
        for sentences, more in zip(self.examples, other.examples, strict=True):
            sentences.extend(more[: max(0, examples - len(sentences))])


def count_rules(sentences: Iterable[Sentence], rules: Rules, examples: int = 0) -> RuleCounts:
    """Count occasions and violations of rules in the trees of a treebank; sentences without words are skipped."""
    counter, counts = RuleCounter(rules), RuleCounts(rules)
    for sentence in sentences:
        if len(sentence):
            counts.add(sentence, counter.look(sentence), examples)
    counts.labels = counter.labels
    return counts


def keep_rules(counts: RuleCounts, coverage: float = COVERAGE) -> tuple[Rules, dict[str, str]]:
    """Return the rules that a treebank satisfies on enough occasions, and why each of the others is left out.

    Soft rules are kept whatever the coverage, because their penalty says how important they are. A rule without an
    occasion in the treebank is left out.

    Parameters
    ----------
    counts : RuleCounts
        Counts over the trees of the treebank.
    coverage : float
        Percentage of the occasions.
    """
    names: list[str] = []
    left_out: dict[str, str] = {}
    for rule, tally in zip(counts.rules, counts.tallies, strict=True):
        if not tally.occasions:
            left_out[rule.name] = NO_OCCASION
        elif rule.hard and tally.kept < coverage:
            percentage = f"{tally.kept:.2f}" if tally.kept < coverage - 0.005 else f"{tally.kept:.4f}"
            occasions = f"{tally.occasions:,} {plural(tally.occasions, 'chance')}"
            left_out[rule.name] = f"kept in {percentage} % of {occasions}"
        else:
            names.append(rule.name)
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
    """Counts rules over gold trees and those of systems, as an evaluation reads them in parallel.

    Attributes
    ----------
    counts : list of RuleCounts
        Counts of gold and of each system.
    """

    def __init__(self, rules: Rules, systems: int) -> None:
        self._counter = RuleCounter(rules)
        self.counts = [RuleCounts(rules) for _ in range(1 + systems)]

    def __call__(self, sentences: Sequence[Sentence], scored: bytes) -> None:
        """Count one sentence of gold and all systems; words that are not scored count, too."""
        for counts, sentence in zip(self.counts, sentences, strict=True):
            counts.add(sentence, self._counter.look(sentence))
