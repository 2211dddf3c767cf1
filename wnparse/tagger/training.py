"""Learning a tagger: universal tags, then fine tags and FEATS given these, then lemmas given both.

Each stage is a separate averaged perceptron (cext/tagger/tagger_learner.hpp). Sentences are shuffled in each epoch
by a generator that depends on seed and epoch alone. `Lessons` hashes a treebank once for the taggers of its parts.

Words without a UPOS tag teach nothing: neither their fine tags, FEATS and lemmas, nor which tags words have.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse._core.conllu import column as core_column
from wnparse._core.tagger import TaggerTables
from wnparse._core.tagger_learner import (
    ClassLearner,
    LemmaLearner,
    TagLearner,
    TreebankWords,
    lower_hashes,
    script_length,
)
from wnparse.errors import TreebankError
from wnparse.storage.quantise import WeightedRows, quantise_rows
from wnparse.storage.tensors import Arrays
from wnparse.tagger.bundles import NOTHING, collect_bundles
from wnparse.tagger.lemma_scripts import collect_scripts
from wnparse.tagger.lexicon import LexiconWords, Limits, make_lexicon
from wnparse.tagger.tagger import Tagger
from wnparse.treebanks.label_names import MOST_LABELS, check_column
from wnparse.treebanks.sentence import Sentence, is_filled

STRETCH = 256  # sentences that are learned from before it may be stopped
LEMMA_STRETCH = 2560  # the same in words, for lemmas

# A tagger that is too large leaves out more weights step by step; beyond the limit it would lose accuracy.
LEAST_STEP, MOST_LEAST = 1.2, 1.0

UPOS = 3  # the column
INVERSE_TEMPERATURES = [round(0.005 * 1.6**k, 4) for k in range(8)]

Int32Array = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TaggerOptions:
    """How a tagger is learned; defaults were chosen on development sets: docs/lab/tagging.md."""

    epochs: int = 8
    lemma_epochs: int = 8
    seed: int = 1
    margin: float = 40.0  # of tags
    class_margin: float = 60.0
    lemma_margin: float = 20.0
    beam: int = 4
    drop: float = 100.0  # how far behind the best a sequence of tags may be to stay in the search
    least: float = 0.5  # smaller weights are left out,
    largest: float = 25.0  # and those up to twice as large, as long as the tables take more megabytes than that
    threshold: float = 120.0  # by how much single values must score more than a class that was seen


class Lessons:
    """A treebank as taggers learn from it.

    Attributes
    ----------
    tags, classes : ndarray
        int32[words]: numbers of universal tags and of classes; -1 for words without a UPOS tag.
    likely_tags : ndarray
        int32[words]: the tags, and for words without one the commonest tag of their form.
    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = [sentence for sentence in sentences if len(sentence)]

        def column(name: str) -> list[str]:
            return [value for sentence in self.sentences for value in sentence.column(name)]

        all_tags = column("upos")
        tagged = np.array([tag != NOTHING for tag in all_tags], bool)
        tags, lemmas, fine_tags, feats, forms = (
            list(compress(column(name), tagged)) for name in ("upos", "lemma", "xpos", "feats", "form")
        )
        filled = {"lemma": lemmas, "upos": tags, "xpos": fine_tags, "feats": feats}
        self.columns = [name for name, values in filled.items() if any(value != NOTHING for value in values)]
        if "upos" not in self.columns:
            raise TreebankError("no word has a tag (UPOS) to learn from; expected a tagged treebank")
        self.words = TreebankWords(self.sentences)
        self.names = sorted(set(tags))
        numbers = {name: number for number, name in enumerate(self.names)}
        self.tags = _spread(np.array([numbers[tag] for tag in tags], np.int32), tagged)
        self.bundles, classes = collect_bundles(fine_tags, feats)
        self.classes = _spread(classes, tagged)
        self._check_names()
        if "lemma" not in self.columns:
            lemmas = forms
        self.scripts, self.rules, script_numbers = collect_scripts(forms, lemmas)
        form_hashes, lower_form_hashes = (self.words.hashes[:, i].copy() for i in (0, 1))
        self.likely_tags = _guess_tags(self.tags, lower_form_hashes)
        lemma_hashes = np.zeros(len(tagged), np.uint64)
        lemma_hashes[tagged] = lower_hashes(lemmas)
        self.lexicon_words = LexiconWords(
            form_hashes,
            lower_form_hashes,
            lemma_hashes,
            self.tags,
            self.classes,
            _spread(script_numbers, tagged),
        )

    def __len__(self) -> int:
        return len(self.sentences)

    def _check_names(self) -> None:
        """Raise TreebankError if a model cannot hold all names, before anything is learned."""
        remedy = "blank XPOS or FEATS in the training data"
        check_column(self.sentences, "upos", "tags (UPOS)", "merge tags that differ in detail alone")
        check_column(self.sentences, "xpos", "tags (XPOS)", remedy)
        check_column(self.sentences, "feats", "combinations of FEATS", remedy)
        classes, atoms = len(self.bundles.classes), self.bundles.atom_count
        if classes + atoms > MOST_LABELS:
            kinds = f"{classes:,} combinations of XPOS and FEATS, and {atoms:,} single values of them"
            raise TreebankError(f"{kinds}; expected at most {MOST_LABELS:,} in all: {remedy}")

    @property
    def inventory(self) -> dict[str, list[str]]:
        """The names that a tagger has, by kind."""
        return {
            "tags": self.names,
            "values": self.bundles.values,
            "fine_tags": self.bundles.fine_tags,
            "bundles": self.bundles.bundles,
            "scripts": self.scripts,
        }

    def words_of(self, sentences: Int32Array) -> Int32Array:
        """Return the numbers of the words of sentences that have a UPOS tag."""
        begin = self.words.begin
        parts = [np.arange(begin[s], begin[s + 1], dtype=np.int32) for s in sentences.tolist()]
        words: Int32Array = np.concatenate(parts)
        return words[self.tags[words] >= 0]


