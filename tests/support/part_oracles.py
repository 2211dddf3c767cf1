"""Parts of higher order by definition: which a tree has, and what they add to its score. No kernel here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from support.decoding_oracles import Enumeration
from support.tree_oracles import tabulate_trees
from wnparse import Parts

FloatArray = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]


def sibling_rows(heads: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """Rows (h, m, s, right) of a tree: neighbours among the children of one side, the head at either end."""
    for head in range(len(heads)):
        left = [m for m in range(head - 1, 0, -1) if heads[m] == head]
        right = [m for m in range(head + 1, len(heads)) if heads[m] == head]
        for number, side in enumerate((left, right)):
            chain = [head, *side, head]
            yield from ((head, chain[i], chain[i + 1], number) for i in range(len(chain) - 1))


def grandparent_rows(heads: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    for m in range(1, len(heads)):
        if heads[m] != 0:
            yield heads[heads[m]], heads[m], m


def grandsibling_rows(heads: Sequence[int]) -> Iterator[tuple[int, int, int, int, int]]:
    for head, m, s, right in sibling_rows(heads):
        if head != 0:
            yield heads[head], head, m, s, right


ROWS = {
    "siblings": (sibling_rows, 4),
    "grandparents": (grandparent_rows, 3),
    "grandsiblings": (grandsibling_rows, 5),
}


def part_score(heads: Sequence[int], parts: Parts) -> float:
    """The sum of the listed parts that a tree has."""
    total = 0.0
    for kind, (of_tree, _) in ROWS.items():
        index, scores = getattr(parts, kind)
        has = set(of_tree(heads))
        total += sum(
            score for row, score in zip(index.tolist(), scores.tolist(), strict=True) if tuple(row) in has
        )
    return total


def enumerate_trees(scores: FloatArray, parts: Parts) -> Enumeration:
    """The scores of all trees, parts included."""
    every = Enumeration(scores)
    nodes = len(scores)
    for kind, (of_trees, width) in ROWS.items():
        index, values = getattr(parts, kind)
        table = np.zeros((nodes,) * width)
        np.add.at(table, tuple(index.T), values)
        owners, rows = rows_of_trees(nodes - 1, of_trees)
        every.scores = every.scores + np.bincount(owners, table[tuple(rows.T)], len(every.scores))
    return every


@cache
def rows_of_trees(
    n: int, of_tree: Callable[[Sequence[int]], Iterator[tuple[int, ...]]]
) -> tuple[IntArray, IntArray]:
    """The rows of all trees of n words, one after the other: the number of the tree, and the nodes."""
    rows = [
        (number, *row) for number, heads in enumerate(tabulate_trees(n).heads.tolist()) for row in of_tree(heads)
    ]
    (width,) = (columns + 1 for rows_of, columns in ROWS.values() if rows_of is of_tree)
    both = np.array(rows, np.int64).reshape(-1, width)
    return both[:, 0], both[:, 1:]


def random_parts(rng: np.random.Generator, n: int, kinds: Sequence[str], style: str) -> Parts:
    """Scores for many rows, possible or not, some with sides: `dense` noise, `tied` integers, or `sparse`."""

    def rows(kind: str, nodes: int, count: int) -> tuple[npt.NDArray[np.int64], FloatArray]:
        index = rng.integers(0, n + 1, (count, nodes))
        if kind != "grandparents" and rng.random() < 0.5:
            index = np.column_stack([index, rng.integers(0, 2, count)])
        else:
            index = index[~((index[:, -3] == index[:, -2]) & (index[:, -2] == index[:, -1]))]
        if style == "tied":
            return index, rng.integers(-2, 3, len(index)).astype(float)
        return index, rng.normal(size=len(index)) * 2

    share = 3 if style == "sparse" else 1
    tables = {}
    for kind, nodes in (("siblings", 3), ("grandparents", 3), ("grandsiblings", 4)):
        if kind in kinds:
            tables[kind] = rows(kind, nodes, 2 * (n + 1) ** nodes // share)
    return Parts(**tables)
