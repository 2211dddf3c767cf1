"""Checkpoints: an interrupted training run that is continued gives the same bytes as an uninterrupted one.

A checkpoint is a directory with the state of the learner (``state.wnp``, see `wnparse.storage.tensors`) and the
best model so far (``best.wnp``). The training of a network, which comes last, has a state of its own
(``network.wnp``). A checkpoint belongs to one set of options, one treebank and one development set: others are
refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wnparse._core.hashing import hash_data
from wnparse.errors import ModelError
from wnparse.parser.first_pass import FirstPass
from wnparse.parser.model import load
from wnparse.parser.model_file import FORMAT
from wnparse.parser.pruner import Pruner
from wnparse.parser.tokens import encode_all
from wnparse.storage.files import open_output
from wnparse.storage.tensors import read_tensors, write_tensors
from wnparse.training.pruner import join_kept_arcs, split_kept_arcs
from wnparse.training.trainer import Trainer

if TYPE_CHECKING:
    from wnparse.neural.training import NetworkTrainer

STATE, BEST, NETWORK = "state.wnp", "best.wnp", "network.wnp"


def _fingerprint(trainer: Trainer) -> dict[str, Any]:
    """Return what a checkpoint must agree with, as messages name it; the number of epochs may differ."""
    options = {name: value for name, value in trainer.options.recorded().items() if name != "epochs"}
    lessons = trainer.examples + trainer.gold_copies
    examples = [e.tokens.atoms.tobytes() + e.heads.tobytes() + e.labels.tobytes() for e in lessons]
    dev = None
    if trainer.dev is not None:
        tokens = encode_all(trainer.dev, trainer.columns)
        labels = ["\t".join(sentence.column("deprel")).encode() for sentence in trainer.dev]
        parts = zip(tokens, trainer.dev, labels, strict=True)
        dev = _hash(words.atoms.tobytes() + sentence.heads.tobytes() + names for words, sentence, names in parts)
    part_templates = [trainer.part_templates] if trainer.part_templates else []
    return {
        "another format": FORMAT,
        "other options": json.loads(json.dumps([options, trainer.templates, *part_templates])),
        "other constraints": asdict(trainer.facts.constraints),
        "other rules": trainer.facts.rules.to_json() if trainer.facts.rules else None,
        "other training data": [trainer.names, _hash(examples)],
        "another development set, or none": dev,
    }


def _hash(parts: Iterable[bytes]) -> str:
    return f"{hash_data(b''.join(parts)):016x}"


def describe_checkpoint(directory: str) -> str | None:
    """Describe the checkpoint of a directory in a few words; None if there is none."""
    path = Path(directory) / STATE
    if not path.exists():
        return None
    try:
        progress = json.loads(read_tensors(str(path))[1]["checkpoint"])
        begun = " and a part of the next" if progress["position"] else ""
        return f"a checkpoint of epoch {progress['epoch']}{begun}"
    except (ModelError, OSError, LookupError, ValueError):
        return f"a damaged checkpoint ({STATE})"


def save_checkpoint(trainer: Trainer, directory: str) -> None:
    """Write the state of a run; each file appears whole or not at all, the state last."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    if trainer.best is not None:
        trainer.best.save(str(Path(directory) / BEST))
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
        "first_pass": trainer.first_pass and trainer.first_pass.limits(),
        "pruner": trainer.pruner and trainer.pruner.limits(),
    }
    if trainer.first_pass is not None:
        arrays |= trainer.first_pass.stored()
    if trainer.pruner is not None:
        arrays |= trainer.pruner.stored() | join_kept_arcs(trainer.kept_arcs)
    with open_output(str(Path(directory) / STATE)) as stream:
        write_tensors(stream, arrays, {"checkpoint": json.dumps(progress)})


def resume(trainer: Trainer, directory: str) -> bool:
    """Continue a run from a checkpoint; False if there is none, ModelError if it is of another run."""
    path = Path(directory) / STATE
    if not path.exists():
        return False
    arrays, metadata, _ = read_tensors(str(path))
    progress = json.loads(metadata.get("checkpoint", "{}"))
    _check_fingerprint(path, progress.get("fingerprint"), _fingerprint(trainer))
    trainer.learner.restore(progress["step"], arrays)
    if progress["first_pass"]:
        trainer.use_first_pass(FirstPass.of(arrays, FirstPass.read_limits(progress["first_pass"])))
    if progress["pruner"]:
        trainer.pruner = Pruner.of(arrays, Pruner.read_limits(progress["pruner"]))
        trainer.kept_arcs = split_kept_arcs(arrays)
    trainer.epoch, trainer.position = progress["epoch"], progress["position"]
    trainer.counts, trainer.history = progress["counts"], progress["history"]
    trainer.best_score = progress["best_score"]
    trainer.best = load(str(Path(directory) / BEST)) if progress["has_best"] else None
    return True


def _check_fingerprint(path: Path, stored: Any, expected: dict[str, Any]) -> None:
    """Raise ModelError if a checkpoint is of another run."""
    if stored != expected:
        comparable = isinstance(stored, dict) and stored.keys() == expected.keys()
        names = [name for name in expected if comparable and stored[name] != expected[name]]
        other = ", ".join(names) or "another version of wnparse"
        raise ModelError(f"{path}: is of a run with {other}; expected the same")


def save_network(run: NetworkTrainer, directory: str) -> None:
    """Write the state of the training of a network; the file appears whole or not at all."""
    progress, arrays = run.state()
    content = {"progress": progress, "fingerprint": run.fingerprint()}
    with open_output(str(Path(directory) / NETWORK)) as stream:
        write_tensors(stream, arrays, {"checkpoint": json.dumps(content)})


def resume_network(run: NetworkTrainer, directory: str) -> None:
    """Continue the training of a network, if it has a checkpoint; ModelError if it is of another run."""
    path = Path(directory) / NETWORK
    if path.exists():
        arrays, metadata, _ = read_tensors(str(path))
        content = json.loads(metadata.get("checkpoint", "{}"))
        _check_fingerprint(path, content.get("fingerprint"), run.fingerprint())
        run.restore(content["progress"], arrays)
