"""Scores that a training run reports while it learns."""

from __future__ import annotations

from typing import Any

import pytest

from support.models import StopWhen
from support.places import DATA
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.reader import read


class Helpless:
    """A learner that finds no tree for sentences of some lengths, and is right about all others."""

    changed = False

    def __init__(self, learner: Any, lengths: set[int]) -> None:
        self.learner = learner
        self.lengths = lengths

    def learn(self, tokens: Any, heads: Any, labels: Any, settings: Any, kept: Any) -> tuple[int, int] | None:
        size = len(heads) - 1
        return None if size in self.lengths else (size, size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.learner, name)


@pytest.mark.parametrize("labelled", [True, False])
def test_a_sentence_without_a_tree_has_no_right_heads(labelled: bool) -> None:
    sentences = list(read(str(DATA / "dev.conllu")))[:20]
    trainer = Trainer(sentences, None, TrainOptions(labelled=labelled, prune=False, order=1))
    lost = {len(sentences[0]), len(sentences[1])}
    trainer.learner = Helpless(trainer.learner, lost)  # type: ignore[assignment]
    trainer.watcher = watcher = StopWhen()
    progress = trainer.run_epoch()
    assert progress is not None
    words = sum(map(len, sentences))
    right = sum(len(sentence) for sentence in sentences if len(sentence) not in lost)
    assert 0 < right < words
    assert progress.train_uas == pytest.approx(100 * right / words)
    assert progress.train_las == (pytest.approx(100 * right / words) if labelled else None)
    assert sorted(watcher.seen) == sorted((len(s), 0 if len(s) in lost else len(s)) for s in sentences)
    assert trainer.history[0]["train_uas"] == progress.train_uas
