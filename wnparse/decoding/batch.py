"""Decoding many sentences in one call, without a Python object for each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from wnparse._core.decoding import solve_batch, solve_kbest
from wnparse.decoding.arrays import Array, as_array, as_arrays
from wnparse.decoding.checks import as_count
from wnparse.decoding.decode import as_sentences, count_words, no_tree, part_scores
from wnparse.decoding.labels import BatchLabels, label_input
from wnparse.decoding.options import DecodeKeywords, decode_options, show_decode_keywords
from wnparse.decoding.parts import Parts, PartScores
from wnparse.decoding.registry import as_rank
from wnparse.decoding.solution import Batch, Ranking, make_ranking

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from wnparse.decoding.words import SentenceLike
    from wnparse.rules import Rules
    from wnparse.treebanks.sentence import Sentence

Matrices = Sequence[Array] | Array


@overload
def decode_batch(
    batch: Matrices,
    lengths: Array | None = ...,
    decoder: str = ...,
    *,
    mask: Array | None = ...,
    k: None = ...,
    threads: int = ...,
    parts: Sequence[Parts | None] | None = ...,
    labels: BatchLabels | None = ...,
    rules: Rules | str | os.PathLike[str] | None = ...,
    sentences: Sequence[SentenceLike | None] | None = ...,
    **options: Unpack[DecodeKeywords],
) -> Batch: ...


@overload
def decode_batch(
    batch: Matrices,
    lengths: Array | None = ...,
    decoder: str = ...,
    *,
    mask: Array | None = ...,
    k: int,
    threads: int = ...,
    parts: Sequence[Parts | None] | None = ...,
    labels: BatchLabels | None = ...,
    rules: Rules | str | os.PathLike[str] | None = ...,
    sentences: Sequence[SentenceLike | None] | None = ...,
    **options: Unpack[DecodeKeywords],
) -> list[Ranking]: ...


@show_decode_keywords
def decode_batch(
    batch: Matrices,
    lengths: Array | None = None,
    decoder: str = "bnb",
    *,
    mask: Array | None = None,
    k: int | None = None,
    threads: int = 1,
    parts: Sequence[Parts | None] | None = None,
    labels: BatchLabels | None = None,
    rules: Rules | str | os.PathLike[str] | None = None,
    sentences: Sequence[SentenceLike | None] | None = None,
    **options: Unpack[DecodeKeywords],
) -> Batch | list[Ranking]:
    """Decode many sentences in one call, without a Python object for each.

    Parameters
    ----------
    batch : sequence of array_like, or array_like of shape (B, N, N)
        The score matrices, each (n + 1, n + 1); or one array padded to the longest sentence, with `lengths`.
    lengths : array_like of int, shape (B,), optional
        Words in each sentence of a padded array, node 0 not counted: sentence i is ``batch[i, :n + 1, :n + 1]``
        with ``n = lengths[i]``. The rest is ignored. Without lengths or a mask, matrices are used as a whole.
    decoder : str
        As for `decode`.
    mask : array_like of bool, shape (B, N) or (B, N - 1), optional
        The words of a padded array instead of their number: True or 1 for words, then False or 0 for the padding.
        With N columns, the first one is that of node 0, and its value does not matter; with N - 1 columns, node 0
        is left out.
    k : int, optional
        Number of trees per sentence, as for `decode`.
    threads : int
        Number of threads; the result does not depend on it.
    parts : sequence of Parts or None, optional
        The parts of each sentence, as for `decode`.
    labels : (sequence of str, sequence of array_like or array_like of shape (B, N, N, L)), optional
        Names of L labels, and their scores, as for `decode`: an array (n + 1, n + 1, L) for each sentence, or one
        padded array for all.
    rules : Rules, or str or path for `wnparse.Rules.load`, optional
        Rules that labelled trees must obey, with `labels`, as for `decode`.
    sentences : sequence, optional
        The words of each sentence, if the rules read tags or forms, or to be drawn: what `decode` accepts as a
        sentence, or None.
    constraints, block_degree, well_nested, single_root, max_iterations, max_nodes, variant : optional
        As for `decode`.
    time_limit : float, optional
        Maximum seconds per sentence.

    Returns
    -------
    Batch, or list of Ranking if k is given
        Columns heads, labels, score, upper_bound, certified, iterations, nodes, broken; ``result[i]`` is the
        Solution of the i-th sentence, or its Ranking. If a limit is reached before the first valid tree, heads and
        labels are -1, score is -inf and certified False, or the list is empty.

    Raises
    ------
    ValueError, TypeError
        As for `decode`; the message names the sentence.
    InfeasibleError
        Some sentence has no tree that satisfies the constraints; the message names it.
    """
    chosen = decode_options(decoder, options)
    threads = as_count(threads, "threads", 1)
    matrices: Any = as_arrays(batch)
    words = as_lengths(matrices, lengths, mask)
    count = None if k is None else as_rank(k, decoder)
    scored = labelled = None
    known: Sequence[Sentence | None] = ()
    if any(given is not None for given in (parts, labels, rules, sentences)):
        counts = [count_words(scores) for scores in matrices] if words is None else words.tolist()
        scored = None if parts is None else _batch_parts(parts, decoder, counts)
        if sentences is not None:
            _check_count("sentences", sentences, counts)
            known = as_sentences(sentences, counts)
        labelled = label_input(labels, rules, decoder, counts, known)
    if count is None:
        columns, infeasible, refused = solve_batch(matrices, words, chosen.settings, threads, scored, labelled)
    else:
        rankings, infeasible, refused = solve_kbest(
            matrices, words, chosen.settings, count, threads, scored, labelled
        )
    if refused:
        raise ValueError("batch[{}]: {}".format(*refused[0]))
    if infeasible:
        raise no_tree(chosen, name_sentences(infeasible))
    if count is None:
        return Batch(*columns, names=labelled[0] if labelled is not None else (), sentences=known)
    return [make_ranking(ranked, known[i] if known else None) for i, ranked in enumerate(rankings)]


def name_sentences(indices: list[int]) -> str:
    """Name the first few sentences of a batch, for the beginning of a message."""
    names = ", ".join(f"batch[{i}]" for i in indices[:5])
    more = f" and {len(indices) - 5} more" if len(indices) > 5 else ""
    return f"{names}{more}: "


def as_lengths(batch: Any, lengths: Array | None, mask: Array | None) -> npt.NDArray[np.int64] | None:
    """Return the words per sentence of a padded batch, from lengths or a mask; None for a sequence of matrices."""
    if mask is not None:
        if lengths is not None:
            raise ValueError("expected either lengths or a mask")
        if not isinstance(batch, np.ndarray) or batch.ndim != 3:
            raise ValueError("a mask needs the scores in one array; expected a padded array (B, N, N)")
        return _unmask(mask, batch.shape)
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


def _unmask(mask: Array, shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """Count the words of a mask, (B, N) with node 0, which does not count, or (B, N - 1)."""
    array = np.asarray(as_array(mask))
    if array.ndim != 2 or len(array) != shape[0] or array.shape[1] not in (shape[1], shape[1] - 1):
        raise ValueError(
            f"mask has the shape {array.shape}; expected {shape[:2]}, with node 0, or {(shape[0], shape[1] - 1)}"
        )
    if array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ValueError(f"mask has the dtype {array.dtype} or other values; expected True and False, or 1 and 0")
    words = array[:, array.shape[1] - (shape[1] - 1) :] != 0
    gaps = words[:, 1:] & ~words[:, :-1]
    if gaps.any():
        i, word = np.argwhere(gaps)[0].tolist()
        raise ValueError(
            f"batch[{i}]: mask is False for word {word + 1} and True for word {word + 2}; "
            "expected all words before the padding"
        )
    return np.asarray(words.sum(axis=1), np.int64)


def _batch_parts(
    parts: Sequence[Parts | None], decoder: str, words: Sequence[int]
) -> list[tuple[PartScores, ...]]:
    _check_count("parts", parts, words)
    return [
        part_scores(of_sentence or Parts(), decoder, count, f"batch[{i}]: ")
        for i, (of_sentence, count) in enumerate(zip(parts, words, strict=True))
    ]


def _check_count(name: str, values: Sequence[object], words: Sequence[int]) -> None:
    if len(values) != len(words):
        raise ValueError(f"{name} of {len(values)} sentences; expected {len(words)}, as many as score matrices")
