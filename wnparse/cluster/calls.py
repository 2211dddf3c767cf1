"""Function calls that other processes make, and their outcomes."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A function call that another process can make."""

    label: Any  # identifies the call in its outcome; it is not sent
    function: Callable[..., Any]  # in a module that the other process can import
    arguments: tuple[Any, ...]  # that can be pickled
    attempt: int = 1


class Outcome(NamedTuple):
    """The outcome of a call."""

    call: Call
    value: Any = None  # what the function returned
    error: Exception | None = None  # or what it raised
    seconds: float = 0.0  # duration
    worker: str = ""  # the address of the worker, on a cluster


def make_call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, Exception | None, float]:
    """Return the value of a call or the exception that it raised, and the seconds that it took."""
    start = time.perf_counter()
    try:
        value, error = function(*arguments), None
    except Exception as raised:
        value, error = None, raised
    return value, error, time.perf_counter() - start


@contextlib.contextmanager
def signals_blocked() -> Iterator[None]:
    """Block signals of the terminal, such as Ctrl-C, in processes that this thread starts within."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # it lets signals through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
