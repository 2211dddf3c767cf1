"""The decoders for Python: score matrices in, solutions out; one call per sentence or batch, without the GIL.

``decoder.hpp`` calls the kernels, ``batch.hpp`` runs them on several threads, ``ranking.hpp`` ranks trees and
``matrices.pxd`` opens the matrices.
"""
import numpy as np

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t
from decoder_types cimport KernelSettings, Outcome, RankedTrees, Result, state_infeasible, state_invalid
from matrices cimport ScoreMatrix, Views, describe_invalid, find_invalid, open_batch, open_converted
from part_types cimport PartLists, PartTables, load_parts, open_parts
from wnparse._core.external cimport Caller
from wnparse._core.settings cimport Settings
from wnparse._core.watching cimport Stop, Watcher


cdef extern from "decoders/decoder.hpp" namespace "wnparse" nogil:
    Outcome decode_checked(const ScoreMatrix&, const KernelSettings&, int32_t*, const PartTables*) except +
    cbool is_certified(const ScoreMatrix&, const int32_t*, const Result&)

cdef extern from "decoders/ranking.hpp" namespace "wnparse" nogil:
    void rank_trees "wnparse::rank"(const ScoreMatrix&, const KernelSettings&, int64_t, RankedTrees&,
                                    const PartTables*) except +

cdef extern from "decoders/batch.hpp" namespace "wnparse" nogil:
    cppclass BatchColumns:
        int32_t* heads
        int64_t width
        double* score
        double* upper_bound
        uint8_t* certified
        int32_t* iterations
        int32_t* nodes
        uint8_t* state

    void decode_batch(const ScoreMatrix*, int64_t, const KernelSettings&, const BatchColumns&, int32_t,
                      const PartLists*) except +


cdef object EMPTY = np.empty
cdef object INT32 = np.dtype(np.int32)


cdef class Solution:
    """The result of a decoder for one sentence: its tree, score and bound.

    Attributes
    ----------
    heads : ndarray of int32, shape (n + 1,)
        The tree: ``heads[m]`` is the head of word m, 0 for a root; ``heads[0] == -1``.
    score : float
        The score of the tree: the sum over arcs, parts and labels, minus the penalties of soft rules.
    upper_bound : float
        No tree that satisfies the constraints scores more; infinite if nothing is known.
    certified : bool
        Whether the bounds meet: the tree is proved to be a best one.
    iterations : int
        Maximum spanning arborescences computed.
    nodes : int
        Nodes of the search; 0 if there was none.
    labels : list of str or None
        The labels of the arcs, n + 1 of them, the first unused; None without labels.
    broken : int
        How often hard rules are broken.
    """

    cdef readonly object heads
    cdef readonly double score
    cdef readonly double upper_bound
    cdef readonly bint certified
    cdef readonly int iterations
    cdef readonly int nodes
    cdef readonly object labels
    cdef readonly int broken

    def __init__(self, heads, double score, double upper_bound, bint certified, int iterations, int nodes,
                 labels=None, int broken=0):
        self.heads = heads
        self.score = score
        self.upper_bound = upper_bound
        self.certified = certified
        self.iterations = iterations
        self.nodes = nodes
        self.labels = labels
        self.broken = broken

    def __reduce__(self):
        return Solution, (self.heads, self.score, self.upper_bound, self.certified, self.iterations, self.nodes,
                          self.labels, self.broken)

    def __repr__(self):
        return (
            f"Solution(heads={self.heads.tolist()}, score={self.score}, upper_bound={self.upper_bound}, "
            f"certified={self.certified}, iterations={self.iterations}, nodes={self.nodes}"
            f"{'' if self.labels is None else f', labels={self.labels}, broken={self.broken}'})"
        )


cdef KernelSettings watched(Settings settings, Watcher watcher) noexcept:
    """Return the settings with a stop flag attached."""
    cdef KernelSettings kernel = settings.kernel
    kernel.options.stop = Stop(&watcher.watch)
    return kernel


def solve(scores, Settings settings not None, Watcher watcher=None, parts=None):
    """Decode one matrix, with parts as `Parts.arrays` gives them; None if no tree satisfies the constraints.

    The score is -inf if a limit was reached before the first valid tree, and the heads then mean nothing.
    """
    cdef Py_buffer view, heads_view
    cdef ScoreMatrix matrix
    cdef Outcome outcome
    cdef KernelSettings kernel = settings.kernel
    cdef PartTables tables
    cdef PartLists lists = open_parts(parts)
    cdef bint higher = parts is not None
    cdef Caller caller = None
    if higher or settings.searches:
        watcher = watcher or Watcher()
        kernel = watched(settings, watcher)
    if settings.function is not None:
        caller = Caller(settings)
        caller.hook(&kernel.options)
    open_converted(scores, 2, &view, &matrix)
    try:
        heads = EMPTY(matrix.n + 1, INT32)
        PyObject_GetBuffer(heads, &heads_view, PyBUF_WRITABLE)
        try:
            with nogil:
                if higher:
                    load_parts(lists, matrix, tables)
                outcome = decode_checked(matrix, kernel, <int32_t*>heads_view.buf, &tables if higher else NULL)
        finally:
            PyBuffer_Release(&heads_view)
        if not outcome.valid_scores:
            raise ValueError(describe_invalid(matrix))
    finally:
        PyBuffer_Release(&view)
    if caller is not None:
        caller.check()
    if watcher is not None:
        watcher.check()
    if not outcome.result.feasible:
        return None
    cdef Solution solution = Solution.__new__(Solution)
    solution.heads = heads
    solution.score = outcome.result.score
    solution.upper_bound = outcome.result.upper_bound
    solution.certified = outcome.certified
    solution.iterations = outcome.result.iterations
    solution.nodes = outcome.result.nodes
    return solution


