"""Learning a tagger: universal tags, then fine tags and FEATS given these, then lemmas given both.

Each stage is an averaged perceptron of its own (cext/tagger/tagger_learner.hpp). Sentences are shuffled anew in
each epoch by a generator of seed and epoch alone. `Lessons` hashes a treebank once; taggers of parts of it share
that.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.conllu import column as core_column
from wnparse._core.tagger import TaggerTables
from wnparse._core.tagger_learner import ClassLearner, LemmaLearner, TagLearner, Words, lower_hashes, script_length
from wnparse.errors import TreebankError
from wnparse.storage.quantise import WeightedRows, quantise_rows
from wnparse.storage.tensors import Arrays
from wnparse.tagger.bundles import NOTHING, collect_bundles
from wnparse.tagger.lemma_scripts import collect_scripts
from wnparse.tagger.lexicon import Limits, make_lexicon
from wnparse.tagger.lexicon import Words as LexiconWords
from wnparse.tagger.tagger import Tagger
from wnparse.treebanks.label_names import MOST_LABELS, check_column
from wnparse.treebanks.sentence import Sentence

STRETCH = 256  # sentences, or ten times as many words, that are learned from before anyone may stop it

# How a tagger that is too large leaves out more weights, and how far: beyond that it would lose tags.
LEAST_STEP, MOST_LEAST = 1.2, 1.0

UPOS = 3  # the column
SHARPNESSES = [round(0.005 * 1.6**k, 4) for k in range(8)]

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TaggerOptions:
    """How a tagger is learned; chosen on development sets: docs/tagger.md."""

    epochs: int = 8
    lemma_epochs: int = 8
    seed: int = 1
    margin: float = 40.0  # of tags
    class_margin: float = 60.0
    lemma_margin: float = 20.0
    beam: int = 4
    drop: float = 100.0  # how far behind the best a sequence of tags may be to stay in the search
    least: float = 0.5  # what a weight must come to to be kept,
    largest: float = 25.0  # and up to twice as much, as long as the tables take more megabytes than that
    threshold: float = 120.0  # by how much more values must score by themselves than a class that was seen


class Lessons:
    """A treebank as taggers learn from it."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = [sentence for sentence in sentences if len(sentence)]

        def column(name: str) -> list[str]:
            return [value for sentence in self.sentences for value in sentence.column(name)]

        tags, lemmas, fine_tags, feats = (column(name) for name in ("upos", "lemma", "xpos", "feats"))
        filled = {"lemma": lemmas, "upos": tags, "xpos": fine_tags, "feats": feats}
        self.columns = [name for name, values in filled.items() if any(value != NOTHING for value in values)]
        if "upos" not in self.columns:
            raise TreebankError("no word has a tag (UPOS) to learn from; expected a tagged treebank")
        self.words = Words(self.sentences)
        self.begin = self.words.begin
        self.names = sorted(set(tags))
        numbers = {name: number for number, name in enumerate(self.names)}
        self.tags = np.array([numbers[tag] for tag in tags], np.int32)
        self.bundles, self.classes = collect_bundles(fine_tags, feats)
        self._check_names()
        forms = column("form")
        has_lemmas = "lemma" in self.columns
        self.scripts, self.rules, self.of_word = collect_scripts(forms, lemmas if has_lemmas else forms)
        self.lemmas = lower_hashes(lemmas if has_lemmas else forms)
        hashes = self.words.hashes
        self.forms, self.lower = hashes[:, 0].copy(), hashes[:, 1].copy()

    def __len__(self) -> int:
        return len(self.sentences)

    def _check_names(self) -> None:
        """Raise TreebankError if a model cannot hold what there is to learn: it would only show in the end."""
        remedy = "blank XPOS or FEATS in the training data"
        check_column(self.sentences, "upos", "tags (UPOS)", "merge tags that differ in detail alone")
        check_column(self.sentences, "xpos", "tags (XPOS)", remedy)
        check_column(self.sentences, "feats", "combinations of FEATS", remedy)
        classes, atoms = len(self.bundles.classes), self.bundles.atom_count
        if classes + atoms > MOST_LABELS:
            kinds = f"{classes:,} combinations of XPOS and FEATS, and {atoms:,} single values of them"
            raise TreebankError(f"{kinds}; a model holds {MOST_LABELS:,} in all: {remedy}")

    @property
    def inventory(self) -> dict[str, list[str]]:
        """The names that a tagger of it has, by their kinds."""
        return {
            "tags": self.names,
            "values": self.bundles.values,
            "fine_tags": self.bundles.fine_tags,
            "bundles": self.bundles.bundles,
            "scripts": self.scripts,
        }

    def words_of(self, sentences: Int32Array) -> Int32Array:
        """The numbers of the words of sentences."""
        spans = [np.arange(self.begin[s], self.begin[s + 1], dtype=np.int32) for s in sentences.tolist()]
        return np.concatenate(spans)


