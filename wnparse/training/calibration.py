"""Calibration: the temperature at which a model's confidences are true, and how true they are.

Guo, Pleiss, Sun & Weinberger 2017, *On Calibration of Modern Neural Networks*: temperature scaling (section 4.2),
reliability diagrams and the expected calibration error (section 2). The temperature T minimises, on sentences that
were not trained on, the log loss of the question whether the chosen head of a word is right,

    - sum over words of  log p(h)  if h is right,  log (1 - p(h))  if not,    p: arc marginals of scores / T,

and not that of the gold heads: a gold head that the first pass dropped has a score that only says so, and a few of
these would drown what all other words say. Golden-section search on log T; O(n³) a sentence and step.

Models of higher order have p from the heads of one word around the tree that was chosen
(`wnparse.parser.confidence`), less a rest for what is wrong around it; T and the rest are learned together, one
search within the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wnparse.decoding.constraints import Constraints
from wnparse.decoding.decode import decode
from wnparse.decoding.options import DecodeOptions
from wnparse.errors import InfeasibleError
from wnparse.parser.confidence import MOST_REST, Calibration, arc_chances, sums_projective
from wnparse.parser.model import Model
from wnparse.parser.tokens import encode
from wnparse.treebanks.sentence import Sentence

LONGEST = 200  # words: marginals are cubic, and the words of shorter sentences are enough
PRECISION = 1e-3  # of log T
DIGITS = 4  # of T that are kept: no more than the search has found
SMALLEST = 1e-10  # chance: a forbidden arc may be right
# log T lies between these, relative to the log of the usual distance between two scores of a word.
LOWEST, HIGHEST = -6.0, 3.0
GOLDEN = (math.sqrt(5) - 1) / 2

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Decision:
    """What a model chose for a sentence."""

    scores: npt.NDArray[np.float32]  # [n + 1, n + 1]
    heads: npt.NDArray[np.int32]  # [n + 1]
    right: BoolArray  # [n]


@dataclass(frozen=True)
class Bin:
    """Heads whose confidence lies in one interval."""

    low: float
    high: float
    words: int
    confidence: float  # mean; 0 without words
    accuracy: float


def learn_calibration(model: Model, sentences: Sequence[Sentence]) -> Calibration | None:
    """Learn the temperatures of a model, with its first pass and without; None if there is nothing to learn from.

    Parameters
    ----------
    model : Model
        Its constraints say over which trees marginals are summed.
    sentences : sequence of Sentence
        With gold heads, and not those that the model was trained on.
    """
    if model.order > 1:
        return _learn_with_parts(model, sentences)
    full = learn_temperature(model, decide(model, sentences, prune=False))
    if full is None:
        return None
    return Calibration(
        full, learn_temperature(model, decide(model, sentences, prune=True)) if model.first_pass else None
    )


def _learn_with_parts(model: Model, sentences: Sequence[Sentence]) -> Calibration | None:
    """Temperature and rest of a model of higher order with the least log loss.

    What a pruner leaves depends little on the first pass before it: there is one temperature.
    """
    found = [_choose_with_parts(model, sentence) for sentence in sentences if 0 < len(sentence) <= LONGEST]
    apart = [differences for differences, _ in filter(None, found)]
    differ = np.concatenate([np.abs(each[np.isfinite(each)]) for each in apart]) if apart else np.zeros(1)
    if not differ.any():
        return None
    width = max(each.shape[1] for each in apart)
    rows = np.concatenate(
        [np.pad(each, ((0, 0), (0, width - each.shape[1])), constant_values=-np.inf) for each in apart]
    )
    right = np.concatenate([each for _, each in filter(None, found)])
    usual = math.log(differ[differ > 0].mean())

    def learn_rest(log_t: float) -> tuple[float, float]:
        """The rest with the least loss at a temperature, and that loss."""
        with np.errstate(over="ignore"):
            chances = 1 / np.exp(rows / math.exp(log_t)).sum(axis=1)
        rest = minimise(lambda share: log_loss((1 - share) * chances, right), 0.0, MOST_REST)
        return rest, log_loss((1 - rest) * chances, right)

    best = minimise(lambda log_t: learn_rest(log_t)[1], usual + LOWEST, usual + HIGHEST)
    return Calibration(float(f"{math.exp(best):.{DIGITS}g}"), None, float(f"{learn_rest(best)[0]:.3f}"))


def _choose_with_parts(model: Model, sentence: Sentence) -> tuple[FloatArray, BoolArray] | None:
    """How far the heads of each word score above the one that the best tree has, best first; which are right."""
    rooted = Constraints(single_root=model.constraints.single_root)
    settings = DecodeOptions(decoder=_decoder(model.constraints), constraints=rooted).settings
    (result,) = model.scorer.parse([encode(sentence, model.columns)], [settings], prune=True, explain=True)
    if not result.trees or result.head_scores is None:
        return None
    heads, local = result.trees[0].heads, result.head_scores
    words = np.arange(1, len(heads))
    differences = -np.sort(local[words, heads[1:], None] - local[1:], axis=1)
    most = int(np.isfinite(differences).sum(axis=1).max())
    return differences[:, :most], heads[1:] == sentence.heads[1:]


def decide(model: Model, sentences: Sequence[Sentence], *, prune: bool) -> list[Decision]:
    """Score sentences and choose heads: the best tree, or projective one if the model is held to those."""
    found = []
    for sentence in sentences:
        if not 0 < len(sentence) <= LONGEST:
            continue
        scores, _ = model.scorer.scores(encode(sentence, model.columns), prune)
        try:
            heads = decode(scores, _decoder(model.constraints), single_root=model.constraints.single_root).heads
        except InfeasibleError:
            continue
        found.append(Decision(scores, heads, heads[1:] == sentence.heads[1:]))
    return found


def _decoder(constraints: Constraints) -> str:
    """A decoder without a search: whether the tree is nested well matters little here."""
    return "eisner" if constraints.block_degree == 1 else "msa"


def learn_temperature(model: Model, decisions: Sequence[Decision]) -> float | None:
    """The temperature with the least log loss; None if scores never differ."""
    spreads = [spread for decision in decisions if (spread := _spread(decision.scores)) > 0]
    if not spreads:
        return None
    usual = math.log(np.mean(spreads))
    found = minimise(
        lambda log_t: log_loss(*confidences(model.constraints, decisions, math.exp(log_t))),
        usual + LOWEST,
        usual + HIGHEST,
    )
    return float(f"{math.exp(found):.{DIGITS}g}")


def _spread(scores: npt.NDArray[np.float32]) -> float:
    """How far the scores of a word usually are from their mean."""
    words = np.where(np.isfinite(scores[1:]), scores[1:], np.nan)
    return float(np.nanmean(np.abs(words - np.nanmean(words, axis=1, keepdims=True))))


def confidences(
    constraints: Constraints, decisions: Sequence[Decision], temperature: float
) -> tuple[FloatArray, BoolArray]:
    """The chances of all chosen heads at a temperature, and which of them are right."""
    chances = [
        arc_chances(
            decision.scores,
            temperature,
            single_root=constraints.single_root,
            projective=sums_projective(_decoder(constraints), constraints),
        )[np.arange(1, len(decision.heads)), decision.heads[1:]]
        for decision in decisions
    ]
    return np.concatenate(chances), np.concatenate([decision.right for decision in decisions])


def log_loss(chances: FloatArray, right: BoolArray) -> float:
    """The mean negative log likelihood of right and wrong."""
    likely = np.where(right, chances, 1.0 - chances)
    return -float(np.log(np.maximum(likely, SMALLEST)).mean())


def minimise(function: Callable[[float], float], low: float, high: float) -> float:
    """Golden-section search (Kiefer 1953): each step keeps the part of the interval around the lower point."""
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


def reliability(chances: FloatArray, right: BoolArray, bins: int = 10) -> list[Bin]:
    """Compare confidence with accuracy in intervals of equal width; 1.0 belongs to the last."""
    place = np.minimum((np.asarray(chances) * bins).astype(int), bins - 1)
    words = np.bincount(place, minlength=bins)
    confidence = np.bincount(place, chances, minlength=bins) / np.maximum(words, 1)
    accuracy = np.bincount(place, right, minlength=bins) / np.maximum(words, 1)
    return [
        Bin(i / bins, (i + 1) / bins, int(words[i]), float(confidence[i]), float(accuracy[i])) for i in range(bins)
    ]


def calibration_error(table: Sequence[Bin]) -> float:
    """The expected calibration error: sum over bins of  words / all words * |accuracy - confidence|."""
    total = sum(each.words for each in table)
    return sum(each.words * abs(each.accuracy - each.confidence) for each in table) / max(total, 1)
