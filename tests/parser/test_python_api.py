"""Models from Python: the options of the command line, their warnings and errors."""

from __future__ import annotations

import io
import itertools
import re
import rlcompleter
from pathlib import Path
from typing import Any

import pytest

import wnparse
from support.commands import Run
from support.models import trained
from support.places import DATA
from wnparse.decoding.registry import join_constraints
from wnparse.parser.model import Model


@pytest.fixture(scope="module")
def loaded(model: str) -> Model:
    """The model, opened."""
    return wnparse.load(model)


@pytest.fixture(scope="module")
def given() -> list[wnparse.Sentence]:
    """Some sentences, among them ones whose best tree is not projective."""
    return list(wnparse.read(DATA / "test.conllu"))[:60]


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({}, []),
        ({"block_degree": 1}, ["--block-degree", "1"]),
        ({"block_degree": None, "well_nested": False}, ["--block-degree", "none", "--no-well-nested"]),
        ({"block_degree": 2, "well_nested": True}, ["--block-degree", "2", "--well-nested"]),
        ({"single_root": False}, ["--multi-root"]),
        ({"block_degree": 1, "single_root": True, "jobs": 2}, ["--block-degree", "1", "--single-root"]),
        ({"block_degree": 1, "k": 2}, ["--block-degree", "1", "--k-best", "2"]),
        ({"decoder": "eisner", "well_nested": False}, ["--decoder", "eisner", "--no-well-nested"]),
    ],
)
def test_takes_the_options_of_the_command_line(
    wnparse_inside: Run,
    model: str,
    loaded: Model,
    given: list[wnparse.Sentence],
    options: dict[str, Any],
    arguments: list[str],
) -> None:
    text = b"".join(sentence.raw for sentence in given)
    expected = wnparse_inside("parse", "-m", model, *arguments, stdin=text).stdout
    results: list[Any] = list(loaded.parse(given, **options))
    trees = [tree for ranking in results for tree in ranking] if "k" in options else results
    out = io.BytesIO()
    wnparse.write(trees, out)
    assert out.getvalue() == expected
    degrees = [wnparse.block_degree(tree.heads) for tree in trees]
    assert max(degrees) <= (options.get("block_degree", loaded.constraints.block_degree) or 99)
    assert (max(degrees) > 1) == (options.get("block_degree") != 1 and options.get("decoder") != "eisner")


def test_tab_shows_public_names(loaded: Model) -> None:
    completer = rlcompleter.Completer({"wnparse": wnparse, "model": loaded})

    def complete(text: str) -> set[str]:
        texts = itertools.takewhile(bool, (completer.complete(text, number) for number in itertools.count()))
        return {str(found).removeprefix(text).rstrip("()") for found in texts}

    assert complete("wnparse.") == set(wnparse.__all__) - {"__version__"}
    methods = {"parse", "parse_text", "tag", "tokenize", "save", "size", "only_tags"}
    documented = set(re.findall(r"^    (\w+) : ", Model.__doc__ or "", re.M)) | methods
    assert complete("model.") == documented


def test_takes_a_search_limit(sample: list[wnparse.Sentence], given: list[wnparse.Sentence]) -> None:
    poor = trained(sample[:30], epochs=1)

    def nodes(**options: Any) -> list[int]:
        trees = poor.parse(given, block_degree=2, well_nested=True, **options)
        return [tree.parse.nodes for tree in trees]  # type: ignore[union-attr]

    assert max(nodes(max_nodes=1)) <= 2 < max(nodes()) == max(nodes(max_nodes=20_000))


def test_msa_reports_what_it_drops(loaded: Model, given: list[wnparse.Sentence]) -> None:
    dropped = wnparse.Constraints(loaded.constraints.block_degree, loaded.constraints.well_nested).describe()
    with pytest.warns(UserWarning, match=f"decoder 'msa' .*{dropped}.*dropped") as caught:
        loaded.parse(given, decoder="msa")
    assert caught[0].filename == __file__  # the caller's line
    loaded.parse(given, decoder="msa", block_degree=None, well_nested=False)  # nothing to drop
    for constraints in ({"block_degree": 2}, {"well_nested": True}):
        with pytest.raises(ValueError, match=r"'msa' cannot enforce .*; expected one of e"):
            loaded.parse(given, decoder="msa", **constraints)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"block_degree": 0}, "block_degree=0: expected an integer"),
        ({"block_degree": "none"}, "block_degree='none'"),
        ({"well_nested": None}, "well_nested=None: "),
        ({"single_root": 1}, "single_root=1: "),
        ({"max_nodes": 0}, "max_nodes=0: expected an integer"),
        ({"jobs": 0}, "jobs=0: expected an integer"),
        ({"decoder": "cky"}, "unknown decoder 'cky'"),
    ],
)
def test_refuses_bad_options(loaded: Model, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        loaded.parse([], **options)


def test_rules_can_be_given_by_name_and_path(loaded: Model, given: list[wnparse.Sentence], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[rule]]\nname = "r"\nreason = "r"\nat-most = 1\ndependents = { relation = "nsubj" }\n')
    for source in ("ud", str(path), path):
        expected = [tree.raw for tree in loaded.parse(given[:9], rules=wnparse.Rules.load(source))]
        assert [tree.raw for tree in loaded.parse(given[:9], rules=source)] == expected


@pytest.mark.parametrize("rules", [3, b"ud", ["ud"]])
def test_refuses_rules_of_another_type(loaded: Model, rules: Any) -> None:
    with pytest.raises(TypeError, match="expected Rules, "):
        loaded.parse([], rules=rules)
    with pytest.raises(TypeError, match="expected Rules, "):
        wnparse.decode([[0, 0], [0, 0]], labels=(["a"], [[[0], [0]], [[0], [0]]]), rules=rules)
    with pytest.raises(TypeError, match="expected Rules, "):
        wnparse.train([], rules=rules)


def test_requested_constraints_take_precedence_over_those_of_the_model() -> None:
    own = wnparse.Constraints(2, True, True)
    assert join_constraints("bnb", own) == (own, "")
    assert join_constraints("bnb", own, block_degree=None) == (wnparse.Constraints(None, True, True), "")
    assert join_constraints("lr", own, well_nested=False) == (wnparse.Constraints(2, False, True), "")
    rooted = wnparse.Constraints(single_root=True)
    assert join_constraints("msa", own, block_degree=None, well_nested=False) == (rooted, "")
    constraints, notice = join_constraints("msa", own, well_nested=False)
    assert constraints == rooted and "'msa'" in notice and "trees of block degree at most 2" in notice
    constraints, notice = join_constraints("msa", own, block_degree=None, single_root=False)
    assert constraints == wnparse.Constraints() and "'msa'" in notice and "well-nested trees" in notice
