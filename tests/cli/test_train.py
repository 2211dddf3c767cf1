"""``wnparse train``: logs, full disks, folders that are missing, an early Ctrl-C."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import Run
from support.places import DATA
from support.treebanks import first_sentences

full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@pytest.fixture
def treebank(tmp_path: Path) -> str:
    (tmp_path / "t.conllu").write_bytes(first_sentences("dev", 30))
    return "t.conllu"


def epochs(path: Path) -> list[int]:
    return [json.loads(line)["epoch"] for line in path.read_text().splitlines()]


def test_a_resumed_log_holds_each_epoch_once(wnparse_command: Run, treebank: str, tmp_path: Path) -> None:
    arguments = ["train", treebank, "-o", "m", "--log", "log", "--checkpoint", "c", "--epochs"]
    (tmp_path / "log").write_text("of an earlier run\n")
    assert wnparse_command(*arguments, "2").returncode == 0
    assert epochs(tmp_path / "log") == [1, 2]
    with (tmp_path / "log").open("a") as log:
        log.write('{"epoch": 3}\n{"epo')  # the run was killed between log and checkpoint, and while it wrote
    assert wnparse_command(*arguments, "4", "--resume").returncode == 0
    assert epochs(tmp_path / "log") == [1, 2, 3, 4]
    assert {"updates", "train_uas", "seconds", "words_per_second"} <= json.loads(
        (tmp_path / "log").read_text().splitlines()[2]
    ).keys()


def test_bad_data_leaves_an_old_log_alone(wnparse_command: Run, tmp_path: Path) -> None:
    (tmp_path / "log").write_text("old\n")
    (tmp_path / "bad").write_text("1\tw\n\n")
    assert wnparse_command("train", "bad", "-o", "m", "--log", "log").returncode == 1
    assert (tmp_path / "log").read_text() == "old\n"


@full_disk
def test_a_log_that_cannot_be_written_costs_no_model(wnparse_command: Run, treebank: str, tmp_path: Path) -> None:
    result = wnparse_command("train", treebank, "-o", "m", "--log", "/dev/full", "--epochs", "2")
    assert result.returncode == 1
    assert result.stderr.count(b"wnparse: /dev/full: No space left on device; the training goes on\n") == 2
    assert wnparse_command("info", "m").returncode == 0


@full_disk
def test_a_full_disk_is_told_in_one_line(wnparse_command: Run, treebank: str) -> None:
    result = wnparse_command("train", treebank, "-o", "/dev/full", "--epochs", "1")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == b"wnparse: /dev/full: No space left on device; no model written"


def test_no_half_model_is_left(treebank: str, tmp_path: Path) -> None:
    """The disk is full in the middle of the model and of the checkpoint."""
    command = [sys.executable, "-m", "wnparse", "train", treebank, "--epochs", "1"]
    result = subprocess.run(
        [*command, "-o", "m", "--checkpoint", "c", "--log", "log"],
        capture_output=True,
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000)),
        check=False,
    )
    assert result.returncode == 1
    assert b"wnparse: c: File too large; the training goes on\n" in result.stderr
    assert result.stderr.splitlines()[-1] == b"wnparse: m: File too large; no model written"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["c", "log", "t.conllu"]
    assert epochs(tmp_path / "log") == [1]


@pytest.mark.parametrize("option", ["-o", "--log"])
def test_a_missing_folder_is_told_before_training(wnparse_command: Run, treebank: str, option: str) -> None:
    result = wnparse_command("train", treebank, "-o", "m", option, "nowhere/file")
    assert result.returncode == 2
    assert b"nowhere' does not exist" in result.stderr
    assert b"epoch" not in result.stderr


def test_ctrl_c_in_the_first_epoch(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "wnparse", "train", str(DATA / "train.conllu"), "-o", "m", "--epochs", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stderr
        process.stderr.readline()
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert process.returncode == 130
    assert rest == b"interrupted before the end of the first epoch: no model written\n"
    assert not list(tmp_path.iterdir())
