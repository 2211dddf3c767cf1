"""Ctrl-C while Python is still importing: the process ends at once, without a traceback.

Nothing has been read or written by then. An exception would be raised inside whatever module is being imported,
and extension modules turn it into an ImportError of their own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

EXIT_INTERRUPTED = 130  # what shells report for a program that SIGINT ended


def _leave(*_: Any) -> None:
    os._exit(EXIT_INTERRUPTED)


@contextlib.contextmanager
def leaving_on_interrupt(*ours: Any) -> Iterator[None]:
    """End the process at Ctrl-C, unless the caller has other plans for it than Python's or `ours`."""
    previous = signal.getsignal(signal.SIGINT)
    usual = previous in (signal.default_int_handler, *ours)
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
