"""Sentences that end the process that parses them, for lack of memory perhaps: they are found and left.

Before some sentences are parsed, a note on disk says which. If the process ends with them, the next one that gets
the task parses them one by one; a sentence at which three processes have ended, when nothing else was being
parsed, is left without a tree. A process that is killed for other reasons does not come back to the same sentence
three times.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wnparse.treebanks.sentence import Sentence

TRIES = 3  # processes that end at a sentence before it is left

Span = tuple[int, int, int]  # place of a piece, first lines of the first and of the last sentence


class Notes:
    """Which sentences are being parsed, on disk, for who comes after a process that ends with them.

    A line ``+ place first last`` is written before, one with ``-`` after; ``=`` begins an attempt. The file is
    removed at the end of the task, however it ends, unless the process ends first.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.place = 0
        self.suspects: set[Span] = set()
        self.alone: Counter[Span] = Counter()
        self._lock = threading.Lock()

    def __enter__(self) -> Notes:
        with contextlib.suppress(FileNotFoundError):
            for attempt in self._path.read_text().split("=\n")[1:]:
                self._learn(attempt)
        with contextlib.suppress(OSError):  # a full disk is told by the part that cannot be written
            self._stream = self._path.open("a")
        self._write("=\n")
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, AttributeError):
            self._stream.close()
        self._path.unlink(missing_ok=True)

    def _learn(self, attempt: str) -> None:
        """What was being parsed when an attempt ended."""
        under_way: set[Span] = set()
        for line in attempt.split("\n")[:-1]:
            sign, place, first, last = line.split(" ")
            span = (int(place), int(first), int(last))
            under_way = under_way | {span} if sign == "+" else under_way - {span}
        self.suspects |= under_way
        self.alone.update(span for span in under_way if len(under_way) == 1 and span[1] == span[2])

    def _write(self, text: str) -> None:
        with self._lock, contextlib.suppress(OSError, AttributeError):
            self._stream.write(text)
            self._stream.flush()

    def watch(
        self, work: Callable[[list[Sentence]], list[Any]], leave: Callable[[Sentence], Any]
    ) -> Callable[[list[Sentence]], list[Any]]:
        """The same work with notes; sentences at which processes have ended are done one by one, or left."""

        def noted(chunk: list[Sentence]) -> list[Any]:
            if not chunk:
                return work(chunk)
            span = (self.place, chunk[0].line, chunk[-1].line)
            if len(chunk) > 1 and any(_overlap(span, other) for other in self.suspects):
                return [result for sentence in chunk for result in noted([sentence])]
            if self.alone[span] >= TRIES:
                return [leave(chunk[0])]
            told = "{} {} {}".format(*span)
            self._write(f"+ {told}\n")
            try:
                return work(chunk)
            finally:
                self._write(f"- {told}\n")

        return noted


def _overlap(one: Span, other: Span) -> bool:
    return one[0] == other[0] and one[1] <= other[2] and other[1] <= one[2]
