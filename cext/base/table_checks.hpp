// Checks of arrays that come from a file: what must hold before indices in them are followed.
#pragma once

#include <cstdint>

namespace wnparse {

// The bits of a table of slots 2^bits entries, bits >= 1; -1 if a table of this size cannot be one.
inline int32_t table_bits(int64_t size, int64_t slots) {
    constexpr int32_t most = 28;  // places of buckets are 32-bit numbers
    for (int32_t bits = 1; bits <= most; ++bits)
        if (size == slots << bits) return bits;
    return -1;
}

// Whether a pointer is at a multiple of so many bytes.
inline bool is_aligned(const void* pointer, uintptr_t bytes) {
    return reinterpret_cast<uintptr_t>(pointer) % bytes == 0;
}

// Whether all numbers are in 0..limit - 1.
inline bool are_below(const int32_t* numbers, int64_t size, int64_t limit) {
    uint32_t most = 0;
    for (int64_t k = 0; k < size; ++k) {
        const auto number = static_cast<uint32_t>(numbers[k]);
        most = number > most ? number : most;
    }
    return size == 0 || static_cast<int64_t>(most) < limit;
}

// Whether begin[0..lists] says where lists begin and end in `size` numbers: from 0, in their order, each with at
// least `least` numbers, which rise within 0..limit - 1.
inline bool are_lists(const int32_t* begin, int64_t lists, const int32_t* numbers, int64_t size, int32_t limit,
                      int32_t least) {
    if (lists < 0 || begin[0] != 0) return false;
    for (int64_t i = 0; i < lists; ++i) {
        const int64_t first = begin[i], last = begin[i + 1];
        if (last - first < least || last > size) return false;
        int32_t before = -1;
        for (int64_t k = first; k < last; ++k) {
            if (numbers[k] <= before || numbers[k] >= limit) return false;
            before = numbers[k];
        }
    }
    return true;
}

}  // namespace wnparse
