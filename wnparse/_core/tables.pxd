from common cimport int32_t
from scorer_types cimport LabelTable, ParserTables


cdef class LabelCandidates:
    cdef readonly object keys     # uint64[k], ascending
    cdef readonly object begin    # int32[k + 1]
    cdef readonly object labels   # int32[...]
    cdef LabelTable table
    cdef int32_t count            # labels there are, rounded up to whole vectors


cdef class Tables:
    cdef ParserTables tables
    cdef LabelCandidates candidates
    cdef int add_part(self, const int32_t[::1] row, Py_ssize_t number) except -1
