"""Independent calls on a Dask cluster: connect to one, send calls, receive results as they finish.

A place is ``local`` or ``local:N`` (N processes of this machine, which end with the connection), an address such
as ``tcp://10.0.0.1:8786``, or ``file:scheduler.json`` (the file that ``dask scheduler --scheduler-file`` writes).
Only a few calls per thread of the cluster are under way at a time, so that ten thousand of them need no more
memory than ten, and a worker that joins late also gets calls:

    with connect("local:2") as cluster:
        for outcome in cluster.run(deque([Call("first", function, (1, "a")), Call("second", function, (2, "b"))])):
            print(outcome.call.label, outcome.error or outcome.value, outcome.worker, outcome.seconds)

If a worker dies, Dask gives its calls to others. A call that raises, or at which several workers in a row died,
has an `Outcome.error`; the other calls continue. If the connection to the scheduler is lost, ClusterError is
raised. Dask, the extra ``cluster``, is not imported before `connect` is called.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import re
import time
import warnings
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wnparse import __version__
from wnparse.cluster.calls import Call, Outcome, make_call, signals_blocked
from wnparse.errors import ClusterError
from wnparse.treebanks.chunks import count_cores

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 4  # calls under way per thread of the cluster: enough that no thread waits for the client
CONNECT_SECONDS = 10
WORKERS_SECONDS = 2.0  # how long a list of the workers is used
IDLE_SECONDS = 0.5  # how long to wait for a result before looking for new workers
SILENT = logging.CRITICAL + 1
# By default, Dask monitors itself so often that it costs a seventh of a core. Local processes need less.
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
class ClusterLocation:
    """Where calls are made: processes of this machine, the file of a scheduler, or its address."""

    processes: int = 0  # of this machine; 0 for a cluster that exists already
    file: str = ""
    address: str = ""

    @classmethod
    def of(cls, text: str) -> ClusterLocation:
        """Parse a place as users write it; ValueError if it is not valid, or Dask is not installed."""
        if importlib.util.find_spec("distributed") is None:
            raise ValueError(NO_DASK)
        if text == "local":
            return cls(processes=min(MOST_PROCESSES, count_cores()))
        if match := re.fullmatch(r"local:(\d{1,9})", text):
            if not 1 <= int(match[1]) <= MOST_PROCESSES:
                raise ValueError(f"{text}: expected local:1 to local:{MOST_PROCESSES}")
            return cls(processes=int(match[1]))
        if text.startswith("file:"):
            file = text.removeprefix("file:").removeprefix("//")
            if not Path(file).is_file():
                raise ValueError(
                    f"scheduler file '{file}' does not exist; write one with dask scheduler --scheduler-file"
                )
            return cls(file=file)
        if not re.fullmatch(r"([a-z]+://)?[^\s/:]+(:[^\s/:]+)*:\d{1,5}", text):
            raise ValueError(f"'{text}' is not a cluster; expected {PLACES}")
        return cls(address=text)

    def __str__(self) -> str:
        return self.file or self.address or f"local:{self.processes}"


@contextlib.contextmanager
def connect(place: str | ClusterLocation) -> Iterator[Cluster]:
    """Connect to a cluster, or start a local one that ends with the block.

    Parameters
    ----------
    place : str or ClusterLocation
        See above. Each local worker is a process with one thread of Dask; a call may start more threads itself.

    Raises
    ------
    ValueError
        If the place is not valid, or Dask is not installed.
    ClusterError
        If the scheduler does not respond, or workers do not start.
    """
    place = place if isinstance(place, ClusterLocation) else ClusterLocation.of(place)
    import dask
    from distributed import Client, LocalCluster
    from distributed.utils import silence_logging_cmgr

    with contextlib.ExitStack() as stack:
        # Dask must not log to standard error: wnparse has its own messages and errors there.
        stack.enter_context(silence_logging_cmgr(SILENT))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        connect_timeout = {"distributed.comm.timeouts.connect": CONNECT_SECONDS}
        stack.enter_context(dask.config.set(connect_timeout | (CALM if place.processes else {})))
        scheduler: dict[str, Any] = {"scheduler_file": place.file} if place.file else {"address": place.address}
        try:
            if place.processes:
                with signals_blocked():
                    local = LocalCluster(
                        n_workers=place.processes,
                        threads_per_worker=1,
                        processes=True,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",
                        silence_logs=SILENT,
                    )
                scheduler = {"address": stack.enter_context(local)}
            client = Client(**scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            problem = "workers did not start" if place.processes else "no scheduler responds"
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            raise ClusterError(f"{place}: {problem} ({reason}); expected {PLACES}") from error
        try:
            yield Cluster(client, place)
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                client.close(timeout=2)


class Cluster:
    """A connection to a cluster.

    Attributes
    ----------
    client : distributed.Client
        The connection.
    place : ClusterLocation
        The place of the cluster.
    """

    def __init__(self, client: Client, place: ClusterLocation) -> None:
        self.client = client
        self.place = place
        self._threads: dict[str, int] = {}
        self._listed = -WORKERS_SECONDS

    @property
    def dashboard(self) -> str:
        """The address of the dashboard of Dask."""
        return str(self.client.dashboard_link)

    def workers(self) -> dict[str, int]:
        """Return the number of threads of each worker, by address, as it was at most two seconds ago."""
        if time.monotonic() - self._listed > WORKERS_SECONDS:
            with self._watch():
                self._threads = dict(self.client.nthreads())
            self._listed = time.monotonic()
        return self._threads

    def check_versions(self) -> None:
        """Raise ClusterError if a worker has another version of wnparse, or none."""

        def find_version() -> str:  # a local function is sent as a whole; a worker may not have this module
            import wnparse

            return wnparse.__version__

        with self._watch():
            versions = self.client.run(find_version, on_error="return")
        for worker, version in versions.items():
            if version != __version__ and not isinstance(version, OSError):  # OSError: the worker is gone by now
                state = f"has wnparse {version}" if isinstance(version, str) else "has no wnparse"
                raise ClusterError(
                    f"worker {worker} {state}; expected {__version__}: install the same version everywhere"
                )

    def run(
        self,
        calls: deque[Call],
        avoided: Collection[str] = (),
        when_idle: Callable[[], object] = lambda: None,
    ) -> Iterator[Outcome]:
        """Make calls on the workers, and yield the outcome of each when it is finished.

        Parameters
        ----------
        calls : deque of Call
            Taken from the left when workers have room for more. It may be changed between outcomes; the run ends
            when it is empty and no call is under way.
        avoided : collection of str
            Workers that get no calls while there are others. It may be changed, too.
        when_idle : callable
            Called about every half second while no call finishes.
        """
        from distributed import as_completed

        completed = as_completed(loop=self.client.loop)
        under_way: dict[Future, Call] = {}
        try:
            while calls or under_way:
                with self._watch():
                    sent = self._send(calls, len(under_way), avoided)
                    under_way |= sent
                    completed.update(sent)
                    with completed.thread_condition:
                        if not completed.has_ready():
                            completed.thread_condition.wait(IDLE_SECONDS)
                    outcomes = self._collect(completed.next_batch(block=False), under_way)
                if not outcomes:
                    when_idle()
                yield from outcomes
        finally:
            with contextlib.suppress(Exception):  # a scheduler that is gone has cancelled them
                self.client.cancel(list(under_way), force=True)

    def _send(self, calls: deque[Call], under_way: int, avoided: Collection[str]) -> dict[Future, Call]:
        """Send as many calls as the workers have room for, many at a time, which is three times as fast."""
        threads = max(1, sum(self.workers().values()))
        room = AHEAD * threads - under_way
        if not calls or room < threads:
            return {}
        sent = [calls.popleft() for _ in range(min(room, len(calls)))]
        allowed = [name for name in self.workers() if name not in avoided] if avoided else []
        futures = self.client.map(
            _call_on_worker,
            [call.function for call in sent],
            [call.arguments for call in sent],
            version=__version__,
            key="wnparse",
            pure=False,
            workers=allowed or None,
            allow_other_workers=bool(allowed),  # all of these may be gone before they are done
        )
        return dict(zip(futures, sent, strict=True))

    def _collect(self, futures: list[Future], under_way: dict[Future, Call]) -> list[Outcome]:
        """Return the outcomes of finished futures, for which the scheduler sends one message."""
        if any(future.status not in ("finished", "error") for future in futures):
            raise self._lost()
        finished = [future for future in futures if future.status == "finished"]
        # Dask makes a call again if its result was lost with the worker. If that fails, `gather` skips it.
        answers = iter(self.client.gather(finished, errors="skip") if finished else ())
        outcomes = []
        for future in futures:
            call = under_way.pop(future)
            if future.status == "finished":
                outcomes.append(Outcome(call, *next(answers)))
            else:
                outcomes.append(Outcome(call, error=self._explain(future.exception())))
        return outcomes

    def _explain(self, error: BaseException) -> Exception:
        """Return why Dask could not make a call; raise ClusterError if versions of wnparse differ."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            last = getattr(error.last_worker, "address", "") or "a worker"
            return ClusterError(
                f"several workers ended during this task, the last one was {last}; they may need more memory"
            )
        self.check_versions()
        return error if isinstance(error, Exception) else ClusterError(repr(error))

    @contextlib.contextmanager
    def _watch(self) -> Iterator[None]:
        """Turn the errors that Dask raises without its scheduler into a ClusterError."""
        from concurrent.futures import CancelledError

        try:
            yield
        except (OSError, CancelledError, RuntimeError) as error:
            if self.client.status == "running" and not isinstance(error, (OSError, CancelledError)):
                raise
            raise self._lost() from error

    def _lost(self) -> ClusterError:
        return ClusterError(f"{self.place}: the connection to the scheduler is lost")


def _call_on_worker(
    function: Callable[..., Any], arguments: tuple[Any, ...], version: str
) -> tuple[Any, Exception | None, float, str]:
    """Make a call on a worker, and return its address as well."""
    from distributed import get_worker

    if version != __version__:
        raise ImportError("another version of wnparse")  # the client finds out which
    return *make_call(function, arguments), str(get_worker().address)
