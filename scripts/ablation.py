"""What the ablations share: how good a training run gets on its development set."""

from __future__ import annotations

from wnparse.training.trainer import Trainer


def best_epoch(trainer: Trainer, epochs: int) -> tuple[float, float]:
    """Development UAS and LAS of the best epoch."""
    found = []
    for _ in range(epochs):
        progress = trainer.run_epoch()
        assert progress is not None
        assert progress.dev_uas is not None
        assert progress.dev_las is not None
        found.append((progress.dev_las, progress.dev_uas))
    las, uas = max(found)
    return uas, las
