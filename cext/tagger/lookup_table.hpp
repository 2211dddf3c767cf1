// A read-only table from 64-bit keys to numbers, as it lies in a model file; and lists that such numbers name.
//
// Open addressing with linear probing in a table that is at most half full: one line of memory for most look-ups.
//
// The table may come from a file of a stranger.  A look-up ends after `longest_probe` slots even where none is
// free, and a number that names nothing counts as none.
#pragma once

#include <cstdint>

#include "base/table_checks.hpp"

namespace wnparse {

class LookupTable {
public:
    static constexpr int32_t none = -1;

    LookupTable() = default;
    // keys[size], 0 where there is none, and their numbers, of which those in 0..limit - 1 name something.
    LookupTable(const uint64_t* keys, const int32_t* numbers, int64_t size, int64_t limit)
        : keys_(keys),
          numbers_(numbers),
          mask_(static_cast<uint64_t>(size) - 1),
          limit_(static_cast<uint32_t>(limit)) {}
    // Whether arrays can be such a table: 2^bits keys, bits >= 1, and as many numbers.
    static bool fits(int64_t size, int64_t number_count) {
        return table_bits(size, 1) > 0 && number_count == size;
    }

    int32_t operator[](uint64_t key) const {
        const int64_t at = find(key);
        return at < 0 ? none : number(at);
    }

    // Where a key stands, -1 if nowhere: other numbers may stand there in tables of their own.
    int64_t find(uint64_t key) const {
        if (keys_ == nullptr) return -1;
        const uint64_t first = place(key);
        for (uint64_t at = first; at != first + longest_probe; ++at) {
            const uint64_t found = keys_[at & mask_];
            if (found == key) return static_cast<int64_t>(at & mask_);
            if (found == 0) return -1;
        }
        return -1;
    }
    int32_t number(int64_t at) const { return static_cast<uint32_t>(numbers_[at]) < limit_ ? numbers_[at] : none; }

    // Store a key other than 0 in a table that is being built; what is there already stays.  A key that finds no
    // free slot near its place is left out: in a table that is half full, of a billion keys not one.
    static void store(uint64_t* keys, int32_t* numbers, int64_t size, uint64_t key, int32_t number) {
        const uint64_t mask = static_cast<uint64_t>(size) - 1, first = place(key);
        for (uint64_t at = first; at != first + longest_probe; ++at) {
            if (keys[at & mask] == key) return;
            if (keys[at & mask] != 0) continue;
            keys[at & mask] = key;
            numbers[at & mask] = number;
            return;
        }
    }

private:
    static constexpr uint64_t longest_probe = 128;
    static uint64_t place(uint64_t key) { return key >> 20; }

    const uint64_t* keys_ = nullptr;
    const int32_t* numbers_ = nullptr;
    uint64_t mask_ = 0;
    uint32_t limit_ = 0;
};

// A stretch of numbers.
struct NumberList {
    const int32_t* first = nullptr;
    const int32_t* last = nullptr;

    const int32_t* begin() const { return first; }
    const int32_t* end() const { return last; }
    int32_t size() const { return static_cast<int32_t>(last - first); }
};

// Lists of numbers one behind the other: base/table_checks.hpp says what holds of them.
struct NumberLists {
    const int32_t* begin = nullptr;  // [count + 1]
    const int32_t* numbers = nullptr;
    int64_t count = 0;

    NumberList operator[](int32_t list) const { return {numbers + begin[list], numbers + begin[list + 1]}; }
};

}  // namespace wnparse
