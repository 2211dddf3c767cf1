"""Independent tasks in processes of this machine.

Each process does one task after the other; who has finished gets the next. A task that raises costs its own
result alone. One whose process dies is tried once more in another. Processes are started anew (spawn), so that
they inherit no lock and no half-written file; they leave signals to the one that started them, end when that one
does, however it ends, and have one thread each for what numpy does on its own.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from wnparse.errors import WnparseError

ATTEMPTS = 2
# What numerical libraries look for when they are loaded.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Done(NamedTuple):
    """A task that is over."""

    number: int  # its place among the tasks, from 0
    value: Any = None  # what it returned
    error: Exception | None = None  # or what it raised


class _Process:
    """A process and its task."""

    def __init__(self, function: Callable[..., Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(function, other), daemon=True)
        self.number = -1
        with _without_signals(), _one_thread():
            self.process.start()
        other.close()

    def give(self, number: int, arguments: tuple[Any, ...]) -> None:
        """Let it do a task; one that has died is found out when its answer is asked for."""
        self.number = number
        with contextlib.suppress(OSError):
            self.connection.send(arguments)

    def answer(self) -> tuple[Any, Exception | None] | None:
        """What came of its task; None if it has died."""
        try:
            found: tuple[Any, Exception | None] = self.connection.recv()
        except (EOFError, OSError):
            return None
        return found

    def end(self) -> None:
        """End it, whatever it does: it holds nothing that could be lost."""
        self.process.kill()
        self.process.join()
        self.connection.close()


def run_tasks(function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[Done]:
    """Do independent tasks, and yield each when it is over.

    Parameters
    ----------
    function : callable
        Of a module that can be imported.
    tasks : sequence of tuple
        Its arguments, which can be pickled.
    jobs : int
        Processes; with 1, or one task, all is done in this one.
    """
    if min(jobs, len(tasks)) <= 1:
        for number, arguments in enumerate(tasks):
            yield Done(number, *_attempt(function, arguments))
        return
    waiting = deque((number, 1) for number in range(len(tasks)))
    attempts = [0] * len(tasks)
    with contextlib.ExitStack() as stack:
        busy: dict[Connection, _Process] = {}

        def begin(process: _Process | None = None) -> None:
            """Give the next task to a process, or to a new one."""
            if process is None:
                process = _Process(function)
                stack.callback(process.end)
            number, attempts[number] = waiting.popleft()
            process.give(number, tasks[number])
            busy[process.connection] = process

        for _ in range(min(jobs, len(tasks))):
            begin()
        while busy:
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                process = busy.pop(connection)
                number, found = process.number, process.answer()
                if found is not None:
                    if waiting:
                        begin(process)
                    yield Done(number, *found)
                    continue
                process.process.join()
                given_up = attempts[number] >= ATTEMPTS
                if not given_up:
                    waiting.append((number, attempts[number] + 1))
                if waiting:
                    begin()
                if given_up:
                    yield Done(number, error=WnparseError(_describe_end(process.process.exitcode)))


def _describe_end(code: int | None) -> str:
    """How a process came to its end."""
    name = signal.Signals(-code).name if code is not None and code < 0 else f"status {code}"
    hint = ": out of memory? fewer --jobs need less" if name == "SIGKILL" else ""
    return f"the process that did it ended by {name}, {ATTEMPTS} times{hint}"


def _attempt(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    try:
        return function(*arguments), None
    except Exception as error:
        return None, error


def _serve(function: Callable[..., Any], connection: Connection) -> None:
    """Do tasks until there are no more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            arguments = connection.recv()
        except EOFError:
            return
        connection.send(_attempt(function, arguments))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


@contextlib.contextmanager
def _without_signals() -> Iterator[None]:
    """Keep what a terminal sends to all of its processes from those that are started meanwhile."""
    blocked = {getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)}
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it lets signals through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that are started meanwhile calculate on one thread, unless the user said otherwise."""
    ours = [name for name in THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]
