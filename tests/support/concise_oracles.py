"""The parts of Martins et al. 2009 that a tree has, by definition; and every tree of a few words with them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from support.tree_oracles import tabulate_trees

TreeParts = dict[str, set[tuple[int, ...]]]


def parts_of(heads: list[int]) -> TreeParts:
    """The parts that a tree has."""
    words, nodes = range(1, len(heads)), range(len(heads))
    children = {i: [m for m in words if heads[m] == i] for i in nodes}
    parts: TreeParts = {"arcs": {(heads[m], m) for m in words}}
    parts["siblings"] = {(i, j, k) for i in nodes for j in children[i] for k in children[i] if j < k}
    parts["grandparents"] = {(heads[heads[m]], heads[m], m) for m in words if heads[m]}
    sides = [(i, 1, [m for m in children[i] if m > i]) for i in nodes]
    sides += [(i, 0, [m for m in reversed(children[i]) if m < i]) for i in nodes]
    parts["next_siblings"] = {(i, a, b) for i, _, side in sides for a, b in pairwise(side)}
    parts["first_children"] = {(i, side[0]) for i, _, side in sides if side}
    parts["last_children"] = {(i, side[-1]) for i, _, side in sides if side}
    parts["childless"] = {(i, right) for i, right, side in sides if not side}
    parts["valency"] = {(i, len(children[i])) for i in nodes}

    def above(i: int, k: int) -> bool:
        while k > 0 and k != i:
            k = heads[k]
        return k == i

    parts["nonprojective"] = {
        (heads[m], m)
        for m in words
        if not all(above(heads[m], k) for k in range(min(heads[m], m) + 1, max(heads[m], m)))
    }
    return parts


@lru_cache
def all_trees(n: int) -> list[tuple[list[int], TreeParts]]:
    """Every tree of n words, and its parts."""
    return [(heads, parts_of(heads)) for heads in tabulate_trees(n).heads.tolist()]
