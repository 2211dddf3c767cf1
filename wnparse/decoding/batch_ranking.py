"""The k best trees of each sentence of a batch, on threads: the core ranks without the interpreter lock."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve_batch, solve_kbest
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.decoding.constraints import Constraints
from wnparse.decoding.parts import Rows
from wnparse.decoding.registry import make_settings
from wnparse.decoding.solution import Ranking


def rank_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
    settings: Settings,
    k: int,
    threads: int,
    parts: Sequence[tuple[Rows, ...]] | None = None,
) -> list[Ranking | None]:
    """The k best trees of each sentence; none for one that has no tree, None where a limit came first."""
    watcher = Watcher()
    if lengths is not None:
        solve_batch(batch, lengths, make_settings("msa", Constraints()), 1)  # ValueError: wrong lengths or scores

    def rank(i: int) -> Ranking | None:
        matrix = batch[i] if lengths is None else np.asarray(batch[i])[: lengths[i] + 1, : lengths[i] + 1]
        try:
            found = solve_kbest(matrix, settings, k, watcher, parts[i] if parts else None)
        except ValueError as error:
            raise ValueError(f"batch[{i}]: {error}") from None
        return None if found is None else Ranking(found[0], complete=found[1])

    if threads == 1:
        return [rank(i) for i in range(len(batch))]
    pool = ThreadPoolExecutor(threads)
    try:
        return list(pool.map(rank, range(len(batch))))
    except BaseException:
        watcher.stop()  # nobody waits for the others any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)  # on Ctrl-C or an error, what has not begun is not waited for
