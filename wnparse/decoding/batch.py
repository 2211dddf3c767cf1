"""Decoding many sentences in one call, without a Python object for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve_batch
from wnparse.decoding.arrays import as_array, as_arrays
from wnparse.decoding.batch_ranking import rank_batch
from wnparse.decoding.checks import as_count
from wnparse.decoding.constraints import Constraints, unpack_constraints
from wnparse.decoding.decode import as_settings, no_tree, rows_of_parts
from wnparse.decoding.parts import Parts, Rows
from wnparse.decoding.registry import MAX_ITERATIONS, MAX_NODES, as_rank
from wnparse.decoding.solution import Batch, Ranking

if TYPE_CHECKING:
    from typing_extensions import Unpack


def name_sentences(indices: list[int]) -> str:
    """Name the first few sentences of a batch, for the head of a message."""
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
            f"lengths of shape {array.shape}, dtype {array.dtype}; one integer a sentence is needed: its words"
        )
    return np.ascontiguousarray(array, np.int64)


def _batch_rows(
    parts: Sequence[Parts | None],
    decoder: str,
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.NDArray[np.int64] | None,
) -> list[tuple[Rows, ...]]:
    """The rows of the parts of each sentence."""
    if len(parts) != len(batch):
        raise ValueError(f"parts of {len(parts)} sentences, matrices of {len(batch)}")
    words = [len(np.asarray(scores)) - 1 for scores in batch] if lengths is None else lengths.tolist()
    return [
        rows_of_parts(each or Parts(), decoder, count, f"batch[{i}]: ")
        for i, (each, count) in enumerate(zip(parts, words, strict=True))
    ]


class BatchKeywords(TypedDict, total=False):
    """Options of `decode_batch` that do not change the type of what it returns."""

    threads: int
    parts: Sequence[Parts | None] | None
    constraints: Constraints | None
    block_degree: int | None
    well_nested: bool
    single_root: bool
    max_iterations: int
    max_nodes: int
    time_limit: float | None
    paper_cuts: bool
    paper_fixing: bool
    camerini: bool
    local_search: bool


@overload
def decode_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.ArrayLike | None = ...,
    decoder: str = ...,
    *,
    k: None = ...,
    **options: Unpack[BatchKeywords],
) -> Batch: ...


@overload
def decode_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.ArrayLike | None = ...,
    decoder: str = ...,
    *,
    k: int,
    **options: Unpack[BatchKeywords],
) -> list[Ranking]: ...


def decode_batch(
    batch: Sequence[npt.ArrayLike] | npt.NDArray[np.generic],
    lengths: npt.ArrayLike | None = None,
    decoder: str = "bnb",
    *,
    k: int | None = None,
    threads: int = 1,
    parts: Sequence[Parts | None] | None = None,
    constraints: Constraints | None = None,
    block_degree: int | None = None,
    well_nested: bool = False,
    single_root: bool = False,
    max_iterations: int = MAX_ITERATIONS,
    max_nodes: int = MAX_NODES,
    time_limit: float | None = None,
    paper_cuts: bool = False,
    paper_fixing: bool = False,
    camerini: bool = False,
    local_search: bool = True,
) -> Batch | list[Ranking]:
    """Decode many sentences in one call, without a Python object for each.

    Parameters
    ----------
    batch : sequence of array_like, or array_like of shape (B, N, N)
        The score matrices, each (n + 1, n + 1); or one array padded to the longest sentence, with `lengths`.
    lengths : array_like of int, shape (B,), optional
        Words in each sentence of a padded array, node 0 not counted: sentence i is ``batch[i, :n + 1, :n + 1]``
        with ``n = lengths[i]``. What lies beyond is not looked at. Without them every matrix is taken whole.
    decoder : str
        As for `decode`.
    k : int, optional
        How many trees of each sentence, as for `decode`.
    threads : int
        Threads that share the sentences; the answer does not depend on it.
    parts : sequence of Parts or None, optional
        Those of each sentence, as for `decode`.
    constraints, block_degree, well_nested, single_root, max_iterations, max_nodes, time_limit : optional
        As for `decode`; the time is that of each sentence.
    paper_cuts, paper_fixing, camerini, local_search : bool
        As for `decode`.

    Returns
    -------
    Batch, or list of Ranking if k is given
        Columns heads, score, upper_bound, certified, iterations, nodes; ``result[i]`` is the i-th Solution, or the
        list of those of the i-th sentence. Where a limit came before the first valid tree, heads are -1, score is
        -inf and certified False, or the list is empty.

    Raises
    ------
    ValueError
        As for `decode`; the message names the sentence.
    InfeasibleError
        Some sentence has no tree that satisfies the constraints; the message names it.
    """
    if constraints is not None:
        block_degree, well_nested, single_root = unpack_constraints(
            constraints, block_degree, well_nested, single_root
        )
    asked, settings = as_settings(
        decoder, block_degree, well_nested, single_root, max_iterations, max_nodes, time_limit,
        paper_cuts, paper_fixing, camerini, local_search,
    )  # fmt: skip
    threads = as_count(threads, "threads", 1)
    batch = as_arrays(batch)
    words = as_lengths(batch, lengths)
    rank = None if k is None else as_rank(k, decoder)
    columns: Any
    rows = None if parts is None else _batch_rows(parts, decoder, batch, words)
    if rank is not None:
        ranked = rank_batch(batch, words, settings, rank, threads, rows)
        infeasible = [i for i, trees in enumerate(ranked) if trees is not None and not trees]
    else:
        columns, infeasible = solve_batch(batch, words, settings, threads, rows)
    if infeasible:
        raise no_tree(decoder, asked, name_sentences(infeasible))
    if rank is None:
        return Batch(*columns)
    return [Ranking(complete=False) if trees is None else trees for trees in ranked]
