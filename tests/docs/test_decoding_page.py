"""docs/decode.md: its examples run, in ten lines, and its table names every decoder and option."""

from __future__ import annotations

import doctest
import inspect
import re
from typing import Any

import numpy as np
import pytest

import wnparse
from support.part_oracles import part_score
from support.places import ROOT
from support.tree_oracles import is_tree, structure
from wnparse.decoding import decode
from wnparse.decoding.registry import DECODERS

PAGE = (ROOT / "docs" / "decoding.md").read_text(encoding="utf-8")


def run_example(section: str) -> dict[str, Any]:
    """Run the example below a heading, at most ten lines; the names that it leaves."""
    text = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len([line for line in block.splitlines() if line.strip()]) <= 10
    names: dict[str, Any] = {}
    exec(block, names)
    return names


def test_the_example_of_logits_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("The logits of a biaffine parser")
    assert capsys.readouterr().out.startswith("100% proved optimal, ")
    for heads, n in zip(names["heads"], names["lengths"], strict=True):
        degree, nested, roots = structure(heads[: n + 1])
        assert is_tree(heads[: n + 1])
        assert degree <= 2 and nested and roots == 1
        assert (heads[n + 1 :] == -1).all()


def test_the_example_of_k_best_trees_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("The k best trees")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5"]
    scores = [tree.score for tree in names["ranked"]]
    assert scores == sorted(scores, reverse=True)
    for tree in names["ranked"]:
        assert structure(tree.heads)[2] == 1 and tree.certified


def test_the_example_of_labels_and_rules_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("Labels and rules")
    solution = names["found"]
    assert capsys.readouterr().out.startswith("0 True [(")
    arcs = list(zip(solution.heads[1:].tolist(), solution.labels[1:], strict=True))
    assert all((head == 0) == (label == "root") for head, label in arcs)
    single = [arc for arc in arcs if arc[1] in ("nsubj", "obj")]
    assert len(set(single)) == len(single) > 0


def test_the_example_of_a_second_order_parser_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("A second-order parser")
    solution = names["found"]
    assert capsys.readouterr().out.startswith(f"{solution.score:.2f} of at most {solution.score:.2f}: ")
    assert solution.certified and is_tree(solution.heads)
    degree, nested, roots = structure(solution.heads)
    assert degree <= 2 and nested and roots == 1
    total = sum(3 * names["arcs"][m, solution.heads[m]] for m in range(1, names["n"] + 1))
    assert solution.score == pytest.approx(total + part_score(solution.heads.tolist(), names["parts"]))


def test_the_example_of_marginals_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("Marginals")
    assert capsys.readouterr().out.startswith("mean probability of a head 0.")
    np.testing.assert_allclose(names["p"][:, 1:].sum(axis=2), 1)
    np.testing.assert_allclose(names["p"][:, :, 0].sum(axis=1), 1)
    assert names["sure"].shape == (64, 30, 1) and names["likely"].shape == (64, 30, 6)


def test_the_examples_of_docstrings_run() -> None:
    result = doctest.testmod(decode)
    assert result.attempted > 0 and result.failed == 0


def test_every_decoder_and_option_is_described() -> None:
    for name in (*DECODERS, *inspect.signature(wnparse.decode).parameters):
        assert f"`{name}" in PAGE or name == "scores" or name == "decoder", name


@pytest.mark.parametrize("function", [wnparse.decode, wnparse.decode_batch])
def test_defaults_are_those_of_the_page(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    for option, default in re.findall(r"^\| `(\w+)` \| (\w+) \|", PAGE, re.MULTILINE):
        assert str(parameters[option].default) == default
    assert parameters["decoder"].default == "bnb"
    assert np.isfinite(wnparse.decode(np.zeros((3, 3))).score)
