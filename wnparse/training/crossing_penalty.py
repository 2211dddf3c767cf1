"""Learning the crossing penalty: as many trees of a development set as gold trees shall be projective.

The percentage of projective trees grows with the penalty. The penalty is doubled until the percentage is reached,
then the interval is halved. This takes at most about ten passes over the development set, and only the first if
trees are projective enough. The labelled attachment score on the same sentences may fall by a tenth of a point at
most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.summary import count_right
from wnparse.treebanks.sentence import Sentence
from wnparse.trees import is_projective

CLOSE = 1.0  # percent of the sentences: a difference that is small enough
FREE = 2.0  # the same without a penalty, which slows the search down
LOSS = 0.1  # LAS that a penalty may cost
SMALLEST = 1 / 64  # price that is tried first, in margins
DOUBLINGS, HALVINGS = 6, 3
DIGITS = 3


class Trial(NamedTuple):
    """Figures of a penalty on a development set; percentages from 0 to 100."""

    price: float
    projective: float  # trees
    las: float  # whole labels


class LearnedPenalty(NamedTuple):
    """The figures of the chosen penalty, and without a penalty."""

    chosen: Trial
    free: Trial
    gold: float  # percentage of gold trees that are projective


def learn_crossing_penalty(model: Model, sentences: Sequence[Sentence], margin: float) -> LearnedPenalty | None:
    """Find the price at which as many trees are projective as gold ones; None if there is nothing to learn.

    Parameters
    ----------
    model : Model
        With labels: the penalty is a rule, and an unlabelled model has no rules.
    sentences : sequence of Sentence
        With gold heads, and not those that the model was trained on. Only complete trees count.
    margin : float
        The margin of training, which sets the scale of scores.
    """
    sentences = [sentence for sentence in sentences if len(sentence) and sentence.annotated]
    if not model.labels or not sentences or model.constraints.block_degree == 1:
        return None
    gold = 100 * sum(is_projective(sentence.heads) for sentence in sentences) / len(sentences)
    free = try_penalty(model, sentences, 0.0)
    trials, low, high = [free], 0.0, 0.0
    for step in range(DOUBLINGS + HALVINGS):
        if abs(trials[-1].projective - gold) <= CLOSE or free.projective >= gold - FREE:
            break
        if high == 0 and step == DOUBLINGS:
            break
        price = (low + high) / 2 if high else SMALLEST * max(margin, 1.0) * 2**step
        trials.append(try_penalty(model, sentences, float(f"{price:.{DIGITS}g}")))
        if trials[-1].projective < gold:
            low = trials[-1].price
        else:
            high = trials[-1].price
    accurate = [trial for trial in trials if trial.las >= free.las - LOSS]
    chosen = min(accurate, key=lambda trial: (abs(trial.projective - gold), trial.price))
    return LearnedPenalty(chosen, free, gold)


def try_penalty(model: Model, sentences: Sequence[Sentence], price: float) -> Trial:
    """Parse sentences with a penalty."""
    options = ParseOptions(constraints=model.constraints, rules=model.rules, crossing_penalty=price)
    words = right = projective = 0
    for gold, parsed in zip(
        sentences, Parser(model, options).stream(sentences, at_hand=lambda: True), strict=True
    ):
        words += len(gold)
        if parsed.parse is not None and parsed.parse.labels is not None:
            projective += is_projective(parsed.parse.heads)
            right += count_right(parsed.parse, gold)[1]
    return Trial(price, 100 * projective / len(sentences), 100 * right / words)
