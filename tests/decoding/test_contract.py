"""The decoder contract, one test body for all, against every tree of up to 6 words.

The tree satisfies the constraints; the score is the tree's score; score <= optimum <= upper bound; if certified,
score = optimum. Scores are compared, not trees: ties are real.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wnparse
from support import decoding_oracles as oracle
from support import strategies
from support.decoding_cases import CONSTRAINTS, PROMISES, SEARCHING, able, matrices, tolerance_of
from wnparse.decoding.options import VARIANTS
from wnparse.decoding.registry import DECODERS

FloatArray = strategies.FloatArray


def must_find(every: oracle.Enumeration, decoder: str, limits: dict[str, Any]) -> bool:
    """Return whether the decoder must find a tree; projective decoders need a projective one."""
    promise = PROMISES[decoder]
    if promise.projective or (promise.falls_back and every.best(**limits) > -np.inf):
        return every.best(1, False, limits["single_root"]) > -np.inf
    return every.best(**limits) > -np.inf


def check_contract(
    scores: FloatArray, every: oracle.Enumeration, decoder: str, limits: dict[str, Any], **options: Any
) -> None:
    try:
        solution = wnparse.decode(scores, decoder, **limits, **options)
    except wnparse.InfeasibleError:
        assert not must_find(every, decoder, limits)
        return
    tolerance = tolerance_of(scores)
    optimum = every.best(**limits)
    assert solution.heads.dtype == np.int32
    row = every.find(solution.heads)
    assert row is not None
    assert every.trees.valid(**limits)[row]
    assert np.isfinite(solution.score)
    assert solution.score == pytest.approx(every.scores[row], rel=1e-14, abs=1e-14)
    assert solution.score <= optimum + tolerance
    assert solution.upper_bound >= solution.score
    assert solution.upper_bound >= optimum - tolerance
    if solution.certified:
        assert solution.score >= optimum - tolerance
    check_promises(every, decoder, limits, solution, tolerance)


def check_promises(
    every: oracle.Enumeration, decoder: str, limits: dict[str, Any], solution: wnparse.Solution, tolerance: float
) -> None:
    promise = PROMISES[decoder]
    projective = every.best(1, False, limits["single_root"])
    if promise.exact:
        assert solution.certified
    if promise.projective:
        assert abs(solution.score - projective) <= tolerance
        assert solution.certified == (limits["block_degree"] == 1)
    if promise.falls_back:
        assert abs(solution.upper_bound - every.best(None, False, limits["single_root"])) <= tolerance
        assert solution.certified or abs(solution.score - projective) <= tolerance


def check_all_constraints(scores: FloatArray, decoder: str, **options: Any) -> None:
    every = oracle.Enumeration(scores)
    for limits in CONSTRAINTS:
        if able(decoder, limits):
            check_contract(scores, every, decoder, limits, **options)


def test_the_contract_of_every_decoder_is_known() -> None:
    assert PROMISES.keys() == DECODERS.keys()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("family", strategies.FAMILIES)
@pytest.mark.parametrize("decoder", DECODERS)
def test_every_decoder_meets_its_contract(decoder: str, family: str, dtype: type) -> None:
    for n, count in ((0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 12)):
        for scores in matrices(family, n, dtype, count):
            check_all_constraints(scores, decoder)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("family", strategies.FAMILIES)
@pytest.mark.parametrize("decoder", DECODERS)
def test_every_decoder_meets_its_contract_on_six_words(decoder: str, family: str, dtype: type) -> None:
    for scores in matrices(family, 6, dtype, 8):
        check_all_constraints(scores, decoder)


@pytest.mark.parametrize("variant", list(filter(None, VARIANTS)))
@pytest.mark.parametrize("decoder", SEARCHING)
def test_every_variant_meets_its_contract(decoder: str, variant: str) -> None:
    for family in strategies.FAMILIES:
        for scores in matrices(family, 5, np.float64, 10):
            check_all_constraints(scores, decoder, variant=variant)


@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("decoder", SEARCHING)
def test_limits_leave_a_valid_bound(decoder: str, limit: int) -> None:
    for family in ("gaussian", "sparse"):
        for scores in matrices(family, 5, np.float64, 10):
            check_all_constraints(scores, decoder, max_iterations=limit, variant="no-local-search")


@pytest.mark.parametrize("decoder", DECODERS)
@settings(max_examples=150, deadline=None)
@given(scores=strategies.score_matrices(), limits=strategies.constraints, data=st.data())
def test_every_decoder_meets_its_contract_on_random_matrices(
    decoder: str, scores: FloatArray, limits: dict[str, Any], data: st.DataObject
) -> None:
    if not able(decoder, limits):
        limits = {**limits, "block_degree": None, "well_nested": False}
    seed = data.draw(st.integers(0, 100))
    strategies.spoil_ignored(scores, np.random.default_rng(seed))
    check_contract(scores, oracle.Enumeration(scores), decoder, limits)
