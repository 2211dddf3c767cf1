"""Votes of several parsers on the arcs of a sentence, as scores of labelled arcs.

Sagae & Lavie 2006, *Parser Combination by Reparsing*: each parser votes for its labelled arcs with a weight, and
the tree with the most votes wins. Here every labelled arc has a score, so that rules can always be obeyed: one
that nobody voted for has a share of the votes for its head, prefers labels that were voted for its dependent, then
those that are usual between such tags. The shares were chosen on development sets.

Systems that make the same mistakes are no two witnesses: a development set tells how often each side is right
where certain systems agree and others do not, and that is what the votes of a side are worth together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wnparse.treebanks.sentence import Sentence

HEAD_SHARE = 0.3  # of a vote, for the same head with another label
LABEL_SHARE = 1e-2  # of a vote, for the same label at another head
USUAL_SHARE = 1e-3  # for a label that nobody voted for, times how usual it is; all votes are 1
EARLIER = 1e-6  # what a system has over the next one, all votes being 1: ties go by their order
STRANGE = -1.0  # for a label that is only seen at the root node, elsewhere, and the other way round
SMOOTHING = 50  # words: how many of a kind count as much as what is known without looking at the kind
ROOT = ""  # the tag of node 0; no word has it
CONFIDENCE = "HeadProb="  # in MISC, as `wnparse parse --confidence` writes it

Float64Array = npt.NDArray[np.float64]
Sides = tuple[int, ...]  # of each system, the first one that votes for the same labelled arc


@dataclass(frozen=True)
class Weights:
    """What the votes of each system are worth: by the tag of the dependent, or the same for all.

    Attributes
    ----------
    overall : tuple of float
        One for each system.
    by_upos : mapping
        From a tag to weights that replace them.
    by_sides : mapping
        From a tag and who sides with whom to weights that replace both.
    """

    overall: tuple[float, ...]
    by_upos: Mapping[str, tuple[float, ...]]
    by_sides: Mapping[tuple[str, Sides], tuple[float, ...]] = field(default_factory=dict)

    def of(self, upos: str, sides: Sides) -> tuple[float, ...]:
        """The weights of votes on words with a tag, with what breaks ties.

        They add up to 1, or to how often one side is right if that is known.
        """
        shares = self.by_sides.get((upos, sides))
        if shares is None:
            found = self.by_upos.get(upos, self.overall)
            shares = tuple(weight / sum(found) for weight in found)
        return tuple(weight + EARLIER * place for place, weight in zip(_falling(len(shares)), shares, strict=True))


def sides_of(votes: Sequence[Hashable]) -> Sides:
    """Who sides with whom, from what each system votes for."""
    return tuple(votes.index(vote) for vote in votes)


def _falling(count: int) -> range:
    return range(count, 0, -1)


class Ballot:
    """Counts votes on sentences of the same inputs.

    Parameters
    ----------
    rows : iterable of sequences of Sentence
        The same sentence of each system, for all sentences: what labels there are, and which are usual.
    weights : Weights
        Of the systems.
    confidence : bool
        Whether a vote counts by the probability that MISC gives the head, if it does.
    """

    def __init__(self, rows: Iterable[Sequence[Sentence]], weights: Weights, *, confidence: bool = False) -> None:
        self._weights = weights
        self._confidence = confidence
        arcs: Counter[tuple[str, str, bool, str]] = Counter()  # tags of dependent and head, side, label
        for row in rows:
            tags = [ROOT, *row[0].column("upos")]
            for sentence in row:
                for word, (label, head) in enumerate(
                    zip(sentence.column("deprel"), sentence.heads[1:].tolist(), strict=True), 1
                ):
                    arcs[tags[word], tags[head], word < head, label] += 1
        self.labels = sorted({label for *_, label in arcs})
        self._numbers = {label: number for number, label in enumerate(self.labels)}
        self._tags = {tag: number for number, tag in enumerate(sorted({ROOT, *(tag for tag, *_ in arcs)}))}
        self._usual = self._shares(arcs)

    def _shares(self, arcs: Counter[tuple[str, str, bool, str]]) -> Float64Array:
        """How usual each label is: [tag of the dependent, tag of the head, side, label], with what is strange."""
        size = len(self._tags)
        counts = np.zeros((size, size, 2, len(self.labels)))
        for (tag, head, left, label), count in arcs.items():
            counts[self._tags[tag], self._tags[head], int(left), self._numbers[label]] += count
        by_tag = counts.sum((1, 2), keepdims=True)
        by_tag /= np.maximum(by_tag.sum(-1, keepdims=True), 1)
        usual = (counts + SMOOTHING * by_tag) / (counts.sum(-1, keepdims=True) + SMOOTHING)
        at_root = counts[:, self._tags[ROOT]].sum((0, 1)) > 0
        elsewhere = np.delete(counts, self._tags[ROOT], 1).sum((0, 1, 2)) > 0
        shares: Float64Array = USUAL_SHARE * usual + np.where(elsewhere, 0.0, STRANGE)
        shares[:, self._tags[ROOT]] = USUAL_SHARE * usual[:, self._tags[ROOT]] + np.where(at_root, 0.0, STRANGE)
        return shares

    def count(self, row: Sequence[Sentence]) -> Float64Array:
        """The scores of labelled arcs: [n + 1, n + 1, labels], dependents before heads."""
        words = len(row[0])
        tags = row[0].column("upos")
        numbers = np.array([self._tags[tag] for tag in (ROOT, *tags)])
        nodes = np.arange(words + 1)
        scores = np.zeros((words + 1, words + 1, len(self.labels)))
        ballots = [self._ballots(sentence) for sentence in row]
        for word, tag in enumerate(tags, 1):
            mine = scores[word]
            mine[:] = self._usual[numbers[word], numbers, (nodes > word).astype(np.int64)]
            mine_voted = [each[word - 1] for each in ballots]
            weights = self._weights.of(tag, sides_of([(head, label) for head, label, _ in mine_voted]))
            votes = [
                (head, label, weight * share)
                for weight, (head, label, share) in zip(weights, mine_voted, strict=True)
            ]
            for _, label, vote in votes:
                mine[:, label] += LABEL_SHARE * vote
            for head, label, _ in votes:
                mine[head, label] = 0.0  # votes alone decide between arcs that have some
            for head, label, vote in votes:
                mine[head] += HEAD_SHARE * vote
                mine[head, label] += (1 - HEAD_SHARE) * vote
        return scores

    def _ballots(self, sentence: Sentence) -> list[tuple[int, int, float]]:
        """Head, number of the label and share of the vote of each word."""
        labels = [self._numbers[label] for label in sentence.column("deprel")]
        shares = [1.0] * len(sentence)
        if self._confidence:
            shares = [_probability(cell) for cell in sentence.column("misc")]
        return list(zip(sentence.heads[1:].tolist(), labels, shares, strict=True))


def _probability(misc: str) -> float:
    """The probability of the head, as MISC has it; 1 if it has none that makes sense."""
    for item in misc.split("|"):
        if item.startswith(CONFIDENCE):
            try:
                found = float(item.removeprefix(CONFIDENCE))
            except ValueError:
                continue
            if 0 <= found <= 1:
                return found
    return 1.0


def learn_weights(rows: Iterable[Sequence[Sentence]]) -> Weights:
    """Weights by how often systems are right on a development set, head and label, by the tag of the word.

    Parameters
    ----------
    rows : iterable of sequences of Sentence
        Gold and each system, for all sentences; tags are gold's.
    """
    words: Counter[tuple[str, Sides]] = Counter()
    right: Counter[tuple[str, Sides, int]] = Counter()  # by the first system of the side that is
    systems = 0
    for row in rows:
        systems = len(row) - 1
        columns = [zip(each.heads[1:].tolist(), each.column("deprel"), strict=True) for each in row]
        for tag, (answer, *votes) in zip(row[0].column("upos"), zip(*columns, strict=True), strict=True):
            sides = sides_of(votes)
            words[tag, sides] += 1
            if answer in votes:
                right[tag, sides, votes.index(answer)] += 1
    return _Learned(words, right, systems).weights()


class _Learned:
    """Weights from counts of words by tag and sides, and of the sides that are right."""

    def __init__(
        self, words: Counter[tuple[str, Sides]], right: Counter[tuple[str, Sides, int]], systems: int
    ) -> None:
        self._words, self._right = words, right
        self._systems = range(systems)
        self._shares = self._accuracy(None, [0.0] * systems, 0)

    def weights(self) -> Weights:
        """By tag, and by tag and sides."""
        by_upos = {
            tag: tuple(map(_worth, self._accuracy(tag, self._shares, SMOOTHING)))
            for tag in sorted({tag for tag, _ in self._words})
        }
        by_sides = {(tag, sides): self._by_sides(tag, sides) for tag, sides in sorted(self._words)}
        return Weights(tuple(map(_worth, self._shares)), by_upos, by_sides)

    def _accuracy(self, upos: str | None, known: Sequence[float], smoothing: float) -> list[float]:
        """How often each system is right on words with a tag, or on all."""
        total = sum(count for (tag, _), count in self._words.items() if upos in (None, tag))
        right = [0] * len(known)
        for (tag, sides, first), count in self._right.items():
            for system in self._systems:
                right[system] += count * (upos in (None, tag) and sides[system] == first)
        return [
            (right[system] + smoothing * known[system]) / max(total + smoothing, 1) for system in self._systems
        ]

    def _by_sides(self, upos: str, sides: Sides) -> tuple[float, ...]:
        """What the votes of each system are worth: how often its side is right, shared by all on it."""
        total = sum(map(_worth, self._shares))
        chances = [
            sum(_worth(self._shares[system]) for system in self._systems if sides[system] == side) / total
            for side in sides
        ]
        for tags in (sorted({tag for tag, seen in self._words if seen == sides}), [upos]):
            count = sum(self._words[tag, sides] for tag in tags)
            chances = [
                (sum(self._right[tag, sides, side] for tag in tags) + SMOOTHING * chance) / (count + SMOOTHING)
                for side, chance in zip(sides, chances, strict=True)
            ]
        return tuple(chance / sides.count(side) for side, chance in zip(sides, chances, strict=True))


def _worth(share: float) -> float:
    """What a vote is worth that is right so often."""
    return max(share, 1e-3)
