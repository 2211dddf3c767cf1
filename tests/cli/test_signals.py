"""SIGTERM and SIGHUP end a command as Ctrl-C does: nothing half-written is left, and training keeps its model."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.commands import Run
from support.places import DATA
from wnparse.parser.model import load

STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
COMMAND = [sys.executable, "-m", "wnparse"]
TRAIN = ["train", str(DATA / "dev.conllu"), "--only", "parser", "--order", "1", "--epochs", "1000", "-o", "m"]


@pytest.mark.parametrize("number", STATUS)
def test_training_keeps_its_model(tmp_path: Path, number: signal.Signals) -> None:
    arguments = [*COMMAND, *TRAIN, "--checkpoint", "c"]
    with subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stderr
        assert any(line.startswith(b"epoch  2") for line in process.stderr)
        process.send_signal(number)
        process.send_signal(number)  # as a shell and its terminal may both do
        rest = process.stderr.read()
    assert process.returncode == STATUS[number]
    assert b"Traceback" not in rest
    assert load(str(tmp_path / "m")).info["epoch"] >= 2
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))
    assert files == ["c", "c/best.wnp", "c/state.wnp", "m"]


def test_training_survives_a_closed_terminal(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with subprocess.Popen([*COMMAND, *TRAIN, "--log", "log"], cwd=tmp_path, stderr=writing) as process:
        os.close(writing)
        os.close(reading)
        while not (tmp_path / "log").exists() or not (tmp_path / "log").stat().st_size:
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
    assert process.returncode == 129
    assert load(str(tmp_path / "m")).info["epoch"] >= 1


@pytest.mark.parametrize("number", STATUS)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_parse_leaves_nothing_behind(
    model: str, raw: bytes, tmp_path: Path, number: signal.Signals, jobs: str
) -> None:
    arguments = [*COMMAND, "parse", "-m", model, "-o", "out.gz", "--report", "r", "--jobs", jobs]
    with subprocess.Popen(arguments, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(raw)
        process.stdin.flush()
        while len(list(tmp_path.iterdir())) < 2:
            time.sleep(0.02)
        process.send_signal(number)
        rest = process.stderr.read()
    assert process.returncode == STATUS[number]
    assert rest.splitlines()[-1] == b"wnparse: interrupted"
    assert b"Traceback" not in rest
    assert not list(tmp_path.iterdir())


def test_signals_at_any_time_leave_nothing_behind(model: str, tmp_path: Path) -> None:
    rng = random.Random(1)
    files = 20 * [str(DATA / "train.conllu")]  # enough that no machine is done before the first signal
    arguments = [*COMMAND, "parse", "-m", model, *files, "-o", "out", "--report", "r"]
    for _ in range(8):
        with subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE) as process:
            assert process.stderr
            process.stderr.readline()  # the command has begun
            for _ in range(rng.randint(1, 4)):
                time.sleep(rng.choice([0, 0.001, 0.05, 0.2]))
                process.send_signal(rng.choice(list(STATUS)))
            rest = process.stderr.read()
        assert process.returncode in STATUS.values() or -process.returncode in STATUS
        assert b"Traceback" not in rest
        assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
        assert not (tmp_path / "out").exists()


FINALISER = """
import os, signal, time
from wnparse.cli import main as cli

class Garbage:
    def __del__(self):
        signal.raise_signal({number})

def command(**_):
    Garbage()
    {waiting}

cli.cli.main = command
cli.main()
"""


@pytest.mark.parametrize("number", STATUS)
@pytest.mark.parametrize("waiting", ["time.sleep(60)", "os.read(0, 1)", "while True: bytes(1000)"])
def test_a_signal_during_a_finaliser_is_not_lost(number: signal.Signals, waiting: str) -> None:
    """Python drops exceptions that are raised in a finaliser."""
    code = FINALISER.format(number=int(number), waiting=waiting)
    reading, writing = os.pipe()
    done = subprocess.run([sys.executable, "-c", code], stdin=reading, capture_output=True, timeout=50)
    os.close(reading)
    os.close(writing)
    assert done.stderr == b"wnparse: interrupted\n"
    assert done.returncode == STATUS[number]


def test_restores_the_hook_for_unraisable_errors(wnparse_inside: Run) -> None:
    """The hook belongs to the calling program, such as pytest, which fails tests that drop errors."""
    usual = sys.unraisablehook
    assert wnparse_inside("--version").returncode == 0
    assert sys.unraisablehook is usual


def test_ignored_signals_stay_ignored(model: str, raw: bytes, tmp_path: Path) -> None:
    """`nohup` requires it."""

    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    arguments = [*COMMAND, "parse", "-m", model, "-o", "out"]
    with subprocess.Popen(
        arguments, cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=ignore
    ) as process:
        assert process.stdin
        process.stdin.write(raw)
        process.stdin.flush()
        while not list(tmp_path.iterdir()):
            time.sleep(0.02)
        process.send_signal(signal.SIGHUP)
        process.stdin.close()
        assert process.wait(60) == 0
    assert (tmp_path / "out").exists()
