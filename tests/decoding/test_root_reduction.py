"""Problem reduction at the root fixes only arcs to zero that no better tree needs."""

from __future__ import annotations

import numpy as np
import pytest

import wnparse
from support.core_modules import import_or_skip
from support.tree_oracles import tabulate_trees
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.options import DecodeOptions

reduce_root = import_or_skip("laboratory").reduce_root


@pytest.mark.parametrize("variant", [None, "corro2016"])
def test_the_arcs_of_every_better_tree_stay_open(variant: str | None) -> None:
    rng = np.random.default_rng(3)
    n, constraint = 5, {"block_degree": 2, "well_nested": True}
    # Two iterations: the root stays open often.
    settings = DecodeOptions(
        decoder="bnb", constraints=Constraints(2, True), max_iterations=2, max_nodes=1, variant=variant
    ).settings
    trees = tabulate_trees(n)
    valid = trees.heads[trees.valid(2, True, False)]
    opened = removed = checked = 0
    for _ in range(4000):
        scores = rng.normal(size=(n + 1, n + 1)).round(2)
        left = reduce_root(scores, settings)
        if left is None:
            heads = wnparse.decode(scores, "msa").heads
            assert wnparse.block_degree(heads) <= 2
            assert wnparse.is_well_nested(heads)
            continue
        totals = scores[np.arange(1, n + 1), valid[:, 1:]].sum(axis=1)
        if not left.any():
            continue
        opened += 1
        removed += n * n - int(left.sum())
        assert not left[0].any()
        assert not left.diagonal().any()
        # A search of one node more holds a tree that is at least as good as the root's.
        incumbent = wnparse.decode(
            scores, "bnb", **constraint, variant=variant, max_iterations=2, max_nodes=1
        ).score
        for tree in valid[totals > incumbent + 1e-9]:
            assert left[np.arange(1, n + 1), tree[1:]].all()
            checked += 1
    assert opened > 5
    assert removed > opened
    assert checked


def test_an_optimal_root_leaves_no_arcs_open() -> None:
    rng = np.random.default_rng(1)
    settings = DecodeOptions(decoder="bnb", constraints=Constraints(2, True)).settings
    for _ in range(300):
        scores = rng.normal(size=(8, 8)).astype(np.float32)
        left = reduce_root(scores, settings)
        solution = wnparse.decode(scores, block_degree=2, well_nested=True)
        if left is not None and not left.any():
            assert (solution.certified, solution.nodes) == (True, 1)


def test_checks_scores() -> None:
    settings = DecodeOptions(decoder="bnb", constraints=Constraints(2, True)).settings
    with pytest.raises(ValueError, match="nan"):
        reduce_root(np.full((3, 3), np.nan), settings)
