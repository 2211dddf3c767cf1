"""The door to the decoders: score matrices in, solutions out; one call a sentence or a batch, without the GIL.

``decoder.hpp`` names the kernels, ``batch.hpp`` runs them side by side, ``interrupt.hpp`` lets Ctrl-C through.
A matrix is read in place if it is float32 or float64 with contiguous rows; anything else is copied first.
"""
import threading

import numpy as np

from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t


cdef extern from "pythread.h":
    unsigned long PyThread_get_thread_ident() noexcept nogil

cdef extern from "problem.hpp" namespace "wnparse" nogil:
    cppclass Constraints:
        int32_t block_degree
        cbool well_nested
        cbool single_root

    cppclass Options:
        int32_t max_iterations
        int32_t max_nodes
        cbool paper_cuts
        cbool paper_fixing
        cbool camerini
        cbool local_search
        const int* stop

    cppclass Result:
        double score
        double upper_bound
        int32_t iterations
        int32_t nodes
        cbool feasible

cdef extern from "decoder.hpp" namespace "wnparse" nogil:
    enum Decoder "wnparse::Decoder":
        decoder_lr "wnparse::Decoder::lr"

    cppclass KernelSettings "wnparse::Settings":
        Decoder decoder
        Constraints constraints
        Options options

    cppclass Matrix:
        const void* scores
        int64_t stride
        int32_t n
        cbool wide

    cppclass Outcome:
        Result result
        cbool certified
        cbool valid_scores

    int64_t find_invalid(const Matrix&)
    Outcome decode_matrix(const Matrix&, const KernelSettings&, int32_t*) except +
    Outcome decode_guarded(const Matrix&, const KernelSettings&, int32_t*, cbool&) except +

cdef extern from "batch.hpp" namespace "wnparse" nogil:
    enum:
        state_infeasible "wnparse::state_infeasible"
        state_invalid "wnparse::state_invalid"

    cppclass Columns:
        int32_t* heads
        int64_t width
        double* score
        double* upper_bound
        uint8_t* certified
        int32_t* iterations
        int32_t* nodes
        uint8_t* state

    cbool decode_batch_guarded(
        const Matrix*, int64_t, const KernelSettings&, const Columns&, int32_t, cbool) except +
    void time_kernels(const Matrix*, int64_t, const KernelSettings&, int32_t, double*, double*) except +


cdef unsigned long MAIN_THREAD = threading.main_thread().ident
cdef object EMPTY = np.empty
cdef object INT32 = np.dtype(np.int32)


cdef class Settings:
    """A decoder with its constraints and options, checked once and used for many sentences."""

    cdef KernelSettings kernel
    cdef bint searches  # may run long enough for Ctrl-C to matter

    def __cinit__(self, int decoder, int block_degree, bint well_nested, bint single_root, *, int max_iterations,
                  int max_nodes, bint paper_cuts, bint paper_fixing, bint camerini, bint local_search):
        self.kernel.decoder = <Decoder>decoder
        self.kernel.constraints.block_degree = block_degree
        self.kernel.constraints.well_nested = well_nested
        self.kernel.constraints.single_root = single_root
        self.kernel.options.max_iterations = max_iterations
        self.kernel.options.max_nodes = max_nodes
        self.kernel.options.paper_cuts = paper_cuts
        self.kernel.options.paper_fixing = paper_fixing
        self.kernel.options.camerini = camerini
        self.kernel.options.local_search = local_search
        self.kernel.options.stop = NULL
        self.searches = decoder >= <int>decoder_lr and block_degree != 1 and (block_degree > 1 or well_nested)


cdef class Solution:
    """What a decoder found for one sentence, and how good it is known to be.

    Attributes
    ----------
    heads : ndarray of int32, shape (n + 1,)
        The tree: ``heads[m]`` is the head of word m, 0 for a root; ``heads[0] == -1``.
    score : float
        The sum of the scores of its arcs.
    upper_bound : float
        No tree that satisfies the constraints scores more; infinite if nothing is known.
    certified : bool
        Whether the bounds meet: the tree is proved to be a best one.
    iterations : int
        Maximum spanning arborescences computed.
    nodes : int
        Nodes of the search; 0 if there was none.
    """

    cdef readonly object heads
    cdef readonly double score
    cdef readonly double upper_bound
    cdef readonly bint certified
    cdef readonly int iterations
    cdef readonly int nodes

    def __init__(self, heads, double score, double upper_bound, bint certified, int iterations, int nodes):
        self.heads = heads
        self.score = score
        self.upper_bound = upper_bound
        self.certified = certified
        self.iterations = iterations
        self.nodes = nodes

    def __reduce__(self):
        return Solution, (self.heads, self.score, self.upper_bound, self.certified, self.iterations, self.nodes)

    def __repr__(self):
        return (
            f"Solution(heads={self.heads.tolist()}, score={self.score}, upper_bound={self.upper_bound}, "
            f"certified={self.certified}, iterations={self.iterations}, nodes={self.nodes})"
        )


