"""Decoding many sentences in one call, without a Python object for each."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve_batch, solve_kbest
from wnparse._core.settings import Settings
from wnparse._core.watching import Watcher
from wnparse.decoding.arrays import as_array, as_arrays
from wnparse.decoding.checks import as_count
from wnparse.decoding.decode import no_tree, part_scores
from wnparse.decoding.options import DecodeKeywords, DecodeOptions, decode_options, show_decode_keywords
from wnparse.decoding.parts import Parts, PartScores
from wnparse.decoding.registry import as_rank
from wnparse.decoding.solution import Batch, Ranking

if TYPE_CHECKING:
    from typing_extensions import Unpack

Matrices = Sequence[npt.ArrayLike] | npt.NDArray[np.generic]


@overload
def decode_batch(
    batch: Matrices,
    lengths: npt.ArrayLike | None = ...,
    decoder: str = ...,
    *,
    k: None = ...,
    threads: int = ...,
    parts: Sequence[Parts | None] | None = ...,
    **options: Unpack[DecodeKeywords],
) -> Batch: ...


@overload
def decode_batch(
    batch: Matrices,
    lengths: npt.ArrayLike | None = ...,
    decoder: str = ...,
    *,
    k: int,
    threads: int = ...,
    parts: Sequence[Parts | None] | None = ...,
    **options: Unpack[DecodeKeywords],
) -> list[Ranking]: ...


@show_decode_keywords
def decode_batch(
    batch: Matrices,
    lengths: npt.ArrayLike | None = None,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    threads: int = 1,
    parts: Sequence[Parts | None] | None = None,
    **options: Unpack[DecodeKeywords],
) -> Batch | list[Ranking]:
    """Decode many sentences in one call, without a Python object for each.

    Parameters
    ----------
    batch : sequence of array_like, or array_like of shape (B, N, N)
        The score matrices, each (n + 1, n + 1); or one array padded to the longest sentence, with `lengths`.
    lengths : array_like of int, shape (B,), optional
        Words in each sentence of a padded array, node 0 not counted: sentence i is ``batch[i, :n + 1, :n + 1]``
        with ``n = lengths[i]``. The rest is ignored. Without lengths, matrices are used as a whole.
    decoder : str
        As for `decode`.
    k : int, optional
        Number of trees per sentence, as for `decode`.
    threads : int
        Number of threads; the result does not depend on it.
    parts : sequence of Parts or None, optional
        The parts of each sentence, as for `decode`.
    constraints, block_degree, well_nested, single_root, max_iterations, max_nodes, variant : optional
        As for `decode`.
    time_limit : float, optional
        Maximum seconds per sentence.

    Returns
    -------
    Batch, or list of Ranking if k is given
        Columns heads, score, upper_bound, certified, iterations, nodes; ``result[i]`` is the Solution of
        the i-th sentence, or its Ranking. If a limit is reached before the first valid tree, heads are -1, score
        is -inf and certified False, or the list is empty.

    Raises
    ------
    ValueError
        As for `decode`; the message names the sentence.
    InfeasibleError
        Some sentence has no tree that satisfies the constraints; the message names it.
    """
    chosen = decode_options(decoder, options)
    threads = as_count(threads, "threads", 1)
    batch = as_arrays(batch)
    words = as_lengths(batch, lengths)
    count = None if k is None else as_rank(k, decoder)
    scored = None if parts is None else _batch_parts(parts, decoder, batch, words)
    if count is None:
        columns, infeasible = solve_batch(batch, words, chosen.settings, threads, scored)
    else:
        rankings = _rank_batch(batch, words, chosen.settings, count, threads, scored)
        infeasible = [i for i, trees in enumerate(rankings) if trees is not None and not trees]
    if infeasible:
        raise no_tree(chosen, name_sentences(infeasible))
    if count is None:
        return Batch(*columns)
    return [Ranking(complete=False) if trees is None else trees for trees in rankings]


def name_sentences(indices: list[int]) -> str:
    """Name the first few sentences of a batch, for the beginning of a message."""
    names = ", ".join(f"batch[{i}]" for i in indices[:5])
    more = f" and {len(indices) - 5} more" if len(indices) > 5 else ""
    return f"{names}{more}: "


def as_lengths(batch: object, lengths: npt.ArrayLike | None) -> npt.NDArray[np.int64] | None:
    """Convert the words per sentence of a padded batch; None for a sequence of matrices."""
    if lengths is None:
        if not isinstance(batch, np.ndarray) or batch.ndim != 3:
            return None
        lengths = np.full(len(batch), batch.shape[1] - 1)
    array = np.asarray(as_array(lengths))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(
            f"lengths has the shape {array.shape} and dtype {array.dtype}; expected one integer per sentence"
        )
    return np.ascontiguousarray(array, np.int64)


def _batch_parts(
    parts: Sequence[Parts | None],
    decoder: str,
    batch: Matrices,
    lengths: npt.NDArray[np.int64] | None,
) -> list[tuple[PartScores, ...]]:
    if len(parts) != len(batch):
        raise ValueError(f"parts of {len(parts)} sentences; expected {len(batch)}, as many as score matrices")
    words = [len(np.asarray(scores)) - 1 for scores in batch] if lengths is None else lengths.tolist()
    return [
        part_scores(of_sentence or Parts(), decoder, count, f"batch[{i}]: ")
        for i, (of_sentence, count) in enumerate(zip(parts, words, strict=True))
    ]


def _rank_batch(
    batch: Matrices,
    lengths: npt.NDArray[np.int64] | None,
    settings: Settings,
    k: int,
    threads: int,
    parts: Sequence[tuple[PartScores, ...]] | None,
) -> list[Ranking | None]:
    """Return the k best trees of each sentence; empty if it has no tree, None if a limit is reached first."""
    watcher = Watcher()
    if lengths is not None:  # raise ValueError for wrong lengths or scores
        solve_batch(batch, lengths, DecodeOptions(decoder="msa").settings, 1)

    def rank(i: int) -> Ranking | None:
        matrix = batch[i] if lengths is None else np.asarray(batch[i])[: lengths[i] + 1, : lengths[i] + 1]
        try:
            ranked = solve_kbest(matrix, settings, k, watcher, parts[i] if parts else None)
        except ValueError as error:
            raise ValueError(f"batch[{i}]: {error}") from None
        return None if ranked is None else Ranking(ranked[0], complete=ranked[1])

    if threads == 1:
        return [rank(i) for i in range(len(batch))]
    pool = ThreadPoolExecutor(threads)
    try:
        return list(pool.map(rank, range(len(batch))))
    except BaseException:
        watcher.stop()  # the results of other threads are not needed any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)  # on Ctrl-C or an error, do not start the remaining sentences
