"""What a relaxation tells of itself: automata that iterations run, and what they choose without a tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from wnparse._core.tokens import Tokens
from wnparse.conllu import Sentence
from wnparse.constraints import Constraints
from wnparse.decoders import make_settings
from wnparse.encode import encode
from wnparse.model import Model
from wnparse.training import Trainer, TrainingOptions

LIMIT = 30
SETTINGS = make_settings("msa", Constraints(single_root=True), max_iterations=LIMIT)


@pytest.fixture(scope="module")
def model(sample: list[Sentence]) -> Model:
    """Of order 2, a little trained."""
    trainer = Trainer(sample[:60], None, TrainingOptions(epochs=1, order=2))
    trainer.run_epoch(lambda: False, lambda words, right: None)
    return trainer.model()


def candidates(model: Model, tokens: Tokens, words: int) -> np.ndarray:
    """Which arcs [m, h] the pruner leaves."""
    chosen = model.scorer.choose(tokens, SETTINGS)
    assert chosen is not None
    begin, heads, _ = chosen
    left = np.zeros((words + 1, words + 1), bool)
    for m in range(1, words + 1):
        left[m, heads[begin[m] : begin[m + 1]]] = True
    return left


def test_automata_are_run_where_something_changed(model: Model, sample: list[Sentence]) -> None:
    again = total = 0
    for sentence in sample[60:90]:
        tokens = encode(sentence, model.columns)
        found = model.scorer.trace(tokens, SETTINGS, True)
        (parsed,) = model.scorer.parse([tokens], [SETTINGS], True)
        assert found is not None
        assert parsed is not None
        heads, runs, alone = found
        assert heads.tolist() == parsed[0].tolist()
        assert runs[0] == len(sentence) + 1
        assert (runs >= 0).all()
        assert (runs <= len(sentence) + 1).all()
        assert len(runs) <= min(LIMIT, parsed[5])
        assert not (alone & ~candidates(model, tokens, len(sentence))).any()
        again, total = again + int(runs[1:].sum()), total + len(runs[1:]) * (len(sentence) + 1)
    assert 0 < again < total


def test_without_parts_automata_choose_every_arc_that_pays(model: Model, sample: list[Sentence]) -> None:
    """But one to the parent that is the least loss as a child; and node 0 has a single child."""
    plain = replace(model, part_templates=[])
    for sentence in sample[60:90]:
        tokens = encode(sentence, plain.columns)
        found = plain.scorer.trace(tokens, SETTINGS, True)
        assert found is not None
        alone, left = found[2], candidates(plain, tokens, len(sentence))
        scores = np.where(left, plain.scorer.scores(tokens, True)[0], -np.inf)
        assert np.flatnonzero(alone[:, 0]).tolist() == [np.argmax(scores[:, 0])]
        gains = np.maximum(scores.astype(np.float64), 0.0)
        for h in range(1, len(sentence) + 1):
            assert (scores[alone[:, h], h] > 0).all()
            lost = gains[:, h].sum() - gains[alone[:, h], h].sum()
            assert lost == pytest.approx(gains[left[h], h].min(), abs=1e-9)
