// The weights of a finished model: a read-only hash table of 4 bytes a slot, as it lies in the model file.
//
// A slot is 16 bits of the feature's key and its weight as a 16-bit integer, in units of the model's scale.  Sums of
// integers do not depend on their order: the same scores everywhere, whatever the compiler vectorises.
#pragma once

#include <cstdint>

namespace wnparse {

class FrozenWeights {
   public:
    static constexpr bool constant = true;
    FrozenWeights() = default;
    FrozenWeights(const uint32_t* slots, int32_t bits) : slots_(slots), shift_(64 - bits), mask_((1u << bits) - 1) {}

    // The weight of a feature in units of the scale, 0 if the model does not know it.
    int32_t operator()(uint64_t key) const {
        const uint32_t wanted = tag(key);
        for (uint32_t i = static_cast<uint32_t>(key >> shift_);; i = (i + 1) & mask_) {
            const uint32_t slot = slots_[i];
            if ((slot & 0xffffu) == wanted) return static_cast<int32_t>(slot) >> 16;
            if (slot == 0) return 0;
        }
    }

    // Never 0 where the weight is not: a slot of all zeros is empty, and zero weights are not stored.
    static uint32_t tag(uint64_t key) { return static_cast<uint32_t>(key & 0xffffu); }

    // Store a weight in a table that is being built; linear probing.
    static void store(uint32_t* slots, int32_t bits, uint64_t key, int32_t weight) {
        const uint32_t mask = (1u << bits) - 1;
        uint32_t i = static_cast<uint32_t>(key >> (64 - bits));
        while (slots[i] != 0) i = (i + 1) & mask;
        slots[i] = static_cast<uint32_t>(weight) << 16 | tag(key);
    }

   private:
    const uint32_t* slots_ = nullptr;
    int32_t shift_ = 63;
    uint32_t mask_ = 0;
};

}  // namespace wnparse
