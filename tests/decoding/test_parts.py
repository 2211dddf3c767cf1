"""Decoding with parts of higher order: the contract of decoders, against every tree of a few words."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import wnparse
from support.decoding_cases import CONSTRAINTS, able
from support.decoding_oracles import Enumeration
from support.part_oracles import enumerate_trees, part_score, random_parts
from wnparse import Parts
from wnparse.decoding.registry import DECODERS, register_decoder

KINDS = (
    ("siblings",),
    ("grandparents",),
    ("siblings", "grandparents"),
    ("siblings", "grandparents", "grandsiblings"),
)
STYLES = ("dense", "tied", "sparse")


def random_scores(rng: np.random.Generator, n: int, style: str) -> np.ndarray:
    scores = rng.normal(size=(n + 1, n + 1)) * 2
    if style == "tied":
        scores = np.round(scores)
    if style == "sparse":
        scores[rng.random(scores.shape) < 0.3] = -np.inf
    return scores


def check_contract(scores: np.ndarray, parts: Parts) -> None:
    """Hold every decoder to the contract under all constraints that it knows."""
    every = enumerate_trees(scores, parts)
    for decoder, limits in product(DECODERS, CONSTRAINTS):
        if able(decoder, limits):
            check_answer(every, scores, parts, decoder, limits)


def check_answer(
    every: Enumeration, scores: np.ndarray, parts: Parts, decoder: str, limits: dict[str, Any]
) -> None:
    best = every.best(**limits)
    if best == -np.inf:
        with pytest.raises(wnparse.InfeasibleError):
            wnparse.decode(scores, decoder, parts=parts, **limits)
        return
    if decoder in ("eisner", "msa-eisner") and every.best(1, False, limits["single_root"]) == -np.inf:
        return  # it may find none
    solution = wnparse.decode(scores, decoder, parts=parts, **limits)
    row = every.find(solution.heads)
    honoured = {**limits, "block_degree": 1} if decoder == "eisner" else limits
    assert row is not None
    assert every.trees.valid(**honoured)[row]
    tolerance = 1e-9 * (1 + abs(best))
    assert solution.score == pytest.approx(every.scores[row], abs=tolerance)
    assert solution.score <= best + tolerance
    assert solution.upper_bound >= best - tolerance
    if solution.certified:
        assert solution.score == pytest.approx(best, abs=tolerance)
    if decoder == "bnb":
        assert solution.certified


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kinds", KINDS, ids="+".join)
def test_every_decoder_meets_its_contract_with_parts(style: str, kinds: tuple[str, ...]) -> None:
    rng = np.random.default_rng(len(kinds) + 10 * STYLES.index(style))
    for n in (1, 2, 3, 4, 4):
        check_contract(random_scores(rng, n, style), random_parts(rng, n, kinds, style))


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("n", "kinds"), [(5, KINDS[3]), (6, KINDS[2])])
def test_every_decoder_meets_its_contract_on_longer_sentences(n: int, kinds: tuple[str, ...], style: str) -> None:
    rng = np.random.default_rng(n)
    check_contract(random_scores(rng, n, style), random_parts(rng, n, kinds, style))


@pytest.mark.parametrize("limits", CONSTRAINTS, ids=str)
def test_accepts_an_empty_sentence(limits: dict[str, Any]) -> None:
    for decoder in DECODERS:
        if able(decoder, limits):
            solution = wnparse.decode(np.zeros((1, 1)), decoder, parts=Parts(), **limits)
            assert (solution.heads.tolist(), solution.score) == ([-1], 0.0)
    (only,) = wnparse.decode(np.zeros((1, 1)), "bnb", k=3, parts=Parts(), **limits)
    assert only.heads.tolist() == [-1]


@pytest.mark.parametrize("limits", CONSTRAINTS, ids=str)
def test_ranks_trees_with_parts(limits: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    scores, parts = random_scores(rng, 4, "dense"), random_parts(rng, 4, KINDS[3], "dense")
    every = enumerate_trees(scores, parts)
    expected = np.sort(every.scores[every.trees.valid(**limits)])[::-1][:7]
    ranking = wnparse.decode(scores, "bnb", k=7, parts=parts, **limits)
    assert [tree.score for tree in ranking] == pytest.approx(expected.tolist())
    assert all(tree.certified for tree in ranking)
    assert len({tuple(tree.heads) for tree in ranking}) == len(ranking)


def test_a_batch_equals_single_calls() -> None:
    rng = np.random.default_rng(6)
    matrices = [random_scores(rng, n, "dense") for n in (3, 5, 6, 2, 4)]
    parts = [random_parts(rng, len(matrix) - 1, KINDS[3], "sparse") for matrix in matrices]
    parts[3] = None
    limits = {"block_degree": 2, "well_nested": True}
    batch = wnparse.decode_batch(matrices, parts=parts, threads=2, **limits)
    for i, (scores, own) in enumerate(zip(matrices, parts, strict=True)):
        alone = wnparse.decode(scores, parts=own or Parts(), **limits)
        assert batch[i].score == pytest.approx(alone.score)
    ranked = wnparse.decode_batch(matrices, parts=parts, k=2, **limits)
    assert [trees[0].score for trees in ranked] == pytest.approx(batch.score.tolist())


def test_without_rows_nothing_changes() -> None:
    scores = random_scores(np.random.default_rng(7), 7, "dense")
    for limits in CONSTRAINTS:
        plain, empty = wnparse.decode(scores, **limits), wnparse.decode(scores, parts=Parts(), **limits)
        assert empty.score == pytest.approx(plain.score)
        assert empty.certified


@pytest.mark.parametrize("n", [12, 25])
def test_longer_sentences_keep_their_bounds(n: int) -> None:
    rng = np.random.default_rng(n)
    scores = random_scores(rng, n, "dense")
    scores[rng.random(scores.shape) < 0.6] = -np.inf
    scores[:, 0] = rng.normal(size=n + 1) - 3
    parts = random_parts(rng, n, ("siblings", "grandparents"), "sparse")
    exact = wnparse.decode(scores, "bnb", parts=parts, block_degree=2, well_nested=True, max_nodes=200)
    relaxed = wnparse.decode(scores, "lr", parts=parts, block_degree=2, well_nested=True)
    loose = wnparse.decode(scores, "bnb", parts=parts, max_nodes=200)
    assert relaxed.score <= exact.upper_bound + 1e-9
    assert exact.score <= relaxed.upper_bound + 1e-9
    assert exact.score <= loose.upper_bound + 1e-9
    words = np.arange(1, n + 1)
    for solution in (exact, relaxed, loose):
        arcs = scores[words, solution.heads[1:]].sum()
        assert solution.score == pytest.approx(arcs + part_score(solution.heads.tolist(), parts))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"siblings": ([[1, 1, 1]], [0.0])}, "at least one child"),
        ({"siblings": ([[1, 2, 9]], [0.0])}, "nodes from 0 to 3"),
        ({"siblings": ([[1, 2, 3, 2]], [0.0])}, "right side"),
        ({"siblings": ([[1, 2, 9, 1]], [0.0])}, "nodes from 0 to 3"),
        ({"siblings": ([[1, 2, 3, 1, 0]], [0.0])}, "integers"),
        ({"grandparents": ([[0, 1, 2, 1]], [0.0])}, "integers"),
        ({"siblings": ([[1, -2, 3]], [0.0])}, "nodes from 0"),
        ({"grandparents": ([[0, 1, 2]], [np.nan])}, "finite"),
        ({"grandparents": ([[0, 1, 2]], [-np.inf])}, "finite"),
        ({"grandsiblings": ([[0, 1, 2]], [1.0])}, "integers"),
        ({"grandparents": ([[0.0, 1, 2]], [1.0])}, "integers"),
        ({"grandparents": ([[0, 1, 2]], [1.0, 2.0])}, "one number per row"),
        ({"grandparents": 5}, "two arrays"),
    ],
)
def test_invalid_parts_raise_value_error(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wnparse.decode(np.zeros((4, 4)), parts=Parts(**wrong))


def test_rows_of_a_problem_can_be_used_as_parts() -> None:
    """What a decoder is given can be given to another one: sides without children, and rows with a side."""
    rng = np.random.default_rng(8)
    given: list[Any] = []

    def remember(problem: Any) -> Any:
        given.append(problem)
        return None

    register_decoder("remember", remember, whole=True)
    for n in (1, 2, 3, 4):
        scores = rng.normal(size=(n + 1, n + 1))
        parts = random_parts(rng, n, ("siblings", "grandparents", "grandsiblings"), "dense")
        with pytest.raises(wnparse.InfeasibleError):
            wnparse.decode(scores, "remember", parts=parts)
        siblings, grandparents, grandsiblings, _ = given[-1].parts
        assert siblings[0].shape[1] == 4
        again = Parts(siblings, grandparents, grandsiblings)
        first, second = (wnparse.decode(scores, parts=used) for used in (parts, again))
        assert first.score == pytest.approx(second.score, abs=1e-9)
