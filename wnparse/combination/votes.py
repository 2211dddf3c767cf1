"""Votes of several parsers on the arcs of a sentence, as scores of labelled arcs.

Sagae & Lavie 2006, *Parser Combination by Reparsing*: each parser votes for its labelled arcs with a weight, and
the tree with the most votes wins. Here every labelled arc has a score, so that some tree always satisfies the
rules: an arc without votes has a fraction of the votes for its head, with a preference for labels that were voted
for its dependent, then for labels that are frequent between such tags. The fractions were chosen on development
sets.

Systems that make the same mistakes are not independent. A development set shows how often each side is right if
certain systems agree and others do not, and that is the weight of all votes of a side together.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wnparse.treebanks.annotations import CONFIDENCE
from wnparse.treebanks.sentence import Sentence

HEAD_SHARE = 0.3  # of a vote, for the same head with another label
LABEL_SHARE = 1e-2  # of a vote, for the same label at another head
USUAL_SHARE = 1e-3  # for a label without votes, times its frequency; all votes sum to 1
EARLIER = 1e-6  # advantage of a system over the next one, all votes being 1: ties go by their order
STRANGE = -1.0  # for a label that only occurs at the root node, at another head, and vice versa
SMOOTHING = 50  # words of a kind that count as much as the estimate for all kinds
ROOT = ""  # the tag of node 0; no word has it

Float64Array = npt.NDArray[np.float64]
Sides = tuple[int, ...]  # for each system, the first one that votes for the same labelled arc


@dataclass(frozen=True)
class Weights:
    """The weights of the votes of each system: by the tag of the dependent, or the same for all.

    Attributes
    ----------
    overall : tuple of float
        One for each system.
    by_upos : mapping
        From a tag to weights that replace them.
    by_sides : mapping
        From a tag and the sides of the systems to weights that replace both.
    """

    overall: tuple[float, ...]
    by_upos: Mapping[str, tuple[float, ...]]
    by_sides: Mapping[tuple[str, Sides], tuple[float, ...]] = field(default_factory=dict)

    def of(self, upos: str, sides: Sides) -> tuple[float, ...]:
        """Return the weights of votes on words with a tag, with small differences that break ties.

        They add up to 1, or to how often one side is right if that is known.
        """
        shares = self.by_sides.get((upos, sides))
        if shares is None:
            weights = self.by_upos.get(upos, self.overall)
            shares = tuple(weight / sum(weights) for weight in weights)
        return tuple(share + EARLIER * (len(shares) - place) for place, share in enumerate(shares))


def sides_of(votes: Sequence[Hashable]) -> Sides:
    """Return the side of each system, given its vote."""
    return tuple(votes.index(vote) for vote in votes)


class Ballot:
    """Counts the votes on sentences of several systems.

    Parameters
    ----------
    rows : iterable of sequences of Sentence
        The same sentence of each system, for all sentences, from which the labels and their frequencies are known.
    weights : Weights
        The weights of the systems.
    confidence : bool
        Whether to multiply a vote by the probability of the head in MISC, if there is one.
    """

    def __init__(self, rows: Iterable[Sequence[Sentence]], weights: Weights, *, confidence: bool = False) -> None:
        self._weights = weights
        self._confidence = confidence
        arcs: Counter[tuple[str, str, bool, str]] = Counter()  # tags of dependent and head, side, label
        for row in rows:
            tags = [ROOT, *row[0].column("upos")]
            for sentence in row:
                heads = sentence.heads[1:].tolist()
                for word, (label, head) in enumerate(zip(sentence.column("deprel"), heads, strict=True), 1):
                    arcs[tags[word], tags[head], word < head, label] += 1
        self.labels = sorted({label for *_, label in arcs})
        self._numbers = {label: number for number, label in enumerate(self.labels)}
        self._tags = {tag: number for number, tag in enumerate(sorted({ROOT, *(tag for tag, *_ in arcs)}))}
        self._usual = self._shares(arcs)

    def _shares(self, arcs: Counter[tuple[str, str, bool, str]]) -> Float64Array:
        """Return the scores of labels without votes: [tag of the dependent, tag of the head, side, label]."""
        size = len(self._tags)
        counts = np.zeros((size, size, 2, len(self.labels)))
        for (tag, head, left, label), count in arcs.items():
            counts[self._tags[tag], self._tags[head], int(left), self._numbers[label]] += count
        by_tag = counts.sum((1, 2), keepdims=True)
        by_tag /= np.maximum(by_tag.sum(-1, keepdims=True), 1)
        usual = (counts + SMOOTHING * by_tag) / (counts.sum(-1, keepdims=True) + SMOOTHING)
        root = self._tags[ROOT]
        at_root = counts[:, root].sum((0, 1)) > 0
        elsewhere = np.delete(counts, root, 1).sum((0, 1, 2)) > 0
        shares: Float64Array = USUAL_SHARE * usual + np.where(elsewhere, 0.0, STRANGE)
        shares[:, root] = USUAL_SHARE * usual[:, root] + np.where(at_root, 0.0, STRANGE)
        return shares

    def count(self, row: Sequence[Sentence]) -> Float64Array:
        """Return the scores of labelled arcs: [n + 1, n + 1, labels], dependents before heads."""
        tags = row[0].column("upos")
        numbers = np.array([self._tags[tag] for tag in (ROOT, *tags)])
        nodes = np.arange(len(numbers))
        scores = np.zeros((len(nodes), len(nodes), len(self.labels)))
        arcs_of_words = zip(*map(self._arcs, row), strict=True)
        for word, (tag, arcs) in enumerate(zip(tags, arcs_of_words, strict=True), 1):
            arc_scores = scores[word]
            arc_scores[:] = self._usual[numbers[word], numbers, (nodes > word).astype(np.int64)]
            weights = self._weights.of(tag, sides_of([(head, label) for head, label, _ in arcs]))
            votes = [
                (head, label, weight * probability)
                for weight, (head, label, probability) in zip(weights, arcs, strict=True)
            ]
            for _, label, vote in votes:
                arc_scores[:, label] += LABEL_SHARE * vote
            for head, label, _ in votes:
                arc_scores[head, label] = 0.0  # votes alone decide between arcs that have some
            for head, label, vote in votes:
                arc_scores[head] += HEAD_SHARE * vote
                arc_scores[head, label] += (1 - HEAD_SHARE) * vote
        return scores

    def _arcs(self, sentence: Sentence) -> list[tuple[int, int, float]]:
        """Return the head, the number of the label and the probability of the arc of each word."""
        labels = [self._numbers[label] for label in sentence.column("deprel")]
        probabilities = [1.0] * len(sentence)
        if self._confidence:
            probabilities = [_head_probability(misc) for misc in sentence.column("misc")]
        return list(zip(sentence.heads[1:].tolist(), labels, probabilities, strict=True))


def _head_probability(misc: str) -> float:
    """Return the probability of the head in MISC; 1 without a valid one."""
    for item in misc.split("|"):
        name, _, value = item.partition("=")
        if name == CONFIDENCE:
            with contextlib.suppress(ValueError):
                if 0 <= (probability := float(value)) <= 1:
                    return probability
    return 1.0


def learn_weights(rows: Iterable[Sequence[Sentence]]) -> Weights:
    """Learn weights from how often the systems are right on a development set, head and label, by tag.

    Parameters
    ----------
    rows : iterable of sequences of Sentence
        Gold and each system, for all sentences; the tags are those of gold.
    """
    return _DevelopmentCounts(rows).weights()


class _DevelopmentCounts:
    """Counts of words by tag and sides, and of the sides that are right."""

    def __init__(self, rows: Iterable[Sequence[Sentence]]) -> None:
        self._words: Counter[tuple[str, Sides]] = Counter()
        self._right: Counter[tuple[str, Sides, int]] = Counter()  # by the first system of the side that is right
        self._systems = range(0)
        for row in rows:
            self._systems = range(len(row) - 1)
            columns = [zip(tree.heads[1:].tolist(), tree.column("deprel"), strict=True) for tree in row]
            for tag, (gold, *votes) in zip(row[0].column("upos"), zip(*columns, strict=True), strict=True):
                sides = sides_of(votes)
                self._words[tag, sides] += 1
                if gold in votes:
                    self._right[tag, sides, votes.index(gold)] += 1
        self._tags = sorted({tag for tag, _ in self._words})

    def weights(self) -> Weights:
        """Return weights for all words, by tag, and by tag and sides."""
        accuracies = self._accuracies(self._tags, [0.0] * len(self._systems), 0)
        overall = _as_weights(accuracies)
        return Weights(
            overall,
            {tag: _as_weights(self._accuracies([tag], accuracies, SMOOTHING)) for tag in self._tags},
            {(tag, sides): self._by_sides(tag, sides, overall) for tag, sides in sorted(self._words)},
        )

    def _accuracies(self, tags: Sequence[str], prior: Sequence[float], smoothing: float) -> list[float]:
        """Return how often each system is right on words with these tags."""
        total = sum(count for (tag, _), count in self._words.items() if tag in tags)
        right = [0] * len(prior)
        for (tag, sides, first), count in self._right.items():
            for system in self._systems:
                right[system] += count * (tag in tags and sides[system] == first)
        return [
            (right[system] + smoothing * prior[system]) / max(total + smoothing, 1) for system in self._systems
        ]

    def _by_sides(self, upos: str, sides: Sides, weights: Sequence[float]) -> tuple[float, ...]:
        """Return the weight of each system: how often its side is right, divided by the systems on that side."""
        probabilities = [
            sum(weights[system] for system in self._systems if sides[system] == side) / sum(weights)
            for side in sides
        ]
        for tags in (self._tags, [upos]):
            count = sum(self._words[tag, sides] for tag in tags)
            probabilities = [
                (sum(self._right[tag, sides, side] for tag in tags) + SMOOTHING * prior) / (count + SMOOTHING)
                for side, prior in zip(sides, probabilities, strict=True)
            ]
        return tuple(
            probability / sides.count(side) for side, probability in zip(sides, probabilities, strict=True)
        )


def _as_weights(accuracies: Iterable[float]) -> tuple[float, ...]:
    return tuple(max(accuracy, 1e-3) for accuracy in accuracies)  # a system that is never right can still vote
