"""Training a network as a second scorer, and tuning the sum of both scorers on a development set.

The network learns from the same sentences as the parser (`wnparse.neural.training`). Then weights of its scores
are tried (`wnparse.parser.neural_scorer`), and calibration, crossing penalty and joint weight are learned anew for
the best sum. A network that improves nothing is left out.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wnparse.neural.network import Network
from wnparse.parser.model import Model
from wnparse.parser.neural_scorer import NeuralScorer
from wnparse.training.calibration import learn_calibration
from wnparse.training.crossing_penalty import LearnedPenalty, learn_crossing_penalty
from wnparse.training.joint_weight import LearnedWeight, learn_joint_weight
from wnparse.training.trainer import Trainer, dev_scores
from wnparse.training.watcher import NetworkProgress, TrainingWatcher
from wnparse.treebanks.sentence import Sentence

if TYPE_CHECKING:
    from wnparse.neural.training import NetworkTrainer

WEIGHTS = (1.0, 0.7, 0.5, 0.35, 0.25, 1.4, 2.0)  # that are tried; of equals the first
NOT_FINISHED = "the network is not finished, and is not part of the model; continue with --checkpoint and --resume"


class LearnedSum(NamedTuple):
    """What was learned of the sum, and its scores on the development set in percent."""

    weight: float  # 0 if the network improves nothing
    score: float  # LAS (whole labels), UAS of an unlabelled model
    linear: float  # the same without the network
    penalty: LearnedPenalty | None
    joint: LearnedWeight | None


def add_network(trainer: Trainer, model: Model, gold_dev: Sequence[Sentence], watcher: TrainingWatcher) -> Model:
    """Train a network and add it to a model; if the run is stopped, the model stays as it is.

    Parameters
    ----------
    trainer : Trainer
        The finished run of the parser, with its treebank and development set.
    model : Model
        The finished model, calibrated.
    gold_dev : sequence of Sentence
        The development set with gold tags.
    watcher : TrainingWatcher
        Watches the run, and may stop it.
    """
    network = _train_network(trainer, watcher)
    if network is None:
        watcher.on_notice(NOT_FINISHED)
        return model
    assert trainer.dev is not None
    tuned, learned = tune_sum(model, network, trainer.dev, gold_dev, trainer.margin)
    watcher.on_sum(tuned, learned)
    return tuned


def _train_network(trainer: Trainer, watcher: TrainingWatcher) -> Network | None:
    """Train a network on the treebank of a parser; None if it was stopped."""
    from wnparse.neural.training import single_thread

    run = make_run(trainer)
    watcher.on_network_start(run)
    with single_thread():
        while run.epoch < run.epochs:
            start = time.perf_counter()
            with watcher.stage(f"network epoch {run.epoch + 1}", run.words):
                loss = run.run_epoch(watcher.is_stopped, watcher.on_words)
            watcher.save_network(run)
            if loss is None:
                return None
            watcher.on_network(
                NetworkProgress(run.epoch, run.epochs, loss, run.words, time.perf_counter() - start)
            )
    return run.network()


def make_run(trainer: Trainer) -> NetworkTrainer:
    """Prepare the training of a network on the treebank of a parser."""
    from wnparse.neural.training import Example as NetworkExample
    from wnparse.neural.training import NetworkTrainer

    columns = {"lemma": trainer.columns.lemma, "upos": trainer.uses_upos, "xpos": trainer.columns.xpos}
    columns["feats"] = trainer.columns.feats
    examples, copies = (
        [
            NetworkExample(sentence, example.labels)
            for sentence, example in zip(sentences, lessons, strict=True)
        ]
        for sentences, lessons in (
            (trainer.sentences, trainer.examples), (trainer.gold_sentences, trainer.gold_copies),
        )
    )  # fmt: skip
    return NetworkTrainer(
        examples,
        copies,
        relations=len(trainer.names) if trainer.options.labelled else 0,
        used=["form", "affixes", *(name for name, used in columns.items() if used)],
        seed=trainer.options.seed,
        encoder=trainer.options.encoder,
    )


def tune_sum(
    model: Model, network: Network, dev: Sequence[Sentence], gold_dev: Sequence[Sentence], margin: float
) -> tuple[Model, LearnedSum]:
    """Find the best weight of a network on a development set, and tune the sum."""
    assert model.calibration is not None
    linear = _score(model, dev)
    neural = NeuralScorer(network, 1.0, model.calibration, model.crossing_penalty, model.joint_weight)
    scores = {weight: _score(replace(model, neural=replace(neural, weight=weight)), dev) for weight in WEIGHTS}
    best = max(scores, key=lambda weight: scores[weight])
    if scores[best] <= linear:
        return model, LearnedSum(0.0, linear, linear, None, None)
    neural = replace(neural, weight=best)
    calibration = learn_calibration(replace(model, neural=neural), dev)
    neural = replace(neural, calibration=calibration or model.calibration)
    penalty = learn_crossing_penalty(replace(model, neural=neural), dev, margin)
    if penalty is not None:
        neural = replace(neural, crossing_penalty=penalty.chosen.price)
    joint = learn_joint_weight(replace(model, neural=neural), gold_dev)
    neural = replace(neural, joint_weight=joint.weight if joint else 0.0)
    return replace(model, neural=neural), LearnedSum(best, scores[best], linear, penalty, joint)


def _score(model: Model, dev: Sequence[Sentence]) -> float:
    """Return LAS on a development set, or UAS without labels."""
    uas, las = dev_scores(model, dev)
    return uas if las is None else las
