// The weights of labels of a finished model: a read-only hash table from features to rows of labels, mapped as it lies in
// the model file.
//
// A slot is 8 bytes: 16 bits of the feature's key, the length of its row (0: an empty slot) and where the row begins.  A short
// row lists labels, 4 bytes each: a label and its weight as 16-bit integers, the weight in units of the model's scale.  A long
// row has the weight of every label, 2 bytes each, and is added up by whole vectors.
#pragma once

#include <cstdint>

namespace wnparse {

class FrozenRows {
   public:
    static constexpr bool constant = true;
    static constexpr uint32_t whole = 0xffffu;  // the length of a row that has every label
    static constexpr int32_t multiple = 8;      // of labels in such a row

    FrozenRows() = default;
    // 2^bits slots; `labels` is a multiple of 8.
    FrozenRows(const uint64_t* slots, int32_t bits, const uint32_t* entries, int32_t labels)
        : slots_(slots), entries_(entries), shift_(64 - bits), mask_((uint64_t(1) << bits) - 1), labels_(labels) {}

    // Add the weights of a feature to the sums of all labels.
    void add(uint64_t key, int32_t* sums) const {
        for (uint64_t i = key >> shift_;; i = (i + 1) & mask_) {
            const uint64_t slot = slots_[i];
            const uint32_t size = static_cast<uint32_t>(slot >> 32) & 0xffffu;
            if (size == 0) return;
            if (slot >> 48 != (key & 0xffffu)) continue;
            const uint32_t* entry = entries_ + static_cast<uint32_t>(slot);
            if (size == whole) {
                add_whole(reinterpret_cast<const int16_t*>(entry), sums);
            } else {
                for (uint32_t k = 0; k < size; ++k) sums[entry[k] & 0xffffu] += static_cast<int32_t>(entry[k]) >> 16;
            }
            return;
        }
    }

    // Store where the row of a feature lies, in a table that is being built.
    static void store(uint64_t* slots, int32_t bits, uint64_t key, uint32_t begin, uint32_t size) {
        uint64_t i = key >> (64 - bits);
        while (slots[i] != 0) i = (i + 1) & ((uint64_t(1) << bits) - 1);
        slots[i] = (key & 0xffffu) << 48 | static_cast<uint64_t>(size) << 32 | begin;
    }
    static uint32_t entry(int32_t label, int32_t weight) {
        return static_cast<uint32_t>(weight) << 16 | static_cast<uint32_t>(label);
    }

   private:
    void add_whole(const int16_t* row, int32_t* sums) const {
        for (int32_t label = 0; label < labels_; label += multiple) {
            for (int32_t k = 0; k < multiple; ++k) sums[label + k] += row[label + k];
        }
    }

    const uint64_t* slots_ = nullptr;
    const uint32_t* entries_ = nullptr;
    int32_t shift_ = 63;
    uint64_t mask_ = 0;
    int32_t labels_ = 0;
};

}  // namespace wnparse
