// A read-only table from 64-bit keys to numbers, as it lies in a model file; and lists that such numbers name.
//
// Open addressing with linear probing in a table that is at most half full: one line of memory for most look-ups.
#pragma once

#include <cstdint>

namespace wnparse {

class LookupTable {
public:
    static constexpr int32_t none = -1;

    LookupTable() = default;
    // 2^bits keys, 0 where there is none, and their numbers.
    LookupTable(const uint64_t* keys, const int32_t* numbers, int32_t bits)
        : keys_(keys), numbers_(numbers), mask_((uint64_t{1} << bits) - 1) {}

    int32_t operator[](uint64_t key) const {
        const int64_t at = find(key);
        return at < 0 ? none : numbers_[at];
    }

    // Where a key stands, -1 if nowhere: other numbers may stand there in tables of their own.
    int64_t find(uint64_t key) const {
        if (keys_ == nullptr) return -1;
        for (uint64_t at = place(key);; ++at) {
            const uint64_t found = keys_[at & mask_];
            if (found == key) return static_cast<int64_t>(at & mask_);
            if (found == 0) return -1;
        }
    }
    int32_t number(int64_t at) const { return numbers_[at]; }

    // Store a key other than 0 in a table that is being built; what is there already stays.
    static void store(uint64_t* keys, int32_t* numbers, int32_t bits, uint64_t key, int32_t number) {
        const uint64_t mask = (uint64_t{1} << bits) - 1;
        uint64_t at = place(key);
        while (keys[at & mask] != 0 && keys[at & mask] != key) ++at;
        if (keys[at & mask] == key) return;
        keys[at & mask] = key;
        numbers[at & mask] = number;
    }

private:
    static uint64_t place(uint64_t key) { return key >> 20; }

    const uint64_t* keys_ = nullptr;
    const int32_t* numbers_ = nullptr;
    uint64_t mask_ = 0;
};

// A stretch of numbers.
struct NumberList {
    const int32_t* first = nullptr;
    const int32_t* last = nullptr;

    const int32_t* begin() const { return first; }
    const int32_t* end() const { return last; }
    int32_t size() const { return static_cast<int32_t>(last - first); }
};

// Lists of numbers one behind the other.
struct NumberLists {
    const int32_t* begin = nullptr;  // [lists + 1]
    const int32_t* numbers = nullptr;

    NumberList operator[](int32_t list) const { return {numbers + begin[list], numbers + begin[list + 1]}; }
};

}  // namespace wnparse
