"""Arc probabilities of a score matrix, if the probability of a tree is proportional to exp(score).

All trees are summed by the matrix-tree theorem (Koo, Globerson, Carreras & Collins 2007; Smith & Smith 2007),
projective ones by inside and outside sums (Paskin 2001), both without a subtraction; the kernels are in the core.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from wnparse._core.marginals import sum_batch, sum_one
from wnparse.decoding.arrays import Array, as_array, as_arrays
from wnparse.decoding.batch import Matrices, as_lengths, name_sentences
from wnparse.decoding.checks import as_count, as_flag
from wnparse.decoding.constraints import Constraints
from wnparse.errors import InfeasibleError


def _infeasible(single_root: bool, projective: bool, where: str = "") -> InfeasibleError:
    trees = Constraints(1 if projective else None, single_root=single_root).describe()
    return InfeasibleError(f"{where}the finite scores allow no {trees}; allow more arcs")


def _sum(
    scores: Array, single_root: bool, projective: bool, marginals: bool
) -> tuple[npt.NDArray[np.float64] | None, float]:
    single_root, projective = as_flag(single_root, "single_root"), as_flag(projective, "projective")
    sums = sum_one(as_array(scores), single_root, projective, marginals)
    if sums is None:
        raise _infeasible(single_root, projective)
    return sums


def marginals(scores: Array, *, single_root: bool = False, projective: bool = False) -> npt.NDArray[np.float64]:
    """Compute the probability of every arc, where a tree's probability is proportional to exp(score).

    Parameters
    ----------
    scores : array_like, shape (n + 1, n + 1)
        As for `decode`: ``scores[m, h]``, -inf forbids an arc, row 0 and the diagonal are ignored.
    single_root : bool
        Whether only trees with exactly one word attached to node 0 count.
    projective : bool
        Whether only projective trees count.

    Returns
    -------
    ndarray of float64, shape (n + 1, n + 1)
        ``p[m, h]`` is the probability that h is the head of m. Rows 1 to n sum to 1; row 0 and the diagonal are 0.

    Raises
    ------
    ValueError
        NaN or +inf among the scores, a wrong shape or dtype.
    InfeasibleError
        The finite scores hold no such tree.

    Examples
    --------
    >>> import numpy as np
    >>> marginals(np.log([[1, 1, 1], [1, 1, 2], [1, 1, 1]])).round(2).tolist()
    [[0.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.75, 0.25, 0.0]]
    """
    probabilities, _ = _sum(scores, single_root, projective, True)
    assert probabilities is not None
    return probabilities


def log_partition(scores: Array, *, single_root: bool = False, projective: bool = False) -> float:
    """Compute the logarithm of the sum over all trees of exp(score).

    Parameters
    ----------
    scores : array_like, shape (n + 1, n + 1)
        As for `marginals`.
    single_root, projective : bool
        As for `marginals`.

    Returns
    -------
    float
        The log probability of a tree is its score minus this number.

    Raises
    ------
    ValueError, InfeasibleError
        As for `marginals`.

    Examples
    --------
    >>> import numpy as np
    >>> round(np.exp(log_partition(np.zeros((4, 4)))))  # the trees of three words
    16
    """
    return _sum(scores, single_root, projective, False)[1]


def marginals_batch(
    batch: Matrices,
    lengths: Array | None = None,
    *,
    mask: Array | None = None,
    threads: int = 1,
    single_root: bool = False,
    projective: bool = False,
) -> npt.NDArray[np.float64]:
    """Compute the probabilities of the arcs of many sentences in one call.

    Parameters
    ----------
    batch : sequence of array_like, or array_like of shape (B, N, N)
        The score matrices, as for `decode_batch`.
    lengths : array_like of int, shape (B,), optional
        Words in each sentence of a padded array, as for `decode_batch`.
    mask : array_like of bool, shape (B, N) or (B, N - 1), optional
        The words of a padded array instead of their number, as for `decode_batch`.
    threads : int
        Number of threads; the result does not depend on it.
    single_root, projective : bool
        As for `marginals`.

    Returns
    -------
    ndarray of float64, shape (B, N, N)
        ``p[i, m, h]``, 0 beyond the end of a sentence; N is that of the padded array, or the nodes of the longest
        sentence.

    Raises
    ------
    ValueError
        As for `marginals`; the message names the sentence.
    InfeasibleError
        Some sentence has no such tree; the message names it.
    """
    probabilities, _ = _sum_batch(batch, lengths, mask, threads, single_root, projective, True)
    assert probabilities is not None
    return probabilities


def log_partition_batch(
    batch: Matrices,
    lengths: Array | None = None,
    *,
    mask: Array | None = None,
    threads: int = 1,
    single_root: bool = False,
    projective: bool = False,
) -> npt.NDArray[np.float64]:
    """Compute the logarithm of the sum over all trees of exp(score) for many sentences in one call.

    Its gradient with respect to the scores is what `marginals_batch` returns.

    Parameters
    ----------
    batch, lengths, mask, threads, single_root, projective
        As for `marginals_batch`.

    Returns
    -------
    ndarray of float64, shape (B,)
        As `log_partition` for each sentence.

    Raises
    ------
    ValueError, InfeasibleError
        As for `marginals_batch`.
    """
    return _sum_batch(batch, lengths, mask, threads, single_root, projective, False)[1]


def _sum_batch(
    batch: Matrices,
    lengths: Array | None,
    mask: Array | None,
    threads: int,
    single_root: bool,
    projective: bool,
    marginals: bool,
) -> tuple[npt.NDArray[np.float64] | None, npt.NDArray[np.float64]]:
    single_root, projective = as_flag(single_root, "single_root"), as_flag(projective, "projective")
    threads = as_count(threads, "threads", 1)
    matrices: Any = as_arrays(batch)
    words = as_lengths(matrices, lengths, mask)
    probabilities, logarithms, infeasible = sum_batch(matrices, words, single_root, projective, marginals, threads)
    if infeasible:
        raise _infeasible(single_root, projective, name_sentences(infeasible))
    return probabilities, logarithms
