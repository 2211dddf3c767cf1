"""Parts of higher order by definition: which a tree has, and what they add to its score. No kernel here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from support.decoding_oracles import Enumeration
from wnparse import Parts

FloatArray = npt.NDArray[np.floating]


def sibling_rows(heads: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Rows (h, m, s) of a tree: neighbours among the children of one side, the head at either end."""
    for head in range(len(heads)):
        left = [m for m in range(head - 1, 0, -1) if heads[m] == head]
        right = [m for m in range(head + 1, len(heads)) if heads[m] == head]
        for side in (left, right):
            if side:
                chain = [head, *side, head]
                yield from ((head, chain[i], chain[i + 1]) for i in range(len(chain) - 1))


def grandparent_rows(heads: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    for m in range(1, len(heads)):
        if heads[m] != 0:
            yield heads[heads[m]], heads[m], m


def grandsibling_rows(heads: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    for head, m, s in sibling_rows(heads):
        if head != 0:
            yield heads[head], head, m, s


def part_score(heads: Sequence[int], parts: Parts) -> float:
    """The sum of the listed parts that a tree has."""
    total = 0.0
    for (index, scores), rows in (
        (parts.siblings, sibling_rows),
        (parts.grandparents, grandparent_rows),
        (parts.grandsiblings, grandsibling_rows),
    ):
        has = set(rows(heads))
        total += sum(
            score for row, score in zip(index.tolist(), scores.tolist(), strict=True) if tuple(row) in has
        )
    return total


def enumerate_trees(scores: FloatArray, parts: Parts) -> Enumeration:
    """The scores of all trees, parts included."""
    every = Enumeration(scores)
    every.scores = every.scores + np.array([part_score(heads, parts) for heads in every.trees.heads.tolist()])
    return every


def random_parts(rng: np.random.Generator, n: int, kinds: Sequence[str], style: str) -> Parts:
    """Scores for many rows, possible or not: `dense` noise, `tied` integers, or `sparse`."""

    def rows(nodes: int, count: int) -> tuple[npt.NDArray[np.int64], FloatArray]:
        index = rng.integers(0, n + 1, (count, nodes))
        index = index[~((index[:, -3] == index[:, -2]) & (index[:, -2] == index[:, -1]))]
        if style == "tied":
            return index, rng.integers(-2, 3, len(index)).astype(float)
        return index, rng.normal(size=len(index)) * 2

    share = 3 if style == "sparse" else 1
    found = {}
    for kind, nodes in (("siblings", 3), ("grandparents", 3), ("grandsiblings", 4)):
        if kind in kinds:
            found[kind] = rows(nodes, 2 * (n + 1) ** nodes // share)
    return Parts(**found)
