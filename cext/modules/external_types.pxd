# Parts as rows, and the score of what a decoder outside of the core has found.
from libcpp.vector cimport vector

from common cimport int32_t
from decoder_types cimport CProblem, Result
from part_types cimport PartTables

cdef extern from "problem/part_rows.hpp" namespace "wnparse" nogil:
    cppclass PartRowKind "wnparse::PartRows::Kind":
        vector[int32_t] nodes
        vector[double] scores

    cppclass PartRows:
        PartRowKind siblings
        PartRowKind grandparents
        PartRowKind grandsiblings
        PartRowKind trisiblings
        void collect(const PartTables&) except +

cdef extern from "problem/result.hpp" namespace "wnparse" nogil:
    Result limited_result(double)

cdef extern from "decoders/external.hpp" namespace "wnparse" nogil:
    double settle_external(const CProblem&, const int32_t*, const int32_t*) except +
