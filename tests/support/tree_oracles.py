"""Slow, obvious twins: every tree by enumeration, structure by set definitions. Imports no kernel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product


def is_tree(heads: tuple[int, ...]) -> bool:
    """Every word reaches 0 by its heads."""
    for word in range(1, len(heads)):
        seen = set()
        while word != 0:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word]
    return True


@lru_cache
def all_trees(n: int) -> tuple[tuple[int, ...], ...]:
    """Every dependency tree of n words: (n + 1)^(n - 1) of them."""
    candidates = product(*([h for h in range(n + 1) if h != m] for m in range(1, n + 1)))
    return tuple((-1, *heads) for heads in candidates if is_tree((-1, *heads)))


def yields(heads: tuple[int, ...]) -> list[set[int]]:
    """The set of vertices that each vertex dominates, itself included."""
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


def block_degrees(heads: tuple[int, ...]) -> list[int]:
    return [set_block_degree(members) for members in yields(heads)]


def interleave(first: set[int], second: set[int]) -> bool:
    """Disjoint, and i < k < j < l for some i, j of one and k, l of the other."""
    if first & second:
        return False
    return any(_crosses(a, b) for a, b in ((first, second), (second, first)))


def _crosses(a: set[int], b: set[int]) -> bool:
    return any(i < k < j < max(b) for i, j in combinations(sorted(a), 2) for k in b)


def interleaving_pairs(heads: tuple[int, ...]) -> set[frozenset[int]]:
    sets = yields(heads)
    return {
        frozenset(pair) for pair in combinations(range(1, len(heads)), 2) if interleave(*(sets[v] for v in pair))
    }


def nonprojective_arcs(heads: tuple[int, ...]) -> list[int]:
    """Modifiers of the arcs that span a word which their head does not dominate."""
    sets = yields(heads)
    return [m for m in range(1, len(heads)) if any(b not in sets[heads[m]] for b in inside(heads, m))]


def inside(heads: tuple[int, ...], m: int) -> range:
    return range(min(m, heads[m]) + 1, max(m, heads[m]))


def edge_degrees(heads: tuple[int, ...]) -> list[int]:
    """Connected components strictly inside each arc's span whose top the arc's head does not dominate."""
    sets = yields(heads)
    return [0] + [
        sum(not top <= sets[heads[m]] for top in components(heads, set(inside(heads, m))))
        for m in range(1, len(heads))
    ]


def components(heads: tuple[int, ...], members: set[int]) -> Iterator[set[int]]:
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
