"""The learners by name, their options and defaults (cext/learning/learners.hpp).

All learn from one sentence at a time, and average their weights over all sentences. The large-margin ones move the
weights just as far as the margins of the sentence require, a wrong head costing 1, and no margin by more than the
largest step, which they call C (Crammer et al. 2006). The perceptron takes steps of 1, with its own margin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from wnparse._core import learner as core
from wnparse.decoding.registry import DECODERS, find_decoder

USUAL_MARGIN = 150.0  # of the perceptron, and the factor of weights of the others, so that all are of one size
LARGEST_MARGIN = 1e9  # scores are single precision: next to a larger margin, they are rounded away
USUAL_STEP = 0.01  # clips the steps of few sentences, those that could pull the weights away from the rest
USUAL_TREES = 5
USUAL_ORDER = 2
MOST_TREES = 100  # memory and time of the quadratic program grow with the square of their number


@dataclass(frozen=True)
class Learner:
    """A learner of the core.

    Attributes
    ----------
    code : int
        Its number in the core.
    augments : bool
        Whether it adds costs to scores, so that the trees in training are not those of a parser.
    clips : bool
        Whether its steps are as long as margins require, up to a largest step; otherwise all have one length.
    ranks : bool
        Whether it uses several best trees of a sentence.
    factors : bool
        Whether it uses single arcs, and so no parts of higher order.
    order : int
        The default order of the parser that it learns.
    least : float
        Averaged weights smaller than this part of a large step are left out of a model: they have little effect.
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
    name: str,
    *,
    max_step: float | None,
    learner_trees: int | None,
    margin: float | None,
    decoder: str,
    order: int | None = None,
) -> None:
    """Raise ValueError, in one line, if a learner does not use an option; None is an option that is not given."""
    learner = find_learner(name)
    if order is not None and order > 1 and learner.order == 1:
        able = ", ".join(other for other, entry in LEARNERS.items() if entry.order > 1)
        raise ValueError(f"learner '{name}' supports order 1 only; these learn order {order}: {able}")
    for option, value, users in (
        ("max_step", max_step, [other for other, entry in LEARNERS.items() if entry.clips]),
        ("margin", margin, [other for other, entry in LEARNERS.items() if not entry.clips]),
        ("learner_trees", learner_trees, [other for other, entry in LEARNERS.items() if entry.ranks]),
    ):
        if value is not None and name not in users:
            raise ValueError(f"learner '{name}' does not use {option}; these do: {', '.join(users)}")
    if max_step is not None and not 0 < max_step < math.inf:
        raise ValueError(f"max_step is {max_step:g}; expected a finite number above 0")
    if margin is not None and not 0 <= margin <= LARGEST_MARGIN:
        raise ValueError(f"margin is {margin:g}; expected 0 to {LARGEST_MARGIN:g}")
    if learner_trees is not None and not 1 <= learner_trees <= MOST_TREES:
        raise ValueError(f"learner_trees is {learner_trees}; expected 1 to {MOST_TREES}")
    if learner.ranks and not find_decoder(decoder).ranks:
        able = ", ".join(other for other, entry in DECODERS.items() if entry.ranks)
        raise ValueError(
            f"learner '{name}' needs several trees per sentence; decoder '{decoder}' finds one, these more: {able}"
        )
