"""Definitions of trees on sets of words, slow and obvious; and every tree of a few words. No compiled code here.

Heads are any sequence of integers, the first of them -1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Heads = Sequence[int]


def is_tree(heads: Heads) -> bool:
    """Nothing governs 0, heads are vertices, and every word reaches 0 by its heads."""
    if heads[0] != -1 or not all(0 <= head < len(heads) for head in heads[1:]):
        return False
    for word in range(1, len(heads)):
        seen = set()
        while word != 0:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word]
    return True


def yields(heads: Heads) -> list[set[int]]:
    """The set of vertices that each vertex of a tree dominates, itself included."""
    sets: list[set[int]] = [set() for _ in heads]
    for word in range(len(heads)):
        vertex = word
        while vertex != -1:
            sets[vertex].add(word)
            vertex = heads[vertex]
    return sets


def set_block_degree(members: set[int]) -> int:
    """Vertices of a set without a predecessor inside the set."""
    return sum(v - 1 not in members for v in members)


def block_degrees(heads: Heads) -> list[int]:
    return [set_block_degree(members) for members in yields(heads)]


def interleave(first: set[int], second: set[int]) -> bool:
    """Disjoint, and i < k < j < l with i, j in one and k, l in the other.

    Which is to say: read from left to right, the owner changes three times or more.
    """
    if not first.isdisjoint(second):
        return False
    owners = [v in first for v in sorted(first | second)]
    return sum(left != right for left, right in pairwise(owners)) >= 3


def interleaving_pairs(heads: Heads) -> set[frozenset[int]]:
    sets = yields(heads)
    # Between i and j of one block there is no room for k.
    gapped = [v for v in range(1, len(heads)) if set_block_degree(sets[v]) > 1]
    return {frozenset((u, v)) for u, v in combinations(gapped, 2) if interleave(sets[u], sets[v])}


class Structure(NamedTuple):
    """Properties of a tree that constraints restrict."""

    block_degree: int
    well_nested: bool
    roots: int


def structure(heads: Heads) -> Structure:
    heads = list(map(int, heads))
    assert is_tree(heads), heads  # yields of a cycle have no end
    return Structure(max(block_degrees(heads)), not interleaving_pairs(heads), heads.count(0))


def nonprojective_arcs(heads: Heads) -> list[int]:
    """Modifiers of the arcs that span a word which their head does not dominate."""
    sets = yields(heads)
    return [m for m in range(1, len(heads)) if any(b not in sets[heads[m]] for b in inside(heads, m))]


def inside(heads: Heads, m: int) -> range:
    """The words strictly inside the span of the arc to m."""
    return range(min(m, heads[m]) + 1, max(m, heads[m]))


def crossing_arcs(heads: Heads) -> set[int]:
    """Modifiers of arcs with one end strictly inside another arc and one strictly outside."""
    crossing = set()
    for first, second in combinations(range(1, len(heads)), 2):
        within = set(inside(heads, first))
        outside = set(range(len(heads))) - within - {first, heads[first]}
        ends = {second, heads[second]}
        if ends & within and ends & outside:
            crossing |= {first, second}
    return crossing


def edge_degrees(heads: Heads) -> list[int]:
    """Connected components strictly inside each arc's span whose top the arc's head does not dominate."""
    sets = yields(heads)
    return [0] + [
        sum(not top <= sets[heads[m]] for top in components(heads, set(inside(heads, m))))
        for m in range(1, len(heads))
    ]


def components(heads: Heads, members: set[int]) -> Iterator[set[int]]:
    """Connected components of the subgraph that a set of vertices induces."""
    left = set(members)
    while left:
        component = {left.pop()}
        while True:
            grown = {v for v in left if heads[v] in component} | {heads[c] for c in component if heads[c] in left}
            if not grown:
                break
            component |= grown
            left -= grown
        yield component


@lru_cache
def all_trees(n: int) -> tuple[tuple[int, ...], ...]:
    """Every dependency tree of n words: (n + 1)^(n - 1) of them."""
    candidates = product(*([h for h in range(n + 1) if h != m] for m in range(1, n + 1)))
    return tuple((-1, *heads) for heads in candidates if is_tree((-1, *heads)))


@dataclass(frozen=True)
class Trees:
    """Every tree of n words and what it is, as arrays."""

    heads: npt.NDArray[np.int32]  # [T, n + 1], heads[:, 0] == -1
    block_degree: npt.NDArray[np.int64]  # [T]
    well_nested: npt.NDArray[np.bool_]  # [T]
    roots: npt.NDArray[np.int64]  # [T]
    row: dict[tuple[int, ...], int]  # of each tree

    def valid(self, block_degree: int | None, well_nested: bool, single_root: bool) -> npt.NDArray[np.bool_]:
        """Return which trees satisfy the constraints."""
        mask = np.ones(len(self.heads), bool)
        if block_degree is not None:
            mask &= self.block_degree <= block_degree
        if well_nested:
            mask &= self.well_nested
        if single_root and self.heads.shape[1] > 1:
            mask &= self.roots == 1
        return mask


@lru_cache
def tabulate_trees(n: int) -> Trees:
    """The arrays of `all_trees`."""
    trees = all_trees(n)
    degrees, nested, roots = zip(*map(structure, trees), strict=True)
    row = {heads: i for i, heads in enumerate(trees)}
    return Trees(np.array(trees, np.int32), np.array(degrees), np.array(nested), np.array(roots), row)
