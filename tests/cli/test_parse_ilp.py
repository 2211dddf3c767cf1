"""`wnparse parse --decoder ilp`: the scores of `bnb`, limits, and one line without the extra."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from support.commands import Run
from support.treebanks import first_sentences


@pytest.fixture(scope="module")
def raw() -> bytes:
    return first_sentences("test", 12)


def scores(report: Path) -> list[float]:
    return [json.loads(line)["score"] for line in report.read_text().splitlines()]


@pytest.mark.parametrize("options", [[], ["--rules", "ud"], ["--jobs", "2"], ["--no-prune"]], ids=str)
def test_the_scores_are_those_of_branch_and_bound(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, options: list[str]
) -> None:
    found = []
    for decoder in ("bnb", "ilp"):
        report = tmp_path / f"{decoder}.jsonl"
        arguments = ["--decoder", decoder, "--report", str(report), *options]
        result = wnparse_inside("parse", "-m", model, *arguments, stdin=raw)
        assert result.returncode == 0, result.stderr
        assert b"100.00 % certified" in result.stderr
        found.append(scores(report))
    assert found[0] == pytest.approx(found[1], rel=1e-7)


def test_a_limit_of_time_still_gives_trees(wnparse_inside: Run, model: str, raw: bytes) -> None:
    result = wnparse_inside("parse", "-m", model, "--decoder", "ilp", "--time-limit", "1e-6", stdin=raw)
    assert result.returncode == 0
    assert result.stdout.count(b"\n\n") == 12


def test_several_trees_are_refused(wnparse_inside: Run, model: str, raw: bytes) -> None:
    result = wnparse_inside("parse", "-m", model, "--decoder", "ilp", "--k-best", "2", stdin=raw)
    assert result.returncode == 2
    assert b"finds one tree" in result.stderr


def test_without_the_extra_it_is_bad_usage(
    wnparse_inside: Run, model: str, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "highspy" else there(name))
    result = wnparse_inside("parse", "-m", model, "--decoder", "ilp", stdin=raw)
    assert result.returncode == 2
    assert b"pip install 'wnparse[ilp]'" in result.stderr
    assert b"Traceback" not in result.stderr


def test_training_takes_decoders_of_the_core(wnparse_inside: Run) -> None:
    result = wnparse_inside("train", "a.conllu", "-o", "m.wnp", "--decoder", "ilp")
    assert result.returncode == 2
