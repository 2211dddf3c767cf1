"""The gap chart finds the best well-nested tree of block degree 2, by enumeration."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from support.core_modules import import_or_skip
from support.tree_oracles import tabulate_trees

testing = import_or_skip("testing")

Scores = npt.NDArray[np.float64]


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
    every = tabulate_trees(n)
    trees = every.heads[every.valid(2, True, single_root)][:, 1:]
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
