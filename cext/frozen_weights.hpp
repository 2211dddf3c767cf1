// The weights of a finished model: a read-only hash table, mapped as it lies in the model file.
//
// A slot is 4 bytes: 15 bits of the feature's key, and its weight as a 16-bit integer in units of the model's scale.  Sums of
// integers do not depend on their order: the same scores everywhere, whatever the compiler vectorises.  Four slots make a
// bucket, compared at once and without a branch, so that the processor goes on to the next look-ups while memory answers
// the first.  A full bucket passes what it cannot hold on to the next one, and says so in a bit of its first slot.
#pragma once

#include <cstdint>

namespace wnparse {

class FrozenWeights {
   public:
    static constexpr bool constant = true;
    static constexpr int32_t bucket_slots = 4;

    FrozenWeights() = default;
    // 2^bits buckets.
    FrozenWeights(const uint32_t* slots, int32_t bits) : slots_(slots), shift_(64 - bits), mask_((1u << bits) - 1) {}

    // The weight of a feature in units of the scale, 0 if the model does not know it.
    int32_t operator()(uint64_t key) const {
        uint32_t bucket = static_cast<uint32_t>(key >> shift_);
        int32_t weight = in_bucket(bucket, tag(key));
        while (slots_[bucket * bucket_slots] & overflow_bit) {
            bucket = (bucket + 1) & mask_;
            weight += in_bucket(bucket, tag(key));
        }
        return weight;
    }

    // Store a weight other than 0 in a table that is being built.
    static void store(uint32_t* slots, int32_t bits, uint64_t key, int32_t weight) {
        uint32_t bucket = static_cast<uint32_t>(key >> (64 - bits));
        for (;; bucket = (bucket + 1) & ((1u << bits) - 1)) {
            uint32_t* slot = slots + bucket * bucket_slots;
            for (int32_t i = 0; i < bucket_slots; ++i) {
                if (slot[i] >> 16 == 0) {
                    slot[i] |= static_cast<uint32_t>(weight) << 16 | tag(key);
                    return;
                }
            }
            slot[0] |= overflow_bit;
        }
    }

   private:
    static constexpr uint32_t overflow_bit = 0x8000u;
    static constexpr uint32_t tag_bits = 0x7fffu;
    static uint32_t tag(uint64_t key) { return static_cast<uint32_t>(key) & tag_bits; }

    int32_t in_bucket(uint32_t bucket, uint32_t wanted) const {
#if defined(__GNUC__)
        typedef int32_t Four __attribute__((vector_size(16)));
        const Four slot = *reinterpret_cast<const Four*>(slots_ + bucket * bucket_slots);
        const int32_t w = static_cast<int32_t>(wanted);
        const Four found = ((slot & int32_t(tag_bits)) == Four{w, w, w, w}) & (slot >> 16);
        return (found[0] + found[1]) + (found[2] + found[3]);
#else
        const uint32_t* slot = slots_ + bucket * bucket_slots;
        int32_t weight = 0;
        for (int32_t i = 0; i < bucket_slots; ++i) {
            weight += (slot[i] & tag_bits) == wanted ? static_cast<int32_t>(slot[i]) >> 16 : 0;
        }
        return weight;
#endif
    }

    const uint32_t* slots_ = nullptr;
    int32_t shift_ = 63;
    uint32_t mask_ = 0;
};

}  // namespace wnparse
