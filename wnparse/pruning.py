"""The first pass: a small model of tags that drops heads out of the question, before words are looked at.

It is learned from the same treebank (cext/scorer/first_pass/first_pass_learner.hpp) before the parser itself, which then learns to
choose among the heads that are left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from wnparse._core.parser import HeadSelector, Tokens, token_types
from wnparse.features import ATOMS
from wnparse.model import Pruner

PASSES = 10
RATE = 0.05  # of the stochastic gradient
CUTOFF = 6.5  # nats: a head that is exp(6.5) = 665 times less likely than the best is dropped
MOST = 12  # heads of a word
MOST_TAGS = 60  # rarer ones are taken for unknown
MOST_TYPES = 200
SCALE = 1 / 1000  # what a weight of 1 stands for


def learn_pruner(
    sentences: Sequence[tuple[Tokens, npt.NDArray[np.int32]]],
    seed: int,
    close: float,
    stop: Callable[[], bool] = lambda: False,
) -> Pruner | None:
    """Learn from tokens and heads; None if it was stopped.

    Parameters
    ----------
    sentences : sequence
        Tokens and gold heads int32[n + 1].
    seed : int
        Of the shuffling.
    close : float
        How far below the best an arc may score to get labels; see `wnparse.model.Pruner`.
    stop : callable
        Asked after each sentence.
    """
    column = ATOMS.index("P")
    tags = _frequent([tokens.atoms[1:, column] for tokens, _ in sentences], MOST_TAGS)
    types = _frequent([token_types(tokens) for tokens, _ in sentences], MOST_TYPES)
    selector = HeadSelector(tags, types)
    for number in range(PASSES):
        order = list(range(len(sentences)))
        random.Random(f"{seed} prune {number}").shuffle(order)
        for index in order:
            selector.learn(*sentences[index], RATE / (1 + number))
            if stop():
                return None
    weights = np.clip(np.rint(selector.averaged() / SCALE), -32767, 32767).astype(np.int16)
    return Pruner(tags, types, weights, round(CUTOFF / SCALE), MOST, close)


def _frequent(values: list[npt.NDArray[np.uint64]], most: int) -> npt.NDArray[np.uint64]:
    """The most frequent values, in ascending order."""
    found, counts = np.unique(np.concatenate(values), return_counts=True)
    return np.sort(found[np.argsort(-counts, kind="stable")[:most]])
