"""Trees with one random change, as examples of annotation errors.

Roots keep their head and relation, and words without annotation are not changed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from wnparse.treebanks.partial import NOTHING

DRAWS = 20  # of a relation, after which none that differs is expected


def move_head(heads: list[int], rng: random.Random) -> tuple[int, list[int]] | None:
    """Return a random word and the heads with its own moved to a random word; None if there is no such tree."""
    words = [word for word in range(1, len(heads)) if heads[word] > 0]
    if not words:
        return None
    word = rng.choice(words)
    candidates = [head for head in range(1, len(heads)) if head != heads[word] and not is_below(heads, head, word)]
    if not candidates:
        return None
    moved = list(heads)
    moved[word] = rng.choice(candidates)
    return word, moved


def is_below(heads: list[int], word: int, top: int) -> bool:
    """Return whether a word is `top` or a descendant of it."""
    while word > 0 and word != top:
        word = heads[word]
    return word == top


def swap_label(
    heads: list[int], relations: list[str], others: Sequence[str], rng: random.Random
) -> tuple[int, list[str]] | None:
    """Return a random word and the relations with its own replaced by one of `others`; None if there is none."""
    words = [word for word in range(1, len(heads)) if heads[word] > 0 and relations[word] != NOTHING]
    roots = {relations[word] for word in range(1, len(heads)) if heads[word] == 0}
    if not words:
        return None
    word = rng.choice(words)
    for _ in range(DRAWS):
        relation = rng.choice(others)
        if relation != relations[word] and relation not in roots:
            swapped = list(relations)
            swapped[word] = relation
            return word, swapped
    return None
