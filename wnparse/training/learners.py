"""The learners by name, what each can be told, and what it does if it is not told (cext/learning/learners.hpp).

All look at one sentence at a time, and average their weights over all sentences. The large-margin ones move the
weights just as far as the margins of the sentence need, a wrong head being worth 1, and no margin by more than C
(Crammer et al. 2006); the perceptron takes a step of 1 whatever is wrong, with a margin of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from wnparse._core import learner as core
from wnparse.decoding.registry import DECODERS, find_decoder

USUAL_MARGIN = (
    150.0  # of the perceptron, and what weights of the others are multiplied with: then all are of one size
)
LARGEST_MARGIN = 1e9  # scores are single precision: next to a larger margin, they no longer count
USUAL_LIMIT = 0.01  # C: clips the steps of few sentences, those that could pull the weights away from the rest
USUAL_K = 5
USUAL_ORDER = 2
MOST_TREES = 100  # the program of k trees takes memory and time that grow with the square of k


@dataclass(frozen=True)
class Learner:
    """A learner as the core knows it.

    Attributes
    ----------
    code : int
        Its number in the core.
    augments : bool
        Whether it looks at scores with costs added, so that what it finds in training is no plain parse.
    clips : bool
        Whether its steps are as long as margins need, and clipped at C; else they are all of one length.
    ranks : bool
        Whether it looks at the k best trees.
    factors : bool
        Whether it looks at arcs one by one, and so at no parts of higher order.
    order : int
        The order of the parser that it learns if it is not told.
    least : float
        Averaged weights smaller than this part of a large step are left out of a model: they say next to nothing.
    """

    code: int
    augments: bool
    clips: bool
    ranks: bool
    factors: bool
    order: int
    least: float


# Weights of the perceptron are sums of steps of 1, those of the others of steps that margins clip.
LEARNERS = {
    name: Learner(
        code, augments, clips, ranks, factors, 1 if ranks or factors else USUAL_ORDER, 0.4 if clips else 1.0
    )
    for name, code, augments, clips, ranks, factors in core.LEARNERS
}


def find_learner(name: str) -> Learner:
    """Look a learner up; ValueError lists the known ones."""
    if name not in LEARNERS:
        raise ValueError(f"unknown learner {name!r}; known: {', '.join(LEARNERS)}")
    return LEARNERS[name]


def check_learner(
    name: str, *, limit: float | None, k: int | None, margin: float | None, decoder: str, order: int | None = None
) -> None:
    """ValueError, in one line, if a learner has no use for what it is told; None is not told."""
    learner = find_learner(name)
    if order is not None and order > 1 and learner.order == 1:
        able = ", ".join(other for other, entry in LEARNERS.items() if entry.order > 1)
        raise ValueError(f"learner '{name}' knows parts of order 1 alone; these learn order {order}: {able}")
    if limit is not None and not learner.clips:
        _refuse("C", name, [other for other, entry in LEARNERS.items() if entry.clips])
    if margin is not None and learner.clips:
        _refuse("margin", name, [other for other, entry in LEARNERS.items() if not entry.clips])
    if k is not None and not learner.ranks:
        _refuse("k", name, [other for other, entry in LEARNERS.items() if entry.ranks])
    if limit is not None and not 0 < limit < math.inf:
        raise ValueError(f"C is {limit:g}; expected a finite number above 0")
    if margin is not None and not 0 <= margin <= LARGEST_MARGIN:
        raise ValueError(f"margin is {margin:g}; expected 0 to {LARGEST_MARGIN:g}")
    if k is not None and not 1 <= k <= MOST_TREES:
        raise ValueError(f"k is {k}; expected 1 to {MOST_TREES}")
    if learner.ranks and not find_decoder(decoder).ranks:
        able = ", ".join(other for other, entry in DECODERS.items() if entry.ranks)
        raise ValueError(
            f"learner '{name}' needs k best trees, which decoder '{decoder}' cannot find; these can: {able}"
        )


def _refuse(option: str, name: str, able: list[str]) -> None:
    raise ValueError(f"learner '{name}' has no use for {option}; of use to: {', '.join(able)}")
