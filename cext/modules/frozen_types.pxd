# The C++ types of the tables of a finished model, for freezing.pyx and parser.pyx.
from common cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef extern from "scorer/weights/frozen_weights.hpp" namespace "wnparse" nogil:
    cppclass FrozenWeights:
        FrozenWeights()
        FrozenWeights(const uint32_t*, int32_t)

    void store_frozen "wnparse::FrozenWeights::store" (uint32_t*, int32_t, uint64_t, int32_t)

cdef extern from "scorer/weights/frozen_label_rows.hpp" namespace "wnparse" nogil:
    cppclass FrozenRows:
        FrozenRows()
        FrozenRows(const uint16_t*, const uint32_t*, int32_t, const uint32_t*, int32_t)

    int64_t choose_slot "wnparse::FrozenRows::choose" (uint16_t*, int32_t*, int32_t, uint64_t, int32_t)
    uint32_t row_place "wnparse::FrozenRows::place_of" (uint32_t)
    uint32_t single_place "wnparse::FrozenRows::place_of" (int32_t, int32_t)
    uint32_t row_entry "wnparse::FrozenRows::entry" (int32_t, int32_t)
    enum:
        whole_row "wnparse::FrozenRows::whole"
        label_multiple "wnparse::FrozenRows::multiple"
        most_labels "wnparse::FrozenRows::most_labels"
        row_slots "wnparse::FrozenRows::bucket_slots"
