"""The k best trees against all trees of up to 5 words: how many, which scores, distinct, valid, certified.

Scores are compared as multisets, not trees: ties are real.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wnparse
from bench.score_matrices import padded_batch
from support import decoding_oracles as oracle
from support import strategies
from support.decoding_cases import CONSTRAINTS, PROMISES, RANKING, able, honoured, matrices, tolerance_of
from support.tree_oracles import tabulate_trees
from wnparse.decoding.registry import DECODERS

EVERY = 2000  # more trees than 5 words have
FloatArray = strategies.FloatArray


def best_scores(every: oracle.Enumeration, decoder: str, limits: dict[str, Any]) -> FloatArray:
    """The scores of all trees that the decoder ranks, falling."""
    bound = 1 if PROMISES[decoder].projective else limits["block_degree"]
    valid_scores = every.scores[every.trees.valid(bound, limits["well_nested"], limits["single_root"])]
    return np.sort(valid_scores[valid_scores > -np.inf])[::-1]


def check_ranking(
    scores: FloatArray, every: oracle.Enumeration, decoder: str, limits: dict[str, Any], k: int, **options: Any
) -> None:
    expected = best_scores(every, decoder, limits)[:k]
    if not expected.size:
        with pytest.raises(wnparse.InfeasibleError):
            wnparse.decode(scores, decoder, k=k, **limits, **options)
        return
    ranked = wnparse.decode(scores, decoder, k=k, **limits, **options)
    rows = [every.find(tree.heads) for tree in ranked]
    scores_of_trees = np.array([tree.score for tree in ranked])
    assert len(scores_of_trees) == len(expected)
    assert None not in rows and len(set(rows)) == len(rows)
    assert every.trees.valid(**limits)[rows].all()
    assert (np.diff(scores_of_trees) <= 0).all()
    np.testing.assert_allclose(scores_of_trees, every.scores[rows], rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(scores_of_trees, expected, rtol=1e-14, atol=tolerance_of(scores))
    exact = PROMISES[decoder].exact or limits["block_degree"] == 1
    assert all(tree.certified == exact and tree.upper_bound >= tree.score for tree in ranked)


def check_all_constraints(scores: FloatArray, decoder: str, ks: tuple[int, ...], **options: Any) -> None:
    every = oracle.Enumeration(scores)
    for limits in CONSTRAINTS:
        if able(decoder, limits):
            for k in ks:
                check_ranking(scores, every, decoder, limits, k, **options)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("family", strategies.FAMILIES)
@pytest.mark.parametrize("decoder", RANKING)
def test_ranks_trees_of_small_matrices(decoder: str, family: str, dtype: type) -> None:
    for n, count in ((0, 1), (1, 1), (2, 3), (3, 6), (4, 8)):
        for scores in matrices(family, n, dtype, count):
            check_all_constraints(scores, decoder, (1, 2, 3, 10, EVERY))


@pytest.mark.parametrize("family", strategies.FAMILIES)
@pytest.mark.parametrize("decoder", RANKING)
def test_ranks_all_trees_of_five_words(decoder: str, family: str) -> None:
    for scores in matrices(family, 5, np.float64, 3):
        check_all_constraints(scores, decoder, (40, EVERY))


@pytest.mark.slow
@pytest.mark.parametrize("family", strategies.FAMILIES)
@pytest.mark.parametrize("decoder", RANKING)
def test_ranks_the_first_trees_of_six_words(decoder: str, family: str) -> None:
    for scores in matrices(family, 6, np.float64, 3):
        check_all_constraints(scores, decoder, (300,))


def test_ties_give_no_tree_twice() -> None:
    """A set of trees solved again with one arc forced may yield another best tree than the one already out."""
    tied = [
        [0, 0, 0, 0, 0, 0, 0],
        [2, 0, 1, 0, 2, -2, 0],
        [-1, 2, 0, -1, 2, 2, 2],
        [-2, 0, 2, 0, 0, 1, 0],
        [2, 2, 0, -2, 0, -2, 0],
        [0, -2, 1, -1, 1, 0, 2],
        [1, 0, 1, 1, -1, 2, 0],
    ]
    for scores in (np.array(tied, np.float64), *matrices("integer", 6, np.float64, 60)):
        every = oracle.Enumeration(scores)
        for single_root in (False, True):
            limits = {"block_degree": None, "well_nested": False, "single_root": single_root}
            check_ranking(scores, every, "msa", limits, 151)


def test_ties_of_parts_do_not_delay_the_ranking() -> None:
    parts = wnparse.Parts(siblings=(np.array([[1, 2, 3], [4, 5, 6]], np.int32), np.array([0.0, -1.0])))
    ranking = wnparse.decode(np.zeros((15, 15)), k=30, parts=parts, block_degree=2, well_nested=True)
    assert [tree.score for tree in ranking] == [0.0] * 30
    assert len({tuple(tree.heads.tolist()) for tree in ranking}) == 30
    assert all(tree.certified for tree in ranking)


def test_smaller_k_gives_a_prefix() -> None:
    scores = strategies.gaussian(np.random.default_rng(3), 3)
    for decoder in RANKING:
        ranked = wnparse.decode(scores, decoder, k=EVERY)
        bound = 1 if PROMISES[decoder].projective else None
        assert len(ranked) == tabulate_trees(3).valid(bound, False, False).sum()
        for k in range(1, len(ranked) + 1):
            prefix = wnparse.decode(scores, decoder, k=k)
            assert [tree.heads.tolist() for tree in prefix] == [tree.heads.tolist() for tree in ranked[:k]]


@pytest.mark.parametrize("decoder", RANKING)
@settings(max_examples=150, deadline=None)
@given(data=st.data(), scores=strategies.score_matrices(), limits=strategies.constraints, k=st.integers(1, 60))
def test_ranks_trees_of_random_matrices(
    decoder: str, data: st.DataObject, scores: FloatArray, limits: dict[str, Any], k: int
) -> None:
    if not able(decoder, limits):
        limits = {**limits, "block_degree": None, "well_nested": False}
    strategies.spoil_ignored(scores, np.random.default_rng(data.draw(st.integers(0, 9))))
    check_ranking(scores, oracle.Enumeration(scores), decoder, limits, k)


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_first_tree_is_the_decoded_one(decoder: str) -> None:
    limits = honoured(decoder, {"block_degree": 2, "single_root": True})
    for scores in padded_batch("hard", 12, 10):
        if not DECODERS[decoder].ranks:
            with pytest.raises(ValueError, match=re.escape(f"expected one of {', '.join(RANKING)}")):
                wnparse.decode(scores, decoder, k=2, **limits)
            continue
        best = wnparse.decode(scores, decoder, **limits)
        (alone,) = wnparse.decode(scores, decoder, k=1, **limits)
        assert alone.heads.tolist() == best.heads.tolist() and alone.score == best.score
        assert alone.upper_bound == best.upper_bound and alone.certified == best.certified
        first = wnparse.decode(scores, decoder, k=4, **limits)[0]
        assert first.score == pytest.approx(best.score, abs=1e-5)


@pytest.mark.parametrize("k", [0, -1, True, 1.5, "2", 2**31])
def test_refuses_wrong_k(k: Any) -> None:
    with pytest.raises(ValueError, match=r"k=.*: expected an integer"):
        wnparse.decode(np.zeros((3, 3)), k=k)


def test_decoders_agree_on_long_sentences() -> None:
    """Ranking by partition with the constraints that forbid nothing, or leave projective trees alone."""
    for kind in ("moderate", "hard"):
        for scores in padded_batch(kind, 40, 4).astype(np.float64):
            for single_root in (False, True):
                free = wnparse.decode(scores, "msa", k=30, single_root=single_root)
                bound = wnparse.decode(scores, "bnb", k=30, block_degree=40, single_root=single_root)
                np.testing.assert_allclose([t.score for t in free], [t.score for t in bound], atol=1e-9)
                projective = wnparse.decode(scores, "eisner", k=10, single_root=single_root)
                nested = wnparse.decode(scores, "bnb", k=10, block_degree=1, single_root=single_root)
                assert [t.score for t in projective] == [t.score for t in nested]
                assert all(wnparse.is_projective(t.heads) for t in projective)


def test_constrained_trees_are_those_of_the_unconstrained_ranking() -> None:
    """Filtering a long ranking of all trees leaves the valid ones in order."""
    checked = 0
    for scores in padded_batch("hard", 20, 15).astype(np.float64):
        free = wnparse.decode(scores, "msa", k=400, single_root=True)
        valid = [t.score for t in free if wnparse.block_degree(t.heads) <= 2 and wnparse.is_well_nested(t.heads)]
        if valid:
            ranked = wnparse.decode(scores, k=len(valid), block_degree=2, well_nested=True, single_root=True)
            np.testing.assert_allclose([t.score for t in ranked], valid, atol=1e-9)
            assert all(t.certified for t in ranked)
            checked += len(valid)
    assert checked > 100


def test_subproblems_without_good_trees_do_not_delay_the_ranking() -> None:
    """The parts of some sentences are invalid all over; without a cutoff the proof of that takes minutes."""
    for scores in padded_batch("hard", 20, 20):
        ranked = wnparse.decode(scores, k=60, block_degree=2)
        assert len({tuple(tree.heads.tolist()) for tree in ranked}) == 60
        assert all(tree.certified for tree in ranked)
        assert max(tree.nodes for tree in ranked) < 5000


def test_a_limit_leaves_valid_bounds() -> None:
    """Whatever the limit, the bound of a rank holds, and a certificate means that the rank is right."""
    open_ranks = 0
    for scores in matrices("gaussian", 5, np.float64, 40) + matrices("sparse", 5, np.float64, 40):
        every = oracle.Enumeration(scores)
        limits = {"block_degree": 2, "well_nested": True, "single_root": True}
        expected = best_scores(every, "bnb", limits)[:12]
        if not expected.size:
            continue
        limited: dict[str, Any] = {"max_iterations": 1, "max_nodes": 1, "variant": "no-local-search"}
        ranked = wnparse.decode(scores, k=12, **limits, **limited)
        assert len(ranked) == len(expected)
        for tree, score in zip(ranked, expected, strict=True):
            assert tree.score <= score + 1e-9 and tree.upper_bound >= score - 1e-9
            assert not tree.certified or abs(tree.score - score) <= 1e-9
            open_ranks += not tree.certified
    assert open_ranks > 0


def test_masks_are_finite_arcs() -> None:
    lowest = np.finfo(np.float32).min
    scores = np.full((4, 4), lowest, np.float32)
    scores[1:, 0] = 1
    for decoder in RANKING:
        ranked = wnparse.decode(scores, decoder, k=EVERY)
        assert ranked[0].heads.tolist() == [-1, 0, 0, 0]
        assert len({tuple(tree.heads.tolist()) for tree in ranked}) == len(ranked) > 10
