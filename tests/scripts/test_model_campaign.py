"""Campaigns of scripts/campaigns: a short run of each, and workers that crash, hang or answer."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from campaigns.model_mutants import damage, forge
from campaigns.workers import run

from support.models import trained
from support.places import DATA, ROOT
from wnparse.conllu import read
from wnparse.errors import ModelError
from wnparse.model import load

WORKER = """
import os, signal, sys, time
sys.path.insert(0, "scripts")
from campaigns.workers import serve

def work(number):
    print("noise")
    if number == 1: os.kill(os.getpid(), signal.SIGSEGV)
    if number == 2: time.sleep(60)
    if number == 3: sys.exit("gone")
    return {"outcome": "used", "number": number}

serve(work)
"""


def test_workers_that_crash_and_hang_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command = [sys.executable, "-c", WORKER]
    answers = dict(run(command, range(6), seconds=2, jobs=2, folder=tmp_path))
    outcomes = [answers[number]["outcome"] for number in range(6)]
    assert outcomes == ["used", "signal SIGSEGV", "hang", "exit 1", "used", "used"]
    assert answers[3]["details"].strip() == "gone"
    assert answers[5]["number"] == 5


def test_mutants_depend_on_the_seed_alone(tmp_path: Path) -> None:
    trained(list(read(DATA / "dev.conllu"))[:10]).save(tmp_path / "m.wnp")
    data = (tmp_path / "m.wnp").read_bytes()
    for make in (forge, damage):
        mutants = [make(data, f"{seed}") for seed in range(40)]
        assert mutants == [make(data, f"{seed}") for seed in range(40)]
        assert len(set(mutants)) >= 30
    for mutant in mutants:
        (tmp_path / "m.wnp").write_bytes(mutant)
        with pytest.raises(ModelError):
            load(tmp_path / "m.wnp")


def test_forged_and_damaged_models(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "campaigns" / "models.py"
    options = ["--count", "400", "--seed", "11", "--save", str(tmp_path / "failures")]
    done = subprocess.run(
        [sys.executable, str(script), *options], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {outcome: int(count) for count, outcome in re.findall(r"^ *(\d+)  (.*)$", done.stdout, re.M)}
    assert counts.keys() == {"damaged, refused", "forged, refused", "forged, used"}
    assert counts["damaged, refused"] == 40 and min(counts.values()) >= 40
    assert not (tmp_path / "failures").exists()
