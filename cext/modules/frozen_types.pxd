# The C++ types of the tables of a finished model, for freezing.pyx and parser.pyx.
from libcpp cimport bool as cbool

from common cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef extern from "scorer/weights/frozen_weights.hpp" namespace "wnparse" nogil:
    cppclass FrozenWeights:
        FrozenWeights()
        FrozenWeights(const uint32_t*, int64_t)

    cbool fits_weights "wnparse::FrozenWeights::fits" (const uint32_t*, int64_t)
    void store_frozen "wnparse::FrozenWeights::store" (uint32_t*, int32_t, uint64_t, int32_t)

cdef extern from "scorer/weights/frozen_label_weights.hpp" namespace "wnparse" nogil:
    cppclass FrozenLabelWeights:
        FrozenLabelWeights()
        FrozenLabelWeights(const uint16_t*, const uint32_t*, int64_t, const uint32_t*, int64_t, int32_t)

    cbool fits_label_weights "wnparse::FrozenLabelWeights::fits" (int64_t, int64_t, int64_t, int32_t)
    int64_t longest_row "wnparse::FrozenLabelWeights::longest_row" (int32_t)
    int64_t choose_slot "wnparse::FrozenLabelWeights::choose" (uint16_t*, int32_t*, int32_t, uint64_t, int32_t)
    uint32_t row_place "wnparse::FrozenLabelWeights::place_of" (uint32_t)
    uint32_t single_place "wnparse::FrozenLabelWeights::place_of" (int32_t, int32_t)
    uint32_t row_entry "wnparse::FrozenLabelWeights::entry" (int32_t, int32_t)
    enum:
        whole_row "wnparse::FrozenLabelWeights::whole"
        label_multiple "wnparse::FrozenLabelWeights::multiple"
        most_labels "wnparse::FrozenLabelWeights::most_labels"
        row_slots "wnparse::FrozenLabelWeights::bucket_slots"
