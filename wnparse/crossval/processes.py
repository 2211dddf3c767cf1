"""Independent calls in processes of this machine.

Each process makes one call after the other. A call that raises costs its own result alone. One whose process dies
is made once more in another. Processes are started anew (spawn), so that they inherit no lock and no half-written
file. They leave signals to the process that started them, end when that one does, however it ends, and have one
thread each for what numpy does on its own.
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
    """Make calls, and yield what came of each when it is over.

    Parameters
    ----------
    calls : sequence of Call
        What to do.
    jobs : int
        Processes; with 1, or one call, all is done in this process.
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
                if lifeline.closed:  # nobody waits for the result
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
    """End this process, whatever it does, when the other end of a pipe is closed: it has nothing to lose."""

    def wait() -> None:
        life.poll(None)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _describe_end(code: int | None) -> str:
    """Say how a process came to its end."""
    name = signal.Signals(-code).name if code is not None and code < 0 else f"status {code}"
    hint = ": out of memory? fewer --jobs need less" if name == "SIGKILL" else ""
    return f"the process that did it ended by {name}, {ATTEMPTS} times{hint}"


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that are started meanwhile calculate on one thread, unless the user said otherwise."""
    ours = [name for name in THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(ours, "1"))
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]
