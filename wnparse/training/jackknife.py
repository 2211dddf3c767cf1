"""Jack-knifing: each part of the training data is tagged by a tagger of the others.

A tagger makes fewer errors on its training data than on other text, so that a parser that learned from such tags,
or from gold tags, would rely on them too much. `wnparse.treebanks.folds` cuts the treebank. The taggers of folds
learn for fewer epochs than the final one, because together they cost k - 1 times as much. A parser that learns
from these tags alone relies on them too little: it learns from them and from gold tags in turn, which is better
than either (docs/lab/tagging.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.parser.model import Model, load
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger, measure_tags
from wnparse.training.options import TrainOptions
from wnparse.training.watcher import TrainingWatcher
from wnparse.treebanks.folds import split_folds
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence
from wnparse.treebanks.writing import write

FOLD_EPOCHS = 4
TAGGER, TRAIN, DEV = FILES = ("tagger.wnp", "tagged-train.conllu", "tagged-dev.conllu")


@dataclass(frozen=True)
class JackKnifed:
    """A tagger of a whole treebank, the treebank with jack-knifed tags, the development set with the tagger's."""

    tagger: Tagger
    sentences: list[Sentence]
    gold: list[Sentence]  # the same as they were given
    dev: list[Sentence] | None
    folds: int
    accuracy: dict[str, float]  # of the jack-knifed tags, in percent


def jackknife(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TaggerOptions,
    *,
    folds: int,
    watcher: TrainingWatcher | None = None,
) -> JackKnifed | None:
    """Learn a tagger, and tag what it learned from; None if it was stopped.

    If there are fewer sentences than folds, each sentence is a fold.
    """
    watcher = watcher or TrainingWatcher()
    stop = watcher.is_stopped
    given = [sentence for sentence in sentences if len(sentence)]
    folds = min(folds, len(given))
    fold_of = split_folds(given, folds)
    lessons = Lessons(given)
    watcher.on_lessons(lessons)
    tagger = learn_tagger(lessons, options, stop=stop)
    if tagger is None:
        return None
    tagger = finish_tagger(tagger, dev)
    tagged = list(given)
    shorter = replace(
        options, epochs=min(FOLD_EPOCHS, options.epochs), lemma_epochs=min(FOLD_EPOCHS, options.epochs)
    )
    for fold in range(folds):
        others = np.flatnonzero(fold_of != fold).astype(np.int32)
        other = learn_tagger(lessons, shorter, part=others, stop=stop)
        if other is None:
            return None
        inside = np.flatnonzero(fold_of == fold).tolist()
        for i, sentence in zip(inside, other.tag([given[i] for i in inside], retag=True), strict=True):
            tagged[i] = sentence
    tagged_dev = None if dev is None else tagger.tag(dev, retag=True)
    return JackKnifed(tagger, tagged, given, tagged_dev, folds, measure_tags(tagger, given, tagged))


def _origin(
    sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, options: TrainOptions
) -> dict[str, Any]:
    """Return what must agree for saved tags to be used again."""
    parts = {"train": sentences, "dev": dev or []}
    hashes = {
        name: f"{hash_data(b''.join(sentence.raw for sentence in part)):016x}" for name, part in parts.items()
    }
    return {"seed": options.seed, "jackknife": options.jackknife, **hashes}


def save_jackknifed(
    tagged: JackKnifed,
    directory: str,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TrainOptions,
) -> None:
    """Save a tagger and its tags in the directory of a checkpoint."""
    place = Path(directory)
    place.mkdir(parents=True, exist_ok=True)
    write(tagged.sentences, place / TRAIN)
    write(tagged.dev or [], place / DEV)
    info = {"origin": _origin(sentences, dev, options), "folds": tagged.folds, "accuracy": tagged.accuracy}
    Model(tagger=tagged.tagger, info=info).save(place / TAGGER)


def load_jackknifed(
    directory: str, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, options: TrainOptions
) -> JackKnifed | None:
    """Load what `save_jackknifed` wrote; None if there is nothing, ModelError if it is of another run."""
    place = Path(directory)
    if not (place / TAGGER).exists():
        return None
    model = load(place / TAGGER)
    if model.tagger is None or model.info.get("origin") != _origin(sentences, dev, options):
        raise ModelError(
            f"{place / TAGGER}: was written by a run with other data, seed or --jackknife; expected the same"
        )
    tagged = list(Reader([place / TRAIN], heads="given"))
    gold = [sentence for sentence in sentences if len(sentence)]
    tagged_dev = None if dev is None else list(Reader([place / DEV], heads="given"))
    return JackKnifed(model.tagger, tagged, gold, tagged_dev, model.info["folds"], model.info["accuracy"])
