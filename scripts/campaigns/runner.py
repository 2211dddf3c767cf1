"""Checks of many numbered cases in worker processes, so that a crash or a hang is noticed and the rest goes on."""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import multiprocessing.connection
import os
import resource
import signal
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

START_SECONDS = 120  # for a worker to import what it needs
MEMORY = 6 << 30  # bytes of address space of a worker
CHUNK = 200  # cases that a worker gets at once

Check = Callable[[int], str]  # from the number of a case to its outcome; it raises if the case fails
_CONTEXT = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Result:
    """What came of a case: an outcome in a few words, or what failed."""

    number: int
    outcome: str
    failure: str = ""


@dataclass
class _Worker:
    """A process, the numbers it has left, and when it last reported."""

    make_check: Callable[..., Check]
    arguments: tuple[Any, ...]
    log: Path
    left: list[int] = field(default_factory=list)
    ready: bool = False

    def start(self) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(
            target=_work, args=(theirs, str(self.log), self.make_check, self.arguments), daemon=True
        )
        self.process.start()
        theirs.close()
        self.ready = False
        self.seen = time.monotonic()

    def give(self, numbers: list[int]) -> None:
        self.left = numbers
        self.seen = time.monotonic()
        self.pipe.send(numbers)

    def report(self) -> str:
        """Return what the process wrote as it ended."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def run_cases(
    make_check: Callable[..., Check], arguments: tuple[Any, ...], numbers: range, *, jobs: int, seconds: float
) -> Iterator[Result]:
    """Check cases; yield what came of each, in any order.

    Parameters
    ----------
    make_check : callable
        Called once per worker with `arguments`; returns what checks a case. It must be a function of a module.
    numbers : range
        The numbers of the cases.
    jobs : int
        Number of worker processes.
    seconds : float
        A case that takes longer is a failure.
    """
    waiting = [list(numbers[at : at + CHUNK]) for at in range(0, len(numbers), CHUNK)][::-1]
    with tempfile.TemporaryDirectory() as folder:
        workers = [_Worker(make_check, arguments, Path(folder, f"{job}.log")) for job in range(jobs)]
        for worker in workers:
            worker.start()
        try:
            while waiting or any(worker.left for worker in workers):
                multiprocessing.connection.wait([worker.pipe for worker in workers], timeout=0.5)
                for worker in workers:
                    yield from _receive(worker)
                    yield from _restart(worker, seconds)
                    if worker.ready and not worker.left and waiting:
                        worker.give(waiting.pop())
        finally:
            for worker in workers:
                worker.end()


def _receive(worker: _Worker) -> Iterator[Result]:
    """Yield what a worker has reported."""
    with contextlib.suppress(EOFError, ConnectionResetError):
        while worker.pipe.poll():
            report = worker.pipe.recv()
            worker.seen = time.monotonic()
            if report is None:
                worker.ready = True
            else:
                worker.left.remove(report.number)
                yield report


def _restart(worker: _Worker, seconds: float) -> Iterator[Result]:
    """If a worker has ended or hangs, yield the failure of its case, and start it again for the others."""
    limit = seconds if worker.ready else START_SECONDS
    hangs = time.monotonic() - worker.seen > limit and (worker.left or not worker.ready)
    if not hangs and worker.process.is_alive():
        return
    yield from _receive(worker)  # what it reported before it ended
    worker.end()
    if not worker.ready:
        raise RuntimeError(f"a worker does not start:\n{worker.report()}")
    left = worker.left
    if left:
        code = worker.process.exitcode or 0
        name = signal.Signals(-code).name if code < 0 else f"status {code}"
        what = f"hang: more than {seconds:g} s" if hangs else f"crash: {name}"
        yield Result(left[0], what.partition(":")[0], f"{what}\n{worker.report()}".strip())
    worker.start()
    while not worker.ready and worker.process.is_alive() and time.monotonic() - worker.seen < START_SECONDS:
        if worker.pipe.poll(0.1) and worker.pipe.recv() is None:
            worker.ready = True
    worker.left = []
    if left[1:]:
        worker.give(left[1:])


def _work(pipe: Any, log: str, make_check: Callable[..., Check], arguments: tuple[Any, ...]) -> None:
    """Check cases until the pipe is closed."""
    with Path(log).open("w") as stream, contextlib.suppress(EOFError):
        faulthandler.enable(stream)
        tempfile.tempdir = str(Path(log).parent)  # which the parent removes, however the worker ends
        warnings.simplefilter("error")  # a warning is a failure, too
        try:
            check = make_check(*arguments)
        except BaseException:
            traceback.print_exc(file=stream)
            raise
        if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which needs terabytes of addresses
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        pipe.send(None)
        while True:
            for number in pipe.recv():
                pipe.send(_check(check, number))


def _check(check: Check, number: int) -> Result:
    try:
        return Result(number, check(number))
    except Exception as error:
        return Result(number, f"failure: {type(error).__name__}", traceback.format_exc(limit=-8).strip())
