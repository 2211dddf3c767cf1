"""Worker processes that do one task after the other, under a time limit: a crash or a hang of one is an outcome.

A worker reads the number of a task from a line of standard input and answers with a line of JSON. `Worker.do`
returns another outcome when the answer does not come: the worker has died, or took too long and was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def serve(work: Callable[[int], dict[str, Any]]) -> None:
    """Do the tasks whose numbers come from standard input."""
    # What a task prints must not be mistaken for an answer.
    with os.fdopen(os.dup(sys.stdout.fileno()), "w") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        for line in sys.stdin:
            answers.write(json.dumps(work(int(line))) + "\n")
            answers.flush()


class Worker:
    """A process that is started again after it has died.

    Parameters
    ----------
    command : list of str
        What starts a worker.
    seconds : float
        For each task.
    log : Path
        Where its standard error goes; it is emptied when a worker is started.
    """

    def __init__(self, command: list[str], seconds: float, log: Path) -> None:
        self.command, self.seconds, self.log = command, seconds, log
        self.process: subprocess.Popen[bytes] | None = None

    def do(self, task: int) -> dict[str, Any]:
        """Return the answer to a task, or ``{"outcome": "hang"}`` or ``{"outcome": "signal SIGSEGV"}``."""
        process = self.process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(b"%d\n" % task)
            process.stdin.flush()
            ready = select.select([process.stdout], [], [], self.seconds)[0]
            line = process.stdout.readline() if ready else b""
        except BrokenPipeError:
            ready, line = [process.stdout], b""
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        if not ready:
            process.kill()
        status = self.close()
        outcome = "hang" if not ready else _describe(status)
        return {"outcome": outcome, "details": self.log.read_text(errors="replace")[-20_000:]}

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        return self.process

    def close(self) -> int:
        """Wait for the process to end, now that it gets no more tasks; its exit status."""
        process, self.process = self.process, None
        if process is None:
            return 0
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        return process.wait()


def _describe(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"exit {status}"


def run(
    command: list[str], tasks: Iterable[int], *, seconds: float, jobs: int, folder: Path
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Do tasks in several workers; yield the number of each with its answer, in order."""
    workers = [Worker(command, seconds, folder / f"worker{job}.log") for job in range(jobs)]
    numbers = list(tasks)
    try:
        with ThreadPoolExecutor(jobs) as pool:
            for start in range(0, len(numbers), jobs):
                group = numbers[start : start + jobs]
                yield from zip(group, pool.map(Worker.do, workers, group), strict=False)
    finally:
        for worker in workers:
            worker.close()
