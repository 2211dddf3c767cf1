"""Prices of arborescences against all trees, and minimum cuts against all cuts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from support.tree_oracles import tabulate_trees
from wnparse._core.flows import Network
from wnparse.decoding.ilp.arborescence_duals import arborescence_duals


@pytest.mark.parametrize("family", ["normal", "tied", "sparse"])
def test_reduced_costs_bound_the_trees_with_an_arc(family: str) -> None:
    rng = np.random.default_rng([3, *family.encode()])
    seen = 0
    for n in (1, 2, 3, 4, 5):
        heads = tabulate_trees(n).heads
        words = np.arange(1, n + 1)
        for _ in range(20):
            scores = rng.normal(size=(n + 1, n + 1))
            if family == "tied":
                scores = np.round(scores)
            if family == "sparse":
                scores[rng.random(scores.shape) < 0.3] = -np.inf
            scores[0] = -np.inf
            np.fill_diagonal(scores, -np.inf)
            values = scores[words, heads[:, 1:]].sum(axis=1)
            if values.max() == -np.inf:
                continue
            duals = arborescence_duals(scores)
            assert duals.value == pytest.approx(values.max())
            assert (duals.reduced[1:] <= 1e-12).all()
            for m, h in itertools.product(words.tolist(), range(n + 1)):
                most = values[heads[:, m] == h].max(initial=-np.inf)
                assert most <= duals.value + duals.reduced[m, h] + 1e-9
            assert (duals.reduced[words, duals.heads[1:]] == 0.0).all()
            seen += len(duals.sets)
    assert seen > 20


def test_finds_minimum_cuts() -> None:
    rng = np.random.default_rng(2)
    cuts = 0
    for _ in range(200):
        nodes, edges = int(rng.integers(2, 7)), int(rng.integers(0, 12))
        tails, heads = (rng.integers(0, nodes, edges).astype(np.int32) for _ in range(2))
        capacities = rng.integers(0, 4, edges) / 4.0
        sides = np.array(list(itertools.product([False, True], repeat=nodes)))
        sides = sides[sides[:, 0] & ~sides[:, 1]]
        worth = [float(capacities[side[tails] & ~side[heads]].sum()) for side in sides]
        side = Network(nodes, tails, heads, capacities).cut([0], [1], 1.0)
        assert (side is None) == (min(worth) >= 1.0)
        if side is not None:
            assert side[0] and not side[1]
            assert capacities[side[tails] & ~side[heads]].sum() == pytest.approx(min(worth))
            cuts += 1
    assert 20 < cuts < 190


def test_refuses_bad_networks() -> None:
    none, one = np.empty(0, np.int32), np.array([3], np.int32)
    with pytest.raises(ValueError, match="edge 0"):
        Network(2, one, one, np.ones(1))
    with pytest.raises(ValueError, match="edges"):
        Network(2, one, none, np.ones(1))
    with pytest.raises(ValueError, match="node 2"):
        Network(2, none, none, np.empty(0)).cut([0], [2], 1.0)
    assert Network(2, none, none, np.empty(0)).cut([0], [0], 1.0) is None
