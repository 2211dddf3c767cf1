"""Features of annotated words, by a model that was not trained on them: how likely heads and relations are.

Disagreement alone says little: if a parser is right for 80 % of the words, nearly all disagreements are errors of
the parser. An annotation is suspicious if it is unlikely, if the model is sure of something else, and if words
with these tags are rarely in this relation. `FeatureExtractor.extract` returns all of that as numbers, one row per
word (`COLUMNS`), and the same for trees with one random change, from which `wnparse.crossval.suspects.find` learns
what errors look like.

Probabilities of heads are arc marginals at a temperature (`wnparse.training.calibration`), over all arcs, even
those that a first pass would drop; at higher order, they are those of `local_head_probabilities`. The
probabilities of the relations of an arc are the softmax of their scores at their own temperature. O(n³) per
sentence.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.crossval.suspects.perturb import move_head, swap_label
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.confidence import Calibration, arc_probabilities, local_head_probabilities, sums_projective
from wnparse.parser.model import Model
from wnparse.rules.violations import RuleCounter
from wnparse.training.calibration import HIGHEST, LOWEST, SMALLEST, learn_calibration, log_loss, minimise
from wnparse.treebanks.parse import Parse
from wnparse.treebanks.partial import annotated_relations, has_relations
from wnparse.treebanks.sentence import Sentence

COLUMNS = (
    "head surprise",  # - log p(head)
    "head margin",  # how far the arc scores below the best one to the word, in units of the temperature
    "label surprise",  # - log p(relation | head)
    "foreign label",  # whether no such arc with that relation was seen
    "label rarity",  # - log of the frequency of the relation among arcs between such tags
    "head rarity",  # - log of the frequency of such heads among words of this tag and relation
    "sentence length",  # log
    "label frequency",  # log
    "doubt",  # - log p(head that the model chooses)
    "other head",
    "other label",
    "broken rules",  # that concern the word
)
FARTHEST = 50.0  # temperatures: larger margins are cut to this
LARGEST_SURPRISE = 12.0  # nats, of relations
MOST_RULES = 3
SMOOTHING = 5.0  # words that are added to those that were counted

Int32Array = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]


class SentenceFeatures(NamedTuple):
    """The features of the words of a sentence, by one model."""

    rows: npt.NDArray[np.float32]  # [n, columns]
    head_probabilities: npt.NDArray[np.float32]  # [n], of the annotated heads
    label_probabilities: npt.NDArray[np.float32]  # [n], of the relations, given the heads; 1 without labels
    broken: list[tuple[str, ...]]  # [n], the rules that the annotation breaks at each word
    moved: npt.NDArray[np.float32]  # [1 or 0, columns]: a word whose head was moved
    swapped: npt.NDArray[np.float32]  # [1 or 0, columns]: a word that got another relation
    annotated: npt.NDArray[np.bool_]  # [n], words with a head and a relation; rows of others are not used


class _ScoredSentence(NamedTuple):
    sentence: Sentence
    parse: Parse
    scores: FloatArray  # [n + 1, n + 1], of all arcs
    probabilities: FloatArray  # [n + 1, n + 1], of heads


class _Frequencies:
    """Smoothed frequencies of relations and heads with tags in the sentences that a model was trained on."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._counts: Counter[tuple[object, ...]] = Counter()
        self._words = 0
        named = has_relations(sentences)
        for sentence in sentences:
            heads = _head_kinds(sentence, sentence.heads.tolist())
            arcs = zip(sentence.column("deprel"), sentence.column("upos"), heads, strict=True)
            for relation, tag, head in compress(arcs, annotated_relations(sentence, named)):
                self._words += 1
                keys = ((relation,), (tag,), (tag, head), (relation, tag), (relation, tag, head), (head,))
                self._counts.update(keys)

    def single(self, value: object) -> float:
        """Frequency of a relation, or of a kind of head, among all words."""
        return (self._counts[(value,)] + 1) / (self._words + SMOOTHING)

    def label(self, relation: str, tag: str, head: object) -> float:
        """Frequency of a relation among arcs between such words, smoothed by that among words of the tag."""
        prior = self._smoothed((relation, tag), (tag,), self.single(relation))
        return self._smoothed((relation, tag, head), (tag, head), prior)

    def head(self, relation: str, tag: str, head: object) -> float:
        """Frequency of such a head among words of a tag and relation."""
        prior = self._smoothed((tag, head), (tag,), self.single(head))
        return self._smoothed((relation, tag, head), (relation, tag), prior)

    def _smoothed(self, joint: tuple[object, ...], condition: tuple[object, ...], prior: float) -> float:
        return (self._counts[joint] + SMOOTHING * prior) / (self._counts[condition] + SMOOTHING)


