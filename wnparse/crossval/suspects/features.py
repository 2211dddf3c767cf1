"""A model's opinion of annotated trees that it did not learn from: how likely heads and relations are.

Disagreement alone says little: where a parser is right in 80 % of the words, nearly all of it is the parser's
fault. An annotation is suspicious if it is unlikely, if the model is sure of something else, and if words of these
tags hardly ever stand in this relation. `Judge.look` has all of that as numbers, one row a word (`COLUMNS`); it
has the same of trees with one random change, so that `wnparse.crossval.suspects.find` can learn what errors look
like.

Chances of heads are arc marginals of all arcs, those a first pass would drop included, at a temperature
(`wnparse.training.calibration`); at higher order, those of `local_head_probabilities`. Relations of an arc have
chances by the softmax of their scores at a temperature of their own. O(n³) a sentence.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.crossval.suspects.perturb import move_head, swap_label
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.confidence import Calibration, arc_probabilities, local_head_probabilities, sums_projective
from wnparse.parser.model import Model
from wnparse.parser.parses import Parse
from wnparse.parser.tokens import encode
from wnparse.rules.violations import RuleCounter
from wnparse.training.calibration import HIGHEST, LOWEST, SMALLEST, learn_calibration, log_loss, minimise
from wnparse.treebanks.sentence import Sentence

COLUMNS = (
    "head surprise",  # - log p(head)
    "head margin",  # how far the arc scores below the best one to the word, in units of the temperature
    "label surprise",  # - log p(relation | head)
    "foreign label",  # whether no such arc with that relation was seen
    "label rarity",  # - log of the share of the relation among arcs between such tags
    "head rarity",  # - log of the share of such heads among words of this tag and relation
    "sentence length",  # log
    "label frequency",  # log
    "doubt",  # - log p(head that the model would have)
    "other head",
    "other label",
    "broken rules",  # that concern the word
)
FARTHEST = 50.0  # temperatures: margins beyond say no more
LARGEST_SURPRISE = 12.0  # nats, of relations
MOST_RULES = 3
SMOOTHING = 5.0  # words that a share counts beside those that were seen

Int32Array = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]


class Opinion(NamedTuple):
    """What a model thinks of the trees of a sentence."""

    rows: npt.NDArray[np.float32]  # [n, columns]
    head_chances: npt.NDArray[np.float32]  # [n], of the annotated heads
    label_chances: npt.NDArray[np.float32]  # [n], of the annotated relations, given the heads; 1 without labels
    broken: list[tuple[str, ...]]  # [n], the rules that the annotation breaks at each word
    moved: npt.NDArray[np.float32]  # [1 or 0, columns]: a word whose head was moved
    swapped: npt.NDArray[np.float32]  # [1 or 0, columns]: a word that got another relation


@dataclass(frozen=True)
class _Shares:
    """How often relations and heads go with tags in the sentences that a model learned from."""

    counts: Counter[tuple[object, ...]]
    words: int

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> _Shares:
        counts: Counter[tuple[object, ...]] = Counter()
        for sentence in sentences:
            relations = sentence.column("deprel")
            for relation, tag, head in zip(relations, sentence.column("upos"), _kinds(sentence), strict=True):
                counts.update(((relation,), (tag,), (tag, head), (relation, tag), (relation, tag, head), (head,)))
        return cls(counts, sum(map(len, sentences)))

    def frequency(self, relation: str) -> float:
        """Of a relation."""
        return (self.counts[(relation,)] + 1) / (self.words + SMOOTHING)

    def label(self, relation: str, tag: str, head: object) -> float:
        """Of a relation among arcs between such words; the fewer there are, the more that of the tag counts."""
        wide = self._smoothed((relation, tag), (tag,), self.frequency(relation))
        return self._smoothed((relation, tag, head), (tag, head), wide)

    def head(self, relation: str, tag: str, head: object) -> float:
        """Of such a head among words of a tag and relation."""
        wide = self._smoothed((tag, head), (tag,), (self.counts[(head,)] + 1) / (self.words + SMOOTHING))
        return self._smoothed((relation, tag, head), (relation, tag), wide)

    def _smoothed(self, both: tuple[object, ...], one: tuple[object, ...], before: float) -> float:
        return (self.counts[both] + SMOOTHING * before) / (self.counts[one] + SMOOTHING)


def _kinds(sentence: Sentence, heads: Sequence[int] | None = None) -> list[tuple[str, bool]]:
    """The tag of each word's head, and on which side it is."""
    tags = ["", *sentence.column("upos")]
    found = sentence.heads.tolist() if heads is None else heads
    return [(tags[head], head < word) for word, head in enumerate(found[1:], 1)]


