"""Decoders against each other and against other programs, where trees are too many to list."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from ufal.chu_liu_edmonds import chu_liu_edmonds

import wnparse
from bench.score_matrices import padded_batch
from support import decoding_oracles as oracle
from support import strategies
from support.decoding_cases import honoured
from support.tree_oracles import is_tree, structure
from wnparse.decoding.options import VARIANTS
from wnparse.decoding.registry import DECODERS

FloatArray = strategies.FloatArray
LENGTHS = (7, 12, 20, 30, 40)
NESTED: dict[str, Any] = {"block_degree": 2, "well_nested": True}


def matrices(kind: str, n: int, count: int) -> list[FloatArray]:
    return [scores.astype(np.float64) for scores in padded_batch(kind, n, count, seed=9)]


def networkx_score(scores: FloatArray) -> float:
    n = len(scores) - 1
    arcs = [(h, m, scores[m, h]) for m in range(1, n + 1) for h in range(n + 1) if h != m]
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(arcs)
    tree = nx.maximum_spanning_arborescence(graph)
    return sum(scores[m, h] for h, m in tree.edges)


@pytest.mark.parametrize("kind", ["gaussian", "hard"])
def test_msa_equals_networkx(kind: str) -> None:
    for n in (7, 12, 20):
        for scores in matrices(kind, n, 4):
            assert wnparse.decode(scores, "msa").score == pytest.approx(networkx_score(scores))


@pytest.mark.parametrize("kind", ["gaussian", "moderate", "hard"])
def test_msa_equals_ufal(kind: str) -> None:
    for n in (*LENGTHS, 100):
        for scores in matrices(kind, n, 20):
            heads, score = chu_liu_edmonds(scores)
            solution = wnparse.decode(scores, "msa")
            assert solution.score == pytest.approx(score)
            assert solution.heads[1:].tolist() == heads[1:]  # no two trees tie in these


@pytest.mark.parametrize("kind", ["gaussian", "hard"])
def test_single_root_is_the_best_of_all_single_roots(kind: str) -> None:
    for n in (7, 12, 20):
        for scores in matrices(kind, n, 10):
            best = -np.inf
            for root in range(1, n + 1):
                only = scores.copy()
                only[1:, 0] = -np.inf
                only[root, 0] = scores[root, 0]
                best = max(best, wnparse.decode(only, "msa").score)
            assert wnparse.decode(scores, "msa", single_root=True).score == pytest.approx(best)


@pytest.mark.parametrize("kind", ["moderate", "hard"])
@pytest.mark.parametrize("single_root", [False, True])
def test_certified_relaxation_is_the_optimum(kind: str, single_root: bool) -> None:
    for n in LENGTHS:
        batch = matrices(kind, n, 30)
        for block_degree, well_nested in ((2, True), (2, False), (3, True), (None, True)):
            limits: dict[str, Any] = {"block_degree": block_degree, "well_nested": well_nested}
            relaxed = wnparse.decode_batch(batch, decoder="lr", single_root=single_root, **limits)
            exact = wnparse.decode_batch(batch, decoder="bnb", single_root=single_root, **limits)
            assert exact.certified.all()
            assert relaxed.score[relaxed.certified] == pytest.approx(exact.score[relaxed.certified])
            assert (relaxed.score <= exact.score + 1e-9).all()
            assert (relaxed.upper_bound >= exact.score - 1e-9).all()


def test_variants_agree_on_the_optimum() -> None:
    batch = matrices("hard", 20, 60)
    expected = wnparse.decode_batch(batch, **NESTED)
    for variant in filter(None, VARIANTS):
        solutions = wnparse.decode_batch(batch, **NESTED, variant=variant)
        assert solutions.score[solutions.certified] == pytest.approx(expected.score[solutions.certified])
        assert (solutions.upper_bound >= expected.score - 1e-9).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_fall_as_constraints_tighten(dtype: type) -> None:
    chains = [
        [{"block_degree": degree, "well_nested": nested} for degree in (None, 4, 3, 2, 1)]
        for nested in (False, True)
    ]
    for n, single_root in product((10, 25, 40), (False, True)):
        batch = [scores.astype(dtype) for scores in matrices("hard", n, 20)]
        for chain in chains:
            scores = [wnparse.decode_batch(batch, single_root=single_root, **limits).score for limits in chain]
            for looser, tighter in pairwise(scores):
                assert (tighter <= looser + 1e-5).all()
        for degree in (None, 3, 2):
            free = wnparse.decode_batch(batch, block_degree=degree, single_root=single_root).score
            nested = wnparse.decode_batch(
                batch, block_degree=degree, single_root=single_root, well_nested=True
            ).score
            single = wnparse.decode_batch(batch, block_degree=degree, single_root=True).score
            assert (nested <= free + 1e-5).all()
            assert (single <= free + 1e-5).all()


@pytest.mark.parametrize("decoder", DECODERS)
def test_a_constant_on_a_row_moves_the_optimum_by_it(decoder: str) -> None:
    limits = honoured(decoder, NESTED)
    rng = np.random.default_rng(4)
    for n in (6, 15, 30):
        for scores in matrices("moderate", n, 10):
            shift = rng.normal(size=(n + 1, 1)) * rng.choice([0.1, 100.0])
            before = wnparse.decode(scores, decoder, **limits)
            after = wnparse.decode(scores + shift, decoder, **limits)
            assert after.certified == before.certified
            assert after.score - shift[1:].sum() == pytest.approx(before.score, abs=1e-9)


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("n", [63, 64, 127, 128, 150, 256, 300])
def test_long_sentences_get_valid_trees(decoder: str, n: int) -> None:
    """The lengths at which bit sets grow by a machine word, and their neighbours."""
    scores = padded_batch("moderate", n, 1, seed=3)[0]
    for single_root in (False, True):
        options: dict[str, Any] = {"single_root": single_root}
        if DECODERS[decoder].structural:
            options |= {**NESTED, "max_iterations": 20, "max_nodes": 2}
        solution = wnparse.decode(scores, decoder, **options)
        assert is_tree(solution.heads)
        degree, nested, roots = structure(solution.heads)
        assert not DECODERS[decoder].structural or (degree <= 2 and nested)
        assert roots == 1 or not single_root
        words = np.arange(1, n + 1)
        assert solution.score == pytest.approx(scores.astype(np.float64)[words, solution.heads[1:]].sum())
        assert solution.upper_bound >= solution.score


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("single_root", [False, True])
def test_eisner_equals_its_slow_reference(dtype: type, single_root: bool) -> None:
    """Lengths around the width of a vector and its multiples; with forbidden arcs there may be no tree."""
    rng = np.random.default_rng(6)
    for n in (6, 7, 8, 9, 15, 16, 17, 24, 33, 40):
        for family in ("gaussian", "integer", "sparse", "offset"):
            scores = strategies.FAMILIES[family](rng, n).astype(dtype)
            expected = oracle.projective_score(scores.astype(np.float64), single_root)
            try:
                score = wnparse.decode(scores, "eisner", single_root=single_root).score
            except wnparse.InfeasibleError:
                score = -np.inf
            scale = 0.001 if family == "offset" else 1.0
            assert score == pytest.approx(expected, rel=0, abs=1e-5 * scale if dtype == np.float32 else 1e-9)


def test_eisner_is_the_best_projective_tree_of_other_decoders() -> None:
    """Trees of block degree 2 that happen to be projective cannot beat Eisner's."""
    for n in LENGTHS:
        for scores in matrices("hard", n, 20):
            projective = wnparse.decode(scores, "eisner").score
            best = wnparse.decode(scores, "bnb", **NESTED)
            if structure(best.heads)[0] == 1:
                assert best.score == pytest.approx(projective)
            else:
                assert best.score >= projective - 1e-9
