"""Confidence of heads: arc marginals of scores at a learned temperature.

A learner that only compares trees, such as the perceptron, makes scores that are not log probabilities. Divided by
a temperature (Guo, Pleiss, Sun & Weinberger 2017, *On Calibration of Modern Neural Networks*, section 4.2), which
changes no decision, they become log probabilities; `wnparse.training.calibration` learns it. O(n³) per sentence.

Marginals of trees with parts of higher order cannot be summed in polynomial time. There, the probability of a head
is that among the heads of its word given the rest of the tree (cf. pseudolikelihood, Besag 1975), reduced by a
learned rest for what this leaves out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.marginals import marginals
from wnparse.decoding.options import DecodeOptions
from wnparse.errors import InfeasibleError
from wnparse.storage.strict_json import number, optional, table

FARTHEST = 250.0  # nats below the best head of a word: the others count as that far
TEMPERATURES = 1e-12, 1e15  # scores divided by one of these are finite
MOST_REST = 0.5  # the largest rest that is learned

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Calibration:
    """The temperatures of a model.

    Attributes
    ----------
    full : float
        Temperature of scores of all arcs, and of every model of higher order.
    pruned : float or None
        Temperature if a first pass dropped arcs, if the model has one. Dropped arcs have arbitrary low scores, and
        the others share their probability; a higher temperature makes up for that.
    rest : float
        For models of higher order: the probability that the head is not among those that were compared, or that
        the tree around it is wrong.
    """

    full: float
    pruned: float | None = None
    rest: float = 0.0

    @classmethod
    def read(cls, value: Any) -> Calibration:
        """Check and read the value in the header of a model file."""
        temperature = number(*TEMPERATURES)
        return cls(**table(full=temperature, pruned=optional(temperature), rest=number(0, MOST_REST))(value))

    def recorded(self) -> dict[str, float | None]:
        """Return the temperatures, and the rest if there is one; at order 1 there is none."""
        temperatures = {"full": self.full, "pruned": self.pruned}
        return {**temperatures, "rest": self.rest} if self.rest else temperatures

    def temperature(self, prune: bool) -> float:
        """Return the temperature of scores with or without the first pass."""
        return self.pruned if prune and self.pruned is not None else self.full


def head_probabilities(
    head_scores: FloatArray,
    calibration: Calibration,
    options: DecodeOptions,
    *,
    order: int,
    pruned: bool,
    given: npt.NDArray[np.int32] | None,
) -> npt.NDArray[np.float64]:
    """Compute the probability of each head of each word, p[m, h].

    Parameters
    ----------
    head_scores : ndarray, shape (n + 1, n + 1)
        See `wnparse._core.scorer.Parses`.
    calibration : Calibration
        The calibration of the model.
    options : DecodeOptions
        The options with which the trees were found.
    order : int
        The order of the model.
    pruned : bool
        Whether a first pass dropped arcs.
    given : ndarray of int32, shape (n + 1,), optional
        The heads that words were given, -1 where they were free. Given heads have the probability 1.
    """
    temperature = calibration.temperature(pruned)
    if order > 1:
        probabilities = local_head_probabilities(head_scores, temperature, calibration.rest)
    else:
        probabilities = arc_probabilities(
            head_scores,
            temperature,
            single_root=options.constraints.single_root,
            projective=sums_projective(options.decoder, options.constraints),
        )
    if given is not None:
        probabilities[given >= 0] = 1.0  # only the column of the given head is read from these rows
    return probabilities


def sums_projective(decoder: str, constraints: Constraints) -> bool:
    """Return whether only projective trees can be found, so that marginals are sums over these."""
    return decoder == "eisner" or constraints.block_degree == 1


def arc_probabilities(
    scores: FloatArray, temperature: float, *, single_root: bool, projective: bool
) -> npt.NDArray[np.float64]:
    """Compute the probability of each arc, p[m, h]; that of a tree is proportional to exp(score / temperature).

    All are 0 if there is no tree.
    """
    logits = np.divide(scores, temperature, dtype=np.float64)
    np.fill_diagonal(logits, -np.inf)
    # The low scores of dropped arcs grow with the sentence, and beyond the range of doubles sums are slow.
    floor = logits.max(axis=1, keepdims=True) - FARTHEST
    np.maximum(logits, floor, out=logits, where=logits > -np.inf)
    try:
        return marginals(logits, single_root=single_root, projective=projective)
    except InfeasibleError:
        return np.zeros_like(logits)


def local_head_probabilities(local: FloatArray, temperature: float, rest: float = 0.0) -> npt.NDArray[np.float64]:
    """Compute the probability of each arc, p[m, h], from the scores of the heads of a word around a tree.

    Parameters
    ----------
    local : ndarray, shape (n + 1, n + 1)
        See `wnparse._core.scorer.Parses`: -inf where a head was pruned, whose probability is 0.
    temperature : float
        Divisor of the scores.
    rest : float
        Probability that is not distributed over the heads, see `Calibration`.
    """
    logits = np.divide(local[1:], temperature, dtype=np.float64)
    probabilities = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities *= (1 - rest) / probabilities.sum(axis=1, keepdims=True)
    return np.concatenate([np.zeros((1, len(local))), probabilities])