def learn_tagger(
    lessons: Lessons,
    options: TaggerOptions,
    *,
    limits: Limits | None = None,
    part: Int32Array | None = None,
    stop: Callable[[], bool] = lambda: False,
    tick: Callable[[int], object] = lambda words: None,
) -> Tagger | None:
    """Learn a tagger from a treebank, or from a part of its sentences; None if it was stopped."""
    sentences = np.arange(len(lessons), dtype=np.int32) if part is None else part
    words = lessons.words_of(sentences)
    lexicon = make_lexicon(
        LexiconWords(
            lessons.forms[words],
            lessons.lower[words],
            lessons.lemmas[words],
            lessons.tags[words],
            lessons.classes[words],
            lessons.of_word[words],
        ),
        len(lessons.names),
        lessons.bundles,
        limits or Limits(),
    )
    arrays = lexicon | lessons.bundles.arrays()
    atoms, classes = lessons.bundles.atom_count, len(lessons.bundles.classes)
    tables = TaggerTables(arrays, *map(len, lessons.inventory.values()))
    teacher = _Teacher(lessons, options, stop, tick)
    tag_learner = TagLearner(lessons.words, tables, lessons.tags, options.margin, options.beam)
    teacher.teach(tag_learner, sentences, options.epochs, "tags")
    stages = {"tags": (tag_learner.averaged(), len(lessons.names))}
    class_learner = ClassLearner(lessons.words, tables, lessons.tags, lessons.classes, options.class_margin)
    if {"xpos", "feats"} & set(lessons.columns):
        teacher.teach(class_learner, sentences, options.epochs, "classes")
    stages["classes"] = (class_learner.averaged(), atoms + classes)
    lengths = [script_length(script) for script in lessons.scripts[: lessons.rules]]
    lemma_learner = LemmaLearner(
        lessons.words, tables, lessons.tags, lessons.classes, lessons.of_word, lengths, options.lemma_margin
    )
    if "lemma" in lessons.columns:
        teacher.teach(lemma_learner, _lemma_examples(lessons, words), options.lemma_epochs, "lemmas", each=10)
    stages["lemmas"] = (lemma_learner.averaged(), lessons.rules)
    if teacher.stopped:
        return None
    room = 1e6 * options.largest - sum(table.nbytes for table in arrays.values())
    frozen, scales, least = _freeze(stages, options.least, room)
    return Tagger(
        arrays=arrays | frozen,
        names=lessons.inventory,
        columns=lessons.columns,
        open_scripts=lessons.rules,
        beam=options.beam,
        drop=round(options.drop / scales["tags"]),
        threshold=round(options.threshold / scales["classes"]),
        scale=scales["tags"],
        info={"options": asdict(replace(options, least=least)), "scales": scales},
    )


def _freeze(
    stages: dict[str, tuple[WeightedRows, int]], least: float, room: float
) -> tuple[Arrays, dict[str, float], float]:
    """The tables of all stages, in the room that there is if that costs little; scales; the least weight."""
    while True:
        found = {name: quantise_rows(rows, count, least) for name, (rows, count) in stages.items()}
        tables = {f"{name}/{table}": array for name, (each, _) in found.items() for table, array in each.items()}
        if least >= MOST_LEAST or sum(table.nbytes for table in tables.values()) <= room:
            return tables, {name: scale for name, (_, scale) in found.items()}, least
        least = round(least * LEAST_STEP, 4)


class _Teacher:
    """Runs the epochs of a learner, a stretch at a time."""

    def __init__(
        self, lessons: Lessons, options: TaggerOptions, stop: Callable[[], bool], tick: Callable[[int], object]
    ) -> None:
        self.lessons, self.options, self.stop, self.tick = lessons, options, stop, tick
        self.stopped = False

    def teach(self, learner: Any, examples: Int32Array, epochs: int, name: str, each: int = 1) -> None:
        """Run the epochs of one stage, unless somebody wants to stop."""
        for epoch in range(epochs):
            order = examples.tolist()
            random.Random(f"{self.options.seed} {name} {epoch}").shuffle(order)
            shuffled = np.array(order, np.int32)
            for start in range(0, len(order), STRETCH * each):
                if self.stopped or self.stop():
                    self.stopped = True
                    return
                learner.learn(shuffled[start : start + STRETCH * each])
            self.tick(len(order))


def _lemma_examples(lessons: Lessons, words: Int32Array) -> Int32Array:
    """One word of each kind: form, tag, class and script; those that a rule serves."""
    words = words[lessons.of_word[words] < lessons.rules]
    kinds = np.stack(
        [
            lessons.forms[words].astype(np.int64),
            lessons.tags[words],
            lessons.classes[words],
            lessons.of_word[words],
        ],
        1,
    )
    return words[np.sort(np.unique(kinds, axis=0, return_index=True)[1])]


def measure_tags(tagger: Tagger, sentences: Sequence[Sentence]) -> dict[str, float]:
    """How many words of a treebank get the right value of each column, in percent."""
    totals = {name: 0 for name in ("upos", "xpos", "feats", "lemma") if name in tagger.columns}
    words = 0
    for gold, found in zip(sentences, tagger.tag(sentences, retag=True), strict=True):
        words += len(gold)
        for name in totals:
            totals[name] += sum(map(str.__eq__, gold.column(name), found.column(name)))
    return {name.upper(): 100 * right / max(words, 1) for name, right in totals.items()}


def finish_tagger(tagger: Tagger, dev: Sequence[Sentence] | None) -> Tagger:
    """The tagger with probabilities that fit a development set: the sharpness that explains it best.

    A probability of 1, of words that had no choice, says nothing and is left out.
    """
    if not dev or not any(len(sentence) for sentence in dev):
        return tagger
    golds = [sentence.column("upos") for sentence in dev]

    def loss(sharpness: float) -> float:
        total = 0.0
        for ways, gold in zip(tagger.core.tag(list(dev), True, sharpness * tagger.scale), golds, strict=True):
            if not ways:
                continue
            raw, fields, chances, _ = ways[0]
            assert chances is not None
            tags = core_column(raw, fields, UPOS)
            for chance, tag, right in zip(chances[1:], tags, gold, strict=True):
                if 0 < chance < 1:
                    total -= math.log(chance if tag == right else 1 - chance)
        return total

    best = min(SHARPNESSES, key=lambda sharpness: (loss(sharpness), sharpness))
    return replace(tagger, inverse_temperature=best)
