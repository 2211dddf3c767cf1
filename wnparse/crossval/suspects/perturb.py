"""Trees with one random change: what errors of annotation might look like.

Words that hang from the root keep their head and relation, so that a tree keeps its roots.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

DRAWS = 20  # of a relation: where all are the same, there is nothing to swap


def move_head(heads: list[int], chance: random.Random) -> tuple[int, list[int]] | None:
    """A word and the tree with its head moved to another word, all at random; None if there is no such tree."""
    words = [word for word in range(1, len(heads)) if heads[word] > 0]
    if not words:
        return None
    word = chance.choice(words)
    places = [head for head in range(1, len(heads)) if head != heads[word] and not is_below(heads, head, word)]
    if not places:
        return None
    moved = list(heads)
    moved[word] = chance.choice(places)
    return word, moved


def is_below(heads: list[int], word: int, top: int) -> bool:
    """Whether a word is another one or hangs below it."""
    while word > 0 and word != top:
        word = heads[word]
    return word == top


def swap_label(
    heads: list[int], relations: list[str], others: Sequence[str], chance: random.Random
) -> tuple[int, list[str]] | None:
    """A word and the relations with its own replaced by another, drawn from `others`; None if there is none."""
    words = [word for word in range(1, len(heads)) if heads[word] > 0]
    roots = {relations[word] for word in range(1, len(heads)) if heads[word] == 0}
    if not words:
        return None
    word = chance.choice(words)
    for _ in range(DRAWS):
        relation = chance.choice(others)
        if relation != relations[word] and relation not in roots:
            swapped = list(relations)
            swapped[word] = relation
            return word, swapped
    return None
