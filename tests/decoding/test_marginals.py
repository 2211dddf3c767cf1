"""Arc marginals against enumeration and long decimals, scores that cancel, underflow and forbid."""

from __future__ import annotations

import doctest
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wnparse
from bench.score_matrices import padded_batch
from support import marginal_oracles as oracle
from support import strategies
from wnparse.decoding import marginals

FloatArray = strategies.FloatArray
MODES = [{"single_root": single, "projective": only} for single, only in product((False, True), (False, True))]


def mutual(rng: np.random.Generator, n: int) -> FloatArray:
    """Pairs of words that want each other by far more than the root."""
    scores = rng.normal(size=(n + 1, n + 1))
    for first in range(1, n, 2):
        scores[first, first + 1] = scores[first + 1, first] = rng.choice([40, 300, 1000])
    return scores


def steep(rng: np.random.Generator, n: int) -> FloatArray:
    return rng.choice([30, 300, 1000]) * rng.normal(size=(n + 1, n + 1))


def steps(rng: np.random.Generator, n: int) -> FloatArray:
    """A few magnitudes, so that trees which differ by thousands tie."""
    return rng.choice([-1000.0, -40, 0, 40, 1000], size=(n + 1, n + 1)) + 0.1 * rng.normal(size=(n + 1, n + 1))


def steep_and_sparse(rng: np.random.Generator, n: int) -> FloatArray:
    scores = steps(rng, n)
    scores[rng.random(scores.shape) < rng.uniform(0, 0.6)] = -np.inf
    return scores


FAMILIES = {
    **strategies.FAMILIES,
    "mutual": mutual,
    "steep": steep,
    "steps": steps,
    "steep_and_sparse": steep_and_sparse,
}


