"""Score matrices for benchmarks and tests: Gaussian noise, alone or with a planted tree that is well-nested.

The planted tree is a random projective tree of which 5 % of the words are moved to another head nearby, drawn
again until it is well-nested with block degree at most 2; its arcs get a bonus over N(0, 1). With a bonus of 5
("moderate") few maximum spanning arborescences are invalid, with 4 ("hard") many are, as `invalid` tells.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import wnparse
from wnparse.trees import structure

BONUS = {"gaussian": 0.0, "moderate": 5.0, "hard": 4.0}
MOVED = 0.05  # part of the words that change their head
REACH = 6  # words between a moved word and its new head


def projective_tree(rng: np.random.Generator, n: int) -> list[int]:
    """Draw a projective tree with one root: a span has a head, its sides are cut into chunks of random length."""
    heads = [-1] + [0] * n
    spans = [(1, n, 0)] if n else []
    while spans:
        first, last, governor = spans.pop()
        head = int(rng.integers(first, last + 1))
        heads[head] = governor
        for start, end in ((first, head - 1), (head + 1, last)):
            while start <= end:
                stop = int(rng.integers(start, end + 1))
                spans.append((start, stop, head))
                start = stop + 1
    return heads


def descends(heads: list[int], word: int, ancestor: int) -> bool:
    """Whether `word` is `ancestor` or lies below it."""
    while word > 0 and word != ancestor:
        word = heads[word]
    return word == ancestor


def planted_tree(rng: np.random.Generator, n: int) -> list[int]:
    """Draw a well-nested tree of block degree at most 2, projective but for a few words."""
    while True:
        heads = projective_tree(rng, n)
        for word in range(1, n + 1):
            if heads[word] != 0 and rng.random() < MOVED:
                near = range(max(1, word - REACH), min(n, word + REACH) + 1)
                choices = [h for h in near if not descends(heads, h, word)]
                if choices:
                    heads[word] = int(rng.choice(choices))
        shape = structure(heads)
        if shape.well_nested and shape.block_degree <= 2:
            return heads


def score_matrix(rng: np.random.Generator, n: int, kind: str) -> npt.NDArray[np.float64]:
    """Draw a matrix of a kind of `BONUS`."""
    scores = rng.normal(size=(n + 1, n + 1))
    if BONUS[kind]:
        heads = planted_tree(rng, n)
        scores[np.arange(1, n + 1), heads[1:]] += BONUS[kind]
    return scores


def padded_batch(kind: str, n: int, count: int, seed: int = 1) -> npt.NDArray[np.float32]:
    """Draw `count` matrices of n words as one float32 array."""
    rng = np.random.default_rng([seed, n, *kind.encode()])
    return np.stack([score_matrix(rng, n, kind) for _ in range(count)]).astype(np.float32)


def invalid(batch: npt.NDArray[np.float32], block_degree: int = 2) -> npt.NDArray[np.bool_]:
    """Whether the maximum spanning arborescence of each matrix breaks the constraints."""
    trees = wnparse.decode_batch(batch, decoder="msa").heads
    shapes = [structure(heads) for heads in trees]
    return np.array([not shape.well_nested or shape.block_degree > block_degree for shape in shapes], bool)
