// The weights of a finished model: a read-only hash table, mapped as it lies in the model file.
//
// A slot is 4 bytes: 16 bits of the feature's key, and its weight as a 16-bit integer in units of the model's
// scale.  Sums of integers do not depend on their order: the same scores everywhere, whatever the compiler
// vectorises.  Four slots make a bucket, compared at once and without a branch, so that the processor goes on to
// the next look-ups while memory answers the first.  A full bucket keeps the largest weights of those that fall
// into it: at two features a bucket, 4 % of the features, the least of their buckets, are lost.
//
// The table may come from a file of a stranger.  A bucket is the first bits of a key, so that no look-up leaves a
// table of 2^bits buckets; what the slots hold does not matter.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "base/table_checks.hpp"

namespace wnparse {

class FrozenWeights {
public:
    static constexpr bool constant = true;
    static constexpr int32_t bucket_slots = 4;

    // A table without features.
    FrozenWeights() = default;
    // slots[size] of 2^bits buckets: see `fits`.
    FrozenWeights(const uint32_t* slots, int64_t size)
        : slots_(slots), shift_(64 - table_bits(size, bucket_slots)) {}
    // Whether an array can be such a table: of 4 * 2^bits slots, bits >= 1, each bucket aligned to its size.
    static bool fits(const uint32_t* slots, int64_t size) {
        return table_bits(size, bucket_slots) > 0 && is_aligned(slots, bucket_slots * sizeof(uint32_t));
    }

#if defined(__GNUC__)
    // A sum of weights, one lane for each slot of a bucket.
    class Total {
    public:
        void add(const FrozenWeights& weights, uint64_t key) {
            const Four slots = *reinterpret_cast<const Four*>(weights.bucket(key));
            const int32_t tag = static_cast<int32_t>(key & tag_bits);
            lanes_ += ((slots & int32_t(tag_bits)) == Four{tag, tag, tag, tag}) & (slots >> 16);
        }
        int32_t sum() const { return (lanes_[0] + lanes_[1]) + (lanes_[2] + lanes_[3]); }

    private:
        typedef int32_t Four __attribute__((vector_size(16)));
        Four lanes_ = {0, 0, 0, 0};
    };
#else
    class Total {
    public:
        void add(const FrozenWeights& weights, uint64_t key) {
            const uint32_t* slot = weights.bucket(key);
            for (int32_t i = 0; i < bucket_slots; ++i)
                sum_ += (slot[i] & tag_bits) == (key & tag_bits) ? static_cast<int32_t>(slot[i]) >> 16 : 0;
        }
        int32_t sum() const { return sum_; }

    private:
        int32_t sum_ = 0;
    };
#endif

    // The weight of a feature in units of the scale, 0 if the model does not know it.
    int32_t operator()(uint64_t key) const {
        Total total;
        total.add(*this, key);
        return total.sum();
    }

    // Store a weight other than 0 in a table that is being built.
    static void store(uint32_t* slots, int32_t bits, uint64_t key, int32_t weight) {
        uint32_t* slot = slots + (key >> (64 - bits)) * bucket_slots;
        uint32_t* least = slot;
        for (int32_t i = 1; i < bucket_slots; ++i)
            if (size(slot[i]) < size(*least)) least = slot + i;
        if (std::abs(weight) > size(*least)) *least = static_cast<uint32_t>(weight) << 16 | (key & tag_bits);
    }

private:
    static constexpr uint32_t tag_bits = 0xffffu;
    static int32_t size(uint32_t slot) { return std::abs(static_cast<int32_t>(slot) >> 16); }
    const uint32_t* bucket(uint64_t key) const { return slots_ + (key >> shift_) * bucket_slots; }

    alignas(16) static constexpr uint32_t no_slots_[2 * bucket_slots] = {};
    const uint32_t* slots_ = no_slots_;
    int32_t shift_ = 63;
};

}  // namespace wnparse
