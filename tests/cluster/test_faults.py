"""Workers that are killed, come late, run out of memory or of disk; a scheduler that is gone; runs that are ended.

Each time the outputs are complete and those of one machine, or the message says what is missing, and the same
command goes on.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.clusters import Processes, wait_for
from support.places import DATA

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "wnparse", "parse"]
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
COPIES = 2  # of a file of 32,000 words


class Run:
    """A command under way in a folder with a corpus."""

    def __init__(self, folder: Path, model: str, place: str, *options: str) -> None:
        self.out = folder / "out"
        arguments = [
            "--cluster",
            place,
            "-m",
            model,
            "corpus",
            "--output-dir",
            "out",
            "--task-words",
            "1000",
            *options,
        ]
        self.process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, stderr=subprocess.PIPE, text=True)

    @property
    def tasks_done(self) -> int:
        path = self.out / ".wnparse" / "done.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    @property
    def manifest(self) -> dict[str, Any]:
        return dict(json.loads((self.out / ".wnparse" / "manifest.json").read_text()))

    def wait_for_tasks(self, count: int) -> None:
        wait_for(lambda: self.tasks_done >= count or self.process.poll() is not None)
        assert self.process.poll() is None, self.end()

    def end(self) -> tuple[int, str]:
        told = self.process.communicate(timeout=200)[1]
        assert "Traceback" not in told, told
        return self.process.returncode, told


Start = Callable[..., Run]


@pytest.fixture(scope="module")
def text() -> bytes:
    return (DATA / "train.conllu").read_bytes() * COPIES


@pytest.fixture(scope="module")
def parsed(text: bytes, model: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What one machine writes."""
    folder = tmp_path_factory.mktemp("alone")
    (folder / "corpus").write_bytes(text)
    subprocess.run([*COMMAND, "-q", "-m", model, "corpus", "-o", "parsed"], cwd=folder, check=True)
    return (folder / "parsed").read_bytes()


@pytest.fixture
def start(tmp_path: Path, text: bytes, model: str) -> Iterator[Start]:
    (tmp_path / "corpus").write_bytes(text)
    runs: list[Run] = []

    def begin(place: str, *options: str) -> Run:
        runs.append(Run(tmp_path, model, place, *options))
        return runs[-1]

    yield begin
    for run in runs:
        run.process.kill()
        run.process.wait()
        assert run.process.stderr
        run.process.stderr.close()


def assert_complete(run: Run, parsed: bytes) -> str:
    status, told = run.end()
    assert status == 0, told
    assert (run.out / "corpus").read_bytes() == parsed
    assert sorted(path.name for path in (run.out / ".wnparse").iterdir()) == [
        "done.jsonl",
        "lock",
        "manifest.json",
    ]
    return told


def test_workers_are_killed_twice_and_others_join_late(
    start: Start, own_cluster: Callable[[], Processes], parsed: bytes
) -> None:
    processes = own_cluster()
    run = start(processes.place)  # nobody is there yet
    first = processes.start_worker()
    run.wait_for_tasks(5)
    first.kill()  # the only one
    second, _ = processes.start_worker(), processes.start_worker()
    run.wait_for_tasks(12)
    second.kill()
    told = assert_complete(run, parsed)
    assert told.count("wnparse: tcp://") >= 2  # the one that was killed last may not have finished anything


HOSTILE_WORDS = 3000


def hostile() -> bytes:
    """A sentence that needs more memory than the worker of the test may have."""
    rows = [f"{i}\tx\tx\tNOUN\t_\t_\t_\t_\t_\t_\n" for i in range(1, HOSTILE_WORDS + 1)]
    return "".join([*rows, "\n"]).encode()


