"""Small models, trained in a moment."""

from __future__ import annotations

from wnparse.conllu import Sentence
from wnparse.model import Model
from wnparse.training import Trainer, TrainingOptions


def trained(treebank: list[Sentence], **options: object) -> Model:
    """A model without a development set, after two epochs unless the options say otherwise."""
    trainer = Trainer(treebank, None, TrainingOptions(**{"epochs": 2, **options}))  # type: ignore[arg-type]
    for _ in range(trainer.options.epochs):
        trainer.run_epoch(lambda: False, lambda words, right: None)
    assert trainer.best is not None
    return trainer.best