def check(scores: FloatArray, mode: dict[str, bool]) -> None:
    expected = oracle.enumerate_marginals(scores, **mode)
    if expected is None:
        for function in (wnparse.marginals, wnparse.log_partition):
            with pytest.raises(wnparse.InfeasibleError, match="allow no"):
                function(scores, **mode)
        return
    probabilities = wnparse.marginals(scores, **mode)
    assert probabilities.dtype == np.float64 and (probabilities >= 0).all()
    np.testing.assert_allclose(probabilities, expected[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(probabilities[1:].sum(axis=1), 1, rtol=0, atol=1e-12)
    assert not probabilities[0].any() and not probabilities.diagonal().any()
    assert wnparse.log_partition(scores, **mode) == pytest.approx(expected[1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_enumeration_on_small_sentences(family: str, dtype: type) -> None:
    rng = np.random.default_rng([*family.encode()])
    for n, count in ((0, 1), (1, 2), (2, 10), (3, 20), (4, 20), (5, 20)):
        for _ in range(count):
            scores = strategies.spoil_ignored(FAMILIES[family](rng, n).astype(dtype), rng)
            for mode in MODES:
                check(scores, mode)


@settings(max_examples=300, deadline=None)
@given(scores=strategies.score_matrices(), mode=st.sampled_from(MODES), factor=st.sampled_from([1, 10, 100]))
def test_agrees_with_enumeration_on_random_matrices(
    scores: FloatArray, mode: dict[str, bool], factor: int
) -> None:
    check(scores * scores.dtype.type(factor), mode)


@pytest.mark.slow
@pytest.mark.parametrize("single_root", [False, True])
@pytest.mark.parametrize("family", ["gaussian", "mutual", "steep", "steps", "offset"])
def test_agrees_with_long_decimals(family: str, single_root: bool) -> None:
    """Small probabilities are as precise as large ones: the error is relative."""
    rng = np.random.default_rng([*family.encode(), single_root])
    scores = FAMILIES[family](rng, 9)
    # What 1,000 digits can hold apart, and the oracle's limit of small root weights.
    scores = np.clip(scores, -60, 60) if family in ("steps", "steep") or single_root else scores
    expected = oracle.exact_marginals(scores, single_root)
    probabilities = wnparse.marginals(scores, single_root=single_root)
    np.testing.assert_allclose(probabilities, expected, rtol=1e-11, atol=1e-200)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("scale", [1, 30, 1000])
def test_handles_long_sentences(scale: int, mode: dict[str, bool]) -> None:
    """300 words: rows sum to 1, and the likeliest tree's arcs are certain where scores are far apart."""
    n = 60 if scale == 1000 and mode["projective"] else 300
    scores = scale * np.random.default_rng(scale).normal(size=(n + 1, n + 1)).astype(np.float32)
    probabilities = wnparse.marginals(scores, **mode)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities[1:].sum(axis=1), 1, rtol=0, atol=1e-12)
    # A tree's arcs into 0 are as many as its roots.
    assert (
        probabilities[:, 0].sum() == pytest.approx(1, abs=1e-9)
        if mode["single_root"]
        else probabilities[:, 0].sum() >= 1
    )
    best = wnparse.decode(scores, "eisner" if mode["projective"] else "msa", single_root=mode["single_root"])
    likely = probabilities[np.arange(1, n + 1), best.heads[1:]]
    assert (likely > 0).all()
    if scale == 1000:
        assert (likely > 0.999).mean() > 0.9
    assert best.score <= wnparse.log_partition(scores, **mode) + 1e-6 * scale * n


def test_doubles_and_scaled_numbers_agree() -> None:
    """An arc that is next to impossible, and no more than that, sends a sentence down the other path."""
    for scores in padded_batch("hard", 25, 5).astype(np.float64):
        slow = scores.copy()
        slow[3, 4] = -2000
        fast = scores.copy()
        fast[3, 4] = -250
        for mode in MODES:
            np.testing.assert_allclose(
                wnparse.marginals(fast, **mode), wnparse.marginals(slow, **mode), rtol=1e-11, atol=1e-100
            )


def test_a_constant_on_a_row_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(20, 20))
    moved = scores + rng.integers(-512, 512, size=(20, 1))
    for mode in MODES:
        np.testing.assert_allclose(
            wnparse.marginals(scores, **mode), wnparse.marginals(moved, **mode), rtol=1e-9, atol=1e-15
        )
        distance = wnparse.log_partition(moved, **mode) - wnparse.log_partition(scores, **mode)
        assert distance == pytest.approx((moved - scores)[1:, 0].sum(), abs=1e-9)


def test_marginals_are_the_gradient_of_the_log_partition() -> None:
    scores = np.random.default_rng(6).normal(size=(9, 9))
    for mode in MODES:
        probabilities = wnparse.marginals(scores, **mode)
        for m, h in ((1, 0), (3, 8), (8, 3), (5, 4)):
            step = np.zeros_like(scores)
            step[m, h] = 1e-5
            rise = wnparse.log_partition(scores + step, **mode) - wnparse.log_partition(scores - step, **mode)
            assert rise / 2e-5 == pytest.approx(probabilities[m, h], abs=1e-8)


def test_accepts_masked_arcs() -> None:
    """The lowest float is a forbidden arc if a tree does not need it, and an ordinary arc if it does."""
    scores = np.full((3, 3), np.finfo(np.float32).min, np.float32)
    scores[1, 2] = scores[2, 1] = 5
    for mode in MODES:
        np.testing.assert_allclose(wnparse.marginals(scores, **mode)[1:, 0], [0.5, 0.5])
    scores[1, 0] = 3
    for mode in MODES:
        np.testing.assert_allclose(wnparse.marginals(scores, **mode)[1:], [[1, 0, 0], [0, 1, 0]])


def test_handles_single_roots_with_forbidden_arcs() -> None:
    """Word 2 governs the others and none governs it: it must be the root, though 0 scores it low."""
    scores = np.full((4, 4), -np.inf)
    scores[1:, 0] = [5, -5, 5]
    scores[1, 2] = scores[3, 2] = scores[3, 1] = 0
    np.testing.assert_allclose(
        wnparse.marginals(scores, single_root=True)[1:], [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0.5, 0.5, 0]]
    )
    scores[1, 2] = -np.inf
    for projective in (False, True):
        with pytest.raises(wnparse.InfeasibleError, match="with a single root"):
            wnparse.marginals(scores, single_root=True, projective=projective)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_batches(dtype: type, mode: dict[str, bool]) -> None:
    rng = np.random.default_rng(9)
    padded = rng.normal(size=(40, 13, 13)).astype(dtype)
    lengths = rng.integers(0, 13, size=40)
    alone = [wnparse.marginals(padded[i, : n + 1, : n + 1], **mode) for i, n in enumerate(lengths)]
    for i, n in enumerate(lengths):
        padded[i, n + 1 :] = np.nan
        padded[i, :, n + 1 :] = np.nan
    for threads in (1, 3):
        probabilities = wnparse.marginals_batch(padded, lengths, threads=threads, **mode)
        logarithms = wnparse.log_partition_batch(padded, lengths, threads=threads, **mode)
        mask = np.arange(padded.shape[1]) <= np.array(lengths)[:, None]
        assert np.array_equal(wnparse.marginals_batch(padded, mask=mask, **mode), probabilities)
        assert np.array_equal(wnparse.log_partition_batch(padded, mask=mask, **mode), logarithms)
        for i, n in enumerate(lengths):
            assert logarithms[i] == wnparse.log_partition(padded[i, : n + 1, : n + 1], **mode)
        assert probabilities.shape == padded.shape and probabilities.dtype == np.float64
        for i, n in enumerate(lengths):
            assert (probabilities[i, : n + 1, : n + 1] == alone[i]).all()
            assert not probabilities[i, n + 1 :].any() and not probabilities[i, :, n + 1 :].any()
    whole = wnparse.marginals_batch([padded[i, : n + 1, : n + 1] for i, n in enumerate(lengths)], **mode)
    assert (whole == probabilities[:, : whole.shape[1], : whole.shape[2]]).all()


def test_refuses_bad_scores() -> None:
    scores = np.zeros((3, 3))
    broken = scores.copy()
    broken[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"^scores\[1, 2\] is nan"):
        wnparse.marginals(broken)
    with pytest.raises(ValueError, match=r"^batch\[1\]: scores\[1, 2\] is nan"):
        wnparse.marginals_batch([scores, broken])
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        wnparse.marginals(np.zeros(3))
    with pytest.raises(ValueError, match="threads=0"):
        wnparse.marginals_batch([scores], threads=0)
    options: list[dict[str, Any]] = [{"single_root": 1}, {"projective": None}]
    for option in options:
        with pytest.raises(ValueError, match="True or False"):
            wnparse.marginals(scores, **option)
    broken[1] = -np.inf
    with pytest.raises(wnparse.InfeasibleError, match=r"^batch\[1\]: .*allow no trees"):
        wnparse.marginals_batch([scores, broken])


def test_accepts_an_empty_sentence() -> None:
    assert wnparse.marginals_batch([]).shape == (0, 0, 0)
    assert wnparse.log_partition_batch([]).shape == (0,)
    assert wnparse.marginals_batch(np.zeros((0, 4, 4)), []).shape == (0, 4, 4)


def test_the_examples_of_docstrings_run() -> None:
    result = doctest.testmod(marginals)
    assert result.attempted > 0 and result.failed == 0


def test_pruning_by_marginals_is_not_pruning_by_scores() -> None:
    """Adding to a row moves no probability, whatever that does to the ranks of raw scores."""
    scores: npt.NDArray[np.float64] = np.random.default_rng(2).normal(size=(8, 8))
    order = np.argsort(-wnparse.marginals(scores)[1:], axis=1, kind="stable")
    moved = scores + np.arange(8)[:, None]
    assert (np.argsort(-wnparse.marginals(moved)[1:], axis=1, kind="stable") == order).all()
