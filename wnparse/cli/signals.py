"""Ctrl-C, SIGTERM and SIGHUP: each ends a command within a second, without a traceback or a half-written file.

Python turns a signal into KeyboardInterrupt, which does not work in two places. A module that is being imported
may swallow it, or turn it into an ImportError. A finaliser drops it. In both places the process ends at once
instead.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

EXIT_BAD_DATA = 1
EXIT_SIGNAL = 128  # the exit status of a program that a signal ended is 128 + the number of the signal
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Signals:
    """Handlers by which SIGTERM and SIGHUP act like Ctrl-C; signals that the caller ignores stay ignored.

    Attributes
    ----------
    received : int
        The last signal; 0 if there was none.
    tidy_up : callable
        Called before the process ends at once.
    """

    def __init__(self) -> None:
        self.received = 0
        self.tidy_up: Callable[[], object] = lambda: None

    @property
    def status(self) -> int:
        """The exit status of a program that a signal ended."""
        return EXIT_SIGNAL + (self.received or signal.SIGINT)

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the command; end the process if it is being interrupted already, or imports a module."""
        previous, self.received = self.received, number
        if previous or _is_importing(frame):
            self._leave()
        raise KeyboardInterrupt

    @contextlib.contextmanager
    def handled_by(self, handler: Callable[[int, Any], None]) -> Iterator[None]:
        """Call `handler` on the signals that end a program, within the context."""
        previous = {number: signal.getsignal(number) for number in ENDING}
        for number, before in previous.items():
            if before is not signal.SIG_IGN:
                signal.signal(number, handler)
        try:
            yield
        finally:
            for number, before in previous.items():
                signal.signal(number, before)

    @contextlib.contextmanager
    def never_dropped(self) -> Iterator[None]:
        """End the process if an interrupt is dropped because a finaliser was running."""
        usual = sys.unraisablehook
        sys.unraisablehook = functools.partial(self._handle_unraisable, usual)
        try:
            yield
        finally:
            sys.unraisablehook = usual

    def _handle_unraisable(self, usual: Callable[[Any], Any], lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, KeyboardInterrupt) or not self.received:
            usual(lost)
            return
        with contextlib.suppress(OSError):
            os.write(2, b"wnparse: interrupted\n")
        self._leave()

    def _leave(self) -> None:
        self.tidy_up()
        os._exit(self.status)


def _is_importing(frame: FrameType | None) -> bool:
    """Return whether a frame, or one that called it, imports a module."""
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


signals = Signals()
