"""The decoder `ilp`: parts and models, limits, and the error without its extra.

The contract of all decoders and rules are tested with those of the others.
"""

from __future__ import annotations

import importlib.util
from typing import Any, Literal

import numpy as np
import pytest

import wnparse
from support import part_oracles
from support.treebanks import first_sentences
from wnparse.decoding.ilp.decoder import solve_problem
from wnparse.decoding.registry import DECODERS, register_decoder
from wnparse.parser.options import ParseOptions
from wnparse.parser.parser import Parser

FREE: dict[str, Any] = {"block_degree": None, "well_nested": False, "single_root": False}
SHAPES: list[dict[str, Any]] = [
    FREE,
    {**FREE, "single_root": True},
    {"block_degree": 2, "well_nested": True, "single_root": True},
    {**FREE, "block_degree": 1},
]
KINDS = [["siblings"], ["grandparents"], ["grandsiblings"], ["siblings", "grandparents", "grandsiblings"]]


@pytest.mark.parametrize("kinds", KINDS, ids="+".join)
@pytest.mark.parametrize("style", ["dense", "tied", "sparse"])
def test_finds_the_best_of_all_trees_with_parts(kinds: list[str], style: str) -> None:
    rng = np.random.default_rng([len(kinds), *style.encode()])
    for n in (1, 2, 3, 4, 5):
        for sparse in (False, True):
            scores = rng.normal(size=(n + 1, n + 1))
            if sparse:
                scores[rng.random(scores.shape) < 0.3] = -np.inf
            parts = part_oracles.random_parts(rng, n, kinds, style)
            every = part_oracles.enumerate_trees(scores, parts)
            for shape in SHAPES:
                best = every.best(**shape)
                if best == -np.inf:
                    with pytest.raises(wnparse.InfeasibleError):
                        wnparse.decode(scores, "ilp", parts=parts, **shape)
                    continue
                solution = wnparse.decode(scores, "ilp", parts=parts, **shape)
                assert solution.certified
                assert solution.score == pytest.approx(best, abs=1e-7)
                assert solution.upper_bound >= best - 1e-12


@pytest.fixture
def cold() -> Any:
    """`ilp` without our tree as its start."""
    register_decoder("cold", lambda problem: solve_problem(problem, warm=False), searches=True, whole=True)
    yield
    del DECODERS["cold"]


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("family", ["planted", "tied", "sparse"])
def test_scores_equal_those_of_branch_and_bound(family: str) -> None:
    rng = np.random.default_rng([7, *family.encode()])
    for n in (5, 8, 12, 25):
        scores = rng.normal(size=(n + 1, n + 1))
        scores[np.arange(1, n + 1), np.maximum(np.arange(n) - rng.integers(0, 3, n), 0)] += 4.0 if n < 20 else 6.0
        if family == "tied":
            scores = np.round(scores)
        if family == "sparse":
            scores[rng.random(scores.shape) < 0.3] = -np.inf
        for shape in SHAPES:
            if n == 25 and shape["well_nested"]:
                continue  # some seconds
            try:
                ours = wnparse.decode(scores, "bnb", **shape)
            except wnparse.InfeasibleError:
                with pytest.raises(wnparse.InfeasibleError):
                    wnparse.decode(scores, "cold", **shape)
                continue
            other = wnparse.decode(scores, "cold", **shape)
            assert ours.certified and other.certified
            assert ours.score == pytest.approx(other.score, abs=1e-7)


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize(("order", "only"), [(1, "parser"), (2, "parser"), (3, "parser"), (3, None)])
def test_agrees_with_branch_and_bound_under_rules_and_given_heads(
    tmp_path: Any, order: int, only: Literal["parser"] | None
) -> None:
    train = tmp_path / "train.conllu"
    train.write_bytes(first_sentences("train", 60))
    model = wnparse.train(train, epochs=1, order=order, only=only, rules="ud")
    sentences = list(wnparse.read(train))[:12]
    for rules in (None, model.rules or wnparse.Rules.load("ud")):
        for given in (False, True):
            half = [
                s.with_tree(np.where(np.arange(len(s) + 1) % 3 == 1, s.heads, -1).astype(np.int32)) if given else s
                for s in sentences
            ]
            parses = [
                [parsed.parse for parsed in parser.parse(half)]
                for parser in (
                    Parser(
                        model,
                        ParseOptions(decoder=name, constraints=model.constraints, rules=rules, keep_heads=given),
                    )
                    for name in ("bnb", "cold")
                )
            ]
            for ours, other in zip(*parses, strict=True):
                assert ours is not None and other is not None
                if ours.certified and other.certified and ours.broken == other.broken:
                    assert ours.score == pytest.approx(other.score, rel=1e-7)
            assert sum(other.certified for other in parses[1] if other) >= 11


@pytest.mark.parametrize("seconds", [1e-6, 1e-3, 2e-2])
def test_a_time_limit_leaves_a_valid_bound(seconds: float) -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(13, 13))
    best = wnparse.decode(scores, "bnb", block_degree=2, well_nested=True)
    try:
        solution = wnparse.decode(scores, "ilp", block_degree=2, well_nested=True, time_limit=seconds)
    except wnparse.LimitError:
        return
    assert solution.score <= best.upper_bound + 1e-9
    assert solution.upper_bound >= best.score - 1e-9
    assert not solution.certified or solution.score == pytest.approx(best.score, abs=1e-6)


def test_a_node_limit_leaves_a_valid_bound() -> None:
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(13, 13))
    best = wnparse.decode(scores, "bnb", block_degree=2, well_nested=True)
    solution = wnparse.decode(scores, "ilp", block_degree=2, well_nested=True, max_nodes=1)
    assert solution.score <= best.score + 1e-9 <= solution.upper_bound + 2e-9


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"^[^\n]*highspy[^\n]*wnparse\[ilp\][^\n]*$"):
        wnparse.decode(np.zeros((2, 2)), "ilp")


def test_batches_and_threads_give_the_same() -> None:
    rng = np.random.default_rng(1)
    batch = [rng.normal(size=(n + 1, n + 1)) for n in (1, 4, 7, 9)]
    one = wnparse.decode_batch(batch, decoder="ilp", block_degree=2, well_nested=True)
    two = wnparse.decode_batch(batch, decoder="ilp", threads=2, block_degree=2, well_nested=True)
    alone = [wnparse.decode(scores, "ilp", block_degree=2, well_nested=True) for scores in batch]
    assert one.heads.tolist() == two.heads.tolist()
    assert one.score.tolist() == [solution.score for solution in alone]


def test_raises_errors_of_the_decoder() -> None:
    def broken(problem: object) -> None:
        raise KeyError("no")

    register_decoder("raising", broken, whole=True)
    try:
        with pytest.raises(KeyError, match="no"):
            wnparse.decode(np.zeros((3, 3)), "raising")
        with pytest.raises(KeyError, match="no"):
            wnparse.decode_batch([np.zeros((3, 3))] * 3, decoder="raising", threads=2)
    finally:
        del DECODERS["raising"]
