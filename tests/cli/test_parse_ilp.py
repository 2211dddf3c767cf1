"""`wnparse parse --decoder ilp`: the scores of `bnb`, limits, and one line without the extra."""

from __future__ import annotations

import importlib.util
import json
import signal
import subprocess
import sys
import time
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
    totals = []
    for decoder in ("bnb", "ilp"):
        report = tmp_path / f"{decoder}.jsonl"
        arguments = ["--decoder", decoder, "--report", str(report), *options]
        result = wnparse_inside("parse", "-m", model, *arguments, stdin=raw)
        assert result.returncode == 0, result.stderr
        assert b"100.00 % provably optimal" in result.stderr
        totals.append(scores(report))
    assert totals[0] == pytest.approx(totals[1], rel=1e-7)


def test_a_limit_of_time_still_gives_trees(wnparse_inside: Run, model: str, raw: bytes) -> None:
    result = wnparse_inside("parse", "-m", model, "--decoder", "ilp", "--time-limit", "1e-6", stdin=raw)
    assert result.returncode == 0
    assert result.stdout.count(b"\n\n") == 12


@pytest.mark.parametrize("decoder", ["ilp", "bnb"])
def test_reports_the_best_arborescences_where_they_are_known(
    wnparse_inside: Run, model: str, raw: bytes, tmp_path: Path, decoder: str
) -> None:
    (tmp_path / "t").write_bytes(first_sentences("dev", 40))
    trained = wnparse_inside("train", "t", "-o", "m2", "--epochs", "1", "--order", "2", "--rules", "none")
    assert trained.returncode == 0
    options = ["--decoder", decoder, "--block-degree", "2", "--well-nested"]
    summaries = {
        name: wnparse_inside("parse", "-m", path, *options, *more, stdin=raw).stderr
        for name, path, *more in (["arcs", model], ["rules", model, "--rules", "ud"], ["parts", "m2"])
    }
    assert b"% of the best arborescences" in summaries["arcs"]
    assert b"100.00 % provably optimal" in summaries["arcs"]
    for name in ("rules", "parts"):
        assert b"optimal" in summaries[name]
        assert b"arborescences" not in summaries[name]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_the_search(model: str, raw: bytes, tmp_path: Path, jobs: str) -> None:
    command = [sys.executable, "-m", "wnparse", "parse", "-m", model, "--decoder", "ilp", "--jobs", jobs]
    (tmp_path / "in").write_bytes(raw * 200)  # longer than anyone waits
    with subprocess.Popen(
        [*command, "in", "-o", "out", "--report", "r"], stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stderr
        process.stderr.readline()  # the command has begun
        while len(list(tmp_path.iterdir())) < 3:
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        messages = process.stderr.read()
    assert process.returncode == 130
    assert messages.strip() == b"wnparse: interrupted"
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_refuses_k_best(wnparse_inside: Run, model: str, raw: bytes) -> None:
    result = wnparse_inside("parse", "-m", model, "--decoder", "ilp", "--k-best", "2", stdin=raw)
    assert result.returncode == 2
    assert b"finds one tree" in result.stderr


def test_is_bad_usage_without_the_extra(
    wnparse_inside: Run, model: str, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "highspy" else there(name))
    result = wnparse_inside("parse", "-m", model, "--decoder", "ilp", stdin=raw)
    assert result.returncode == 2
    assert b"pip install 'wnparse[ilp]'" in result.stderr
    assert b"Traceback" not in result.stderr


def test_training_accepts_decoders_of_the_core_only(wnparse_inside: Run) -> None:
    result = wnparse_inside("train", "a.conllu", "-o", "m.wnp", "--decoder", "ilp")
    assert result.returncode == 2
