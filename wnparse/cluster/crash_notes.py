"""Find sentences at which the parsing process ends, perhaps for lack of memory, and leave them out.

A note on disk exists while a process works on a task. If the process ends, the next one that gets the task finds
the note, parses sentences one by one, and notes each. A sentence at which three processes ended is left without a
tree. A process that is killed for other reasons does not end at the same sentence three times.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wnparse.treebanks.sentence import Sentence

TRIES = 3  # processes that end at a sentence before it is left
ATTEMPT, DONE = "attempt", "done"  # lines of a note; the others name a sentence that is being parsed


class CrashNotes:
    """The notes on one task, on disk.

    They are removed at the end of the task, even if it fails, unless the process ends first.

    Attributes
    ----------
    suspicious : bool
        Whether a process has ended at this task.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.suspicious = False
        self._ends: Counter[str] = Counter()  # processes that ended at a sentence

    def __enter__(self) -> CrashNotes:
        with contextlib.suppress(FileNotFoundError):
            attempts = self._path.read_text().split(f"{ATTEMPT}\n")[1:]
            self.suspicious = bool(attempts)
            self._ends.update(lines[-2] for attempt in attempts if len(lines := attempt.split("\n")) > 1)
        self._write(ATTEMPT)
        return self

    def __exit__(self, *_: object) -> None:
        self._path.unlink(missing_ok=True)

    def _write(self, line: str) -> None:
        with contextlib.suppress(OSError), self._path.open("a") as stream:  # the part reports a full disk
            stream.write(f"{line}\n")

    def watch(
        self, piece: int, work: Callable[[list[Sentence]], list[Any]], leave: Callable[[Sentence], Any]
    ) -> Callable[[list[Sentence]], list[Any]]:
        """Return `work` for the sentences of a piece of the task, with notes if a process has ended before.

        `leave` returns the result of a sentence that is left. With notes, all work must be done by one thread.
        """
        if not self.suspicious:
            return work

        def one_by_one(chunk: list[Sentence]) -> list[Any]:
            results = []
            for sentence in chunk:
                name = f"{piece}:{sentence.line}"
                if self._ends[name] >= TRIES:
                    results.append(leave(sentence))
                    continue
                self._write(name)
                results += work([sentence])
                self._write(DONE)
            return results

        return one_by_one
