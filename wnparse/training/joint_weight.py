"""Learning the weight of tags against trees (`wnparse.parser.joint`) on a development set.

The sentences are tagged and parsed once, with all tag sequences. Then weights are tried, in units of the
temperature of the parser (`wnparse.training.calibration`), so that they do not depend on the scale of scores. The
gain must be significant: if d more words of a sentence are right, sum of d > square root of the sum of d squared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wnparse.parser.joint import SEQUENCES, best_together
from wnparse.parser.model import Model
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser
from wnparse.parser.summary import count_right
from wnparse.treebanks.partial import count_annotated
from wnparse.treebanks.sentence import Sentence

WEIGHTS = (2.0, 3.0, 5.0, 8.0, 12.0, 20.0)  # that are tried, in temperatures
DIGITS = 4


class LearnedWeight(NamedTuple):
    """A weight, 0 if none is surely better than the best tags alone, and its scores in percent."""

    weight: float
    score: float  # LAS (whole labels), UAS of an unlabelled model
    alone: float  # the same with the best tags alone
    searches: float  # per sentence


def learn_joint_weight(model: Model, sentences: Sequence[Sentence]) -> LearnedWeight | None:
    """Find the weight with the best trees, of equals the largest; None if there is nothing to learn from.

    Parameters
    ----------
    model : Model
        With a tagger, and calibrated.
    sentences : sequence of Sentence
        With gold heads, and not those that the model was trained on; their tags are not used.
    """
    sentences = [sentence for sentence in sentences if (sentence.heads[1:] >= 0).any()]
    calibration = model._tuned().calibration
    if model.tagger is None or calibration is None or not sentences:
        return None
    options = ParseOptions(constraints=model.constraints, rules=model.rules, retag=True, tag_sequences=SEQUENCES)
    parser = Parser(model, options)
    parsed_sentences = parser.stream(sentences, at_hand=lambda: True)
    alternatives = [parsed.alternatives or ((parsed, 0.0),) for parsed in parsed_sentences]
    kind = 1 if model.labels else 0
    right = [
        [count_right(parsed.parse, gold)[kind] for parsed, _ in trees]
        for trees, gold in zip(alternatives, sentences, strict=True)
    ]
    temperature = calibration.temperature(prune=True)
    annotated = count_annotated(sentences)
    words, alone = annotated.relations if kind else annotated.heads, sum(counts[0] for counts in right)
    best, most = 0.0, 0
    for times in WEIGHTS:
        weight = float(f"{times * temperature:.{DIGITS}g}")
        gains = [
            counts[best_together(trees, weight)] - counts[0]
            for trees, counts in zip(alternatives, right, strict=True)
        ]
        total = sum(gains)
        if total > 0 and total >= most and total**2 > sum(gain**2 for gain in gains):
            best, most = weight, total
    searches = sum(map(len, alternatives)) / len(sentences)
    return LearnedWeight(best, 100 * (alone + most) / words, 100 * alone / words, searches)
