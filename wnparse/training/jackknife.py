"""Treebanks with tags as a parser will meet them: each part of the training data tagged by a tagger of the others.

A tagger makes fewer errors on what it learned from than on anything else, so that a parser that learned from such
tags, or from gold ones, would trust them too much. `wnparse.treebanks.folds` cuts the treebank. The taggers of
folds learn for fewer epochs than the one that is kept: they cost k - 1 times as much. A parser that learns from
these tags alone trusts them too little: it learns from them and from gold ones in turn, which is better than
either (docs/tagger.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.parser.model import Model, load
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, finish_tagger, learn_tagger
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
    accuracy: dict[str, float]  # of the jack-knifed tags, in percent


def jackknife(
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    options: TaggerOptions,
    *,
    folds: int,
    stop: Callable[[], bool] = lambda: False,
) -> JackKnifed | None:
    """Learn a tagger, and tag what it learned from; None if it was stopped."""
    given = [sentence for sentence in sentences if len(sentence)]
    fold_of = split_folds(given, folds)
    lessons = Lessons(given)
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
    found = None if dev is None else tagger.tag(dev, retag=True)
    return JackKnifed(tagger, tagged, given, found, _accuracy(tagger, given, tagged))


def _accuracy(tagger: Tagger, gold: Sequence[Sentence], tagged: Sequence[Sentence]) -> dict[str, float]:
    """How many words have the right value of each column, in percent."""
    words = sum(map(len, gold))
    return {
        name.upper(): 100
        * sum(sum(map(str.__eq__, a.column(name), b.column(name))) for a, b in zip(gold, tagged, strict=True))
        / max(words, 1)
        for name in ("upos", "xpos", "feats", "lemma")
        if name in tagger.columns
    }


def with_tagger(model: Model, tagged: JackKnifed, folds: int) -> Model:
    """A parser that learned from jack-knifed tags, with its tagger."""
    info = {**model.info, "jackknifed": {"folds": folds, **tagged.accuracy}}
    return replace(model, tagger=tagged.tagger, info=info)


def _origin(
    sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, seed: int, folds: int
) -> dict[str, Any]:
    """What must agree for tags that were kept to be used again."""
    parts = {"train": sentences, "dev": dev or []}
    hashes = {
        name: f"{hash_data(b''.join(sentence.raw for sentence in part)):016x}" for name, part in parts.items()
    }
    return {"seed": seed, "folds": folds, **hashes}


def save_jackknifed(
    tagged: JackKnifed,
    folder: str,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    seed: int,
    folds: int,
) -> None:
    """Keep a tagger and its tags in the folder of a checkpoint."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    write(tagged.sentences, place / TRAIN)
    write(tagged.dev or [], place / DEV)
    origin = {"origin": _origin(sentences, dev, seed, folds), "accuracy": tagged.accuracy}
    Model(tagger=tagged.tagger, info=origin).save(place / TAGGER)


def load_jackknifed(
    folder: str, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None, seed: int, folds: int
) -> JackKnifed | None:
    """What was kept in the folder of a checkpoint; None if nothing was, ModelError if it is of another run."""
    place = Path(folder)
    if not (place / TAGGER).exists():
        return None
    model = load(place / TAGGER)
    if model.tagger is None or model.info.get("origin") != _origin(sentences, dev, seed, folds):
        raise ModelError(f"{place / TAGGER}: is of a run with other data, seed or folds; expected the same")
    kept = list(Reader([place / TRAIN], heads="required"))
    gold = [sentence for sentence in sentences if len(sentence)]
    kept_dev = None if dev is None else list(Reader([place / DEV], heads="required"))
    return JackKnifed(model.tagger, kept, gold, kept_dev, model.info["accuracy"])
