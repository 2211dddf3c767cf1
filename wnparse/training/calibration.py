"""Calibration: learn the temperature at which the confidences of a model match its accuracy.

Temperature scaling: Guo, Pleiss, Sun & Weinberger 2017, *On Calibration of Modern Neural Networks*, section 4.2.
The temperature T minimises, on sentences that were not trained on, the log loss of the question whether the chosen
head of a word is right,

    - sum over words of  log p(h)  if h is right,  log (1 - p(h))  if not,    p: arc marginals of scores / T.

It does not minimise the log loss of the gold heads: a gold head that the first pass dropped has an arbitrary low
score, and a few of these would outweigh all other words. Golden-section search on log T; O(n³) per sentence and
step.

Models of higher order take p from the heads of one word around the chosen tree (`wnparse.parser.confidence`), less
a rest for errors around it. T and the rest are learned together, one search within the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.decode import decode
from wnparse.decoding.options import DecodeOptions
from wnparse.errors import InfeasibleError
from wnparse.parser.confidence import MOST_REST, Calibration, arc_probabilities
from wnparse.parser.model import Model
from wnparse.treebanks.sentence import Sentence

LONGEST = 200  # words: marginals are cubic, and the words of shorter sentences are enough
PRECISION = 1e-3  # of log T
DIGITS = 4  # of T that are kept: the search is not more precise
SMALLEST = 1e-10  # probability: a forbidden arc may be right
# log T is between these, relative to the log of the usual distance between two scores of a word.
LOWEST, HIGHEST = -6.0, 3.0
GOLDEN = (math.sqrt(5) - 1) / 2

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Decision(NamedTuple):
    """Scores of a sentence, and the heads that a model chose."""

    scores: npt.NDArray[np.float32]  # [n + 1, n + 1]
    heads: npt.NDArray[np.int32]  # [n + 1]
    words: npt.NDArray[np.int64]  # those that are annotated
    right: BoolArray  # whether their heads are right


def learn_calibration(model: Model, sentences: Sequence[Sentence]) -> Calibration | None:
    """Learn the temperatures of a model, with its first pass and without; None if there is nothing to learn from.

    Parameters
    ----------
    model : Model
        Its constraints say over which trees marginals are summed.
    sentences : sequence of Sentence
        With gold heads, and not those that the model was trained on. Words without a head do not count.
    """
    if model.order > 1:
        return _learn_with_parts(model, sentences)
    full = learn_temperature(model, decide(model, sentences, prune=False))
    if full is None:
        return None
    pruned = learn_temperature(model, decide(model, sentences, prune=True)) if model.first_pass else None
    return Calibration(full, pruned)


def _learn_with_parts(model: Model, sentences: Sequence[Sentence]) -> Calibration | None:
    """Learn temperature and rest of a model of higher order.

    What a pruner leaves depends little on the first pass before it, so that there is one temperature.
    """
    short = [sentence for sentence in sentences if 0 < len(sentence) <= LONGEST]
    choices = [choice for sentence in short if (choice := _choose_with_parts(model, sentence)) is not None]
    if not choices:
        return None
    width = max(differences.shape[1] for differences, _ in choices)
    rows = np.concatenate(
        [
            np.pad(differences, ((0, 0), (0, width - differences.shape[1])), constant_values=-np.inf)
            for differences, _ in choices
        ]
    )
    right = np.concatenate([right for _, right in choices])
    distances = np.abs(rows[np.isfinite(rows)])
    if not distances.any():
        return None
    usual = math.log(distances[distances > 0].mean())

    def learn_rest(log_t: float) -> tuple[float, float]:
        """Return the rest with the least loss at a temperature, and that loss."""
        with np.errstate(over="ignore"):
            probabilities = 1 / np.exp(rows / math.exp(log_t)).sum(axis=1)
        rest = minimise(lambda share: log_loss((1 - share) * probabilities, right), 0.0, MOST_REST)
        return rest, log_loss((1 - rest) * probabilities, right)

    best = minimise(lambda log_t: learn_rest(log_t)[1], usual + LOWEST, usual + HIGHEST)
    return Calibration(float(f"{math.exp(best):.{DIGITS}g}"), None, float(f"{learn_rest(best)[0]:.3f}"))


def _choose_with_parts(model: Model, sentence: Sentence) -> tuple[FloatArray, BoolArray] | None:
    """Return how far the heads of each word score above that of the best tree, best first, and which are right."""
    rooted = Constraints(single_root=model.constraints.single_root)
    settings = DecodeOptions(decoder=_decoder(model.constraints), constraints=rooted).settings
    (result,) = model._scorer.parse(model._encode([sentence]), [settings], prune=True, explain=True)
    if not result.trees or result.head_scores is None:
        return None
    heads, local = result.trees[0].heads, result.head_scores
    words = np.arange(1, len(heads))
    differences = -np.sort(local[words, heads[1:], None] - local[1:], axis=1)
    most = int(np.isfinite(differences).sum(axis=1).max())
    annotated = sentence.heads[1:] >= 0
    return differences[annotated, :most], (heads == sentence.heads)[1:][annotated]


def decide(model: Model, sentences: Sequence[Sentence], *, prune: bool) -> list[Decision]:
    """Score sentences and choose heads: the best tree, or the best projective one if only those are allowed."""
    decisions = []
    for sentence in sentences:
        if not 0 < len(sentence) <= LONGEST:
            continue
        scores, _ = model._scorer.scores(model._encode([sentence])[0], prune)
        try:
            heads = decode(scores, _decoder(model.constraints), single_root=model.constraints.single_root).heads
        except InfeasibleError:
            continue
        words = np.flatnonzero(sentence.heads >= 0)
        decisions.append(Decision(scores, heads, words, heads[words] == sentence.heads[words]))
    return decisions


def _decoder(constraints: Constraints) -> str:
    """Name a decoder without a search: whether trees are well-nested matters little for calibration."""
    return "eisner" if constraints.block_degree == 1 else "msa"


def learn_temperature(model: Model, decisions: Sequence[Decision]) -> float | None:
    """Find the temperature with the least log loss; None if scores never differ."""
    spreads = [spread for decision in decisions if (spread := _spread(decision.scores)) > 0]
    if not spreads:
        return None
    usual = math.log(np.mean(spreads))
    log_temperature = minimise(
        lambda log_t: log_loss(*confidences(model.constraints, decisions, math.exp(log_t))),
        usual + LOWEST,
        usual + HIGHEST,
    )
    return float(f"{math.exp(log_temperature):.{DIGITS}g}")


def _spread(scores: npt.NDArray[np.float32]) -> float:
    """Return the mean distance of the scores of a word from their mean."""
    words = np.where(np.isfinite(scores[1:]), scores[1:], np.nan)
    return float(np.nanmean(np.abs(words - np.nanmean(words, axis=1, keepdims=True))))


def confidences(
    constraints: Constraints, decisions: Sequence[Decision], temperature: float
) -> tuple[FloatArray, BoolArray]:
    """Return the probabilities of all chosen heads at a temperature, and which of them are right."""
    probabilities = [
        arc_probabilities(
            decision.scores,
            temperature,
            single_root=constraints.single_root,
            projective=constraints.block_degree == 1,
        )[decision.words, decision.heads[decision.words]]
        for decision in decisions
    ]
    return np.concatenate(probabilities), np.concatenate([decision.right for decision in decisions])


def log_loss(probabilities: FloatArray, right: BoolArray) -> float:
    """Return the mean negative log likelihood of right and wrong."""
    likelihoods = np.where(right, probabilities, 1.0 - probabilities)
    return -float(np.log(np.maximum(likelihoods, SMALLEST)).mean())


def minimise(function: Callable[[float], float], low: float, high: float) -> float:
    """Minimise by golden-section search (Kiefer 1953): each step keeps the interval around the lower point."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > PRECISION:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = function(right)
    return (low + high) / 2
