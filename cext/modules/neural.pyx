"""The first layer of a network (neural/): keys of words, and sums of their embeddings, without the GIL."""
import numpy as np

from common cimport int8_t, int32_t, int64_t, uint64_t
from neural_types cimport CoreEmbeddings, WordKeys, input_count
from tagger_types cimport LookupTable, fits_lookup

INPUT_COUNT = input_count


def word_keys(sentence):
    """Return the keys of all inputs of the words of a sentence.

    Returns
    -------
    tuple
        keys uint64[...], and begin int32[(n + 1) * INPUT_COUNT + 1]: the keys of input i of token t are
        ``keys[begin[j]:begin[j + 1]]`` with ``j = t * INPUT_COUNT + i``. Token 0 is the root.
    """
    cdef WordKeys words
    cdef const int32_t[:, ::1] fields = sentence.fields
    cdef bytes raw = sentence.raw
    words.read(raw, &fields[0, 0], <int32_t> fields.shape[0] - 1)
    return (np.array(<const uint64_t[:words.keys.size()]> words.keys.data()) if words.keys.size() else
            np.empty(0, np.uint64)), np.array(<const int32_t[:words.begin.size()]> words.begin.data())


cdef class Embeddings:
    """The embeddings of a network; threads may share it.

    Parameters
    ----------
    keys, rows : ndarray of uint64 and int32
        A look-up table (tagger/lookup_table.hpp): the row of each key.
    values : ndarray of int8
        The rows of all inputs.
    scales : ndarray of float32
        What a value of 1 of each row stands for.
    shapes : sequence of (rows, dimensions)
        Of each input; (0, 0) if it is not used.
    """

    cdef CoreEmbeddings embeddings
    cdef object arrays

    def __init__(self, const uint64_t[::1] keys not None, const int32_t[::1] rows not None,
                 const int8_t[::1] values not None, const float[::1] scales not None, shapes):
        cdef int32_t i, row = 0
        cdef int64_t value = 0
        if len(shapes) != input_count:
            raise ValueError(f"{len(shapes)} inputs; expected {input_count}")
        for i in range(input_count):
            count, dimension = shapes[i]
            if count < 0 or dimension < 0 or (count == 0) != (dimension == 0):
                raise ValueError(f"input {i} has {count} rows of {dimension} numbers; expected both, or none")
            if row + count > 1 << 30 or dimension > 1 << 16:
                raise ValueError(f"input {i} has {count} rows of {dimension} numbers; expected fewer")
            self.embeddings.first_row[i], self.embeddings.first_value[i] = row, value
            self.embeddings.dimensions[i] = dimension
            row += count
            value += <int64_t> count * <int64_t> dimension
        self.embeddings.first_row[input_count], self.embeddings.first_value[input_count] = row, value
        if scales.shape[0] != row or values.shape[0] != value or row == 0:
            raise ValueError(f"{values.shape[0]} values and {scales.shape[0]} scales; expected {value} and {row}, "
                             "and at least one")
        if not fits_lookup(keys.shape[0], rows.shape[0]):
            raise ValueError("keys: expected a power of two of at least 2, and as many rows")
        self.embeddings.rows = LookupTable(&keys[0], &rows[0], keys.shape[0], row)
        self.embeddings.values, self.embeddings.scales = &values[0], &scales[0]
        self.arrays = keys, rows, values, scales

    @property
    def width(self):
        """The numbers of a word: the sum of the dimensions."""
        return self.embeddings.width()

    def look_up(self, sentence):
        """Return the embeddings of the words of a sentence, float32[n + 1, width]."""
        cdef WordKeys words
        cdef const int32_t[:, ::1] fields = sentence.fields
        cdef bytes raw = sentence.raw
        cdef const char* text = raw
        cdef int32_t n = <int32_t> fields.shape[0] - 1
        cdef float[:, ::1] sums = np.empty((n + 1, self.embeddings.width()), np.float32)
        with nogil:
            words.read(text, &fields[0, 0], n)
            self.embeddings.look_up(words, &sums[0, 0])
        return sums.base
