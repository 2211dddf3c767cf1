"""The first valid tree of sparse matrices: found if there is one, and only then."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import wnparse
from bench.score_matrices import descends, projective_tree
from support import decoding_oracles as oracle
from support import strategies, tree_oracles
from support.core_modules import import_or_skip
from wnparse.trees import structure

FloatArray = strategies.FloatArray
CONSTRAINTS = [
    limits for limits in product((0, 2, 3), (False, True), (False, True)) if limits[0] or limits[1]
]  # 0: unbounded


def is_valid(heads: list[int], block_degree: int, well_nested: bool, single_root: bool) -> bool:
    degree, nested, roots = tree_oracles.structure(heads)
    return (
        (not block_degree or degree <= block_degree)
        and (nested or not well_nested)
        and (roots == 1 or not single_root)
    )


def sparse_matrix(rng: np.random.Generator, n: int, arcs: float) -> FloatArray:
    """About so many arcs a word, the others forbidden."""
    scores = rng.normal(size=(n + 1, n + 1))
    scores[rng.random(scores.shape) > arcs / n] = -np.inf
    return scores


def wild_tree(rng: np.random.Generator, n: int, limits: tuple[int, bool, bool]) -> list[int]:
    """A valid tree as far from projective as a random walk among valid trees leads."""
    block_degree, well_nested, _ = limits
    heads = projective_tree(rng, n)
    for word, head in rng.integers(1, n + 1, size=(8 * n, 2)).tolist():
        before = heads[word]
        if before != 0 and not descends(heads, head, word):
            heads[word] = head
            shape = structure(heads)
            if shape.block_degree > (block_degree or n) or (well_nested and not shape.well_nested):
                heads[word] = before
    return heads


@pytest.mark.parametrize("limits", CONSTRAINTS)
@pytest.mark.parametrize("n", [3, 5, 6])
def test_a_tree_is_found_iff_there_is_one(n: int, limits: tuple[int, bool, bool]) -> None:
    testing = import_or_skip("testing")
    block_degree, well_nested, single_root = limits
    rng = np.random.default_rng([n, *limits])
    outcomes = set()
    for _ in range(60):
        scores = sparse_matrix(rng, n, rng.uniform(1, 3))
        heads = testing.first_tree(scores, *limits)
        outcomes.add(heads is not None)
        every = oracle.Enumeration(scores)
        valid = every.trees.valid(block_degree or None, well_nested, single_root)
        if heads is None:
            assert not np.isfinite(every.scores[valid]).any()
            continue
        row = every.find(heads)
        assert row is not None
        assert valid[row]
        assert np.isfinite(every.scores[row])
    assert outcomes == {False, True}


@pytest.mark.parametrize("limits", CONSTRAINTS)
def test_a_planted_tree_makes_a_long_sentence_feasible(limits: tuple[int, bool, bool]) -> None:
    """No projective tree, far fewer valid ones than trees: the search has its first tree, and an honest bound."""
    block_degree, well_nested, single_root = limits
    rng = np.random.default_rng([9, *limits])
    sparse = 0
    for n, count in ((12, 2), (25, 2), (40, 1)):
        for _ in range(count):
            scores = sparse_matrix(rng, n, 1.5)
            planted = wild_tree(rng, n, limits)
            scores[np.arange(1, n + 1), planted[1:]] = rng.normal(size=n)
            sparse += oracle.projective_score(scores, single_root) == -np.inf
            solution = wnparse.decode(
                scores,
                block_degree=block_degree or None,
                well_nested=well_nested,
                single_root=single_root,
                max_nodes=20_000,
            )
            assert tree_oracles.is_tree(solution.heads)
            assert is_valid(solution.heads.tolist(), *limits)
            assert np.isfinite(solution.score)
            assert solution.upper_bound >= scores[np.arange(1, n + 1), planted[1:]].sum() - 1e-9
            assert solution.upper_bound >= solution.score
    assert sparse > 2


@pytest.mark.parametrize("single_root", [False, True])
def test_proves_that_a_long_sentence_has_no_tree(single_root: bool) -> None:
    """Two long chains that interleave word by word: everything hangs from them, whatever else there is."""
    n = 50
    scores = np.full((n + 1, n + 1), -np.inf)
    scores[[1, 2], 0] = 0.0
    scores[2, 1] = 0.0
    for m in range(3, n + 1):
        scores[m, [m - 2, max(1, m - 4)]] = 0.0
    with pytest.raises(wnparse.InfeasibleError, match="no trees of block degree at most 3"):
        wnparse.decode(scores, block_degree=3, single_root=single_root)
    with pytest.raises(wnparse.InfeasibleError, match="no trees of block degree at most 3"):
        wnparse.decode(scores, "lr", block_degree=3, single_root=single_root)


def test_the_charts_agree() -> None:
    testing = import_or_skip("testing")
    rng = np.random.default_rng(4)
    outcomes = set()
    for n in (4, 7, 10, 14):
        for single_root in (False, True):
            for _ in range(10):
                scores = np.full((n + 1, (n + 8) // 8 * 8), -np.inf)
                scores[1:, : n + 1] = sparse_matrix(rng, n, 2.5)[1:]
                scores[np.arange(n + 1), np.arange(n + 1)] = -np.inf
                best = testing.gap_chart(scores, single_root, False)
                heads = testing.gap_chart(scores, single_root, True)
                outcomes.add(heads is not None)
                assert (best is None) == (heads is None)
                if heads is not None:
                    assert is_valid(heads.tolist(), 2, True, single_root)
                    assert np.isfinite(scores[np.arange(1, n + 1), heads[1:]]).all()
    assert outcomes == {False, True}