class Judge:
    """A model that is asked for its opinion of sentences that it did not learn from.

    Parameters
    ----------
    model : Model
        Its rules are those that annotations are held to, too.
    learned : sequence of Sentence
        What it learned from.
    asked : sequence of Sentence
        What it will be asked about: two temperatures are learned from these.
    parses : sequence of Parse
        The trees that it gives them.
    """

    def __init__(
        self, model: Model, learned: Sequence[Sentence], asked: Sequence[Sentence], parses: Sequence[Parse]
    ) -> None:
        self.model = model
        self._shares = _Shares.of(learned)
        self._numbers = {name: number for number, name in enumerate(model.labels)}
        self._relations = [name for sentence in learned for name in sentence.column("deprel")]
        self._counter = RuleCounter(model.rules) if model.rules else None
        # All arcs are looked at, so that the temperature after a first pass is not needed.
        whole = learn_calibration(replace(model, first_pass=None) if model.order == 1 else model, asked)
        self._calibration = whole or Calibration(1.0)
        self._label_temperature = self._learn_label_temperature(asked, parses) if model.labels else 1.0

    def _learn_label_temperature(self, asked: Sequence[Sentence], parses: Sequence[Parse]) -> float:
        """The temperature with the least log loss of whether the best relation of a right head is right."""
        scores, right = [], []
        for sentence, parse in zip(asked, parses, strict=True):
            same = np.flatnonzero(parse.heads[1:] == sentence.heads[1:])
            found = self._label_scores(sentence, parse.heads)[same]
            given = np.array([self._numbers.get(name, -1) for name in sentence.column("deprel")])[same]
            seen = np.isfinite(found).any(axis=1)
            scores.append(found[seen] - found[seen].max(axis=1, keepdims=True))
            right.append(scores[-1].argmax(axis=1) == given[seen])
        differences, hits = np.concatenate(scores), np.concatenate(right)
        apart = -differences[np.isfinite(differences) & (differences < 0)]
        if not len(apart):
            return 1.0
        usual = math.log(apart.mean())

        def loss(log_t: float) -> float:
            return log_loss(1 / np.exp(differences / math.exp(log_t)).sum(axis=1), hits)

        return math.exp(minimise(loss, usual + LOWEST, usual + HIGHEST))

    def _label_scores(self, sentence: Sentence, heads: Int32Array) -> FloatArray:
        tokens = encode(sentence, self.model.columns)
        return self.model.scorer.label_scores(tokens, heads, len(self.model.labels))[1:].astype(np.float64)

    def look(self, sentence: Sentence, parse: Parse, chance: random.Random | None = None) -> Opinion:
        """The opinion of an annotated sentence, and of two random changes of it if there is a generator."""
        look = _Look(self, sentence, parse)
        heads, relations = sentence.heads.tolist(), ["", *sentence.column("deprel")]
        broken = self._broken(sentence, heads, relations)
        words = range(1, len(heads))
        rows = look.rows(heads, relations, [len(broken.get(word, ())) for word in words])
        none = np.empty((0, len(COLUMNS)), np.float32)
        moved = swapped = none
        if chance is not None:
            changed = move_head(heads, chance)
            moved = none if changed is None else self._changed_row(look, sentence, *changed, relations)
            changed_label = swap_label(heads, relations, self._relations, chance) if self.model.labels else None
            if changed_label is not None:
                word, others = changed_label
                swapped = self._changed_row(look, sentence, word, heads, others)
        return Opinion(
            rows,
            look.annotated_chances,
            np.exp(-rows[:, 2]) if self.model.labels else np.ones(len(rows), np.float32),
            [broken.get(word, ()) for word in words],
            moved,
            swapped,
        )

    def _changed_row(
        self, look: _Look, sentence: Sentence, word: int, heads: list[int], relations: list[str]
    ) -> npt.NDArray[np.float32]:
        broken = len(self._broken(sentence, heads, relations).get(word, ()))
        return look.rows(heads, relations, [broken] * (len(heads) - 1))[word - 1 : word]

    def _broken(self, sentence: Sentence, heads: list[int], relations: list[str]) -> dict[int, tuple[str, ...]]:
        """The rules that a tree breaks, by the words that they name as wrong: the dependents, if there are any."""
        found: dict[int, tuple[str, ...]] = {}
        if self._counter is None:
            return found
        for rule, looked in zip(self._counter.rules, self._counter.look(sentence, heads, relations), strict=True):
            for violation in looked.violations:
                for word in violation.words[-1:] if len(violation.place) > 1 else violation.words:
                    found[word] = tuple(dict.fromkeys((*found.get(word, ()), rule.name)))
        return found


