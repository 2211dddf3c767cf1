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


ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def _leave(number: int, *_: Any) -> None:
    os._exit(128 + number)


@contextlib.contextmanager
def leaving_on_interrupt(*ours: Any) -> Iterator[None]:
    """End the process at Ctrl-C, SIGTERM and SIGHUP that would be handled by Python, or by `ours`."""
    previous = {}
    if threading.current_thread() is threading.main_thread():
        previous = {number: signal.getsignal(number) for number in ENDING}
    for number, handler in previous.items():
        if handler in (signal.default_int_handler, *ours):
            signal.signal(number, _leave)
    try:
        yield
    finally:
        for number, handler in previous.items():
            if handler in (signal.default_int_handler, *ours):
                signal.signal(number, handler)
