"""What the compact table of a model costs: the same trees from the learner's own weights, keyed by whole hashes.

A `Learner` scores with exact 64-bit keys and unrounded weights, but learns from what it gets wrong. So each
sentence is given to a copy of the process, whose learning is lost with it.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wnparse._core.learner import Learner
from wnparse._core.tables import LabelCandidates
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions
from wnparse.parser.features import compile_templates
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.tokens import encode
from wnparse.training.options import TrainOptions
from wnparse.training.trainer import Trainer
from wnparse.treebanks.reader import Reader
from wnparse.treebanks.sentence import Sentence


@dataclass(frozen=True)
class Comparison:
    """UAS and LAS with all weights, with those that a model keeps, and with the frozen table of these."""

    features: int
    exact: tuple[float, float]
    kept: tuple[float, float]
    frozen: tuple[float, float]


def compare(train: str, test: str, epochs: int) -> Comparison:
    """Train a labelled parser, and score a test set with its weights before and after they are frozen."""
    trainer = Trainer(list(Reader([train], heads="required")), None, TrainOptions(epochs=epochs, order=1))
    for _ in range(epochs):
        trainer.run_epoch()
    sentences = [sentence for sentence in Reader([test], heads="required") if len(sentence)]
    model = trainer.model()
    return Comparison(
        trainer.learner.features,
        exact_scores(averaged_learner(trainer, 0.0), model, sentences),
        exact_scores(averaged_learner(trainer, trainer.least_weight), model, sentences),
        frozen_scores(model, sentences),
    )


def averaged_learner(trainer: Trainer, least: float) -> Learner:
    """A learner with the averaged weights of a training run, but for those smaller than `least`."""
    keys, weights = trainer.learner.averaged()
    row_keys, begin, labels, row_weights = trainer.learner.averaged_rows()
    choice = LabelCandidates(**trainer.label_table, count=len(trainer.names))
    learner = Learner(compile_templates(trainer.templates), choice, 0.0)
    large, row_large = (
        np.where(np.abs(each) < least, 0, each).astype(np.float32) for each in (weights, row_weights)
    )
    averaged = {
        "keys": keys, "weights": large, "sums": np.zeros(len(keys)),
        "row_keys": row_keys, "row_begin": begin, "row_labels": labels,
        "row_weights": row_large, "row_sums": np.zeros(len(labels)),
    }  # fmt: skip
    learner.restore(1.0, averaged)
    return learner


def exact_scores(learner: Learner, model: Model, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """Count the heads and labels that a learner without margin has right before it learns."""
    settings = DecodeOptions(
        decoder="msa", constraints=Constraints(single_root=model.constraints.single_root)
    ).settings
    ids = {name: number for number, name in enumerate(model.labels)}
    words = heads = labels = 0
    for sentence in sentences:
        gold = np.array([0, *(ids.get(name, len(ids)) for name in sentence.column("deprel"))], np.int32)
        tokens = encode(sentence, model.columns)
        reading, writing = os.pipe()
        if not (child := os.fork()):
            found = learner.learn(tokens, sentence.heads, gold, settings)
            os.write(writing, struct.pack("ii", *(found or (0, 0))))
            os._exit(0)
        os.waitpid(child, 0)
        right = struct.unpack("ii", os.read(reading, 8))
        os.close(reading)
        os.close(writing)
        words, heads, labels = words + len(sentence), heads + right[0], labels + right[1]
    return 100 * heads / words, 100 * labels / words


def frozen_scores(model: Model, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """Score the trees of a model, all labels of all arcs looked at."""
    limits = Constraints(single_root=model.constraints.single_root)
    parser = Parser(model, ParseOptions(decoder="msa", constraints=limits, prune=False))
    words = heads = labels = 0
    for sentence in sentences:
        found = parser.parse([sentence])[0].parse
        words += len(sentence)
        if found is None or found.labels is None:
            continue
        right = found.heads[1:] == sentence.heads[1:]
        heads += int(right.sum())
        pairs = zip(found.labels[1:], sentence.column("deprel"), right.tolist(), strict=True)
        labels += sum(ok and guess == gold for guess, gold, ok in pairs)
    return 100 * heads / words, 100 * labels / words
