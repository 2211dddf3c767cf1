"""Independent tasks on a Dask cluster: connect to one, give it tasks, take results as they finish.

A place is ``local`` or ``local:N`` (N processes of this machine; nothing need be running), ``file:scheduler.json``
(the file that ``dask scheduler --scheduler-file`` writes), or an address, ``tcp://10.0.0.1:8786``. Tasks are
functions of modules that workers can import, with arguments that can be pickled. Only a few tasks for each thread
of the cluster are under way at a time, so that ten thousand of them need no more memory than ten, and a worker
that joins late gets its share:

    with connect("local:2") as cluster:
        for done in cluster.run(function, [(1, "a"), (2, "b")]):
            print(done.label, done.error or done.value, done.worker, done.seconds)

A worker that dies is no error: Dask gives its tasks to others. A task at which several workers in a row have died
is one, and so is what a task raises: both are told in `Finished.error`, and the others go on. A scheduler that is
lost is a ClusterError. Dask, the extra ``cluster``, is not imported before `connect` is called.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import logging
import os
import re
import secrets
import time
import warnings
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wnparse import __version__
from wnparse.errors import ClusterError
from wnparse.treebanks.chunks import count_cores

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 4  # tasks under way for each thread of the cluster: enough that none waits for the client
CONNECT_SECONDS = 10
WORKERS_SECONDS = 2.0  # how long a list of the workers is believed
# Dask looks after itself often enough to take a seventh of a core; processes of ours need that less often.
CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "200ms",
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
}
PLACES = "local, local:N, file:scheduler.json or an address such as tcp://10.0.0.1:8786"
NO_DASK = "--cluster needs dask.distributed, the extra 'cluster': pip install 'wnparse[cluster]'"
MOST_PROCESSES = 1024


@dataclass(frozen=True)
class Place:
    """Where tasks run: a number of processes here, the file of a scheduler, or its address."""

    processes: int = 0  # of this machine; 0 for a cluster that is there already
    file: str = ""
    address: str = ""

    @classmethod
    def of(cls, text: str) -> Place:
        """Read what the user calls it; ValueError, in one line, if it is none or needs what is not installed."""
        if importlib.util.find_spec("distributed") is None:
            raise ValueError(NO_DASK)
        if text == "local":
            return cls(processes=min(MOST_PROCESSES, count_cores()))
        if found := re.fullmatch(r"local:(\d{1,9})", text):
            if not 1 <= int(found[1]) <= MOST_PROCESSES:
                raise ValueError(f"{text}: expected local:1 to local:{MOST_PROCESSES}")
            return cls(processes=int(found[1]))
        if text.startswith("file:"):
            file = text.removeprefix("file:").removeprefix("//")
            if not Path(file).is_file():
                raise ValueError(
                    f"scheduler file '{file}' does not exist; dask scheduler --scheduler-file writes one"
                )
            return cls(file=file)
        if not re.fullmatch(r"([a-z]+://)?[^\s/:]+(:[^\s/:]+)*:\d{1,5}", text):
            raise ValueError(f"'{text}' is no cluster; expected {PLACES}")
        return cls(address=text)

    def __str__(self) -> str:
        return self.file or self.address or f"local:{self.processes}"


class Finished(NamedTuple):
    """A task that is over."""

    label: Any  # what the task was called
    value: Any = None  # what it returned
    error: Exception | None = None  # or why it did not; ClusterError if workers died at it
    worker: str = ""  # the address of the worker that did it
    seconds: float = 0.0  # that it took there


@contextlib.contextmanager
def connect(place: str | Place) -> Iterator[Cluster]:
    """Connect to a cluster, or start one here that ends with the block.

    Parameters
    ----------
    place : str or Place
        See above. Each local worker is a process with one thread of Dask; a task may start more of its own.

    Raises
    ------
    ValueError
        If it is no place, or Dask is not installed.
    ClusterError
        If nobody answers there.
    """
    place = place if isinstance(place, Place) else Place.of(place)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_quiet_dask())
        with _silent_children() if place.processes else contextlib.nullcontext():
            cluster = Cluster(_connect(place, stack), place)
            stack.callback(cluster.leave)
        yield cluster


def _connect(place: Place, stack: contextlib.ExitStack) -> Client:
    import dask
    from distributed import Client, LocalCluster

    stack.enter_context(dask.config.set({"distributed.comm.timeouts.connect": CONNECT_SECONDS}))
    if place.processes:
        stack.enter_context(dask.config.set(CALM))
    try:
        if place.processes:
            local = stack.enter_context(
                LocalCluster(
                    n_workers=place.processes,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            )
            return Client(local, timeout=CONNECT_SECONDS, set_as_default=False)
        if place.file:
            return Client(scheduler_file=place.file, timeout=CONNECT_SECONDS, set_as_default=False)
        return Client(place.address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        answer = "workers did not start" if place.processes else "no scheduler answers"
        raise ClusterError(f"{place}: {answer} ({_one_line(error)}); expected {PLACES}") from error


@contextlib.contextmanager
def _silent_children() -> Iterator[None]:
    """Let processes that are started say nothing on standard error: Ctrl-C reaches them, too, as they import."""
    try:
        kept = os.dup(2)
    except OSError:  # there is none
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextlib.contextmanager
def _quiet_dask() -> Iterator[None]:
    """Keep the log of Dask from standard error, which is ours; what it knows is told in our words."""
    import distributed

    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == distributed.__name__]
    before = {logging.getLogger(name): logging.getLogger(name).level for name in names}
    for logger in before:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


class Cluster:
    """A cluster that is there.

    Attributes
    ----------
    client : distributed.Client
        The connection.
    place : Place
        What it was made of.
    """

    def __init__(self, client: Client, place: Place) -> None:
        self.client = client
        self.place = place
        self._threads: dict[str, int] = {}
        self._asked = -WORKERS_SECONDS

    @property
    def dashboard(self) -> str:
        """The address of the page that shows what Dask does."""
        return str(self.client.dashboard_link)

    def leave(self) -> None:
        """Let go of the cluster; what is under way is given up."""
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be told
            self.client.close(timeout=2)

    def workers(self) -> dict[str, int]:
        """The threads of the workers that are there, or were a moment ago, by their addresses."""
        if time.monotonic() - self._asked > WORKERS_SECONDS:
            with self.watch():
                self._threads = dict(self.client.nthreads())
            self._asked = time.monotonic()
        return self._threads

    def on_workers(
        self, function: Callable[..., Any], *arguments: Any, workers: Collection[str] | None = None
    ) -> dict[str, Any]:
        """Call a function once on each worker, or on some, beside its tasks; results by their addresses.

        What it raises takes the place of a result; a worker that is gone by now has none.
        """
        with self.watch():
            found = self.client.run(
                function, *arguments, workers=None if workers is None else list(workers), on_error="return"
            )
        return {name: value for name, value in found.items() if not isinstance(value, OSError)}

    def check_versions(self, workers: Collection[str] | None = None) -> None:
        """ClusterError, in one line, if a worker, of all or of some, has another version of wnparse or none."""
        for worker, version in self.on_workers(_version_probe(), workers=workers).items():
            if version != __version__:
                has = f"has wnparse {version}" if isinstance(version, str) and version else "has no wnparse"
                raise ClusterError(
                    f"worker {worker}: {has}; expected {__version__}, as here: install the same everywhere"
                )

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """Call what Dask raises where the scheduler is gone by its name."""
        from concurrent.futures import CancelledError

        try:
            yield
        except (OSError, CancelledError, RuntimeError) as error:
            if self.client.status == "running" and not isinstance(error, (OSError, CancelledError)):
                raise
            raise self.lost() from error

    def lost(self) -> ClusterError:
        """What to say where the scheduler is gone."""
        return ClusterError(f"{self.place}: the connection to the scheduler is lost")

    def queue(self) -> TaskQueue:
        """Tasks for those who want to say what is next when something has finished."""
        return TaskQueue(self)

    def run(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Finished]:
        """Do independent tasks, and yield each when it is over; `Finished.label` is the place in `tasks`, from 0.

        Parameters
        ----------
        function : callable
            Of a module that workers can import.
        tasks : iterable of tuple
            Its arguments; asked for when there is room for another task.
        """
        waiting = enumerate(tasks)
        with contextlib.closing(self.queue()) as queue:
            while True:
                for label, arguments in itertools.islice(waiting, queue.room()):
                    queue.put(label, function, *arguments)
                if not len(queue):
                    return
                if (done := queue.get()) is not None:
                    yield done


class TaskQueue:
    """Tasks under way.

    They go to the scheduler many at a time, and their results come back so: that takes a third of the time.
    """

    def __init__(self, cluster: Cluster) -> None:
        from distributed import as_completed

        self._cluster = cluster
        self._over: Any = as_completed(loop=cluster.client.loop)
        self._kept: list[tuple[Any, Callable[..., Any], tuple[Any, ...]]] = []
        self._labels: dict[Future, Any] = {}
        self._finished: deque[Finished] = deque()
        self._name = f"wnparse-{secrets.token_hex(4)}"
        self._number = itertools.count(1)

    def __len__(self) -> int:
        return len(self._kept) + len(self._labels) + len(self._finished)

    def room(self) -> int:
        """How many more tasks would keep all workers busy; none until they are some, so that they go together."""
        threads = max(1, sum(self._cluster.workers().values()))
        under_way = len(self._kept) + len(self._labels)
        return AHEAD * threads - under_way if under_way <= (AHEAD - 1) * threads else 0

    def put(self, label: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Add a task; it is sent when results are asked for, if not before."""
        self._kept.append((label, function, arguments))

    def send(self, avoid: Collection[str] = ()) -> None:
        """Give the cluster what was added; `avoid` are workers that shall not do it, if others can."""
        if not self._kept:
            return
        workers = [name for name in self._cluster.workers() if name not in avoid] if avoid else []
        labels, functions, arguments = zip(*self._kept, strict=True)
        numbers = [next(self._number) for _ in self._kept]
        self._kept = []
        with self._cluster.watch():
            futures = self._cluster.client.map(
                _measured,
                functions,
                arguments,
                key=[f"{self._name}-{number}" for number in numbers],
                workers=workers or None,
                allow_other_workers=bool(workers),  # all of these may be gone before they are done
                priority=-numbers[0],  # first come, first served, whatever died in between
                pure=False,
            )
        self._labels.update(zip(futures, labels, strict=True))
        self._over.update(futures)

    def get(self, timeout: float = 0.5) -> Finished | None:
        """The next task that is over; None if there is none within some seconds."""
        self.send()
        deadline = time.monotonic() + timeout
        while not self._finished:
            if self._over.has_ready():
                self._gather()
                continue
            if self._cluster.client.status not in ("running", "newly-created"):
                raise self._cluster.lost()
            if time.monotonic() > deadline:
                return None
            with self._over.thread_condition:
                self._over.thread_condition.wait(0.1)
        return self._finished.popleft()

    def _gather(self) -> None:
        """Take the results of what is over, all that there are."""
        over = self._over.next_batch(block=False)
        if any(future.status not in ("finished", "error") for future in over):
            raise self._cluster.lost()
        good = [future for future in over if future.status == "finished"]
        with self._cluster.watch():
            # A result that went with its worker is made again, and that may fail: then it is left out here.
            results = iter(self._cluster.client.gather(good, errors="skip"))
        for future in over:
            label = self._labels.pop(future)
            if future.status == "finished":
                value, worker, seconds = next(results)
                self._finished.append(Finished(label, value, None, worker, seconds))
            else:
                self._finished.append(Finished(label, error=_as_error(future.exception())))

    def close(self) -> None:
        """Give up what is under way."""
        futures, self._labels = list(self._labels), {}
        if futures:
            with contextlib.suppress(Exception):  # a scheduler that is gone has given them up
                self._cluster.client.cancel(futures, force=True)


def _measured(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, str, float]:
    """Do a task, and say where and how long."""
    from distributed import get_worker

    start = time.perf_counter()
    value = function(*arguments)
    return value, str(get_worker().address), time.perf_counter() - start


def _as_error(error: BaseException) -> Exception:
    """What a task raised; that workers died at it in our words."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        last = getattr(error.last_worker, "address", "") or "a worker"
        return ClusterError(f"several workers ended while they did it, {last} the last")
    return error if isinstance(error, Exception) else ClusterError(_one_line(error))


def _version_probe() -> Callable[[], str]:
    """A function that travels whole: a worker need not have this module to run it."""

    def probe() -> str:
        try:
            import wnparse
        except ImportError:
            return ""
        return str(getattr(wnparse, "__version__", ""))

    return probe
