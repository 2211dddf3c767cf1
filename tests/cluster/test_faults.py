"""Workers that are killed, come late, run out of memory or of disk; a scheduler that is gone; runs that are ended.

Each time the outputs are complete and those of one machine, or the message says what is missing, and the same
command goes on.
"""

from __future__ import annotations

import json
import os
import re
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
        messages = self.process.communicate(timeout=200)[1]
        assert "Traceback" not in messages, messages
        return self.process.returncode, messages


Start = Callable[..., Run]


@pytest.fixture(scope="module")
def text() -> bytes:
    return (DATA / "train.conllu").read_bytes() * COPIES


@pytest.fixture(scope="module")
def parsed(text: bytes, model: str, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return what one machine writes."""
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
    status, messages = run.end()
    assert status == 0, messages
    assert (run.out / "corpus").read_bytes() == parsed
    assert sorted(path.name for path in (run.out / ".wnparse").iterdir()) == [
        "done.jsonl",
        "lock",
        "manifest.json",
    ]
    return messages


def test_survives_killed_workers_and_late_ones(
    start: Start, own_cluster: Callable[[], Processes], parsed: bytes
) -> None:
    processes = own_cluster()
    run = start(processes.place)  # no worker is there yet
    first = processes.start_worker()
    run.wait_for_tasks(5)
    first.kill()  # the only one
    second, _ = processes.start_worker(), processes.start_worker()
    run.wait_for_tasks(12)
    second.kill()
    messages = assert_complete(run, parsed)
    assert messages.count("wnparse: tcp://") >= 2  # the one that was killed last may not have finished anything


HOSTILE_WORDS = 3000


def hostile() -> bytes:
    """A sentence that needs more memory than the worker of the test may have."""
    rows = [f"{i}\tx\tx\tNOUN\t_\t_\t_\t_\t_\t_\n" for i in range(1, HOSTILE_WORDS + 1)]
    return "".join([*rows, "\n"]).encode()


def test_leaves_out_a_sentence_that_is_too_large_for_a_worker(
    start: Start, own_cluster: Callable[[], Processes], model: str, tmp_path: Path
) -> None:
    good = (DATA / "dev.conllu").read_bytes()
    (tmp_path / "corpus").write_bytes(good + hostile() + good)
    processes = own_cluster()
    processes.start_worker("--memory-limit", "400MB", nanny=True)
    status, messages = start(processes.place).end()
    assert status == 0, messages
    line = good.count(b"\n") + 1
    assert f"wnparse: corpus:{line}: not parsed: 3 processes ended" in messages
    (tmp_path / "corpus").write_bytes(good + good)
    alone = [*COMMAND, "-q", "-m", model, "corpus", "-o", "alone"]
    subprocess.run(alone, cwd=tmp_path, check=True)
    assert (tmp_path / "out" / "corpus").read_bytes().replace(hostile(), b"") == (tmp_path / "alone").read_bytes()


@pytest.mark.parametrize("number", STATUS)
def test_resumes_an_interrupted_run(
    start: Start, shared_cluster: str, parsed: bytes, number: signal.Signals
) -> None:
    run = start("local:2")
    run.wait_for_tasks(3)
    run.process.send_signal(number)
    status, messages = run.end()
    assert status == STATUS[number]
    assert messages.splitlines()[-1] == "wnparse: interrupted"
    assert re.search("tasks done; .*resume", messages)
    assert not (run.out / "corpus").exists()
    done, tasks = run.tasks_done, len(run.manifest["tasks"])
    assert 3 <= done < tasks
    messages = assert_complete(start(shared_cluster), parsed)
    assert f"{tasks:,} tasks, {tasks - done:,} to do" in messages


def test_reports_and_resumes_after_a_lost_scheduler(
    start: Start, own_cluster: Callable[[], Processes], parsed: bytes
) -> None:
    processes = own_cluster()
    processes.start_worker()
    run = start(processes.place)
    run.wait_for_tasks(3)
    processes.scheduler.kill()
    processes.scheduler.wait()
    status, messages = run.end()
    assert status == 1
    assert "scheduler is lost" in messages.splitlines()[-1]
    assert re.search("tasks done; .*resume", messages)
    processes.scheduler = processes.start_scheduler()
    processes.start_worker()
    assert_complete(start(processes.place), parsed)


def start_spoilt_worker(processes: Processes, folder: Path, code: str) -> None:
    """A worker that runs some code first."""
    (folder / "preloaded.py").write_text(code + "\n")
    processes.start_worker("--preload", str(folder / "preloaded.py"))


def test_reports_a_full_disk(
    start: Start, own_cluster: Callable[[], Processes], parsed: bytes, tmp_path: Path
) -> None:
    """If one disk is full, only its worker is lost; if all are, the run ends with a message."""
    processes = own_cluster()
    start_spoilt_worker(
        processes, tmp_path, "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))"
    )
    status, messages = start(processes.place).end()
    assert status == 1
    last = messages.splitlines()[-1]
    assert "File too large; 0 of" in last
    assert re.search("tasks done; .*resume", last)
    assert not (tmp_path / "out" / "corpus").exists()
    processes.start_worker()
    processes.wait_until_joined()  # a run with the spoilt one alone would end before
    assert_complete(start(processes.place), parsed)


def test_refuses_two_runs_in_one_folder(start: Start, shared_cluster: str, parsed: bytes) -> None:
    run = start(shared_cluster)
    wait_for((run.out / ".wnparse" / "manifest.json").exists)
    status, messages = start(shared_cluster).end()
    assert status == 2
    place = f"process {run.process.pid} of {os.uname().nodename}"
    assert re.search(rf"^wnparse: out: another run .*{re.escape(place)}", messages, re.M)
    assert_complete(run, parsed)


def test_refuses_another_version_on_a_worker(
    start: Start, own_cluster: Callable[[], Processes], tmp_path: Path
) -> None:
    processes = own_cluster()
    start_spoilt_worker(processes, tmp_path, "import wnparse\nwnparse.__version__ = '0.0.9'")
    status, messages = start(processes.place).end()
    assert status == 1
    assert "has wnparse 0.0.9; expected " in messages.splitlines()[-1]
