# What goes into a decoder and comes out of it; KernelSettings because Python's own class has the name Settings.
from libcpp cimport bool as cbool

from common cimport int32_t

cdef extern from "problem/settings.hpp" namespace "wnparse" nogil:
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

cdef extern from "decoders/decoder.hpp" namespace "wnparse" nogil:
    enum Decoder "wnparse::Decoder":
        decoder_lr "wnparse::Decoder::lr"

    cppclass KernelSettings "wnparse::Settings":
        Decoder decoder
        Constraints constraints
        Options options

    cppclass Outcome:
        Result result
        cbool certified
        cbool valid_scores