cdef Solution make_ranked(const ScoreMatrix& matrix, const RankedTrees& trees, int64_t rank):
    """Copy one tree of a ranking."""
    cdef Solution solution = Solution.__new__(Solution)
    cdef int32_t[::1] heads = EMPTY(matrix.n + 1, INT32)
    cdef int32_t m
    for m in range(matrix.n + 1):
        heads[m] = trees.tree(rank)[m]
    solution.heads = heads.base
    solution.score = trees.results[rank].score
    solution.upper_bound = trees.results[rank].upper_bound
    solution.certified = is_certified(matrix, trees.tree(rank), trees.results[rank])
    solution.iterations = trees.results[rank].iterations
    solution.nodes = trees.results[rank].nodes
    return solution


def solve_kbest(scores, Settings settings not None, int64_t k, Watcher watcher=None, parts=None):
    """Rank the k best trees of one matrix; None if a limit was reached before the first.

    Returns
    -------
    list of Solution, bool
        Fewer than k if there are not as many, or a limit came first; and whether none is missing.
    """
    cdef Py_buffer view
    cdef ScoreMatrix matrix
    cdef RankedTrees trees
    cdef PartTables tables
    cdef PartLists lists = open_parts(parts)
    cdef bint higher = parts is not None
    watcher = watcher or Watcher()
    cdef KernelSettings kernel = watched(settings, watcher)
    open_converted(scores, 2, &view, &matrix)
    try:
        if find_invalid(matrix) >= 0:
            raise ValueError(describe_invalid(matrix))
        with nogil:
            if higher:
                load_parts(lists, matrix, tables)
            rank_trees(matrix, kernel, k, trees, &tables if higher else NULL)
        watcher.check()
        if trees.unsettled:
            return None
        return [make_ranked(matrix, trees, rank) for rank in range(trees.count())], bool(trees.complete)
    finally:
        PyBuffer_Release(&view)


def solve_batch(batch, lengths, Settings settings not None, int threads, parts=None):
    """Decode a sequence of matrices, or a padded array [B, N, N] with lengths int64[B].

    `parts`: for each sentence what `Parts.arrays` gives.

    Returns
    -------
    tuple
        The columns heads int32[B, N], score, upper_bound, certified, iterations, nodes, lengths; and the indices
        of the sentences for which no tree satisfies the constraints. Where a limit came before the first valid
        tree the heads are -1 and the score is -inf.
    """
    cdef Views views
    cdef vector[ScoreMatrix] matrices
    cdef int64_t width = open_batch(batch, lengths, views, matrices)
    cdef int64_t i, count = matrices.size()
    cdef BatchColumns columns
    cdef Watcher watcher = Watcher()
    cdef KernelSettings kernel = watched(settings, watcher)
    cdef Caller caller = Caller(settings)
    caller.hook(&kernel.options)
    cdef int32_t[:, ::1] heads = np.empty((count, width), np.int32)
    cdef double[::1] score = np.zeros(count), upper_bound = np.zeros(count)
    cdef int32_t[::1] iterations = np.zeros(count, np.int32), nodes = np.zeros(count, np.int32)
    cdef uint8_t[::1] certified = np.zeros(count, np.uint8), state = np.zeros(count, np.uint8)
    cdef int64_t[::1] words = np.zeros(count, np.int64)
    cdef vector[PartLists] lists
    for arrays in parts or ():
        lists.push_back(open_parts(arrays))
    infeasible = []
    if count:
        columns.heads = &heads[0, 0]
        columns.width = width
        columns.score = &score[0]
        columns.upper_bound = &upper_bound[0]
        columns.certified = &certified[0]
        columns.iterations = &iterations[0]
        columns.nodes = &nodes[0]
        columns.state = &state[0]
        with nogil:
            decode_batch(matrices.data(), count, kernel, columns, threads, lists.data() if lists.size() else NULL)
        caller.check()
        watcher.check()
    for i in range(count):
        words[i] = matrices[i].n
        if state[i] == state_invalid:
            raise ValueError(f"batch[{i}]: {describe_invalid(matrices[i])}")
        if state[i] == state_infeasible:
            infeasible.append(i)
    arrays = (
        heads.base, score.base, upper_bound.base, certified.base.view(np.bool_), iterations.base, nodes.base,
        words.base)
    return arrays, infeasible