def test_a_sentence_that_is_too_large_for_a_worker_is_left(
    start: Start, own_cluster: Callable[[], Processes], model: str, tmp_path: Path
) -> None:
    good = (DATA / "dev.conllu").read_bytes()
    (tmp_path / "corpus").write_bytes(good + hostile() + good)
    processes = own_cluster()
    processes.start_worker("--memory-limit", "400MB", nanny=True)
    status, told = start(processes.place).end()
    assert status == 0, told
    line = good.count(b"\n") + 1
    assert f"wnparse: corpus:{line}: not parsed: 3 processes ended at its 3,000 words" in told
    (tmp_path / "corpus").write_bytes(good + good)
    alone = [*COMMAND, "-q", "-m", model, "corpus", "-o", "alone"]
    subprocess.run(alone, cwd=tmp_path, check=True)
    assert (tmp_path / "out" / "corpus").read_bytes().replace(hostile(), b"") == (tmp_path / "alone").read_bytes()


@pytest.mark.parametrize("number", STATUS)
def test_what_was_interrupted_goes_on(
    start: Start, shared_cluster: str, parsed: bytes, number: signal.Signals
) -> None:
    run = start("local:2")
    run.wait_for_tasks(3)
    run.process.send_signal(number)
    status, told = run.end()
    assert status == STATUS[number]
    assert told.splitlines()[-1] == "wnparse: interrupted"
    assert "tasks done; run the same command to resume" in told
    assert not (run.out / "corpus").exists()
    done, tasks = run.tasks_done, len(run.manifest["tasks"])
    assert 3 <= done < tasks
    told = assert_complete(start(shared_cluster), parsed)
    assert f"{tasks:,} tasks, {tasks - done:,} to do" in told


def test_a_scheduler_that_is_gone(start: Start, own_cluster: Callable[[], Processes], parsed: bytes) -> None:
    processes = own_cluster()
    processes.start_worker()
    run = start(processes.place)
    run.wait_for_tasks(3)
    processes.scheduler.kill()
    processes.scheduler.wait()
    status, told = run.end()
    assert status == 1
    assert "the connection to the scheduler is lost" in told.splitlines()[-1]
    assert "tasks done; run the same command to resume" in told
    processes.scheduler = processes.start_scheduler()
    processes.start_worker()
    assert_complete(start(processes.place), parsed)


def start_spoilt_worker(processes: Processes, folder: Path, code: str) -> None:
    """A worker that runs some code first."""
    (folder / "preloaded.py").write_text(code + "\n")
    processes.start_worker("--preload", str(folder / "preloaded.py"))


def test_a_full_disk(start: Start, own_cluster: Callable[[], Processes], parsed: bytes, tmp_path: Path) -> None:
    """Of one worker costs nothing but the worker; of all of them, a message."""
    processes = own_cluster()
    start_spoilt_worker(
        processes, tmp_path, "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))"
    )
    status, told = start(processes.place).end()
    assert status == 1
    last = told.splitlines()[-1]
    assert "File too large; 0 of" in last
    assert "tasks done; run the same command to resume" in last
    assert not (tmp_path / "out" / "corpus").exists()
    processes.start_worker()
    processes.wait_until_joined()  # a run with the spoilt one alone would end before
    assert_complete(start(processes.place), parsed)


def test_two_runs_into_one_folder(start: Start, shared_cluster: str, parsed: bytes) -> None:
    run = start(shared_cluster)
    wait_for((run.out / ".wnparse" / "manifest.json").exists)
    status, told = start(shared_cluster).end()
    assert status == 2
    message = f"wnparse: out: another run uses this folder (process {run.process.pid} of {os.uname().nodename})"
    assert message in told
    assert_complete(run, parsed)


def test_another_version_on_a_worker(start: Start, own_cluster: Callable[[], Processes], tmp_path: Path) -> None:
    processes = own_cluster()
    start_spoilt_worker(processes, tmp_path, "import wnparse\nwnparse.__version__ = '0.0.9'")
    status, told = start(processes.place).end()
    assert status == 1
    assert "has wnparse 0.0.9; expected " in told.splitlines()[-1]
