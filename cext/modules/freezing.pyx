"""Laying learned weights out as tables of a finished model (scorer/weights), O(weights)."""
from common cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from frozen_types cimport (
    choose_slot, label_multiple, longest_row, most_labels, row_entry, row_place, row_slots, single_place,
    store_frozen, whole_row,
)

import numpy as np

MOST_LABELS = most_labels


def freeze(const uint64_t[::1] keys, const int32_t[::1] weights, int bits):
    """Lay out weights that are not 0 as a table of 2 ** bits buckets of four slots."""
    cdef uint32_t[::1] slots = np.zeros(4 << bits, np.uint32)
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        if weights[i] != 0:
            store_frozen(&slots[0], bits, keys[i], weights[i])
    return slots.base


cdef uint32_t write_row(const int32_t[::1] labels, const int32_t[::1] weights, int64_t first, int64_t last,
                        int width, uint32_t[::1] entries, uint32_t* at) noexcept:
    """Write the weights first..last of a row behind the others; the place of its feature."""
    cdef int64_t k
    cdef uint32_t size = 0, begin = at[0]
    cdef int64_t only = first
    cdef int16_t* row = <int16_t*> &entries[begin + 1]
    for k in range(first, last):
        if weights[k] != 0:
            size += 1
            only = k
    if size == 1:
        return single_place(labels[only], weights[only])
    if 4 * size >= <uint32_t> width:  # longer than a list, but quicker to add
        entries[begin] = whole_row
        for k in range(first, last):
            row[labels[k]] = <int16_t> weights[k]
        at[0] += 1 + width // 2
        return row_place(begin)
    entries[begin] = size
    at[0] += 1
    for k in range(first, last):
        if weights[k] != 0:
            entries[at[0]] = row_entry(labels[k], weights[k])
            at[0] += 1
    return row_place(begin)


def freeze_rows(const uint64_t[::1] keys, const int64_t[::1] begin, const int32_t[::1] labels,
                const int32_t[::1] weights, int bits, int label_count):
    """Lay out rows of weights that are not 0: tags uint16 and places uint32 of 2 ** bits buckets, and rows uint32.

    A row with a quarter of all labels is laid out with all `label_count` of them, rounded up to whole vectors.
    """
    if label_count > most_labels:
        raise ValueError(f"{label_count} labels; expected at most {most_labels}")
    cdef int width = (label_count + label_multiple - 1) // label_multiple * label_multiple
    cdef int64_t slots = <int64_t> row_slots << bits, slot, i, k
    cdef uint16_t[::1] tags = np.zeros(slots, np.uint16)
    cdef uint32_t[::1] places = np.zeros(slots, np.uint32)
    cdef int64_t[::1] owners = np.full(slots, -1, np.int64)
    cdef int32_t[::1] sizes = np.zeros(slots, np.int32)
    cdef int32_t size
    for i in range(keys.shape[0]):
        size = 0
        for k in range(begin[i], begin[i + 1]):
            size = max(size, abs(weights[k]))
        slot = choose_slot(&tags[0], &sizes[0], bits, keys[i], size)
        if slot >= 0:
            owners[slot] = i
    # Row 0 is empty: the place of free slots. A whole row takes up to twice the entries of its weights. Behind the
    # last row there is room for one more, so that a row may begin anywhere.
    cdef uint32_t[::1] entries = np.zeros(
        2 * np.count_nonzero(weights) + keys.shape[0] + 1 + longest_row(width), np.uint32)
    cdef uint32_t at = 1
    # In the order in which they were learned: what is frequent was met early, and stays in the cache together.
    cdef int64_t[::1] slot_of = np.full(keys.shape[0], -1, np.int64)
    for slot in range(slots):
        if owners[slot] >= 0:
            slot_of[owners[slot]] = slot
    for i in range(keys.shape[0]):
        if slot_of[i] >= 0:
            places[slot_of[i]] = write_row(labels, weights, begin[i], begin[i + 1], width, entries, &at)
    return tags.base, places.base, entries.base[:at - 1 + longest_row(width)].copy()
