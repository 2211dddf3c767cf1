"""The parsers of a treebank beside its first one: of higher order, and trained with other decoders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reproduction.laboratory import Laboratory
from reproduction.store import say, slug

WITH_PARTS = Path(__file__).resolve().parents[1] / "studies" / "part_models.py"


@dataclass(frozen=True)
class Kind:
    """A kind of parser: what tables call it, and what `wnparse train` is told."""

    name: str
    options: tuple[str, ...] = ()
    parts: str = ""  # kinds of parts, if not all of its order


FIRST = "first"
ORDERS = {
    FIRST: Kind("MST (order 1)", ("--order", "1")),
    "sib": Kind("Sib (siblings alone)", ("--order", "2"), "sibling"),
    "gs": Kind("G+S (order 2)", ("--order", "2")),
    "third": Kind("order 3", ("--order", "3")),
}
TRAINED_WITH = {
    FIRST: Kind("MSA"),
    "by lr": Kind("LR", ("--order", "1", "--decoder", "lr")),
    "by bnb": Kind("B&B", ("--order", "1", "--decoder", "bnb")),
}
KINDS = {**TRAINED_WITH, **ORDERS}


def model_path(laboratory: Laboratory, kind: str) -> Path:
    """The model of a kind, trained unless it is there."""
    if kind == FIRST:
        return laboratory.model_path
    treebank, epochs = laboratory.treebank, laboratory.options.epochs
    folder = laboratory.store.folder.resolve() / "models" / slug(kind)
    path = folder / f"{treebank.digest}-{slug(treebank.name)}-{epochs}.wnp"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        say(f"{treebank.name}: training {KINDS[kind].name} with --epochs {epochs} ...")
        laboratory.train(path, KINDS[kind].options, program(KINDS[kind]))
    return path


def program(kind: Kind) -> tuple[str, ...]:
    """What Python runs for `wnparse`."""
    return (str(WITH_PARTS), kind.parts) if kind.parts else ("-m", "wnparse")


def training_seconds(path: Path) -> float | None:
    """User seconds that a model took, if they are known."""
    spent = path.with_suffix(".json")
    return float(json.loads(spent.read_text())["user"]) if spent.exists() else None


def digests(laboratory: Laboratory, kinds: Iterable[str]) -> list[str]:
    """The bytes of some models in a few letters each."""
    paths = [model_path(laboratory, kind) for kind in kinds]
    return [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths]
