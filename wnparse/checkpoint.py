"""Checkpoints: a training run that was interrupted goes on to the same bytes as one that was not.

A checkpoint is a folder with the state of the learner (``state.wnp``, see `wnparse.tensors`) and the best model so
far (``best.wnp``). It belongs to one set of options and one treebank: another is refused.
"""

from __future__ import annotations

import json
from pathlib import Path

from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.files import open_output
from wnparse.first_pass import FirstPass
from wnparse.model import load
from wnparse.tensors import read_tensors, write_tensors
from wnparse.training import Trainer

STATE, BEST = "state.wnp", "best.wnp"


def _fingerprint(trainer: Trainer) -> str:
    """What a checkpoint must agree with: options (but for the number of epochs) and training data."""
    options = {name: value for name, value in trainer.options.recorded().items() if name != "epochs"}
    data = hash_data(b"".join(e.tokens.atoms.tobytes() + e.heads.tobytes() for e in trainer.examples))
    return json.dumps([options, trainer.templates, trainer.names, f"{data:016x}"])


def save_checkpoint(trainer: Trainer, folder: str) -> None:
    """Write the state of a run; each file appears whole or not at all, the state last."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    if trainer.best is not None:
        trainer.best.save(str(Path(folder) / BEST))
    step, arrays = trainer.learner.state()
    progress = {
        "fingerprint": _fingerprint(trainer),
        "step": step,
        "epoch": trainer.epoch,
        "position": trainer.position,
        "counts": trainer.counts,
        "history": trainer.history,
        "best_score": trainer.best_score,
        "has_best": trainer.best is not None,
        "pruner": None,
    }
    if trainer.first_pass is not None:
        progress["pruner"] = trainer.first_pass.limits()
        arrays |= trainer.first_pass.arrays()
    with open_output(str(Path(folder) / STATE)) as stream:
        write_tensors(stream, arrays, {"checkpoint": json.dumps(progress)})


def resume(trainer: Trainer, folder: str) -> None:
    """Take a run up where a checkpoint left it; ModelError if it is of another run."""
    path = Path(folder) / STATE
    if not path.is_file():
        message = f"{path}: no checkpoint to resume from"
        raise ModelError(message)
    arrays, metadata = read_tensors(str(path))
    progress = json.loads(metadata.get("checkpoint", "{}"))
    if progress.get("fingerprint") != _fingerprint(trainer):
        other = "other options or other training data, or of another version of wnparse"
        message = f"{path}: is of a run with {other}; expected the same"
        raise ModelError(message)
    trainer.learner.restore(progress["step"], arrays)
    if progress["pruner"]:
        trainer.use_first_pass(FirstPass.of(arrays, progress["pruner"]))
    trainer.epoch, trainer.position = progress["epoch"], progress["position"]
    trainer.counts, trainer.history = progress["counts"], progress["history"]
    trainer.best_score = progress["best_score"]
    trainer.best = load(str(Path(folder) / BEST)) if progress["has_best"] else None
