"""The first pass: a small model of tags that drops heads out of the question, before words are looked at.

It is learned from the same treebank before the parser itself, which then learns to choose among the heads that are
left; the core of it is in cext/scorer/first_pass.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.first_pass import MOST_TAGS, MOST_TYPES, FirstPassLearner
from wnparse._core.tokens import Tokens, token_types
from wnparse.parser.features import ATOMS
from wnparse.storage.strict_json import number, table, whole
from wnparse.storage.tensors import Arrays, take

PASSES = 10
RATE = 0.05  # of the stochastic gradient
CUTOFF = 6.5  # nats: a head that is exp(6.5) = 665 times less likely than the best is dropped
MOST = 12  # heads of a word
SCALE = 1 / 1000  # what a weight of 1 stands for
LARGEST_CUTOFF = 1e15
PREFIX = "first_pass/"  # of its arrays in a model file
ARRAYS = {"tags": np.uint64, "types": np.uint64, "weights": np.int16}


@dataclass(frozen=True)
class FirstPass:
    """The first pass: which heads of a word are worth a closer look.

    Attributes
    ----------
    tags, types : ndarray
        uint64[t], t <= 60, and uint64[u], u <= 200: the hashes of the tags, and of tags with FEATS, that it knows;
        ascending.
    weights : ndarray
        int16, as many as `FirstPassLayout::size` says (cext/scorer/first_pass/first_pass_scores.hpp): its tables.
    cutoff : int
        Heads that score more than this below the best of their word are dropped.
    most : int
        And all but this many, ties aside.
    close : float
        Of the rest, arcs that score more than this below the best of their word get no labels.
    """

    tags: npt.NDArray[np.uint64]
    types: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.int16]
    cutoff: int
    most: int
    close: float

    def stored(self) -> Arrays:
        """Return its arrays as a model file names them."""
        return {PREFIX + name: getattr(self, name) for name in ARRAYS}

    def limits(self) -> dict[str, Any]:
        """Return what the header of a model file says of it."""
        return {"cutoff": self.cutoff, "max_heads": self.most, "label_cutoff": self.close}

    @staticmethod
    def read_limits(value: Any) -> dict[str, Any]:
        """Check and read what the header of a model file says of it."""
        limits = table(cutoff=whole(1), max_heads=whole(1), label_cutoff=number(0, LARGEST_CUTOFF))(value)
        return {"cutoff": limits["cutoff"], "most": limits["max_heads"], "close": limits["label_cutoff"]}

    @classmethod
    def of(cls, arrays: Arrays, limits: dict[str, Any]) -> FirstPass:
        """Undo `stored`, with limits as `read_limits` returns them."""
        return cls(**{**take(arrays, PREFIX, ARRAYS), **limits})


def learn_first_pass(
    sentences: Sequence[tuple[Tokens, npt.NDArray[np.int32]]],
    seed: int,
    close: float,
    stop: Callable[[], bool] = lambda: False,
) -> FirstPass | None:
    """Learn from tokens and heads; None if it was stopped.

    Parameters
    ----------
    sentences : sequence
        Tokens and gold heads int32[n + 1].
    seed : int
        Of the shuffling.
    close : float
        How far below the best an arc may score to get labels; see `FirstPass`.
    stop : callable
        Asked after each sentence.
    """
    column = ATOMS.index("P")
    tags = _frequent([tokens.atoms[1:, column] for tokens, _ in sentences], MOST_TAGS)
    types = _frequent([token_types(tokens) for tokens, _ in sentences], MOST_TYPES)
    selector = FirstPassLearner(tags, types)
    for epoch in range(PASSES):
        order = list(range(len(sentences)))
        random.Random(f"{seed} prune {epoch}").shuffle(order)
        for index in order:
            selector.learn(*sentences[index], RATE / (1 + epoch))
            if stop():
                return None
    weights = np.clip(np.rint(selector.averaged() / SCALE), -32767, 32767).astype(np.int16)
    return FirstPass(tags, types, weights, round(CUTOFF / SCALE), MOST, close)


def _frequent(values: list[npt.NDArray[np.uint64]], most: int) -> npt.NDArray[np.uint64]:
    """The most frequent values, in ascending order."""
    found, counts = np.unique(np.concatenate(values), return_counts=True)
    return np.sort(found[np.argsort(-counts, kind="stable")[:most]])
