"""Failing tasks of a run over a corpus, with a simulated cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from support.treebanks import first_sentences
from wnparse.cluster.calls import Call, Outcome, make_call
from wnparse.cluster.cut import cut_corpus, look_at
from wnparse.cluster.dask import Cluster
from wnparse.cluster.records import Records, locked
from wnparse.cluster.run import MOST_ATTEMPTS, CorpusRun
from wnparse.cluster.worker import Job, LackingResourcesError, UnusableWorkerError, join_parts, model_checksum
from wnparse.errors import ClusterError, TreebankError
from wnparse.parser.options import ParseOptions

DESCRIPTION = {"wnparse": "1", "model": "m", "options": {}, "inputs": []}
Spoil = Callable[[Call, str], Exception | None]


class OneProcess:
    """A cluster with two workers, both of which are this process; `spoil` decides which calls fail."""

    place = "here"

    def __init__(self, spoil: Spoil) -> None:
        self.spoil = spoil
        self.calls: list[tuple[Call, str]] = []

    def workers(self) -> dict[str, int]:
        return {"first": 1, "second": 1}

    def run(self, calls: deque[Call], avoided: Collection[str], when_idle: Any) -> Iterator[Outcome]:
        while calls:
            call = calls.popleft()
            worker = next((name for name in self.workers() if name not in avoided), "first")
            self.calls.append((call, worker))
            error = self.spoil(call, worker)
            answer = make_call(call.function, call.arguments) if error is None else (None, error, 0.0)
            yield Outcome(call, *answer, worker)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    """A file of 20 sentences, cut into several tasks."""
    (tmp_path / "x").write_bytes(first_sentences("test", 20))
    inputs = look_at([str(tmp_path / "x")])
    with locked(tmp_path / "out"):
        records = Records(tmp_path / "out", inputs, ["x"])
        records.begin(DESCRIPTION, cut_corpus(inputs, 60))
        assert len(records.cut.tasks) > 3
        yield records


def run(records: Records, model: str, spoil: Spoil) -> OneProcess:
    cluster = OneProcess(spoil)
    job = Job(str(records.parts), str(records.share(model)), model_checksum(model), ParseOptions())
    for _ in CorpusRun(cast(Cluster, cluster), records, job, pytest.fail).run():
        pass
    return cluster


def fail(error: Exception, task: int, attempts: int = MOST_ATTEMPTS) -> Spoil:
    """Let the first attempts to do a task fail."""
    return lambda call, _: (
        error if call.function is not join_parts and call.label == task and call.attempt <= attempts else None
    )


def test_tasks_that_fail_are_tried_again(records: Records, model: str) -> None:
    error = ClusterError("several workers ended")
    cluster = run(records, model, fail(error, 1, MOST_ATTEMPTS - 1))
    assert [call.label for call, _ in cluster.calls[:3]] == [0, 1, 1]
    assert records.whole == {0}
    assert records.target(0).stat().st_size == sum(result.bytes for result in records.results.values())


def test_a_task_that_always_fails_is_reported_as_missing(records: Records, model: str) -> None:
    with pytest.raises(ClusterError, match=r"missing: .*out/x \(KeyError: 7\); ") as raised:
        run(records, model, fail(KeyError(7), 1))
    count = len(records.cut.tasks)
    assert f"{count - 1} of {count} tasks done" in str(raised.value)
    assert records.done_tasks() == [0, *range(2, count)]


def test_workers_that_lack_something_are_avoided(records: Records, model: str) -> None:
    cluster = run(records, model, lambda _, worker: LackingResourcesError("full") if worker == "first" else None)
    assert [worker for _, worker in cluster.calls].count("first") == 1
    assert records.whole == {0}


def test_fails_if_no_worker_is_left(records: Records, model: str) -> None:
    with pytest.raises(ClusterError, match=r"^worker second: full; 0 of"):
        run(records, model, lambda *_: LackingResourcesError("full"))
    with pytest.raises(ClusterError, match=r"^worker first: is no good$"):
        run(records, model, lambda *_: UnusableWorkerError("is no good"))


def test_tasks_before_a_bad_sentence_are_done(records: Records, model: str) -> None:
    with pytest.raises(TreebankError, match=r"^bad$"):
        run(records, model, fail(TreebankError("bad"), 2))
    assert records.done_tasks() == [0, 1]


def test_a_run_is_resumed_piece_by_piece(records: Records, model: str) -> None:
    with pytest.raises(TreebankError):
        run(records, model, fail(TreebankError("bad"), 2))
    again = Records(records.directory, records.inputs, records.outputs)
    assert again.resume(DESCRIPTION)
    cluster = run(again, model, lambda *_: None)
    assert [call.label for call, _ in cluster.calls] == [*range(2, len(again.cut.tasks)), 0]
    assert again.whole == {0}
