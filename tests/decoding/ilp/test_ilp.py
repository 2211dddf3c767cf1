"""The decoder `ilp`: parts and models, limits, and what is said without its extra.

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
def test_parts_against_all_trees(kinds: list[str], style: str) -> None:
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
                found = wnparse.decode(scores, "ilp", parts=parts, **shape)
                assert found.certified
                assert found.score == pytest.approx(best, abs=1e-7)
                assert found.upper_bound >= best - 1e-12


@pytest.fixture
def cold() -> Any:
    """`ilp` without our tree as its start."""
    register_decoder("cold", lambda problem: solve_problem(problem, warm=False), searches=True, whole=True)
    yield
    del DECODERS["cold"]


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("family", ["planted", "tied", "sparse"])
def test_the_same_scores_as_branch_and_bound(family: str) -> None:
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
def test_models_of_every_order_with_rules_and_given_heads(
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
            found = [
                [parsed.parse for parsed in parser.parse(half)]
                for parser in (
                    Parser(
                        model,
                        ParseOptions(decoder=name, constraints=model.constraints, rules=rules, keep_heads=given),
                    )
                    for name in ("bnb", "cold")
                )
            ]
            for ours, other in zip(*found, strict=True):
                assert ours is not None and other is not None
                if ours.certified and other.certified and ours.broken == other.broken:
                    assert ours.score == pytest.approx(other.score, rel=1e-7)
            assert sum(other.certified for other in found[1] if other) >= 11


@pytest.mark.parametrize("seconds", [1e-6, 1e-3, 2e-2])
def test_a_limit_of_time_leaves_an_honest_bound(seconds: float) -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(13, 13))
    best = wnparse.decode(scores, "bnb", block_degree=2, well_nested=True)
    try:
        found = wnparse.decode(scores, "ilp", block_degree=2, well_nested=True, time_limit=seconds)
    except wnparse.LimitError:
        return
    assert found.score <= best.upper_bound + 1e-9
    assert found.upper_bound >= best.score - 1e-9
    assert not found.certified or found.score == pytest.approx(best.score, abs=1e-6)


def test_a_limit_of_nodes_leaves_an_honest_bound() -> None:
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(13, 13))
    best = wnparse.decode(scores, "bnb", block_degree=2, well_nested=True)
    found = wnparse.decode(scores, "ilp", block_degree=2, well_nested=True, max_nodes=1)
    assert found.score <= best.score + 1e-9 <= found.upper_bound + 2e-9


def test_without_the_extra_one_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"needs highspy, which is not installed: pip install 'wnparse\[ilp\]'"):
        wnparse.decode(np.zeros((2, 2)), "ilp")


def test_batches_and_threads_give_the_same() -> None:
    rng = np.random.default_rng(1)
    batch = [rng.normal(size=(n + 1, n + 1)) for n in (1, 4, 7, 9)]
    one = wnparse.decode_batch(batch, decoder="ilp", block_degree=2, well_nested=True)
    two = wnparse.decode_batch(batch, decoder="ilp", threads=2, block_degree=2, well_nested=True)
    alone = [wnparse.decode(each, "ilp", block_degree=2, well_nested=True) for each in batch]
    assert one.heads.tolist() == two.heads.tolist()
    assert one.score.tolist() == [each.score for each in alone]


def test_what_the_decoder_raises_is_raised() -> None:
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