def _spread(numbers: Int32Array, tagged: npt.NDArray[np.bool_]) -> Int32Array:
    """Return the numbers of tagged words as those of all words, -1 for the others."""
    spread = np.full(len(tagged), -1, np.int32)
    spread[tagged] = numbers
    return spread


def _guess_tags(tags: Int32Array, forms: npt.NDArray[np.uint64]) -> Int32Array:
    """Return the tags of words; words without one get the commonest tag of their form, or of all words."""
    if (tags >= 0).all():
        return tags
    by_form: dict[int, Counter[int]] = {}
    for form, tag in zip(forms[tags >= 0].tolist(), tags[tags >= 0].tolist(), strict=True):
        by_form.setdefault(form, Counter())[tag] += 1
    ((commonest, _),) = Counter(tags[tags >= 0].tolist()).most_common(1)
    guesses = [
        by_form[form].most_common(1)[0][0] if form in by_form else commonest for form in forms[tags < 0].tolist()
    ]
    guessed: Int32Array = tags.copy()
    guessed[tags < 0] = guesses
    return guessed


class _Stage(NamedTuple):
    """A learner, and what it learns from."""

    learner: Any
    label_count: int
    examples: Int32Array
    epochs: int
    stretch: int = STRETCH


def learn_tagger(
    lessons: Lessons,
    options: TaggerOptions,
    *,
    limits: Limits | None = None,
    part: Int32Array | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Tagger | None:
    """Learn a tagger from a treebank, or from a part of its sentences; None if it was stopped."""
    sentences = np.arange(len(lessons), dtype=np.int32) if part is None else part
    words = lessons.words_of(sentences)
    if not len(words):  # a part without tags
        sentences = np.arange(len(lessons), dtype=np.int32)
        words = lessons.words_of(sentences)
    lexicon = make_lexicon(
        lessons.lexicon_words.select(words), len(lessons.names), lessons.bundles, limits or Limits()
    )
    arrays = lexicon | lessons.bundles.arrays()
    rows = {}
    for name, stage in _make_stages(lessons, options, arrays, sentences, words).items():
        if not _teach(stage, f"{options.seed} {name}", stop):
            return None
        rows[name] = stage.learner.averaged(), stage.label_count
    room = 1e6 * options.largest - sum(table.nbytes for table in arrays.values())
    frozen, scales, least = _freeze(rows, options.least, room)
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


def _make_stages(
    lessons: Lessons, options: TaggerOptions, arrays: Arrays, sentences: Int32Array, words: Int32Array
) -> dict[str, _Stage]:
    """Return the stages of learning; a stage without a column to learn from has no epochs."""
    tables = TaggerTables(arrays, *map(len, lessons.inventory.values()))
    tags, classes, bundles = lessons.likely_tags, lessons.classes, lessons.bundles
    lengths = [script_length(script) for script in lessons.scripts[: lessons.rules]]
    scripts = lessons.lexicon_words.scripts
    return {
        "tags": _Stage(
            TagLearner(lessons.words, tables, lessons.tags, options.margin, options.beam),
            len(lessons.names),
            sentences,
            options.epochs,
        ),
        "classes": _Stage(
            ClassLearner(lessons.words, tables, tags, classes, options.class_margin),
            bundles.atom_count + len(bundles.classes),
            sentences,
            options.epochs if {"xpos", "feats"} & set(lessons.columns) else 0,
        ),
        "lemmas": _Stage(
            LemmaLearner(lessons.words, tables, tags, classes, scripts, lengths, options.lemma_margin),
            lessons.rules,
            _lemma_examples(lessons, words),
            options.lemma_epochs if "lemma" in lessons.columns else 0,
            LEMMA_STRETCH,
        ),
    }


def _teach(stage: _Stage, seed: str, stop: Callable[[], bool]) -> bool:
    """Run the epochs of a stage; False if it was stopped."""
    for epoch in range(stage.epochs):
        order = stage.examples.tolist()
        random.Random(f"{seed} {epoch}").shuffle(order)
        shuffled = np.array(order, np.int32)
        for start in range(0, len(order), stage.stretch):
            if stop():
                return False
            stage.learner.learn(shuffled[start : start + stage.stretch])
    return True


def _freeze(
    stages: dict[str, tuple[WeightedRows, int]], least: float, room: float
) -> tuple[Arrays, dict[str, float], float]:
    """Return the tables of all stages, in `room` bytes if that costs little; their scales; the least weight."""
    while True:
        arrays: Arrays = {}
        scales = {}
        for name, (rows, count) in stages.items():
            tables, scales[name] = quantise_rows(rows, count, least)
            arrays |= {f"{name}/{table}": array for table, array in tables.items()}
        if least >= MOST_LEAST or sum(array.nbytes for array in arrays.values()) <= room:
            return arrays, scales, least
        least = round(least * LEAST_STEP, 4)


def _lemma_examples(lessons: Lessons, words: Int32Array) -> Int32Array:
    """Return one word of each kind (form, tag, class and script) whose script is a rule."""
    words = words[lessons.lexicon_words.scripts[words] < lessons.rules]
    forms, _, _, *numbers = lessons.lexicon_words.select(words)
    kinds = np.stack([forms.astype(np.int64), *numbers], 1)
    return words[np.sort(np.unique(kinds, axis=0, return_index=True)[1])]


def measure_tags(tagger: Tagger, gold: Sequence[Sentence], tagged: Sequence[Sentence]) -> dict[str, float]:
    """Return the percentage of words with the right value, by column that a tagger fills and that gold has.

    Words without a UPOS tag in gold do not count.
    """
    names = ("upos", "xpos", "feats", "lemma")
    columns = [name for name in names if name in tagger.columns and is_filled(gold, name)]
    right = dict.fromkeys(columns, 0)
    words = 0
    for gold_sentence, sentence in zip(gold, tagged, strict=True):
        annotated = [tag != NOTHING for tag in gold_sentence.column("upos")]
        words += sum(annotated)
        for name in columns:
            same = map(str.__eq__, gold_sentence.column(name), sentence.column(name))
            right[name] += sum(compress(same, annotated))
    return {name.upper(): 100 * count / max(words, 1) for name, count in right.items()}


def finish_tagger(tagger: Tagger, dev: Sequence[Sentence] | None) -> Tagger:
    """Choose the inverse temperature that makes the tags of a development set most likely, if it has tags.

    Probabilities of 1, of words that had no choice, are left out.
    """
    if not dev or not is_filled(dev, "upos"):
        return tagger
    golds = [sentence.column("upos") for sentence in dev]

    def loss(inverse_temperature: float) -> float:
        total = 0.0
        results = tagger.core.tag(list(dev), True, inverse_temperature * tagger.scale)
        for sequences, gold in zip(results, golds, strict=True):
            if not sequences:
                continue
            raw, fields, probabilities, _ = sequences[0]
            assert probabilities is not None
            tags = core_column(raw, fields, UPOS)
            for probability, tag, right in zip(probabilities[1:], tags, gold, strict=True):
                if 0 < probability < 1 and right != NOTHING:
                    total -= math.log(probability if tag == right else 1 - probability)
        return total

    return replace(tagger, inverse_temperature=min(INVERSE_TEMPERATURES, key=loss))
