"""Dask clusters of real processes: a scheduler, workers that join on request, and their ends."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

DASK = [sys.executable, "-m", "dask"]


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait until something is the case."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


class Processes:
    """A scheduler and workers, each in a separate process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start_scheduler()

    @property
    def place(self) -> str:
        return f"file:{self.file}"

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        self.file.unlink(missing_ok=True)
        options = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        scheduler = self._start("scheduler", "--scheduler-file", str(self.file), *options)
        wait_for(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]
        return scheduler

    def start_worker(self, *options: str, nanny: bool = False) -> subprocess.Popen[bytes]:
        alone = [] if nanny else ["--no-nanny"]
        limits = [
            "--nthreads",
            "1",
            "--no-dashboard",
            "--local-directory",
            str(self.folder),
            "--death-timeout",
            "60",
        ]
        worker = self._start("worker", self.address, *alone, *limits, *options)
        self.workers.append(worker)
        return worker

    def wait_until_joined(self) -> None:
        """Wait for the worker that was started last."""
        wait_for(lambda: b"Registered to" in self.log.read_bytes())

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        self.log = self.folder / f"{arguments[0]}-{time.monotonic_ns()}.log"
        with self.log.open("wb") as stream:
            return subprocess.Popen([*DASK, *arguments], stdout=stream, stderr=stream, cwd=self.folder)

    def end(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()  # the process that a nanny has started ends with it
            process.wait()
