"""Work on sentences in a stream, many at a time, on one or several threads, in their order.

The work releases the interpreter lock, so that threads run in parallel. The results do not depend on their number.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from wnparse.treebanks.sentence import Sentence

CHUNK = 128  # sentences that are worked on in one go
FIRST_CHUNK = 16  # each is twice the one before: small inputs are shared out evenly, too
CHUNK_WORDS = 4_000  # end a chunk early: Ctrl-C waits for it

Result = TypeVar("Result")


def in_chunks(
    sentences: Iterable[Sentence],
    work: Callable[[list[Sentence]], list[Result]],
    jobs: int = 1,
    at_hand: Callable[[], bool] | None = None,
    stop: Callable[[], object] = lambda: None,
) -> Iterator[Result]:
    """Yield the results of work on sentences.

    Parameters
    ----------
    sentences : iterable of Sentence
        If it raises an error, the results of all sentences before the error are yielded first.
    work : callable
        Called with some sentences; returns their results.
    jobs : int
        Number of threads.
    at_hand : callable, optional
        Whether the next sentence is available already. If it may have to be waited for, the results of all
        sentences before it are yielded first. By default one job never looks ahead, and several always do.
    stop : callable, optional
        Called when the results are not needed any more.
    """
    chunks = _chunks(sentences, at_hand or (lambda: jobs > 1))
    if jobs == 1:
        for chunk, _ in chunks:
            yield from work(chunk)
        return
    pool = ThreadPoolExecutor(jobs)
    try:
        pending: deque[Future[list[Result]]] = deque()
        for chunk, followed in chunks:
            pending.append(pool.submit(work, chunk))
            while len(pending) > (2 * jobs if followed else 0):
                yield from pending.popleft().result()
    except BaseException:
        stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _chunks(sentences: Iterable[Sentence], at_hand: Callable[[], bool]) -> Iterator[tuple[list[Sentence], bool]]:
    """Sentences that are processed together, and whether more of them are available."""
    chunk: list[Sentence] = []
    size, words = FIRST_CHUNK, 0
    try:
        for sentence in sentences:
            chunk.append(sentence)
            words += len(sentence)
            followed = at_hand()
            if len(chunk) == size or words >= CHUNK_WORDS or not followed:
                yield chunk, followed
                chunk, size, words = [], min(2 * size, CHUNK), 0
    except Exception:
        yield chunk, False
        raise
    yield chunk, False


def count_cores() -> int:
    """Return the number of cores that this process may use; all cores where the system does not report that."""
    if hasattr(os, "sched_getaffinity"):  # macOS and Windows do not have it
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
