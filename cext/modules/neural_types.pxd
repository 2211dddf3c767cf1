# The C++ types of a network's first layer.
from libcpp.vector cimport vector

from common cimport int8_t, int32_t, int64_t, uint64_t
from tagger_types cimport LookupTable

cdef extern from "neural/word_keys.hpp" namespace "wnparse" nogil:
    enum:
        input_count "wnparse::input_count"

    cppclass WordKeys:
        vector[uint64_t] keys
        vector[int32_t] begin
        void read(const char*, const int32_t*, int32_t) except +

cdef extern from "neural/embeddings.hpp" namespace "wnparse" nogil:
    cppclass CoreEmbeddings "wnparse::Embeddings":
        LookupTable rows
        const int8_t* values
        const float* scales
        int32_t* first_row
        int64_t* first_value
        int32_t* dimensions
        int32_t width()
        void look_up(const WordKeys&, float*)