cdef bint point_at(const Py_buffer* view, int first_axis, Matrix* matrix) noexcept:
    """Point `matrix` at the last two axes of a buffer; False if its scores cannot be read in place."""
    cdef Py_ssize_t rows = view.shape[first_axis], row_bytes = view.strides[first_axis]
    cdef bint wide = view.format != NULL and view.format[0] == b"d" and view.format[1] == 0
    cdef bint narrow = view.format != NULL and view.format[0] == b"f" and view.format[1] == 0
    if not (wide or narrow) or <size_t>view.buf % view.itemsize != 0:
        return False
    if rows > 1 and (view.strides[first_axis + 1] != view.itemsize or row_bytes < rows * view.itemsize
                     or row_bytes % view.itemsize != 0):
        return False
    matrix.scores = view.buf
    matrix.stride = row_bytes // view.itemsize
    matrix.n = <int32_t>(rows - 1)
    matrix.wide = wide
    return True


cdef bint open_matrix(object scores, int axes, Py_buffer* view, Matrix* matrix) except -1:
    """Open a buffer with `axes` axes, the last two of them square; False if it has to be converted first."""
    try:
        PyObject_GetBuffer(scores, view, PyBUF_STRIDES | PyBUF_FORMAT)
    except (BufferError, TypeError, ValueError):
        return False
    if (view.ndim == axes and view.shape[axes - 1] == view.shape[axes - 2] > 0
            and view.strides[0] % view.itemsize == 0 and point_at(view, axes - 2, matrix)):
        return True
    PyBuffer_Release(view)
    return False


cdef object convert(object scores, int axes):
    """Copy scores of any layout or dtype that loses nothing to an array that can be read in place."""
    array = np.asarray(scores)
    if array.ndim != axes or array.shape[axes - 1] != array.shape[axes - 2] or array.shape[axes - 1] == 0:
        wanted = "(n + 1, n + 1)" if axes == 2 else "(B, N, N)"
        raise ValueError(f"scores have shape {array.shape}; a shape {wanted} is needed, one row a modifier")
    if array.dtype.kind in "iub":
        dtype = np.float64
    elif array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        dtype = np.float64 if array.dtype.itemsize == 8 else np.float32
    else:
        raise ValueError(f"scores have dtype {array.dtype}; float32, float64 or integers are needed")
    return np.require(array, dtype, ["C", "A"])


cdef int open_converted(object scores, int axes, Py_buffer* view, Matrix* matrix) except -1:
    """Open scores of any kind; `view` must be released."""
    if not open_matrix(scores, axes, view, matrix) and not open_matrix(convert(scores, axes), axes, view, matrix):
        raise ValueError("scores cannot be read")
    return 0


cdef object describe_invalid(const Matrix& matrix):
    """Say which score is not allowed, and what would be."""
    cdef int64_t position = find_invalid(matrix)
    cdef int64_t m = position // (matrix.n + 1), h = position % (matrix.n + 1)
    cdef int64_t offset = m * matrix.stride + h
    value = (<const double*>matrix.scores)[offset] if matrix.wide else (<const float*>matrix.scores)[offset]
    return f"scores[{m}, {h}] is {value}; scores must be finite, or -inf for a forbidden arc"


def solve(scores, Settings settings not None):
    """Decode one matrix; None if no tree satisfies the constraints."""
    cdef Py_buffer view, heads_view
    cdef Matrix matrix
    cdef Outcome outcome
    cdef cbool interrupted = False
    cdef bint guarded = settings.searches and PyThread_get_thread_ident() == MAIN_THREAD
    open_converted(scores, 2, &view, &matrix)
    try:
        heads = EMPTY(matrix.n + 1, INT32)
        PyObject_GetBuffer(heads, &heads_view, PyBUF_WRITABLE)
        try:
            while True:
                with nogil:
                    if guarded:
                        outcome = decode_guarded(matrix, settings.kernel, <int32_t*>heads_view.buf, interrupted)
                    else:
                        outcome = decode_matrix(matrix, settings.kernel, <int32_t*>heads_view.buf)
                if not interrupted:
                    break
                PyErr_CheckSignals()
        finally:
            PyBuffer_Release(&heads_view)
        if not outcome.valid_scores:
            raise ValueError(describe_invalid(matrix))
    finally:
        PyBuffer_Release(&view)
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


