"""Campaigns: a short run of each kind, and that failures, crashes and hangs are noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from campaigns.files import KINDS, make_mutant, seed_texts
from campaigns.runner import run_cases
from support.campaign_cases import make_check, refuse_to_start
from support.models import trained
from support.places import DATA, ROOT
from wnparse.treebanks.reader import read

SCRIPT = str(ROOT / "scripts" / "campaigns" / "files.py")
COUNT = os.environ.get("WNPARSE_FUZZ", "40")


def test_runs_a_short_campaign(tmp_path: Path) -> None:
    command = [sys.executable, SCRIPT, "--count", COUNT, "--seed", "3", "--save", str(tmp_path / "failed")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    for kind in KINDS:
        assert f"{kind}: {int(COUNT):,} files" in result.stdout
    assert result.stdout.endswith("\n0 failures\n")
    assert not (tmp_path / "failed").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_mutants_can_be_reproduced(kind: str, tmp_path: Path) -> None:
    trained(list(read(DATA / "dev.conllu"))[:10]).save(tmp_path / "m.wnp")
    texts = seed_texts(kind, (), tmp_path)
    first = [make_mutant(kind, 5, number, texts) for number in range(200)]
    assert first == [make_mutant(kind, 5, number, texts) for number in range(200)]
    assert len({data for _, data in first}) > 180
    assert first != [make_mutant(kind, 6, number, texts) for number in range(200)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_reports_failures_and_continues(jobs: int) -> None:
    bad = {3: "error", 250: "crash", 251: "crash", 300: "exit", 399: "hang", 401: "error"}
    results = {result.number: result for result in run_cases(make_check, (bad,), range(450), jobs=jobs, seconds=2)}
    assert sorted(results) == list(range(450))
    assert {number for number, result in results.items() if result.failure} == bad.keys()
    assert results[3].outcome == "failure: KeyError"
    assert "KeyError: 3" in results[3].failure
    assert results[250].failure.startswith("crash: SIGABRT")
    assert "in check" in results[250].failure  # where it was
    assert results[300].failure.startswith("crash: status 3")
    assert results[399].failure.startswith("hang: more than 2 s")
    assert (results[0].outcome, results[449].outcome) == ("even", "odd")


def test_a_worker_that_does_not_start_is_reported() -> None:
    with pytest.raises(RuntimeError, match=r"a worker does not start:\n(.*\n)*.*no model"):
        list(run_cases(refuse_to_start, (), range(3), jobs=1, seconds=1))
