"""A corpus on a cluster: tasks are given out in order, finished ones noted, outputs joined when they are complete.

Nothing that is finished is lost: what goes wrong with a task (bad data, a worker's full disk, workers that end at
it) is told when the others that are under way are over, and the same command goes on from there. Of several bad
sentences the first one in the order of the inputs is told, as on one machine: tasks before it are finished first.
"""

from __future__ import annotations

import contextlib
import heapq
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from wnparse.cluster.cut import Piece
from wnparse.cluster.dask import Cluster, Finished, TaskQueue
from wnparse.cluster.records import Records
from wnparse.cluster.worker import NEEDS_MODEL, Assignment, Job, do_task, install, join_parts
from wnparse.errors import ClusterError, TreebankError, WnparseError
from wnparse.wording import plural

MOST_TRIES = 3  # of a task that a worker could not do
MOST_LOSSES = 6  # of a task at which Dask has lost several workers in a row
PATIENCE = 5.0  # seconds without any worker before that is said
AGAIN = "the same command goes on from here"


class TaskDone(NamedTuple):
    """A task that this run has finished."""

    task: int
    words: int
    worker: str
    seconds: float


class CorpusRun:
    """One run over a corpus.

    Parameters
    ----------
    cluster : Cluster
        Who does it.
    records : Records
        What is to be done, and what has been.
    job : Job
        What workers are told.
    tell : callable
        Gets a line for the user where there is something to wait for.
    """

    def __init__(self, cluster: Cluster, records: Records, job: Job, tell: Callable[[str], object]) -> None:
        self._cluster, self._records, self._job, self._tell = cluster, records, job, tell
        self._ready: set[str] = set()  # workers that know the job
        self._avoided: dict[str, str] = {}  # workers that could not write, or read, and why
        self._tries: Counter[tuple[str, int]] = Counter()
        self._losses: Counter[tuple[str, int]] = Counter()
        self._left: dict[int, str] = {}  # tasks, and outputs by negative numbers, that nobody can do
        self._bad: dict[int, WnparseError] = {}
        self._full = ""  # why no more tasks are given out
        self._waiting = [task for task in range(len(records.cut.tasks)) if task not in records.done]
        sources = range(len(records.inputs))
        # Pieces of each output that are not done yet: counted, for a file may have many thousands.
        self._missing = [sum(task not in records.done for task, _ in records.pieces(each)) for each in sources]
        self._joins = [source for source in sources if self._is_joinable(source)]

    def run(self) -> Iterator[TaskDone]:
        """Do what has not been done; at the end all outputs are whole, or an error says what is missing."""
        with contextlib.closing(self._cluster.queue()) as queue:
            quiet_since = time.monotonic()
            while True:
                self._prepare()
                self._fill(queue)
                if not len(queue):
                    if self._may_go_on():
                        continue
                    break
                done = queue.get()
                if self._cluster.workers():
                    quiet_since = time.monotonic()
                elif time.monotonic() - quiet_since > PATIENCE:
                    self._tell(f"{self._cluster.place}: waiting for workers; dask worker ADDRESS starts one")
                    quiet_since = float("inf")
                if done is not None and (found := self._take(done)):
                    yield found
        self._raise_if_incomplete()

    def _may_go_on(self) -> bool:
        return not self._full and bool(self._joins or any(self._is_wanted(task) for task in self._waiting))

    def _is_wanted(self, task: int) -> bool:
        """Whether a task comes before the first bad sentence."""
        return not self._bad or task < min(self._bad)

    def _fill(self, queue: TaskQueue) -> None:
        """Give out tasks while there is room; joins first, for they free the disk."""
        room = queue.room()
        while room > 0 and not self._full:
            room -= 1
            if self._joins:
                source = self._joins.pop()
                pieces = [self._piece(*each) for each in self._records.pieces(source)]
                parts = [str(self._records.part(piece).absolute()) for piece in pieces]
                target = str(self._records.target(source).absolute())
                queue.put(("join", source), join_parts, parts, target)
            elif self._waiting and self._is_wanted(self._waiting[0]):
                task = heapq.heappop(self._waiting)
                assigned = [self._assignment(piece) for piece in self._records.cut.tasks[task]]
                queue.put(("parse", task), do_task, self._job.name, task, assigned)
            else:
                break
        queue.send(self._avoided)

    def _piece(self, task: int, place: int) -> Piece:
        return self._records.cut.tasks[task][place]

    def _assignment(self, piece: Piece) -> Assignment:
        source = self._records.inputs[piece.source]
        part = str(self._records.part(piece).absolute())
        return Assignment(source.path, source.size, source.changed, piece.begin, piece.end, part, piece.first)

    def _take(self, done: Finished) -> TaskDone | None:
        """Note what came of a task."""
        kind, number = done.label
        if done.error is not None:
            self._count_loss(kind, number, done.error)
        elif "ask" in done.value:
            self._ready.discard(done.worker)  # a new process with an old address
            self._again(kind, number)
        elif "trouble" in done.value:
            self._avoid(kind, number, done)
        elif kind == "join":
            self._records.note_whole(number, done.value["bytes"])
        elif "bad" in done.value or "changed" in done.value:
            self._bad[number] = self._describe_bad(number, done.value)
        else:
            self._records.note({**done.value, "worker": done.worker, "seconds": round(done.seconds, 3)})
            for piece in self._records.cut.tasks[number]:
                self._missing[piece.source] -= 1
                if self._is_joinable(piece.source):
                    self._joins.append(piece.source)
            words = sum(piece["counts"]["words"] for piece in done.value["pieces"])
            return TaskDone(number, words, done.worker, done.seconds)
        return None

    def _is_joinable(self, source: int) -> bool:
        return self._missing[source] == 0 and source not in self._records.whole

    def _again(self, kind: str, number: int) -> None:
        if kind == "join":
            self._joins.append(number)
        else:
            heapq.heappush(self._waiting, number)

    def _count_loss(self, kind: str, number: int, error: Exception) -> None:
        """Do a task again at which workers ended, or that failed by no fault of its data, but not for ever."""
        if isinstance(error, ModuleNotFoundError):
            self._cluster.check_versions(self._cluster.workers())
        counted = self._losses if isinstance(error, ClusterError) else self._tries
        counted[kind, number] += 1
        if counted[kind, number] < (MOST_LOSSES if counted is self._losses else MOST_TRIES):
            self._again(kind, number)
        else:
            self._left[number if kind == "parse" else -1 - number] = f"{type(error).__name__}: {error}"

    def _avoid(self, kind: str, number: int, done: Finished) -> None:
        """Let others do what a worker had no disk or memory for; stop if there are none."""
        self._avoided[done.worker] = done.value["trouble"]
        self._tries[kind, number] += 1
        others = set(self._cluster.workers()) - self._avoided.keys()
        self._again(kind, number)
        if self._tries[kind, number] >= MOST_TRIES or not others:
            self._full = f"worker {done.worker}: {done.value['trouble']}"

    def _describe_bad(self, task: int, told: dict[str, Any]) -> WnparseError:
        place = told["place"]
        source = self._records.inputs[self._piece(task, place).source]
        if "changed" in told:
            return ClusterError(
                f"{source.name}: has been changed while the work was going on; begin in a new folder"
            )
        line = told["line"] and told["line"] + self.lines_before(task, place)
        return TreebankError(told["bad"], source.name, line)

    def lines_before(self, task: int, place: int) -> int:
        """The lines of a file before a piece of it: those of pieces that are done are known."""
        wanted = self._piece(task, place)
        lines = 0
        for before, at in self._records.pieces(wanted.source):
            piece = self._piece(before, at)
            if piece.begin >= wanted.begin:
                break
            if before in self._records.done:
                lines += self._records.done[before]["pieces"][at]["lines"]
            else:
                with Path(self._records.inputs[wanted.source].path).open("rb") as stream:
                    stream.seek(piece.begin)
                    lines += stream.read(piece.end - piece.begin).count(b"\n")
        return lines

    def describe_state(self) -> str:
        """How far it is, and what to do next."""
        count = len(self._records.cut.tasks)
        return f"{len(self._records.done):,} of {count:,} {plural(count, 'task')} done; {AGAIN}"

    def _raise_if_incomplete(self) -> None:
        if self._full:
            raise ClusterError(f"{self._full}; {self.describe_state()}")
        if self._bad:
            raise self._bad[min(self._bad)]
        if not self._left:
            return
        places: defaultdict[str, list[str]] = defaultdict(list)
        for number, why in sorted(self._left.items()):
            sources = [-1 - number] if number < 0 else [piece.source for piece in self._records.cut.tasks[number]]
            places[why] += [str(self._records.target(source)) for source in sources]
        told = "; ".join(f"{', '.join(sorted(set(targets)))} ({why})" for why, targets in places.items())
        raise ClusterError(f"missing: {told}; {self.describe_state()}")

    def _prepare(self) -> None:
        """Tell the job to workers that do not know it yet; ClusterError if one cannot do it."""
        new = set(self._cluster.workers()) - self._ready
        if not new:
            return
        self._cluster.check_versions(new)
        found = self._cluster.on_workers(install, self._job, workers=new)
        needing = [worker for worker, answer in found.items() if answer == NEEDS_MODEL]
        if needing:
            whole = replace(self._job, model=Path(self._job.model_path).read_bytes())
            found |= self._cluster.on_workers(install, whole, workers=needing)
        for worker, answer in found.items():
            if answer:
                raise ClusterError(f"worker {worker}: {answer}")
            self._ready.add(worker)
