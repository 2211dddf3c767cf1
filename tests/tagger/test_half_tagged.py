"""Taggers of half-tagged treebanks: words without a UPOS tag teach nothing."""

from __future__ import annotations

import random

import pytest

import wnparse
from support.places import DATA
from support.treebanks import blanked, first_sentences, sentences
from wnparse.errors import TreebankError
from wnparse.tagger.tagger import Tagger
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger, measure_tags
from wnparse.treebanks.sentence import Sentence

QUICK = TaggerOptions(epochs=3, lemma_epochs=3)


def learned(given: list[Sentence]) -> Tagger:
    tagger = learn_tagger(Lessons(given), QUICK)
    assert tagger is not None
    return tagger


def without_tags(data: bytes, rate: float, columns: tuple[int, ...] = (2, 3, 4, 5)) -> bytes:
    """Blank the columns of some words."""
    rng, rows = random.Random(5), [row.split(b"\t") for row in data.split(b"\n")]
    for row in rows:
        if row[0].isdigit() and rng.random() < rate:
            for column in columns:
                row[column] = b"_"
    return b"\n".join(b"\t".join(row) for row in rows)


def test_a_missing_tag_is_not_a_tag() -> None:
    whole = first_sentences("train", 400)
    tagger = learned(sentences(without_tags(whole, 0.5)))
    assert "_" not in tagger.names["tags"]
    gold = list(wnparse.read(DATA / "test.conllu"))[:200]
    full, half = (
        measure_tags(known, gold, known.tag(gold, retag=True)) for known in (learned(sentences(whole)), tagger)
    )
    assert half.keys() == full.keys()
    for column in full:
        assert half[column] > full[column] - 12


def test_what_words_without_a_tag_have_teaches_nothing() -> None:
    whole = first_sentences("train", 60)
    blank, odd = without_tags(whole, 0.3), without_tags(whole, 0.3, (3,))
    odd = odd.replace(b"\tthe\t_\t", b"\tODD\t_\t")
    first, second = learned(sentences(blank)), learned(sentences(odd))
    assert first.names == second.names
    assert all((first.arrays[name] == second.arrays[name]).all() for name in first.arrays)


def test_sentences_without_tags_and_sentences_with_one() -> None:
    tagged, untagged = first_sentences("train", 30), blanked(first_sentences("dev", 30), 2, 3, 4, 5)
    lessons = Lessons(sentences(untagged + tagged))
    assert (lessons.tags < 0).sum() == sum(map(len, sentences(untagged)))
    assert lessons.likely_tags.min() >= 0
    tagger = learned(sentences(untagged + tagged))
    assert tagger.names == learned(sentences(tagged)).names
    one = tagged.split(b"\n\n")[0].split(b"\n")
    only = blanked(b"\n".join(one) + b"\n\n", 2, 3, 4, 5)
    first = only.replace(b"\t_\t_\t_\t_\t", b"\t_\tX\t_\t_\t", 1)
    assert learned(sentences(first)).names["tags"] == ["X"]
    with pytest.raises(TreebankError, match="no word has a tag"):
        Lessons(sentences(only))


def test_models_of_half_tagged_treebanks_can_be_trained() -> None:
    """With folds in which no word has a tag, and a development set that is half tagged."""
    tagged, untagged = first_sentences("train", 3), blanked(first_sentences("dev", 30), 2, 3, 4, 5)
    dev = sentences(without_tags(first_sentences("test", 20), 0.5))
    model = wnparse.train(sentences(tagged + untagged), dev, epochs=1, order=1)
    (parsed,) = model.parse(sentences(untagged)[:1])
    assert "_" not in parsed.column("upos")
