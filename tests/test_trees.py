"""The structure functions against set definitions, on every small tree and on large ones with planted gaps."""

from __future__ import annotations

import random
from itertools import combinations, product

import numpy as np
import pytest

import wnparse
from support import tree_oracles as oracles
from wnparse import trees


def check(heads: tuple[int, ...]) -> None:
    degrees = oracles.block_degrees(heads)
    pairs = oracles.interleaving_pairs(heads)
    crossed = oracles.nonprojective_arcs(heads)
    edges = oracles.edge_degrees(heads)
    assert trees.block_degrees(heads).tolist() == degrees
    assert trees.edge_degrees(heads).tolist() == edges
    assert trees.nonprojective_arcs(heads).tolist() == crossed
    pair = trees.interleaving_pair(heads)
    assert (frozenset(pair) in pairs) if pair else not pairs
    assert trees.structure(heads) == (max(degrees), not pairs, max(edges), len(crossed), heads.count(0))


def test_oracles_agree_with_known_trees() -> None:
    for heads, degree, nested in (
        ([-1, 0, 1, 2], 1, True),
        ([-1, 3, 4, 0, 3], 2, True),
        ([-1, 2, 3, 0, 2, 3, 2], 3, True),
        ([-1, 3, 0, 2, 2, 3], 3, True),
        ([-1, 0, 1, 1, 2, 3], 2, False),
    ):
        assert oracles.structure(heads)[:2] == (degree, nested)


def test_the_oracle_of_interleaving_agrees_with_the_definition() -> None:
    """All pairs of disjoint sets among seven words, by trying i, k, j, l."""
    for owners in product((0, 1, 2), repeat=7):
        sets = [{v for v, owner in enumerate(owners) if owner == number} for number in (1, 2)]
        both = (sets, sets[::-1])
        defined = any(
            {i, j} <= a and {k, last} <= b for i, k, j, last in combinations(range(7), 4) for a, b in both
        )
        assert oracles.interleave(*sets) == defined
        assert not (defined and 1 in map(oracles.set_block_degree, sets))
    assert not oracles.interleave({1, 3}, {1, 2, 3, 4})


@pytest.mark.parametrize(
    "heads", [[0], [-1, 1], [-1, 2, 1], [-1, 2], [-1, -1], [-1, 0, 3, 4, 2]], ids=lambda heads: str(heads)
)
def test_the_oracle_refuses_heads_that_are_not_a_tree(heads: list[int]) -> None:
    assert not oracles.is_tree(heads)


@pytest.mark.parametrize("n", range(5))
def test_agrees_with_oracles_on_every_small_tree(n: int) -> None:
    for heads in oracles.all_trees(n):
        check(heads)


def test_agrees_with_oracles_on_trees_of_five_words() -> None:
    for heads in oracles.all_trees(5):
        check(heads)


@pytest.mark.slow
def test_agrees_with_oracles_on_trees_of_six_words() -> None:
    for heads in oracles.all_trees(6):
        check(heads)


def test_enumerates_the_known_number_of_trees() -> None:
    assert [len(oracles.all_trees(n)) for n in range(6)] == [(n + 1) ** max(n - 1, 0) for n in range(6)]


def projective_tree(rng: random.Random, low: int, high: int, head: int, heads: list[int]) -> None:
    """Attach the words low..high-1 to head: cut them into chunks, one root each."""
    while low < high:
        cut = rng.randint(low + 1, high)
        root = rng.randrange(low, cut)
        heads[root] = head
        projective_tree(rng, low, root, root, heads)
        projective_tree(rng, root + 1, cut, root, heads)
        low = cut


def planted(n: int, moves: int, seed: int) -> tuple[int, ...]:
    """A random projective tree with some words re-attached anywhere."""
    rng = random.Random(seed)
    heads = [-1] + [0] * n
    projective_tree(rng, 1, n + 1, 0, heads)
    for _ in range(moves):
        m, h = rng.randint(1, n), rng.randint(0, n)
        if h != m and oracles.is_tree((*heads[:m], h, *heads[m + 1 :])):
            heads[m] = h
    return tuple(heads)


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_oracles_on_large_trees(seed: int) -> None:
    check(planted(n=10 + seed, moves=seed % 12, seed=seed))


@pytest.mark.parametrize("seed", range(20))
def test_recognises_projective_trees(seed: int) -> None:
    heads = planted(200, 0, seed)
    assert trees.structure(heads)[:4] == (1, True, 0, 0)
    assert wnparse.is_projective(heads)


def test_finds_the_planted_block_degree() -> None:
    """Word 1 governs every second word: as many blocks as there are such words."""
    heads = [-1, 0] + [0 if m % 2 == 0 else 1 for m in range(2, 2001)]
    assert wnparse.block_degree(heads) == 1000
    assert trees.gap_degree(heads) == 999
    assert np.flatnonzero(trees.block_degrees(heads) > 999).tolist() == [1]
    assert wnparse.is_well_nested(heads)


def test_deep_trees_need_no_recursion() -> None:
    n = 100_000
    assert wnparse.block_degree(np.arange(-1, n, dtype=np.int64)) == 1
    assert wnparse.block_degree([-1, *range(2, n + 1), 0]) == 1


def test_agrees_with_figure_1_of_the_paper() -> None:
    left = [-1, 0, 0, 2, 1]  # the yield of 1 is {1, 4}
    assert trees.block_degrees(left).tolist() == [1, 2, 1, 1, 1]
    right = [-1, 0, 0, 1, 2]  # the yields of 1 and 2 interleave
    assert set(trees.interleaving_pair(right) or ()) == {1, 2}


@pytest.mark.parametrize(
    "heads",
    [
        [],
        [0],
        [-1, 1],
        [-1, 2, 1],
        [-1, 3, 0],
        [-1, -1],
        [0, 0],
        [-1, 2, 3, 1],
        [[-1]],
        ["a"],
        [-1.0, 0.0],
        [-1, 2**40],
    ],
)
def test_refuses_heads_that_are_not_a_tree(heads: list[int]) -> None:
    with pytest.raises(ValueError, match="heads"):
        wnparse.block_degree(heads)


def test_accepts_any_sequence_of_int() -> None:
    for heads in (
        [-1, 2, 0, 2],
        (-1, 2, 0, 2),
        np.array([-1, 2, 0, 2], np.int8),
        np.array([-1, 9, 2, 9, 0, 9, 2, 9])[::2],
    ):
        assert wnparse.is_projective(heads)
    assert wnparse.block_degree([-1]) == 1
