"""One task of a cross-validation: learn from all folds but one, and parse that one.

Everything it needs goes with it, so that any process can do it, here or on another machine: the treebank as bytes,
of which a process unpacks the last one that it has seen once.
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

from wnparse.crossval.suspects.features import Judge, Opinion
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

MOST_CHANGES = 1000  # sentences of a fold that are looked at with changes


@dataclass(frozen=True)
class Task:
    """What to learn, and what to parse."""

    setting: int  # its place in the grid
    options: TrainOptions
    fold: int
    opinions: bool = False

    @property
    def key(self) -> Key:
        """What tells it from the others of a cross-validation."""
        return self.setting, self.options.seed, self.fold


@dataclass(frozen=True)
class HeldOut:
    """What came of a task."""

    scores: Scores
    tags: TagScores
    trees: list[bytes]  # the sentences of the fold, parsed
    opinions: list[Opinion]  # of their annotation, if they were asked for
    seconds: float


def pack(sentences: Sequence[Sentence], fold_of: Int32Array) -> bytes:
    """A treebank, and the fold of each of its sentences, as it goes with its tasks."""
    return zlib.compress(pickle.dumps((list(sentences), fold_of), pickle.HIGHEST_PROTOCOL), 1)


@functools.lru_cache(maxsize=1)
def _unpack(data: bytes) -> tuple[list[Sentence], Int32Array]:
    sentences, fold_of = pickle.loads(zlib.decompress(data))
    return sentences, fold_of


def hold_out(data: bytes, task: Task) -> HeldOut:
    """Do a task with a treebank that was packed."""
    start = time.perf_counter()
    sentences, fold_of = _unpack(data)
    others = [sentences[i] for i in np.flatnonzero(fold_of != task.fold).tolist()]
    inside = [sentences[i] for i in np.flatnonzero(fold_of == task.fold).tolist()]
    model = train_model(others, None, task.options)
    assert model is not None
    parser = Parser(
        model, ParseOptions(constraints=model.constraints, rules=model.rules, retag=model.tagger is not None)
    )
    parsed = list(parser.stream(inside, at_hand=lambda: True))
    for each in parsed:
        if each.parse is None:
            raise TreebankError(
                f"the sentence could not be parsed: gave up {each.fallback}; leave it out",
                each.sentence.path,
                each.sentence.line,
            )
    trees = [parse_sentence(each.raw, path=each.sentence.path, line=each.sentence.line) for each in parsed]
    found = evaluate(inside, [trees]).systems[0]
    opinions = []
    if task.opinions:
        parses = [each.parse for each in parsed if each.parse is not None]
        asked = [each.sentence for each in parsed]  # with the tags that the parser saw
        judge = Judge(model, others, asked, parses)
        changed = set(random.Random(f"changes {task.fold}").sample(range(len(inside)), len(inside))[:MOST_CHANGES])
        opinions = [
            # The same changes whatever the seed, so that opinions of several models are about the same.
            judge.look(sentence, parse, random.Random(f"change {task.fold} {i}") if i in changed else None)
            for i, (sentence, parse) in enumerate(zip(asked, parses, strict=True))
        ]
    raws = [each.raw for each in parsed]
    return HeldOut(found.scores, found.tags, raws, opinions, time.perf_counter() - start)
