"""The interface to marginals: score matrices in, arc probabilities out; one call per batch, without the GIL.

``marginals.hpp`` makes the sums, ``batch.hpp`` shares the sentences out, ``matrices.pxd`` opens them.
"""
import numpy as np

from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t
from decoder_types cimport state_infeasible, state_invalid
from matrices cimport ScoreMatrix, Views, describe_invalid, open_batch, open_converted
from wnparse._core.watching cimport Stop, Watcher


cdef extern from "marginals/marginals.hpp" namespace "wnparse" nogil:
    cppclass MarginalsSettings:
        cbool single_root
        cbool projective

cdef extern from "marginals/batch.hpp" namespace "wnparse" nogil:
    cppclass MarginalsColumns:
        double* marginals
        int64_t width
        double* log_partition
        uint8_t* state

    void sum_all "wnparse::sum_batch"(
        const ScoreMatrix*, int64_t, const MarginalsSettings&, const MarginalsColumns&, int32_t,
        const Stop&) except +


cdef int run(const ScoreMatrix* matrices, int64_t count, const MarginalsSettings& settings,
             const MarginalsColumns& columns, int threads) except -1:
    """Sum over the trees of all sentences; Ctrl-C ends that."""
    cdef Watcher watcher = Watcher()
    with nogil:
        sum_all(matrices, count, settings, columns, threads, Stop(&watcher.watch))
    watcher.check()
    return 0


def sum_one(scores, bint single_root, bint projective, bint marginals):
    """Sum over the trees of one matrix.

    Returns
    -------
    tuple or None
        The marginals float64[n + 1, n + 1], None if not wanted, and the log partition function; None where
        no tree is left.
    """
    cdef Views views
    cdef Py_buffer view
    cdef ScoreMatrix matrix
    cdef MarginalsSettings settings
    cdef MarginalsColumns columns
    cdef double log_partition = 0
    cdef uint8_t state = 0
    open_converted(scores, 2, &view, &matrix)
    views.list.push_back(view)
    cdef double[:, ::1] probabilities = np.zeros((matrix.n + 1, matrix.n + 1) if marginals else (1, 1))
    settings.single_root = single_root
    settings.projective = projective
    columns.marginals = &probabilities[0, 0] if marginals else NULL
    columns.width = matrix.n + 1
    columns.log_partition = &log_partition
    columns.state = &state
    run(&matrix, 1, settings, columns, 1)
    if state == state_invalid:
        raise ValueError(describe_invalid(matrix))
    if state == state_infeasible:
        return None
    return probabilities.base if marginals else None, log_partition


def sum_batch(batch, lengths, bint single_root, bint projective, bint marginals, int threads):
    """Sum over the trees of a sequence of matrices, or of a padded array [B, N, N] with lengths int64[B].

    Returns
    -------
    tuple
        The marginals float64[B, N, N], None if not wanted, the log partition functions float64[B], and the indices
        of the sentences without a tree.
    """
    cdef Views views
    cdef vector[ScoreMatrix] matrices
    cdef int64_t width = open_batch(batch, lengths, views, matrices)
    cdef int64_t i, count = matrices.size()
    cdef MarginalsSettings settings
    cdef MarginalsColumns columns
    cdef double[:, :, ::1] probabilities = np.zeros([count, width, width] if marginals else [1, 1, 1])
    cdef double[::1] log_partition = np.zeros(count)
    cdef uint8_t[::1] state = np.zeros(count, np.uint8)
    settings.single_root = single_root
    settings.projective = projective
    if count:
        columns.marginals = &probabilities[0, 0, 0] if marginals else NULL
        columns.width = width
        columns.log_partition = &log_partition[0]
        columns.state = &state[0]
        run(matrices.data(), count, settings, columns, threads)
    infeasible = []
    for i in range(count):
        if state[i] == state_invalid:
            raise ValueError(f"batch[{i}]: {describe_invalid(matrices[i])}")
        if state[i] == state_infeasible:
            infeasible.append(i)
    return probabilities.base if marginals else None, log_partition.base, infeasible
