"""How a treebank keeps rules: counts over its trees, what its parser is held to, and which rules are for it."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wnparse.rules.conditions import Relations
from wnparse.rules.ruleset import Rules
from wnparse.rules.violations import Place, RuleCounter, RuleOccasions
from wnparse.treebanks.sentence import Sentence
from wnparse.wording import plural

COVERAGE = 99.0  # percentage of its occasions on which a treebank must keep a rule for its parser to enforce it
NO_OCCASION = "no chance to break it"


@dataclass
class Tally:
    """What trees did with one rule."""

    occasions: int = 0
    broken: int = 0  # occasions
    violations: int = 0  # units, as penalties count them
    sentences: int = 0  # with a violation

    @property
    def kept(self) -> float:
        """Percentage of the occasions on which the rule was kept; 100 if there were none."""
        return 100 * (self.occasions - self.broken) / self.occasions if self.occasions else 100.0


@dataclass
class RuleCounts:
    """What the trees of a treebank did with each rule.

    Attributes
    ----------
    tallies : list of Tally
        One for each rule.
    sentences, breaking : int
        Sentences with words, and those of them that break a rule.
    labels : set of str
        The relations of the trees.
    examples : list of list
        For each rule the first sentences that break it, and the words to look at.
    """

    rules: Rules
    tallies: list[Tally]
    sentences: int = 0
    breaking: int = 0
    labels: set[str] = field(default_factory=set)
    examples: list[list[tuple[Sentence, Place]]] = field(default_factory=list)

    def add(self, sentence: Sentence, looked: list[RuleOccasions], examples: int = 0) -> None:
        """Count a tree that a counter has looked at."""
        self.sentences += 1
        broke = False
        for tally, found, kept in zip(self.tallies, looked, self.examples, strict=True):
            tally.occasions += len(found.occasions)
            if found.violations:
                broke = True
                tally.broken += len({each.place for each in found.violations})
                tally.violations += sum(each.units for each in found.violations)
                tally.sentences += 1
                if len(kept) < examples:
                    kept.append((sentence, tuple(sorted({w for each in found.violations for w in each.words}))))
        self.breaking += broke

    @classmethod
    def of(cls, rules: Rules) -> RuleCounts:
        """Nothing counted yet."""
        return cls(rules, [Tally() for _ in rules], examples=[[] for _ in rules])

    def merge(self, other: RuleCounts, examples: int = 0) -> None:
        """Add the counts of another treebank under the same rules."""
        self.sentences += other.sentences
        self.breaking += other.breaking
        self.labels |= other.labels
        for mine, its in zip(self.tallies, other.tallies, strict=True):
            mine.occasions += its.occasions
            mine.broken += its.broken
            mine.violations += its.violations
            mine.sentences += its.sentences
        for kept, more in zip(self.examples, other.examples, strict=True):
            kept.extend(more[: max(0, examples - len(kept))])


def count_rules(sentences: Iterable[Sentence], rules: Rules, examples: int = 0) -> RuleCounts:
    """Count what the trees of a treebank do with rules; sentences without words are passed over."""
    counter, counts = RuleCounter(rules), RuleCounts.of(rules)
    for sentence in sentences:
        if len(sentence):
            counts.add(sentence, counter.look(sentence), examples)
    counts.labels = counter.labels
    return counts


@dataclass(frozen=True)
class LeftOut:
    """A rule that a parser is not held to, and why."""

    name: str
    why: str


def keep_rules(counts: RuleCounts, coverage: float = COVERAGE) -> tuple[Rules, list[LeftOut]]:
    """Return the rules that a treebank keeps on enough occasions, and those that it does not.

    Soft rules are kept whatever the coverage: their penalty says what they are worth. A rule without
    an occasion in the treebank is left out.

    Parameters
    ----------
    counts : RuleCounts
        What the trees of the treebank did.
    coverage : float
        Percentage of the occasions.
    """
    kept, left_out = [], []
    for rule, tally in zip(counts.rules, counts.tallies, strict=True):
        if not tally.occasions:
            left_out.append(LeftOut(rule.name, NO_OCCASION))
        elif rule.hard and tally.kept < coverage:
            share = f"{tally.kept:.2f}" if tally.kept < coverage - 0.005 else f"{tally.kept:.4f}"
            occasions = f"{tally.occasions:,} {plural(tally.occasions, 'chance')}"
            left_out.append(LeftOut(rule.name, f"kept in {share} % of {occasions}"))
        else:
            kept.append(rule.name)
    return counts.rules.keep(kept), left_out


def kept_rules(
    sentences: Iterable[Sentence], rules: Rules, coverage: float = COVERAGE
) -> tuple[Rules, list[LeftOut]]:
    """Count, and keep what the trees keep: `keep_rules` of `count_rules`."""
    return keep_rules(count_rules(sentences, rules), coverage)


# Relations of the two versions of Universal Dependencies.
_BOTH = frozenset(
    {
        *("acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "compound", "conj", "cop"),
        *("csubj", "dep", "det", "discourse", "dislocated", "expl", "goeswith", "iobj", "list", "mark", "nmod"),
        *("nsubj", "nummod", "parataxis", "punct", "reparandum", "root", "vocative", "xcomp"),
    }
)
UD_RELATIONS = {
    "ud": _BOTH | {"clf", "fixed", "flat", "obj", "obl", "orphan"},
    "ud1": _BOTH | {"auxpass", "csubjpass", "dobj", "foreign", "mwe", "name", "neg", "nsubjpass", "remnant"},
}
NEEDED = frozenset({"root", "nsubj"})  # few labels tell nothing of a version
MOST_STRAY = 0.001  # words whose relation is of another kind


def detect_rules(relations: Mapping[str, int]) -> str | None:
    """Which bundled rules are for a treebank with so many words of each relation; None if they are not UD's.

    The version is that whose relations they are, the newer if both.
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
    """Relations that rules name, no label is and UD does not have: rule, relation, and the label nearest to it."""
    found: dict[str, tuple[str, str, str | None]] = {}
    known = frozenset().union(*UD_RELATIONS.values())
    for rule in rules:
        sets = [relations for row in rule.rows for relations in row.relations if relations]
        for name in [name for relations in sets for name in relations.named]:
            strange = name.split(":")[0] not in known and not any(
                Relations((name,)).holds(label) for label in labels
            )
            if strange and name not in found:
                near = difflib.get_close_matches(name, sorted(labels), 1, 0.6)
                found[name] = (rule.name, name, near[0] if near else None)
    return list(found.values())


class RuleWatcher:
    """Counts what gold and systems do with rules, as an evaluation reads them side by side.

    Attributes
    ----------
    counts : list of RuleCounts
        Of gold and each system.
    """

    def __init__(self, rules: Rules, systems: int) -> None:
        self._counter = RuleCounter(rules)
        self.counts = [RuleCounts.of(rules) for _ in range(1 + systems)]

    def __call__(self, sentences: Sequence[Sentence], scored: bytes) -> None:
        """See the same sentence of all; words that are not scored count too, as for the structure of trees."""
        for counts, sentence in zip(self.counts, sentences, strict=True):
            counts.add(sentence, self._counter.look(sentence))
