"""One task of a cross-validation: train on all folds but one, and parse that one.

A task contains everything that it needs, so that any process can do it, even on another machine. The treebank is
passed as bytes; a process unpacks it only if it is not the one of its last task.
"""

from __future__ import annotations

import functools
import pickle
import random
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wnparse.crossval.suspects.features import FeatureExtractor, SentenceFeatures
from wnparse.errors import TreebankError
from wnparse.evaluation.evaluate import evaluate
from wnparse.evaluation.metrics import Scores
from wnparse.evaluation.tag_scores import TagScores
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.training.options import TrainOptions
from wnparse.training.train import train_model
from wnparse.treebanks.folds import Int32Array
from wnparse.treebanks.sentence import Sentence, parse_sentence

Key = tuple[int, int, int]  # setting, seed, fold

MOST_CHANGES = 1000  # sentences per fold for which features of random changes are computed
DEV_PART = 10  # every tenth sentence of the other folds is in the development set, if one is needed


@dataclass(frozen=True)
class Task:
    """What to train, and which fold to parse."""

    setting: int  # index in the grid
    options: TrainOptions
    fold: int
    features: bool = False

    @property
    def key(self) -> Key:
        """Identifies the task within its cross-validation."""
        return self.setting, self.options.seed, self.fold


@dataclass(frozen=True)
class HeldOut:
    """The result of a task."""

    scores: Scores
    tags: TagScores
    trees: list[bytes]  # the sentences of the fold, parsed
    features: list[SentenceFeatures]  # of their annotation, if requested
    seconds: float


def pack(sentences: Sequence[Sentence], fold_of: Int32Array) -> bytes:
    """Return a treebank, and the fold of each of its sentences, as bytes."""
    return zlib.compress(pickle.dumps((list(sentences), fold_of), pickle.HIGHEST_PROTOCOL), 1)


@functools.lru_cache(maxsize=1)
def _unpack(data: bytes) -> tuple[list[Sentence], Int32Array]:
    sentences, fold_of = pickle.loads(zlib.decompress(data))
    return sentences, fold_of


def hold_out(data: bytes, task: Task) -> HeldOut:
    """Do a task with the treebank that `pack` returned."""
    start = time.perf_counter()
    sentences, fold_of = _unpack(data)
    others = [sentences[i] for i in np.flatnonzero(fold_of != task.fold).tolist()]
    inside = [sentences[i] for i in np.flatnonzero(fold_of == task.fold).tolist()]
    dev = None
    if task.options.neural:  # the weight of a network is learned from sentences that it was not trained on
        dev, others = others[::DEV_PART], [one for i, one in enumerate(others) if i % DEV_PART]
    model = train_model(others, dev, task.options, tokenizer=False)
    assert model is not None
    options = ParseOptions(constraints=model.constraints, rules=model.rules, retag=model.tagger is not None)
    results = list(Parser(model, options).stream(inside, at_hand=lambda: True))
    trees, parses = [], []
    for parsed in results:
        path, line = parsed.sentence.path, parsed.sentence.line
        if parsed.parse is None:
            message = f"the sentence could not be parsed ({parsed.fallback}); remove it from the treebank"
            raise TreebankError(message, path, line)
        trees.append(parse_sentence(parsed.raw, path=path, line=line))
        parses.append(parsed.parse)
    evaluation = evaluate(inside, trees).systems[0]
    features = []
    if task.features:
        tagged = [parsed.sentence for parsed in results]  # with the tags that the parser saw
        extractor = FeatureExtractor(model, others, tagged, parses)
        changed = set(random.Random(f"changes {task.fold}").sample(range(len(inside)), len(inside))[:MOST_CHANGES])
        features = [
            # The same changes for every seed, so that the features of several models are about the same trees.
            extractor.extract(sentence, parse, random.Random(f"change {task.fold} {i}") if i in changed else None)
            for i, (sentence, parse) in enumerate(zip(tagged, parses, strict=True))
        ]
    raws = [parsed.raw for parsed in results]
    return HeldOut(evaluation.scores, evaluation.tags, raws, features, time.perf_counter() - start)
