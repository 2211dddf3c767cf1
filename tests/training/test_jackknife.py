"""Jack-knifed tags, and parsers that learn from these and from gold ones in turn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.treebanks import blanked
from wnparse.tagger.training import Lessons, TaggerOptions, learn_tagger
from wnparse.training.jackknife import FOLD_EPOCHS, jackknife
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.folds import split_folds
from wnparse.treebanks.sentence import Sentence, parse_sentence

FOLDS = 3


def trained(path: Path, sentences: list[Sentence], copies: list[Sentence], order: int) -> bytes:
    """The bytes of a model of two epochs."""
    trainer = Trainer(sentences, None, TrainOptions(epochs=2, order=order), copies)
    while trainer.epoch < 2:
        trainer.run_epoch()
    model = trainer.finish()
    assert model is not None
    model.save(path)
    return path.read_bytes()


def test_each_fold_is_tagged_by_a_tagger_of_the_others(sample: list[Sentence]) -> None:
    given = sample[:60]
    options = TaggerOptions(epochs=FOLD_EPOCHS, lemma_epochs=FOLD_EPOCHS)
    jackknifed = jackknife(given, None, options, folds=FOLDS)
    assert jackknifed is not None
    lessons, fold_of = Lessons(given), split_folds(given, FOLDS)
    for fold in range(FOLDS):
        others = learn_tagger(lessons, options, part=np.flatnonzero(fold_of != fold).astype(np.int32))
        assert others is not None
        inside = np.flatnonzero(fold_of == fold).tolist()
        expected = others.tag([given[i] for i in inside], retag=True)
        assert [jackknifed.sentences[i].raw for i in inside] == [sentence.raw for sentence in expected]
    assert jackknifed.gold == given
    wrong = sum(a.raw != b.raw for a, b in zip(jackknifed.sentences, given, strict=True))
    assert wrong > 0


@pytest.fixture(scope="module")
def poor(sample: list[Sentence]) -> list[Sentence]:
    """Sentences with universal tags alone."""
    return [parse_sentence(blanked(sentence.raw, 2, 4, 5), heads="required") for sentence in sample[:40]]


@pytest.mark.parametrize("order", [1, 2])
def test_gold_copies_are_learned_from(
    tmp_path: Path, sample: list[Sentence], poor: list[Sentence], order: int
) -> None:
    given = sample[:40]
    alone = trained(tmp_path / "m.wnp", given, [], order)
    assert trained(tmp_path / "m.wnp", given, given, order) == alone
    assert trained(tmp_path / "m.wnp", given, poor, order) != alone


def test_sentences_and_gold_copies_take_turns(sample: list[Sentence], poor: list[Sentence]) -> None:
    trainer = Trainer(sample[:40], None, TrainOptions(order=1), poor)
    for epoch in range(3):
        trainer.epoch = epoch
        for number in range(40):
            expected = trainer.examples if (number + epoch) % 2 == 0 else trainer.gold_copies
            assert trainer.lesson(number)[0] is expected[number]
