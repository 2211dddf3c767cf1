"""`wnparse parse --rules` and its Python twin: trees that obey, whatever else is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import wnparse
from support.commands import Run
from support.treebanks import first_sentences
from wnparse.conllu import Sentence, read
from wnparse.rule_coverage import count_rules
from wnparse.rules import Rules


@pytest.fixture(scope="module")
def raw() -> bytes:
    return first_sentences("test", 60)


def sentences(output: bytes, tmp_path: Path) -> list[Sentence]:
    (tmp_path / "out.conllu").write_bytes(output)
    return list(read(str(tmp_path / "out.conllu")))


def breaking(trees: list[Sentence], rules: Rules) -> int:
    return count_rules(trees, rules).breaking


@pytest.mark.parametrize(
    "options",
    [[], ["--decoder", "lr"], ["--decoder", "eisner"], ["--jobs", "2"], ["--no-prune"]],
)
def test_trees_obey(wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, options: list[str]) -> None:
    result = wnparse_inside("parse", "-m", model, "--rules", "ud", *options, stdin=raw)
    assert result.returncode == 0, result.stderr
    trees = sentences(result.stdout, tmp_path)
    free = sentences(wnparse_inside("parse", "-m", model, "--rules", "none", stdin=raw).stdout, tmp_path)
    rules = Rules.load("ud")
    given_up = result.stderr.count(b"gave up rules")
    assert breaking(trees, rules) <= given_up
    assert breaking(free, rules) > 5 * (given_up + 1)


def test_the_k_best_trees_obey_and_fall_in_score(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path
) -> None:
    plain = wnparse_inside("parse", "-m", model, "--rules", "ud", stdin=raw)
    result = wnparse_inside("parse", "-m", model, "--rules", "ud", "--k-best", "3", stdin=raw)
    assert result.returncode == 0, result.stderr
    ranked = sentences(result.stdout, tmp_path)
    firsts = [tree for tree in ranked if "# rank = 1" in tree.comments]
    same = 0
    for one, first in zip(sentences(plain.stdout, tmp_path), firsts, strict=True):
        same += np.array_equal(one.heads, first.heads) and one.column("deprel") == first.column("deprel")
    assert same >= len(firsts) - 3  # ties, and trees of arcs that only the search for one of them opens
    scores: list[float] = []
    for tree in ranked:
        score = next(float(line[10:]) for line in tree.comments if line.startswith("# score = "))
        if "# rank = 1" in tree.comments:
            scores = []
        assert all(score <= other for other in scores)
        scores.append(score)


def test_given_heads_stay(wnparse_inside: Run, model: str, tmp_path: Path) -> None:
    gold = first_sentences("test", 20)
    free = ["--block-degree", "none", "--no-well-nested", "--multi-root"]
    result = wnparse_inside("parse", "-m", model, "--rules", "ud", "--heads-from-input", *free, stdin=gold)
    assert result.returncode == 0
    for before, after in zip(sentences(gold, tmp_path), sentences(result.stdout, tmp_path), strict=True):
        assert np.array_equal(before.heads, after.heads)


def test_what_cannot_be_kept_is_said(wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path) -> None:
    rules = tmp_path / "no.toml"
    rules.write_text('[[rule]]\nname = "none"\nreason = "-"\nat-least = 1\ndependents = { relation = "nosuch" }\n')
    result = wnparse_inside(
        "parse", "-m", model, "--rules", str(rules), "--report", str(tmp_path / "r"), stdin=raw
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr.count(b"gave up rules") == 60
    strict = wnparse_inside("parse", "-m", model, "--rules", str(rules), "--strict", stdin=raw)
    assert strict.returncode == 1
    report = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    assert all(line["fallback"] == "rules" for line in report)


def test_python(model: str, raw: bytes, tmp_path: Path) -> None:
    parser = wnparse.load(model)
    given = sentences(raw, tmp_path)
    rules = Rules.load("ud")
    trees = list(parser.parse(given, rules=rules))
    assert breaking(trees, rules) == sum(tree.parse.broken > 0 for tree in trees)
    assert all(tree.parse.certified for tree in trees)
    assert breaking(list(parser.parse(given, rules=None)), rules) > 5
