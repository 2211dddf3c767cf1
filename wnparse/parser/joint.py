"""Tags and trees together: of several sequences of tags, each with its best tree, the best of both.

    score(tags, tree) = score of the tree given the tags + weight * log odds of the tags,

where the odds are those of the tagger beside its best sequence. A parser learns from tags that are given, so that
its scores say little of the tags themselves: the weight says how much, and is learned on a development set
(`wnparse.training.joint_weight`). Among the sequences that are tried the answer is exact, among all of them it is
not. Costs as many searches as there are sequences close to the best: some 1.6 a sentence (docs/tagger.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from wnparse.decoding.checks import as_count
from wnparse.parser.parses import Parse

SEQUENCES = 4  # that are tried, at most
NO_WEIGHT = (
    "the model has learned no weight of tags beside trees; a tagger and a development set teach one, "
    "unless the best tags alone are better"
)


def usual_sequences(order: int, weight: float) -> int:
    """How many are tried unless it is said: several at order 2 and more, one at order 1, which is for speed."""
    return SEQUENCES if order > 1 and weight else 1


def check_sequences(value: object, weight: float) -> int:
    """How many sequences of tags are to be tried; ValueError if that is no number, or several without a weight."""
    count = as_count(value, "tag_sequences", 1)
    if count > 1 and not weight:
        raise ValueError(NO_WEIGHT)
    return count


def best_together(ways: Sequence[tuple[Parse | None, str]], odds: Sequence[float], weight: float) -> int:
    """Which tree and tags to keep; the first of equals.

    Parameters
    ----------
    ways : sequence of (Parse or None, str)
        The best tree of each sequence of tags, and what it had to give up. What gave up nothing comes first, since
        a tree that is free of constraints may well score more; if all gave something up, the best tags are kept.
    odds : sequence of float
        Logarithm of the odds of each sequence, 0 for the first.
    weight : float
        What that counts beside the scores of trees.
    """
    whole = [(parse.score + weight * odds[i], -i) for i, (parse, lost) in enumerate(ways) if parse and not lost]
    return -max(whole)[1] if whole else 0
