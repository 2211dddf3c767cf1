"""Score matrices as Python hands them over: opened in place where that can be, copied where not, and released.

A matrix is read in place if it is float32 or float64 with contiguous rows; anything else is copied first.
"""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t


cdef extern from "problem/score_matrix.hpp" namespace "wnparse" nogil:
    cppclass ScoreMatrix:
        const void* scores
        int64_t stride
        int32_t n
        cbool wide

    int64_t find_invalid(const ScoreMatrix&)

cdef extern from *:
    """
    #include <vector>

    // Buffers that keep matrices in place until this goes out of scope, with the GIL held.
    struct wnparse_views {
        std::vector<Py_buffer> list;
        ~wnparse_views() {
            for (Py_buffer& view : list) PyBuffer_Release(&view);
        }
    };
    """
    cppclass Views "wnparse_views":
        vector[Py_buffer] list


cdef inline bint is_float(const Py_buffer* view, char code) noexcept:
    """Whether a buffer has numbers of a type, "f" or "d", that can be read in place."""
    return (view.format != NULL and view.format[0] == code and view.format[1] == 0
            and <size_t>view.buf % view.itemsize == 0)


cdef inline bint point_at(const Py_buffer* view, int first_axis, ScoreMatrix* matrix) noexcept:
    """Point `matrix` at the last two axes of a buffer; False if its scores cannot be read in place."""
    cdef Py_ssize_t rows = view.shape[first_axis], row_bytes = view.strides[first_axis]
    cdef bint wide = is_float(view, b"d")
    if not (wide or is_float(view, b"f")):
        return False
    if rows > 1 and (view.strides[first_axis + 1] != view.itemsize or row_bytes < rows * view.itemsize
                     or row_bytes % view.itemsize != 0):
        return False
    matrix.scores = view.buf
    matrix.stride = row_bytes // view.itemsize
    matrix.n = <int32_t>(rows - 1)
    matrix.wide = wide
    return True


cdef inline bint open_matrix(object scores, int axes, Py_buffer* view, ScoreMatrix* matrix) except -1:
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


cdef inline object as_floats(object numbers, str what):
    """Copy numbers of any layout or dtype that loses nothing to an array that can be read in place."""
    import numpy as np

    array = np.asarray(numbers)
    if array.dtype.kind in "iub":
        dtype = np.float64
    elif array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        dtype = np.float64 if array.dtype.itemsize == 8 else np.float32
    else:
        raise ValueError(f"{what} have the dtype {array.dtype}; expected float32, float64 or integers")
    return np.require(array, dtype, ["C", "A"])


cdef inline object convert(object scores, int axes):
    """Copy scores of any layout or dtype that loses nothing to an array that can be read in place."""
    import numpy as np

    array = np.asarray(scores)
    if array.ndim != axes or array.shape[axes - 1] != array.shape[axes - 2] or array.shape[axes - 1] == 0:
        wanted = "(n + 1, n + 1)" if axes == 2 else "(B, N, N)"
        raise ValueError(f"scores have the shape {array.shape}; expected {wanted}, one row per modifier")
    return as_floats(array, "scores")


cdef inline int open_converted(object scores, int axes, Py_buffer* view, ScoreMatrix* matrix) except -1:
    """Open scores of any kind; `view` must be released."""
    if not open_matrix(scores, axes, view, matrix) and not open_matrix(convert(scores, axes), axes, view, matrix):
        raise ValueError("scores cannot be read; expected a NumPy array")
    return 0


cdef inline object describe_invalid(const ScoreMatrix& matrix):
    """Describe the first score that is not allowed."""
    cdef int64_t position = find_invalid(matrix)
    cdef int64_t m = position // (matrix.n + 1), h = position % (matrix.n + 1)
    cdef int64_t offset = m * matrix.stride + h
    value = (<const double*>matrix.scores)[offset] if matrix.wide else (<const float*>matrix.scores)[offset]
    return f"scores[{m}, {h}] is {value}; expected a finite score, or -inf for a forbidden arc"


cdef inline int64_t open_each(object sequence, Views& views, vector[ScoreMatrix]& matrices) except -1:
    """Open every matrix of a sequence; the nodes of the longest sentence."""
    cdef Py_buffer view
    cdef ScoreMatrix matrix
    cdef int64_t width = 0
    views.list.reserve(len(sequence))
    for i, scores in enumerate(sequence):
        try:
            open_converted(scores, 2, &view, &matrix)
        except ValueError as error:
            raise ValueError(f"batch[{i}]: {error}") from None
        views.list.push_back(view)
        matrices.push_back(matrix)
        width = max(width, <int64_t>matrix.n + 1)
    return width


cdef inline int64_t open_padded(object array, const int64_t[::1] lengths, Views& views,
                                vector[ScoreMatrix]& matrices) except -1:
    """Open a padded array [B, N, N] whose sentence i has lengths[i] words; N."""
    cdef Py_buffer view
    cdef ScoreMatrix matrix
    cdef Py_ssize_t i
    open_converted(array, 3, &view, &matrix)
    views.list.push_back(view)
    cdef int64_t width = view.shape[2]
    if lengths.shape[0] != view.shape[0]:
        raise ValueError(f"lengths has {lengths.shape[0]} entries; expected {view.shape[0]}, one per sentence")
    matrices.reserve(lengths.shape[0])
    for i in range(lengths.shape[0]):
        if not 0 <= lengths[i] < width:
            raise ValueError(f"lengths[{i}] is {lengths[i]}; it must be within 0..{width - 1}, "
                             f"the words that matrices of {width} nodes have room for")
        matrix.scores = <const char*>view.buf + i * view.strides[0]
        matrix.n = <int32_t>lengths[i]
        matrices.push_back(matrix)
    return width


cdef inline int64_t open_batch(object batch, object lengths, Views& views,
                               vector[ScoreMatrix]& matrices) except -1:
    """Open a sequence of matrices (no lengths) or a padded array with them; nodes of the widest."""
    return open_each(batch, views, matrices) if lengths is None else open_padded(batch, lengths, views, matrices)