class _Look:
    """What the opinions of several trees of one sentence share."""

    def __init__(self, judge: Judge, sentence: Sentence, parse: Parse) -> None:
        model, calibration = judge.model, judge._calibration
        self.judge, self.sentence, self.parse = judge, sentence, parse
        tokens = encode(sentence, model.columns)
        scores, _ = model.scorer.scores(tokens, False)
        self.scores = scores.astype(np.float64)
        np.fill_diagonal(self.scores, -np.inf)
        single_root, local = model.constraints.single_root, None
        if model.order > 1:
            settings = DecodeOptions(decoder="msa", constraints=Constraints(single_root=single_root)).settings
            (result,) = model.scorer.parse([tokens], [settings], True, explain=True)
            local = result.head_scores
        if local is None:
            projective = sums_projective("msa", model.constraints)
            self.chances = arc_probabilities(
                scores, calibration.full, single_root=single_root, projective=projective
            )
        else:
            self.chances = local_head_probabilities(local, calibration.full, calibration.rest)
        self._words = np.arange(1, len(sentence) + 1)
        self.annotated_chances = self.chances[self._words, sentence.heads[1:]].astype(np.float32)

    def rows(self, heads: list[int], relations: list[str], broken: list[int]) -> npt.NDArray[np.float32]:
        """A row for each word, see `COLUMNS`."""
        judge, words = self.judge, self._words
        tree = np.array(heads, np.int32)
        at = tree[1:]
        own = self.parse.heads[1:]
        margins = (self.scores[1:].max(axis=1) - self.scores[words, at]) / judge._calibration.full
        surprise, foreign = self._label_surprise(tree, relations)
        kinds, tags = _kinds(self.sentence, heads), self.sentence.column("upos")
        arcs = list(zip(relations[1:], tags, kinds, strict=True))
        shares = judge._shares
        labels = self.parse.labels or relations
        columns = [
            _surprise(self.chances[words, at]),
            np.minimum(np.nan_to_num(margins, nan=FARTHEST, posinf=FARTHEST), FARTHEST),
            surprise,
            foreign,
            -np.log([shares.label(*arc) for arc in arcs]),
            -np.log([shares.head(*arc) for arc in arcs]),
            np.full(len(at), math.log(len(at))),
            np.log([shares.frequency(relation) for relation, _, _ in arcs]),
            _surprise(self.chances[words, own]),
            at != own,
            [a != b for a, b in zip(relations[1:], labels[1:], strict=True)],
            np.minimum(broken, MOST_RULES),
        ]
        return np.stack(columns, axis=1).astype(np.float32)

    def _label_surprise(self, tree: Int32Array, relations: list[str]) -> tuple[FloatArray, FloatArray]:
        """- log p(relation | head) of each word, and whether such an arc never had that relation."""
        judge = self.judge
        if not judge.model.labels:
            return np.zeros(len(tree) - 1), np.zeros(len(tree) - 1)
        scores = judge._label_scores(self.sentence, tree) / judge._label_temperature
        best = scores.max(axis=1, keepdims=True, initial=-np.inf)
        logs = scores - np.where(np.isfinite(best), best, 0.0)
        numbers = np.array([judge._numbers.get(name, -1) for name in relations[1:]])
        own = np.where(numbers >= 0, logs[np.arange(len(logs)), numbers], -np.inf)
        sums = np.log(np.maximum(np.exp(logs).sum(axis=1), SMALLEST))
        foreign = ~np.isfinite(own)
        return np.where(foreign, LARGEST_SURPRISE, np.minimum(sums - own, LARGEST_SURPRISE)), foreign.astype(float)


def _surprise(chances: FloatArray) -> FloatArray:
    return -np.log(np.maximum(chances, SMALLEST))
