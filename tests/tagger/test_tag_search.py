"""The search for tags against enumeration, and its scores against a sum over features."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from support.tag_learners import EVERY, EVERYTHING, learner_of
from wnparse.tagger.lexicon import Limits
from wnparse.tagger.training import Lessons
from wnparse.treebanks.sentence import Sentence


@pytest.fixture(scope="module")
def short(sample: list[Sentence]) -> Lessons:
    """Sentences of up to four words, and others to learn from."""
    return Lessons(sorted(sample, key=len)[:60])


def test_a_wide_beam_finds_the_best_of_all_sequences(short: Lessons) -> None:
    learner = learner_of(short, EVERY, EVERYTHING)
    learner.learn(np.arange(len(short), dtype=np.int32))
    checked = 0
    for number, sentence in enumerate(short.sentences):
        if len(sentence) > 3:
            continue
        tags, score = learner.find(number)
        assert learner.score(number, tags) == pytest.approx(score, abs=1e-3)
        sequences = product(range(len(short.names)), repeat=len(sentence))
        assert score == pytest.approx(max(learner.score(number, sequence) for sequence in sequences), abs=1e-3)
        checked += len(sentence) > 1
    assert checked


def test_the_score_of_a_narrow_beam_is_that_of_its_tags(short: Lessons) -> None:
    learner = learner_of(short, 2, Limits())
    learner.learn(np.arange(20, dtype=np.int32))
    for number in range(len(short)):
        tags, score = learner.find(number)
        assert learner.score(number, tags) == pytest.approx(score, abs=1e-3)


def test_learning_makes_gold_tags_win(short: Lessons) -> None:
    learner = learner_of(short, EVERY, EVERYTHING)
    order = np.arange(len(short), dtype=np.int32)
    wrong = [learner.learn(order) for _ in range(30)]
    assert wrong[-1] == 0 < wrong[0]
    predicted = np.concatenate([learner.find(number)[0] for number in range(len(short))])
    assert (predicted == short.tags).all()
