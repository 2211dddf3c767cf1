"""A corpus on a cluster: tasks are sent in order, finished ones recorded, outputs joined when they are complete.

A task that fails for other reasons than its data is tried again, by another worker if this one lacks disk or
memory. Finished tasks are never lost: errors are raised when no task is under way, and the same command resumes
from there. Of several bad sentences, the first in the order of the inputs is reported, as on one machine: tasks
before it are finished first.
"""

from __future__ import annotations

import pickle
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator

from wnparse.cluster.calls import Call, Outcome
from wnparse.cluster.dask import Cluster
from wnparse.cluster.records import Records
from wnparse.cluster.worker import (
    Assignment,
    InputChangedError,
    Job,
    LackingResourcesError,
    UnusableWorkerError,
    join_parts,
    parse_pieces,
)
from wnparse.errors import ClusterError, TreebankError, WnparseError
from wnparse.wording import counted

MOST_ATTEMPTS = 6  # per task; Dask may lose several workers in one attempt
PATIENCE = 5.0  # seconds without any worker before a message


class CorpusRun:
    """One run over a corpus.

    Parameters
    ----------
    cluster : Cluster
        The cluster to use.
    records : Records
        The tasks, and the results so far.
    job : Job
        The model and the options.
    notify : callable
        Called with a message if the run waits for workers.
    """

    def __init__(self, cluster: Cluster, records: Records, job: Job, notify: Callable[[str], object]) -> None:
        self._cluster, self._records, self._notify = cluster, records, notify
        self._packed_job = pickle.dumps(job)
        self._avoided: set[str] = set()  # workers that lack disk or memory
        self._bad: dict[int, WnparseError] = {}  # bad data, by task
        self._failed: list[Outcome] = []
        self._stopped = ""  # why no more tasks are sent
        self._worker_seen = time.monotonic()
        # Pieces of each output that are not done yet: counted, because a file may have many thousands.
        self._missing = [sum(piece not in records.results for piece in pieces) for pieces in records.pieces]
        joins = [self._join_call(source) for source in range(len(records.inputs)) if self._is_joinable(source)]
        tasks = sorted(set(range(len(records.cut.tasks))).difference(records.done_tasks()))
        self._calls = deque([*joins, *map(self._parse_call, tasks)])

    def _parse_call(self, task: int) -> Call:
        assignments = [
            Assignment(self._records.inputs[piece.source], piece, str(self._records.part(piece).absolute()))
            for piece in self._records.cut.tasks[task]
            if piece not in self._records.results
        ]
        return Call(task, parse_pieces, (self._packed_job, task, assignments))

    def _join_call(self, source: int) -> Call:
        parts = [str(self._records.part(piece).absolute()) for piece in self._records.pieces[source]]
        return Call(source, join_parts, (parts, str(self._records.target(source).absolute())))

    def _is_joinable(self, source: int) -> bool:
        return self._missing[source] == 0 and source not in self._records.whole

    def run(self) -> Iterator[Outcome]:
        """Do the tasks that are not done yet, and yield the outcome of each.

        At the end all outputs are complete, or an error describes what is missing.
        """
        for outcome in self._cluster.run(self._calls, self._avoided, self._report_waiting):
            self._worker_seen = time.monotonic()
            if outcome.error is not None:
                self._handle_error(outcome, outcome.error)
            elif outcome.call.function is join_parts:
                self._records.whole.add(outcome.call.label)
            else:
                self._record(outcome)
                yield outcome
            self._drop_unwanted_calls()
        self._raise_if_incomplete()

    def _report_waiting(self) -> None:
        if self._cluster.workers():
            self._worker_seen = time.monotonic()
        elif time.monotonic() - self._worker_seen > PATIENCE:
            self._notify(f"{self._cluster.place}: waiting for workers; start one with dask worker ADDRESS")
            self._worker_seen = float("inf")

    def _record(self, outcome: Outcome) -> None:
        pieces = [assignment.piece for assignment in outcome.call.arguments[-1]]
        self._records.note(dict(zip(pieces, outcome.value, strict=True)))
        for piece in pieces:
            self._missing[piece.source] -= 1
            if self._is_joinable(piece.source):
                self._calls.appendleft(self._join_call(piece.source))  # before others: it frees the disk

    def _handle_error(self, outcome: Outcome, error: Exception) -> None:
        call = outcome.call
        if isinstance(error, UnusableWorkerError):
            raise ClusterError(f"worker {outcome.worker}: {error}")
        if isinstance(error, (TreebankError, InputChangedError)):
            self._bad[call.label] = error
            return
        if isinstance(error, LackingResourcesError):
            self._avoided.add(outcome.worker)
            if call.attempt == MOST_ATTEMPTS or self._avoided.issuperset(self._cluster.workers()):
                self._stopped = f"worker {outcome.worker}: {error}"
        if call.attempt < MOST_ATTEMPTS:
            self._calls.appendleft(call._replace(attempt=call.attempt + 1))
        else:
            self._failed.append(outcome)

    def _drop_unwanted_calls(self) -> None:
        """Drop all calls if the run has stopped, and tasks after the first bad sentence."""
        if not self._stopped and not self._bad:
            return
        calls = [] if self._stopped else list(self._calls)
        self._calls.clear()
        self._calls += [call for call in calls if call.function is join_parts or call.label < min(self._bad)]

    def describe_state(self) -> str:
        """Describe how much is done, and how to resume."""
        count, done = len(self._records.cut.tasks), len(self._records.done_tasks())
        return f"{done:,} of {counted(count, 'task')} done; run the same command to resume"

    def _raise_if_incomplete(self) -> None:
        if self._stopped:
            raise ClusterError(f"{self._stopped}; {self.describe_state()}")
        if self._bad:
            raise self._bad[min(self._bad)]
        targets: defaultdict[str, set[str]] = defaultdict(set)  # by the reasons why they are missing
        for outcome in self._failed:
            label = outcome.call.label
            joined = outcome.call.function is join_parts
            sources = [label] if joined else [piece.source for piece in self._records.cut.tasks[label]]
            reason = f"{type(outcome.error).__name__}: {outcome.error}"
            targets[reason].update(str(self._records.target(source)) for source in sources)
        if targets:
            missing = "; ".join(f"{', '.join(sorted(names))} ({reason})" for reason, names in targets.items())
            raise ClusterError(f"missing: {missing}; {self.describe_state()}")
