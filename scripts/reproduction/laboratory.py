"""What the steps share: options, the models of the treebanks, and the matrices with which they score test sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import wnparse
from bench.lab import run
from reproduction.store import Result, Store, say, slug
from reproduction.treebanks import Treebank
from wnparse._core.settings import Settings
from wnparse.decoding.options import DecodeOptions
from wnparse.errors import ModelError
from wnparse.parser.tokens import encode
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import structure

DECODERS = {"msa": "MSA", "eisner": "Eisner", "lr": "LR", "bnb": "B&B", "msa-eisner": "MSA/Eisner"}
# The search as the paper has it: cuts (4) and (5), reduction 6.2 and 6.3, Camerini's direction, no local search.
PUBLISHED = {"variant": "corro2016"}
PUBLISHED_NODES = 1_000  # its search would go on for minutes where it needs more
ITERATIONS = 200  # of a relaxation, as the paper has it for all languages but English
NODES = 20_000
PRICE = 0.0  # of a crossing, whatever the model has learned: the papers know none


@dataclass(frozen=True)
class RunOptions:
    """What a run can be told."""

    epochs: int = 10
    repeats: int = 3
    limit: int | None = None
    models: Path | None = None
    peers: bool = True
    peer_words: int = 40_000
    learner_iterations: tuple[int, ...] = (1, 2, 5)
    learner_words: int = 40_000
    higher_words: int = 250_000
    incremental_words: int = 1
    incremental_folds: int = 9
    incremental_step: int = 4
    program_sentences: int = 100


@dataclass(frozen=True)
class Variant:
    """A decoder, and whether its search is the published one."""

    decoder: str
    published: bool = False

    @property
    def name(self) -> str:
        """How tables call it."""
        return DECODERS[self.decoder] + (", as published" if self.published else "")

    def options(self, constraints: wnparse.Constraints) -> dict[str, Any]:
        """Keywords of `wnparse.decode_batch`; an arborescence knows no structure."""
        options: dict[str, Any] = {"single_root": constraints.single_root}
        if self.decoder != "msa":
            options |= {"block_degree": constraints.block_degree, "well_nested": constraints.well_nested}
        return options | (PUBLISHED | {"max_nodes": PUBLISHED_NODES} if self.published else {})

    def settings(self, constraints: wnparse.Constraints) -> Settings:
        """The same for the core."""
        options = {"max_iterations": ITERATIONS, "max_nodes": NODES, **self.options(constraints)}
        limits = ("block_degree", "well_nested", "single_root")
        held_to = wnparse.Constraints(**{name: options.pop(name) for name in limits if name in options})
        return DecodeOptions(decoder=self.decoder, constraints=held_to, **options).settings


@dataclass(frozen=True)
class ScoredSet:
    """A test set as its model scores it, after the first pass that drops arcs, as `wnparse parse` does."""

    constraints: wnparse.Constraints
    lengths: npt.NDArray[np.int64]  # [B] words
    matrices: list[npt.NDArray[np.float32]]  # [B] of [n + 1, n + 1]
    candidates: list[npt.NDArray[np.bool_]]  # the same shapes: arcs that the first pass left
    invalid: list[int]  # sentences whose best arborescence breaks the constraints


def is_valid(heads: npt.NDArray[np.int32], constraints: wnparse.Constraints) -> bool:
    """Whether a tree has the block degree and the nesting asked for; roots do not count here."""
    shape = structure(heads)
    bound = constraints.block_degree
    return (bound is None or shape.block_degree <= bound) and (shape.well_nested or not constraints.well_nested)


def score_test_set(model: wnparse.Model, sentences: list[Sentence]) -> ScoredSet:
    """Score the arcs of a test set."""
    constraints = model.constraints
    scored = [
        model._scorer.scores(encode(sentence, model.columns), model.first_pass is not None)
        for sentence in sentences
    ]
    matrices = [scores for scores, _ in scored]
    trees = wnparse.decode_batch(matrices, decoder="msa", single_root=constraints.single_root)
    invalid = [place for place, tree in enumerate(trees) if not is_valid(tree.heads, constraints)]
    lengths = np.array([len(sentence) for sentence in sentences], np.int64)
    return ScoredSet(constraints, lengths, matrices, [labels >= 0 for _, labels in scored], invalid)


@dataclass
class Laboratory:
    """One treebank under measurement; what is costly is made when a step first asks for it."""

    treebank: Treebank
    options: RunOptions
    store: Store

    def step(self, name: str, measure: Callable[[Laboratory], Result], **depends: Any) -> Result:
        """Find or measure a step; `depends` are the options and models that matter to it."""
        depends = {"treebank": self.treebank.digest, **depends}
        return self.store.step(name, self.treebank.name, depends, lambda: measure(self))

    @cached_property
    def model_path(self) -> Path:
        """The model of the treebank: one that is there and fits, or one just trained."""
        name = f"{slug(self.treebank.name)}-labelled-{self.options.epochs}.wnp"
        if self.options.models and (self.options.models / name).exists():
            path = (self.options.models / name).resolve()
            self._check(path)
            return path
        path = self.store.folder.resolve() / "models" / f"{self.treebank.digest}-{name}"
        if not path.exists():
            say(f"{self.treebank.name}: training with --epochs {self.options.epochs} ...")
            self.train(path, ("--order", "1"))
        return path

    def train(self, path: Path, more: Iterable[str], program: tuple[str, ...] = ("-m", "wnparse")) -> None:
        """Train a model, and keep beside it what that took."""
        dev = self.treebank.path("dev")
        options = ["--epochs", str(self.options.epochs), *(["--dev", str(dev)] if dev else []), *more]
        # An interrupted training leaves a model too: one that is whole gets its name last.
        part = path.with_suffix(".part")
        # The papers know no rules.
        command = [
            "train",
            self.treebank.required("train"),
            "-o",
            str(part),
            "--only",
            "parser",
            "--rules",
            "none",
            *options,
        ]
        user, _, memory = run(path.parent, *command, program=program)
        path.with_suffix(".json").write_text(json.dumps({"user": user, "memory": memory}))
        part.replace(path)

    def _check(self, path: Path) -> None:
        """Refuse a model of other data or other options."""
        info = wnparse.load(str(path)).info
        words = sum(map(len, self.treebank.sentences("train")))
        if (info["treebank"]["words"], info["options"]["epochs"]) != (words, self.options.epochs):
            raise ModelError(
                f"{path}: a model of {info['options']['epochs']} epochs on {info['treebank']['words']:,} words; "
                f"{self.options.epochs} epochs on the {words:,} words of {self.treebank.name} are needed"
            )

    @cached_property
    def test_set(self) -> ScoredSet:
        """The test set, scored."""
        return score_test_set(wnparse.load(str(self.model_path)), self.treebank.sentences("test"))
