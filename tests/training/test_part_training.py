"""Training of higher order: runs that repeat and resume to the same bytes, pruned arcs, learners."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from support.core_modules import import_or_skip
from support.models import StopWhen, trained
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.errors import ModelError
from wnparse.parser.confidence import local_head_probabilities
from wnparse.parser.model import load
from wnparse.parser.tokens import encode_all
from wnparse.training.calibration import learn_calibration, log_loss
from wnparse.training.checkpoint import resume, save_checkpoint
from wnparse.training.options import TrainOptions
from wnparse.training.pruner import join_kept_arcs, split_kept_arcs
from wnparse.training.trainer import Trainer
from wnparse.treebanks.sentence import Sentence

OPTIONS = TrainOptions(epochs=2, order=2)


def finish(trainer: Trainer, path: Path) -> bytes:
    """The bytes of the model that a run ends with."""
    while trainer.epoch < trainer.options.epochs:
        trainer.run_epoch()
    model = trainer.finish()
    assert model is not None
    model.save(path)
    return path.read_bytes()


def test_same_seed_same_bytes(sample: list[Sentence], tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        trained(sample[:60], seed=seed, order=3).save(tmp_path / name)
    first, again, other = ((tmp_path / name).read_bytes() for name in "abc")
    assert first == again != other


@pytest.mark.parametrize(
    ("epoch", "position"), [(0, 0), (0, 1), (0, 37), (1, 0), (1, 20)], ids=lambda number: str(number)
)
def test_an_interrupted_run_resumes_to_the_same_bytes(
    sample: list[Sentence], tmp_path: Path, epoch: int, position: int
) -> None:
    """Stopped before the parser itself, in the first epoch, after it, in the second."""
    treebank, dev = sample[:60], sample[60:80]
    whole = finish(Trainer(treebank, dev, OPTIONS), tmp_path / "whole")
    part = Trainer(treebank, dev, OPTIONS)
    part.watcher = StopWhen(lambda: part.prepared and (part.epoch, part.position) >= (epoch, position))
    while (part.epoch, part.position) < (epoch, position):
        part.run_epoch()
    if position == 0 and epoch == 0:
        part.watcher = StopWhen(lambda: True)
        assert part.run_epoch() is None
    assert (part.epoch, part.position) == (epoch, position)
    save_checkpoint(part, str(tmp_path / "checkpoint"))
    again = Trainer(treebank, dev, OPTIONS)
    resume(again, str(tmp_path / "checkpoint"))
    assert again.prepared == part.prepared
    assert finish(again, tmp_path / "again") == whole
    with pytest.raises(ModelError, match="other options"):
        resume(Trainer(treebank, dev, TrainOptions(epochs=2, order=1)), str(tmp_path / "checkpoint"))


def test_pruned_arcs_survive_joining_and_splitting(sample: list[Sentence]) -> None:
    trainer = Trainer(sample[:9], None, OPTIONS)
    assert trainer.prepare()
    again = split_kept_arcs(join_kept_arcs(trainer.kept_arcs))
    assert len(again) == 9
    for before, after, sentence in zip(trainer.kept_arcs, again, sample, strict=False):
        assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
        begin, heads, tree = after
        for m in range(1, len(sentence) + 1):
            remaining = heads[begin[m] : begin[m + 1]].tolist()
            assert {int(sentence.heads[m]), int(tree[m])} <= set(remaining)


def test_a_model_of_higher_order_is_saved_and_loaded(sample: list[Sentence], tmp_path: Path) -> None:
    model = trained(sample[:40], order=3)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert (again.order, again.part_templates) == (3, model.part_templates)
    again.save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    for one, other in zip(model.parse(sample[40:60]), again.parse(sample[40:60]), strict=True):
        assert one.raw == other.raw


@pytest.mark.parametrize("learner", ["mira-kbest", "mira-factored"])
def test_refuses_learners_of_arcs_only(sample: list[Sentence], learner: str) -> None:
    with pytest.raises(ValueError, match="order 2: perceptron, mira, pa"):
        Trainer(sample[:5], None, TrainOptions(learner=learner, order=2))


@pytest.mark.parametrize("learner", ["mira", "pa"])
def test_all_learners_learn_with_parts(sample: list[Sentence], learner: str) -> None:
    trainer = Trainer(sample[:60], None, TrainOptions(learner=learner, order=2, epochs=3))
    epochs = [trainer.run_epoch() for _ in range(3)]
    assert epochs[0] is not None and epochs[2] is not None
    assert epochs[2].train_uas > epochs[0].train_uas


def test_computes_probabilities_of_heads() -> None:
    """The softmax of one word by hand; dropped arcs have probability 0, and the remainder belongs to no arc."""
    local = np.array([[-np.inf] * 3, [1.0, -np.inf, 3.0], [5.0, -np.inf, -np.inf]])
    probabilities = local_head_probabilities(local, 2.0, 0.1)
    first = 1 / (1 + np.exp(1.0))
    np.testing.assert_allclose(probabilities, [[0] * 3, [0.9 * first, 0, 0.9 * (1 - first)], [0.9, 0, 0]])


def test_temperature_and_remainder_minimise_the_loss(sample: list[Sentence]) -> None:
    """No other pair on a grid does better on the sentences that they were learned from."""
    model, dev = trained(sample[:60], order=2), sample[60:110]
    learned = learn_calibration(model, dev)
    assert learned is not None
    constraints = Constraints(single_root=model.constraints.single_root)
    settings = DecodeOptions(decoder="msa", constraints=constraints).settings
    tokens = encode_all(dev, model.columns)
    results = model._scorer.parse(tokens, [settings] * len(dev), True, explain=True)

    def loss(temperature: float, rest: float) -> float:
        probabilities, right = [], []
        for sentence, result in zip(dev, results, strict=True):
            heads, words = result.trees[0].heads, np.arange(1, len(sentence) + 1)
            assert result.head_scores is not None
            probabilities.append(local_head_probabilities(result.head_scores, temperature, rest)[words, heads[1:]])
            right.append(heads[1:] == sentence.heads[1:])
        return log_loss(np.concatenate(probabilities), np.concatenate(right))

    least = loss(learned.full, learned.rest)
    for factor in (0.5, 0.9, 1.1, 2.0):
        assert loss(factor * learned.full, learned.rest) >= least - 1e-4
    for rest in (0.0, 0.01, 0.1, 0.3):
        assert loss(learned.full, rest) >= least - 1e-4


@pytest.mark.parametrize("order", [2, 3])
def test_automata_alone_learn_until_each_head_has_its_children(sample: list[Sentence], order: int) -> None:
    """Steps along f(gold) - f(guess) end where they can; any others would go on for ever."""
    trainer = Trainer(sample[:30], None, TrainOptions(order=order, epochs=60, margin=0.0))
    trainer.learner = import_or_skip("laboratory").AutomataLearner(trainer.learner)
    epoch = trainer.run_epoch()
    assert epoch is not None
    assert epoch.updates > 15
    while epoch.updates and trainer.epoch < 60:
        epoch = trainer.run_epoch()
        assert epoch is not None
    assert (epoch.updates, epoch.train_uas, epoch.train_las) == (0, 100, 100)


def test_automata_alone_make_a_parser(sample: list[Sentence]) -> None:
    scores = {}
    for alone in (False, True):
        trainer = Trainer(sample[:150], sample[150:200], OPTIONS)
        if alone:
            trainer.learner = import_or_skip("laboratory").AutomataLearner(trainer.learner)
        for _ in range(2):
            trainer.run_epoch()
        scores[alone] = trainer.best_score
    assert scores[True] > 0.8 * scores[False]


def test_automata_alone_need_parts(sample: list[Sentence]) -> None:
    trainer = Trainer(sample[:10], None, TrainOptions(order=1))
    with pytest.raises(ValueError, match="order"):
        import_or_skip("laboratory").AutomataLearner(trainer.learner)
