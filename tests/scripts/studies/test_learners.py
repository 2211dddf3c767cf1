"""scripts/studies/learners.py: one training run is looked at several times; all learners are compared."""

from __future__ import annotations

import sys

import pytest

from bench.lab import load_part
from studies import learners
from studies.learners import train
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer


def test_observing_a_run_does_not_change_it() -> None:
    """The model after two of three epochs is that of a run of two."""
    sentences = load_part("sample", "dev", 30)
    options = TrainOptions(epochs=3, labelled=False, learner="mira", order=1)
    snapshots = list(train(sentences, options, [2, 3]))
    assert [snapshot.epoch for snapshot in snapshots] == [2, 3]
    assert snapshots[0].words < snapshots[1].words <= 3 * sum(len(sentence) for sentence in sentences)
    trainer = Trainer(sentences, None, options)
    for _ in range(2):
        trainer.run_epoch()
    assert (trainer.model().weights["slots"] == snapshots[0].model.weights["slots"]).all()


def test_all_learners_are_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["learners.py", "sample", "--epochs", "1", "--first", "30"])
    learners.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 2 * len(learners.LEARNERS)
    slow = learners.Row("t", "mira", 80.0, 70.0, 9.0, 2.0, 50.0)
    fast = learners.Row("t", "perceptron", 80.0, 70.0, 9.0, 1.0, 100.0)
    assert learners.line(slow, fast).endswith("| 50 | 0.50× (MISSED: ≥ 0.8×) |")
    assert learners.line(fast, fast).endswith("| 100 | 1.00× |")
    assert learners.line(slow, None).endswith("| 50 |  |")
