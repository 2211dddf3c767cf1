"""How sure a parser is of its heads: arc marginals of its scores at a temperature that was learned.

A learner that only compares trees, such as the perceptron, makes scores that are no log probabilities. Divided by
a temperature (Guo, Pleiss, Sun & Weinberger 2017, *On Calibration of Modern Neural Networks*, section 4.2), which
changes no decision, they become ones; `wnparse.training.calibration` learns it. O(n³) a sentence.

Trees with parts of higher order have no marginals that could be summed up in polynomial time. There, a head is as
likely as its word would have it if the rest of the tree were certain (cf. pseudolikelihood, Besag 1975), less a
share for all that this leaves out.
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
MOST_REST = 0.5  # what is learned at most

FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Calibration:
    """The temperatures of a model.

    Attributes
    ----------
    full : float
        Where all arcs were scored; of a model of higher order, in any case.
    pruned : float or None
        Where a first pass dropped some, if the model has one. The dropped arcs have low scores that say only that:
        others have what would be their probability, and a higher temperature makes up for it.
    rest : float
        Of a model of higher order: the probability that a head is none of those that were compared, or that the
        tree around it is wrong.
    """

    full: float
    pruned: float | None = None
    rest: float = 0.0

    @classmethod
    def read(cls, value: Any) -> Calibration:
        """Check and read what the header of a model file says of it."""
        temperature = number(*TEMPERATURES)
        return cls(**table(full=temperature, pruned=optional(temperature), rest=number(0, MOST_REST))(value))

    def recorded(self) -> dict[str, float | None]:
        """Return the temperatures, and the rest if there is one: at order 1 there is none."""
        told = {"full": self.full, "pruned": self.pruned}
        return {**told, "rest": self.rest} if self.rest else told

    def temperature(self, prune: bool) -> float:
        """The temperature of scores with or without the first pass."""
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
        As of `wnparse._core.scorer.Parses`.
    calibration : Calibration
        That of the model.
    options : DecodeOptions
        How the trees were found.
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
        single_root, projective = (
            options.constraints.single_root,
            sums_projective(options.decoder, options.constraints),
        )
        probabilities = arc_probabilities(head_scores, temperature, single_root=single_root, projective=projective)
    if given is not None:
        probabilities[given >= 0] = 1.0  # whichever column is read of these rows is that of the given head
    return probabilities


def sums_projective(decoder: str, constraints: Constraints) -> bool:
    """Whether only projective trees can be found, so that only these count."""
    return decoder == "eisner" or constraints.block_degree == 1


def arc_probabilities(
    scores: FloatArray, temperature: float, *, single_root: bool, projective: bool
) -> npt.NDArray[np.float64]:
    """The probability of each arc, p[m, h], where a tree's is proportional to exp(score / temperature).

    It is 0 for all arcs where there is no tree.
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
    """The probability of each arc, p[m, h], by what the heads of a word score around a tree.

    Parameters
    ----------
    local : ndarray, shape (n + 1, n + 1)
        As of `wnparse._core.scorer.Parses`: -inf where a head was pruned, which so has no chance.
    temperature : float
        What scores are divided by.
    rest : float
        What no head gets, see `Calibration`.
    """
    logits = np.divide(local[1:], temperature, dtype=np.float64)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances *= (1 - rest) / chances.sum(axis=1, keepdims=True)
    return np.concatenate([np.zeros((1, len(local))), chances])