cdef class Matrices:
    """The matrices of a batch, and the buffers that keep them in place."""

    cdef vector[Matrix] matrices
    cdef vector[Py_buffer] views
    cdef int64_t width  # nodes of the longest sentence, or of the padded array

    def __dealloc__(self):
        cdef size_t i
        for i in range(self.views.size()):
            PyBuffer_Release(&self.views[i])

    cdef int add_each(self, object sequence) except -1:
        """Open every matrix of a sequence."""
        cdef Py_buffer view
        cdef Matrix matrix
        self.width = 0
        self.views.reserve(len(sequence))
        for i, scores in enumerate(sequence):
            try:
                open_converted(scores, 2, &view, &matrix)
            except ValueError as error:
                raise ValueError(f"batch[{i}]: {error}") from None
            self.views.push_back(view)
            self.matrices.push_back(matrix)
            self.width = max(self.width, <int64_t>matrix.n + 1)
        return 0

    cdef int add_padded(self, object array, const int64_t[::1] lengths) except -1:
        """Open a padded array [B, N, N] whose sentence i has lengths[i] words."""
        cdef Py_buffer view
        cdef Matrix matrix
        cdef Py_ssize_t i
        open_converted(array, 3, &view, &matrix)
        self.views.push_back(view)
        self.width = view.shape[2]
        if lengths.shape[0] != view.shape[0]:
            raise ValueError(f"lengths has {lengths.shape[0]} entries for a batch of {view.shape[0]} sentences")
        self.matrices.reserve(lengths.shape[0])
        for i in range(lengths.shape[0]):
            if not 0 <= lengths[i] < self.width:
                raise ValueError(f"lengths[{i}] is {lengths[i]}; it must be within 0..{self.width - 1}, "
                                 f"the words that matrices of {self.width} nodes have room for")
            matrix.scores = <const char*>view.buf + i * view.strides[0]
            matrix.n = <int32_t>lengths[i]
            self.matrices.push_back(matrix)
        return 0


cdef Matrices open_batch(object batch, object lengths):
    """Open a sequence of matrices (no lengths) or a padded array with them."""
    cdef Matrices matrices = Matrices()
    if lengths is None:
        matrices.add_each(batch)
    else:
        matrices.add_padded(batch, lengths)
    return matrices


def solve_batch(batch, lengths, Settings settings not None, int threads):
    """Decode a sequence of matrices, or a padded array [B, N, N] with lengths int64[B].

    Returns
    -------
    tuple
        The columns heads int32[B, N], score, upper_bound, certified, iterations, nodes, lengths; and the indices
        of the sentences for which no tree satisfies the constraints.
    """
    cdef Matrices matrices = open_batch(batch, lengths)
    cdef int64_t i, count = matrices.matrices.size()
    cdef Columns columns
    cdef cbool interrupted = False, main_thread = PyThread_get_thread_ident() == MAIN_THREAD
    cdef int32_t[:, ::1] heads = np.full((count, matrices.width), -1, np.int32)
    cdef double[::1] score = np.zeros(count), upper_bound = np.zeros(count)
    cdef int32_t[::1] iterations = np.zeros(count, np.int32), nodes = np.zeros(count, np.int32)
    cdef uint8_t[::1] certified = np.zeros(count, np.uint8), state = np.zeros(count, np.uint8)
    cdef int64_t[::1] words = np.zeros(count, np.int64)
    infeasible = []
    if count:
        columns.heads = &heads[0, 0]
        columns.width = matrices.width
        columns.score = &score[0]
        columns.upper_bound = &upper_bound[0]
        columns.certified = &certified[0]
        columns.iterations = &iterations[0]
        columns.nodes = &nodes[0]
        columns.state = &state[0]
        while True:
            with nogil:
                interrupted = decode_batch_guarded(
                    matrices.matrices.data(), count, settings.kernel, columns, threads, main_thread)
            if not interrupted:
                break
            PyErr_CheckSignals()
    for i in range(count):
        words[i] = matrices.matrices[i].n
        if state[i] == state_invalid:
            raise ValueError(f"batch[{i}]: {describe_invalid(matrices.matrices[i])}")
        if state[i] == state_infeasible:
            infeasible.append(i)
    found = certified.base.view(np.bool_)
    return (heads.base, score.base, upper_bound.base, found, iterations.base, nodes.base, words.base), infeasible


def time_kernel(batch, lengths, Settings settings not None, int repeats):
    """Time the kernel alone, without checks or Python: the least of `repeats` passes over the batch.

    Returns
    -------
    tuple
        Seconds of the best pass over all sentences, and float64[B], each sentence's own best.
    """
    cdef Matrices matrices = open_batch(batch, lengths)
    cdef int64_t count = matrices.matrices.size()
    cdef double[::1] seconds = np.zeros(max(count, 1))
    cdef double pass_seconds = 0
    with nogil:
        time_kernels(matrices.matrices.data(), count, settings.kernel, repeats, &seconds[0], &pass_seconds)
    return pass_seconds, np.asarray(seconds)[:count]
