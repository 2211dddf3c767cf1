"""Learning the first pass, which drops unlikely heads (`wnparse.parser.first_pass`)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from wnparse._core.first_pass import MOST_TAGS, MOST_TYPES, FirstPassLearner
from wnparse._core.tokens import Tokens, token_types
from wnparse.parser.features import ATOMS
from wnparse.parser.first_pass import SCALE, FirstPass
from wnparse.training.watcher import TrainingWatcher

PASSES = 10
RATE = 0.05  # of the stochastic gradient
CUTOFF = 6.5  # nats: a head that is exp(6.5) = 665 times less likely than the best is dropped
MOST = 12  # heads of a word


def learn_first_pass(
    sentences: Sequence[tuple[Tokens, npt.NDArray[np.int32]]],
    seed: int,
    close: float,
    watcher: TrainingWatcher,
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
    watcher : TrainingWatcher
        May stop the work after each sentence.
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
            if watcher.is_stopped():
                return None
    weights = np.clip(np.rint(selector.averaged() / SCALE), -32767, 32767).astype(np.int16)
    return FirstPass(tags, types, weights, round(CUTOFF / SCALE), MOST, close)


def _frequent(values: list[npt.NDArray[np.uint64]], most: int) -> npt.NDArray[np.uint64]:
    """Return the most frequent values, in ascending order."""
    distinct, counts = np.unique(np.concatenate(values), return_counts=True)
    return np.sort(distinct[np.argsort(-counts, kind="stable")[:most]])