def _head_kinds(sentence: Sentence, heads: Sequence[int]) -> list[tuple[str, bool]]:
    """Return the tag of each word's head, and whether it is to the left."""
    tags = ["", *sentence.column("upos")]
    return [(tags[head], head < word) for word, head in enumerate(heads[1:], 1)]


class FeatureExtractor:
    """Computes features of sentences that a model was not trained on.

    Parameters
    ----------
    model : Model
        Its rules are counted, too.
    learned : sequence of Sentence
        The sentences that it was trained on.
    sentences : sequence of Sentence
        The sentences whose features will be computed: two temperatures are learned from these.
    parses : sequence of Parse
        The trees that the model gives them.
    """

    def __init__(
        self, model: Model, learned: Sequence[Sentence], sentences: Sequence[Sentence], parses: Sequence[Parse]
    ) -> None:
        self.model = model
        self._frequencies = _Frequencies(learned)
        self._numbers = {name: number for number, name in enumerate(model.labels)}
        self._named = bool(model.labels) and has_relations(learned)
        self._relations = [
            name
            for sentence in learned
            for name in compress(sentence.column("deprel"), annotated_relations(sentence, self._named))
        ]
        self._counter = RuleCounter(model.rules) if model.rules else None
        # All arcs are scored, so that the temperature after a first pass is not needed.
        whole = learn_calibration(replace(model, first_pass=None) if model.order == 1 else model, sentences)
        self._calibration = whole or Calibration(1.0)
        self._label_temperature = self._learn_label_temperature(sentences, parses) if model.labels else 1.0

    def _learn_label_temperature(self, sentences: Sequence[Sentence], parses: Sequence[Parse]) -> float:
        """Minimise the log loss of whether the best relation of a right head is right."""
        differences_of, right_of = [], []
        for sentence, parse in zip(sentences, parses, strict=True):
            right = parse.heads[1:] == sentence.heads[1:]
            right_heads = np.flatnonzero(right & annotated_relations(sentence, self._named))
            scores = self._label_scores(sentence, parse.heads)[right_heads]
            labels = self._label_numbers(sentence.column("deprel"))[right_heads]
            scored = np.isfinite(scores).any(axis=1)
            differences_of.append(scores[scored] - scores[scored].max(axis=1, keepdims=True))
            right_of.append(differences_of[-1].argmax(axis=1) == labels[scored])
        differences, right = np.concatenate(differences_of), np.concatenate(right_of)
        distances = -differences[np.isfinite(differences) & (differences < 0)]
        if not len(distances):
            return 1.0
        usual = math.log(distances.mean())

        def loss(log_t: float) -> float:
            return log_loss(1 / np.exp(differences / math.exp(log_t)).sum(axis=1), right)

        return math.exp(minimise(loss, usual + LOWEST, usual + HIGHEST))

    def _label_scores(self, sentence: Sentence, heads: Int32Array) -> FloatArray:
        (tokens,) = self.model._encode([sentence])
        return self.model._scorer.label_scores(tokens, heads, len(self.model.labels))[1:].astype(np.float64)

    def _label_numbers(self, relations: Sequence[str]) -> npt.NDArray[np.int64]:
        return np.array([self._numbers.get(name, -1) for name in relations], np.int64)

    def extract(self, sentence: Sentence, parse: Parse, rng: random.Random | None = None) -> SentenceFeatures:
        """Compute the features of a sentence and, if there is a generator, of two random changes of its tree."""
        scored = self._score_arcs(sentence, parse)
        heads, relations = sentence.heads.tolist(), ["", *sentence.column("deprel")]
        rows, broken = self._rows(scored, heads, relations)
        moved = swapped = rows[:0]
        if rng is not None:
            if (move := move_head(heads, rng)) is not None:
                word, moved_heads = move
                moved = self._rows(scored, moved_heads, relations)[0][word - 1 : word]
            if self.model.labels and (swap := swap_label(heads, relations, self._relations, rng)) is not None:
                word, swapped_relations = swap
                swapped = self._rows(scored, heads, swapped_relations)[0][word - 1 : word]
        return SentenceFeatures(
            rows,
            scored.probabilities[np.arange(1, len(heads)), heads[1:]].astype(np.float32),
            np.exp(-rows[:, 2]) if self.model.labels else np.ones(len(rows), np.float32),
            broken,
            moved,
            swapped,
            annotated_relations(sentence, self._named),
        )

    def _broken_rules(self, sentence: Sentence, heads: list[int], relations: list[str]) -> list[tuple[str, ...]]:
        """Return the rules that a tree breaks at each word: at the dependents, if the violation has any."""
        broken: list[tuple[str, ...]] = [()] * len(heads)
        if self._counter is not None:
            occasions = self._counter.look(sentence, heads, relations, ("deprel",) if self._named else ())
            for rule, looked in zip(self._counter.rules, occasions, strict=True):
                for violation in looked.violations:
                    for word in violation.words[-1:] if len(violation.place) > 1 else violation.words:
                        broken[word] = tuple(dict.fromkeys((*broken[word], rule.name)))
        return broken[1:]

    def _score_arcs(self, sentence: Sentence, parse: Parse) -> _ScoredSentence:
        model, calibration = self.model, self._calibration
        (tokens,) = model._encode([sentence])
        scores, _ = model._scorer.scores(tokens, False)
        single_root, head_scores = model.constraints.single_root, None
        if model.order > 1:
            settings = DecodeOptions(decoder="msa", constraints=Constraints(single_root=single_root)).settings
            (result,) = model._scorer.parse([tokens], [settings], True, explain=True)
            head_scores = result.head_scores
        if head_scores is None:
            projective = sums_projective("msa", model.constraints)
            probabilities = arc_probabilities(
                scores, calibration.full, single_root=single_root, projective=projective
            )
        else:
            probabilities = local_head_probabilities(head_scores, calibration.full, calibration.rest)
        scored = _ScoredSentence(sentence, parse, scores.astype(np.float64), probabilities)
        np.fill_diagonal(scored.scores, -np.inf)
        return scored

    def _rows(
        self, scored: _ScoredSentence, heads: list[int], relations: list[str]
    ) -> tuple[npt.NDArray[np.float32], list[tuple[str, ...]]]:
        """Return a row for each word of a tree, see `COLUMNS`, and the rules that it breaks at each word."""
        sentence, parse, scores, probabilities = scored
        broken = self._broken_rules(sentence, heads, relations)
        words, tree = np.arange(1, len(heads)), np.array(heads, np.int32)
        tree[1:] = np.where(tree[1:] < 0, parse.heads[1:], tree[1:])  # the rows of these words are not used
        annotated, chosen = tree[1:], parse.heads[1:]
        margins = (scores[1:].max(axis=1) - scores[words, annotated]) / self._calibration.full
        label_surprise, foreign = self._label_surprise(sentence, tree, relations)
        arcs = list(zip(relations[1:], sentence.column("upos"), _head_kinds(sentence, heads), strict=True))
        labels = parse.labels or relations
        columns = [
            _surprise(probabilities[words, annotated]),
            np.minimum(np.nan_to_num(margins, nan=FARTHEST, posinf=FARTHEST), FARTHEST),
            label_surprise,
            foreign,
            -np.log([self._frequencies.label(*arc) for arc in arcs]),
            -np.log([self._frequencies.head(*arc) for arc in arcs]),
            np.full(len(words), math.log(len(words))),
            np.log([self._frequencies.single(relation) for relation, _, _ in arcs]),
            _surprise(probabilities[words, chosen]),
            annotated != chosen,
            [relation != label for relation, label in zip(relations[1:], labels[1:], strict=True)],
            np.minimum([len(names) for names in broken], MOST_RULES),
        ]
        return np.stack(columns, axis=1).astype(np.float32), broken

    def _label_surprise(
        self, sentence: Sentence, tree: Int32Array, relations: list[str]
    ) -> tuple[FloatArray, FloatArray]:
        """Return - log p(relation | head) of each word, and whether such an arc never had that relation."""
        if not self.model.labels:
            return np.zeros(len(tree) - 1), np.zeros(len(tree) - 1)
        scores = self._label_scores(sentence, tree) / self._label_temperature
        best = scores.max(axis=1, keepdims=True, initial=-np.inf)
        logs = scores - np.where(np.isfinite(best), best, 0.0)
        numbers = self._label_numbers(relations[1:])
        own = np.where(numbers >= 0, logs[np.arange(len(logs)), numbers], -np.inf)
        sums = np.log(np.maximum(np.exp(logs).sum(axis=1), SMALLEST))
        foreign = ~np.isfinite(own)
        return np.where(foreign, LARGEST_SURPRISE, np.minimum(sums - own, LARGEST_SURPRISE)), foreign.astype(float)


def _surprise(probabilities: FloatArray) -> FloatArray:
    return -np.log(np.maximum(probabilities, SMALLEST))
