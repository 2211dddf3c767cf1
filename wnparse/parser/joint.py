"""Choose tags and tree jointly: several tag sequences are parsed, and the best tags with their tree are kept.

    score(tags, tree) = score of the tree given the tags + weight * log odds of the tags,

where the odds are those of the tagger, compared with its best sequence. A parser learns from given tags, so that
its scores say little about the tags themselves. The weight is learned on a development set
(`wnparse.training.joint_weight`). The choice is exact among the sequences that are tried, not among all of them.
It costs one search for each sequence close to the best, about 1.6 per sentence (docs/lab/tagging.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from wnparse.decoding.checks import as_count
from wnparse.parser.parses import Parsed

SEQUENCES = 4  # that are tried, at most
LARGEST_JOINT_WEIGHT = 1e15
NO_WEIGHT = (
    "the model has no joint weight; expected a model with a tagger that was trained with a development set, "
    "on which joint tagging and parsing is better"
)


def usual_sequences(order: int, weight: float) -> int:
    """Return the default number of sequences: several at order 2 and more, one at order 1, which is for speed."""
    return SEQUENCES if order > 1 and weight else 1


def check_sequences(value: object, weight: float) -> int:
    """Check a number of tag sequences; ValueError if it is not one, or more than 1 without a weight."""
    count = as_count(value, "tag_sequences", 1)
    if count > 1 and not weight:
        raise ValueError(NO_WEIGHT)
    return count


def best_together(alternatives: Sequence[tuple[Parsed, float]], weight: float) -> int:
    """Return the index of the best tags and tree; the first of equals.

    Parameters
    ----------
    alternatives : sequence of (Parsed, float)
        The best tree of each tag sequence, and the log odds of the sequence, 0 for the first. Trees for which
        nothing was relaxed come first, since one that is free of constraints may well score more. If there are
        none, the best tags are kept.
    weight : float
        Weight of the log odds against the scores of trees.
    """
    scores = [
        (parsed.parse.score + weight * odds, -index)
        for index, (parsed, odds) in enumerate(alternatives)
        if parsed.parse and not parsed.relaxed
    ]
    return -max(scores)[1] if scores else 0
