"""Small models, trained in a moment, and what their parts are given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.model import Model
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.training.watcher import TrainingWatcher
from wnparse.treebanks.sentence import Sentence

MSA = DecodeOptions(decoder="msa", constraints=Constraints(single_root=True)).settings
NO_ROWS = (np.zeros(16, np.uint16), np.zeros(16, np.uint32), np.zeros(99, np.uint32))  # no weights of labels


def trained(treebank: list[Sentence], **options: object) -> Model:
    """A model without a development set, of first order and after two epochs unless the options say otherwise."""
    trainer = Trainer(treebank, None, TrainOptions(**{"epochs": 2, "order": 1, **options}))  # type: ignore[arg-type]
    for _ in range(trainer.options.epochs):
        trainer.run_epoch()
    assert trainer.best is not None
    return trainer.best


def parsed_heads(model: Model, sentences: list[Sentence]) -> list[list[int]]:
    """The trees that a model gives sentences; a function that other processes find by its name."""
    return [tree.heads.tolist() for tree in model.parse(sentences)]  # type: ignore[union-attr]


class StopWhen(TrainingWatcher):
    """Stops a run as soon as a condition holds after a sentence, and notes what it sees."""

    def __init__(self, condition: Callable[[], bool] = lambda: False) -> None:
        self.condition = condition
        self.seen: list[tuple[int, int]] = []  # words and right heads of each sentence

    def is_stopped(self) -> bool:
        return self.condition()

    def on_words(self, words: int, right: int) -> None:
        self.seen.append((words, right))
