"""The trace of a relaxation: the automata that iterations run, and what they choose without a tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from support.core_modules import import_or_skip
from wnparse._core.tokens import Tokens
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.model import Model
from wnparse.parser.tokens import encode
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence

trace = import_or_skip("laboratory").trace

LIMIT = 30
SETTINGS = DecodeOptions(decoder="msa", constraints=Constraints(single_root=True), max_iterations=LIMIT).settings


@pytest.fixture(scope="module")
def model(sample: list[Sentence]) -> Model:
    """Return a model of order 2 after little training."""
    trainer = Trainer(sample[:60], None, TrainOptions(epochs=1, order=2))
    trainer.run_epoch()
    return trainer.model()


def candidates(model: Model, tokens: Tokens, words: int) -> np.ndarray:
    """Return which arcs [m, h] the pruner leaves."""
    chosen = model._scorer.choose(tokens, SETTINGS)
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
        traced = trace(model._scorer, tokens, SETTINGS, True)
        (parsed,) = model._scorer.parse([tokens], [SETTINGS], True)
        assert traced is not None
        heads, runs, alone, balanced = traced
        assert heads.tolist() == parsed.trees[0].heads.tolist()
        assert runs[0] == len(sentence) + 1
        assert (runs >= 0).all()
        assert (runs <= len(sentence) + 1).all()
        assert len(runs) <= min(LIMIT, parsed.trees[0].iterations)
        assert not ((alone | balanced) & ~candidates(model, tokens, len(sentence))).any()
        again, total = again + int(runs[1:].sum()), total + len(runs[1:]) * (len(sentence) + 1)
    assert 0 < again < total


def balance(scores: np.ndarray) -> np.ndarray:
    """Relative to the middle between the two best arcs of each word, or half of the only one."""
    balanced = scores.copy()
    for m in range(1, len(scores)):
        best = sorted(score for score in scores[m] if score > -np.inf)[-2:]
        balanced[m] -= (best[0] + best[1]) / 2 if len(best) > 1 else best[0] / 2
    return balanced


def check_alone(alone: np.ndarray, scores: np.ndarray) -> None:
    """Every arc that pays, but one to the parent that is the least loss as a child; node 0 has a single child."""
    assert np.flatnonzero(alone[:, 0]).tolist() == [np.argmax(scores[:, 0])]
    gains = np.maximum(scores, 0.0)
    for h in range(1, len(scores)):
        assert (scores[alone[:, h], h] > 0).all()
        lost = gains[:, h].sum() - gains[alone[:, h], h].sum()
        assert lost == pytest.approx(gains[scores[h] > -np.inf, h].min(), abs=1e-9)


def test_without_parts_automata_choose_every_arc_that_pays(model: Model, sample: list[Sentence]) -> None:
    plain = replace(model, part_templates=[])
    for sentence in sample[60:90]:
        tokens = encode(sentence, plain.columns)
        traced = trace(plain._scorer, tokens, SETTINGS, True)
        assert traced is not None
        left = candidates(plain, tokens, len(sentence))
        scores = np.where(left, plain._scorer.scores(tokens, True)[0], -np.inf).astype(np.float64)
        check_alone(traced[2], scores)
        check_alone(traced[3], balance(scores))


def test_a_model_of_arcs_only_has_no_trace(sample: list[Sentence]) -> None:
    trainer = Trainer(sample[:10], None, TrainOptions(epochs=1, order=1))
    trainer.run_epoch()
    model = trainer.model()
    with pytest.raises(ValueError, match="higher order"):
        trace(model._scorer, encode(sample[60], model.columns), SETTINGS, True)
