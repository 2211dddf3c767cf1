"""The gap chart finds the best well-nested tree of block degree 2, by enumeration."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pytest

from support.tree_oracles import all_trees, block_degrees, interleaving_pairs
from wnparse._core import testing

Scores = npt.NDArray[np.float64]


@lru_cache
def valid_trees(n: int, single_root: bool) -> npt.NDArray[np.int64]:
    return np.array(
        [
            heads[1:]
            for heads in all_trees(n)
            if max(block_degrees(heads)[1:]) <= 2
            and not interleaving_pairs(heads)
            and (not single_root or heads.count(0) == 1)
        ]
    )


def random_scores(rng: np.random.Generator, n: int, kind: str) -> Scores:
    """(n + 1, multiple of 8): row 0, the diagonal and the padding are -inf."""
    scores = np.full((n + 1, (n + 8) // 8 * 8), -np.inf)
    drawn = rng.normal(size=(n, n + 1))
    if kind == "ties":
        drawn = np.round(drawn)
    if kind == "sparse":
        drawn[rng.random(drawn.shape) < 0.5] = -np.inf
    scores[1:, : n + 1] = drawn
    scores[np.arange(n + 1), np.arange(n + 1)] = -np.inf
    return scores


@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("kind", ["gaussian", "ties", "sparse"])
@pytest.mark.parametrize("n", [1, 3, 5, 6])
def test_chart_finds_the_best_tree(n: int, kind: str, single_root: bool) -> None:
    rng = np.random.default_rng(n)
    trees = valid_trees(n, single_root)
    for _ in range(40):
        scores = random_scores(rng, n, kind)
        best = scores[np.arange(1, n + 1), trees].sum(axis=1).max()
        heads = testing.gap_chart(scores, single_root, False)
        if best == -np.inf:
            assert heads is None
            continue
        assert heads is not None
        assert heads[0] == -1
        assert (trees == heads[1:]).all(axis=1).any()
        assert scores[np.arange(1, n + 1), heads[1:]].sum() == pytest.approx(best)
