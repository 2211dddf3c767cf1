"""Learning how much tags count beside trees (`wnparse.parser.joint`): the weight that a development set prefers.

The sentences are tagged and parsed once, in all their ways; then weights are tried, in units of the temperature of
the parser (`wnparse.training.calibration`), so that they weigh probabilities whatever the scale of scores. The
gain must be more than chance: with d words more that are right in a sentence, sum of d > square root of the sum of
d squared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from wnparse.parser.joint import SEQUENCES, best_together
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.summary import count_right
from wnparse.treebanks.sentence import Sentence

WEIGHTS = (2.0, 3.0, 5.0, 8.0, 12.0, 20.0)  # that are tried, in temperatures
DIGITS = 4


class LearnedWeight(NamedTuple):
    """A weight, 0 if none is surely better than the best tags alone, and what it does; percentages."""

    weight: float
    score: float  # LAS (whole labels), UAS of an unlabelled model
    alone: float  # the same with the best tags alone
    searches: float  # trees that were looked for, a sentence


def learn_joint_weight(model: Model, sentences: Sequence[Sentence]) -> LearnedWeight | None:
    """Find the weight with the best trees, of equals the largest; None if there is nothing to learn from.

    Parameters
    ----------
    model : Model
        With a tagger, and calibrated.
    sentences : sequence of Sentence
        With gold heads, and not those that the model was trained on; their tags are not looked at.
    """
    sentences = [sentence for sentence in sentences if len(sentence)]
    if model.tagger is None or model.calibration is None or not sentences:
        return None
    options = ParseOptions(constraints=model.constraints, rules=model.rules, retag=True, tag_sequences=SEQUENCES)
    parser = Parser(model, options)
    found = [parsed.ways or ((parsed, 0.0),) for parsed in parser.stream(sentences, at_hand=lambda: True)]
    kind = 1 if model.labels else 0
    right = [
        [count_right(parsed.parse, gold)[kind] for parsed, _ in ways]
        for ways, gold in zip(found, sentences, strict=True)
    ]
    temperature = model.calibration.full if model.calibration.pruned is None else model.calibration.pruned
    words, alone = sum(map(len, sentences)), sum(each[0] for each in right)
    best, most = 0.0, 0
    for times in WEIGHTS:
        weight = float(f"{times * temperature:.{DIGITS}g}")
        gains = []
        for ways, counts in zip(found, right, strict=True):
            trees = [(parsed.parse, parsed.relaxed) for parsed, _ in ways]
            gains.append(counts[best_together(trees, [odds for _, odds in ways], weight)] - counts[0])
        gain = sum(gains)
        if gain > 0 and gain >= most and gain**2 > sum(each**2 for each in gains):
            best, most = weight, gain
    searches = sum(map(len, found)) / len(sentences)
    return LearnedWeight(best, 100 * (alone + most) / words, 100 * alone / words, searches)


def with_joint_weight(model: Model, learned: LearnedWeight | None) -> Model:
    """The model with what was learned."""
    return model if learned is None else replace(model, joint_weight=learned.weight)
