"""Every cut is proved valid by enumeration: no valid tree violates it, the tree that it was made for does."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from support.core_modules import import_or_skip
from support.tree_oracles import tabulate_trees

testing = import_or_skip("testing")

Heads = npt.NDArray[np.int32]
FAMILIES = [(2, True), (2, False), (3, True), (3, False), (1, False), (0, True)]


def trees_and_valid(n: int, block_degree: int, well_nested: bool) -> tuple[Heads, npt.NDArray[np.bool_]]:
    """All trees of n words, and which are valid; a block degree of 0 is unbounded."""
    every = tabulate_trees(n)
    return every.heads, every.valid(block_degree or None, well_nested, single_root=False)


def entering(heads: Heads, members: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """z(in(S)) of each tree: words of S whose head lies outside."""
    outside = ~np.isin(heads, members)
    return outside[:, [m for m in members if m != 0]].sum(axis=1)


def left_hand_side(heads: Heads, sets: tuple[tuple[int, ...], ...]) -> npt.NDArray[np.int64]:
    """z(in(A)) + z(out(Q)) summed over the pairs (A, P): out(Q) enters P, the complement of Q, and 0 is in P."""
    return sum((entering(heads, members) for members in sets), start=np.zeros(len(heads), dtype=np.int64))


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize(("block_degree", "well_nested"), FAMILIES)
@pytest.mark.parametrize("n", [4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_no_valid_tree_violates_a_cut(n: int, block_degree: int, well_nested: bool, paper: bool) -> None:
    heads, valid = trees_and_valid(n, block_degree, well_nested)
    cuts = set()
    for tree, is_valid in zip(heads, valid, strict=True):
        violated = testing.separate(tree, block_degree, well_nested, paper)
        assert bool(violated) != is_valid
        for sets, limit, violation in violated:
            assert violation == 1
            cuts.add((sets, limit))
            required = 2 if len(sets) == 2 else 3
            assert left_hand_side(tree[None, :], sets)[0] == required - 1
            assert limit == sum(len(set(members) - {0}) for members in sets) - required
    for sets, _ in cuts:
        assert left_hand_side(heads[valid], sets).min(initial=9) >= (2 if len(sets) == 2 else 3)
    assert cuts or valid.all()


def test_a_union_of_arc_sets_would_cut_off_valid_trees() -> None:
    """Counted once, an arc in two of the four sets of a nesting cut makes it cut off valid trees."""
    n = 5
    heads, valid = trees_and_valid(n, 0, True)
    wrong = 0
    for tree in heads[~valid]:
        for sets, _, _ in testing.separate(tree, 0, True, False):
            arcs = np.zeros((len(heads), n + 1), dtype=np.bool_)
            for members in sets:
                inside = np.isin(np.arange(n + 1), [m for m in members if m != 0])
                arcs |= inside[None, :] & ~np.isin(heads, members)
            wrong += int((arcs[valid].sum(axis=1) < 3).sum())
    assert wrong > 0


def test_strong_cuts_price_fewer_arcs() -> None:
    heads, valid = trees_and_valid(6, 2, True)
    for tree in heads[~valid][::50]:
        strong = testing.separate(tree, 2, True, False)
        paper = testing.separate(tree, 2, True, True)
        for (small, _, _), (large, _, _) in zip(strong, paper, strict=True):
            assert sum(len(s) ** 2 for s in small) <= sum(len(s) ** 2 for s in large)
