"""Independent calls in processes of this machine.

Each process makes one call after the other. If a call raises, only its own result is lost. If its process dies,
the call is made once more in another. Processes are spawned, so that they inherit no lock and no half-written
file. They ignore signals of the terminal, end when the process that started them ends, and use one thread each for
numpy.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from queue import SimpleQueue

from wnparse.cluster.calls import Call, Outcome, make_call, signals_blocked
from wnparse.errors import WnparseError

ATTEMPTS = 2
SPAWN = multiprocessing.get_context("spawn")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # read by numerical libraries


def run_calls(calls: Sequence[Call], jobs: int) -> Iterator[Outcome]:
    """Make calls, and yield the outcome of each when it is finished.

    Parameters
    ----------
    calls : sequence of Call
        The calls.
    jobs : int
        Number of processes; with 1, or one call, everything is done in this process.
    """
    if min(jobs, len(calls)) <= 1:
        for call in calls:
            yield Outcome(call, *make_call(call.function, call.arguments))
        return
    jobs = min(jobs, len(calls))
    life, lifeline = SPAWN.Pipe(duplex=False)  # processes end when the second end is closed
    # One process per pool: if it dies, it is known at which call, and no other one is lost.
    pools: SimpleQueue[ProcessPoolExecutor | None] = SimpleQueue()
    for _ in range(jobs):
        pools.put(None)

    def run(call: Call) -> Outcome:
        for _ in range(ATTEMPTS):
            pool = pools.get() or ProcessPoolExecutor(1, SPAWN, _end_with, (life,))
            try:
                with signals_blocked():
                    future = pool.submit(make_call, call.function, call.arguments)
                answer = future.result()
            except BrokenProcessPool:
                (process,) = pool._processes.values()
                pool.shutdown()
                pools.put(None)
                if lifeline.closed:  # no one waits for the result
                    break
            else:
                pools.put(pool)
                return Outcome(call, *answer)
        return Outcome(call, error=WnparseError(_describe_end(process.exitcode)))

    threads = ThreadPoolExecutor(jobs)
    try:
        with _one_thread():
            for future in as_completed([threads.submit(run, call) for call in calls]):
                yield future.result()
    finally:
        lifeline.close()
        threads.shutdown(cancel_futures=True)
        for _ in range(jobs):
            if pool := pools.get():
                pool.shutdown()
        life.close()


def _end_with(life: Connection) -> None:
    """End this process immediately when the other end of a pipe is closed: its work is not needed any more."""

    def wait() -> None:
        life.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _describe_end(code: int | None) -> str:
    name = signal.Signals(-code).name if code is not None and code < 0 else f"status {code}"
    hint = ": out of memory? fewer --jobs need less" if name == "SIGKILL" else ""
    return f"the process that did it ended by {name}, {ATTEMPTS} times{hint}"


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Make processes that are started within calculate on one thread, unless the environment says otherwise."""
    unset = [name for name in THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(unset, "1"))
    try:
        yield
    finally:
        for name in unset:
            del os.environ[name]
