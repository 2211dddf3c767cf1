// The weights while they are learned: a growing hash table from 64-bit feature keys to weight and running sum.
//
// Averaging (Collins 2002) without touching all weights at each step (Daume 2006, section 2.1): with
// w = sum_i delta_i and u = sum_i t_i delta_i, the average over the first T steps is w - u / T.
#pragma once

#include <cstdint>
#include <vector>

namespace wnparse {

class LearnedWeights {
public:
    static constexpr bool constant = false;
    LearnedWeights() : slots_(1u << 16), sums_(1u << 16) {}

    // The weight of a feature, 0 if it was never updated.
    float operator()(uint64_t key) const {
        for (uint64_t i = key & mask();; i = (i + 1) & mask()) {
            if (slots_[i].tag == tag(key)) return slots_[i].weight;
            if (slots_[i].tag == 0) return 0;
        }
    }

    // A sum of weights.
    class Total {
    public:
        void add(const LearnedWeights& weights, uint64_t key) { sum_ += weights(key); }
        float sum() const { return sum_; }

    private:
        float sum_ = 0;
    };

    void add(uint64_t key, float delta, double step) {
        const uint64_t i = find_or_insert(key);
        slots_[i].weight += delta;
        sums_[i] += step * delta;
    }

    size_t size() const { return keys_.size(); }
    const std::vector<uint64_t>& keys() const { return keys_; }

    struct Entry {
        float weight;
        double sum;
    };
    Entry entry(uint64_t key) const {
        uint64_t i = key & mask();
        while (slots_[i].tag != tag(key)) i = (i + 1) & mask();
        return {slots_[i].weight, sums_[i]};
    }

    void restore(uint64_t key, float weight, double sum) {
        const uint64_t i = find_or_insert(key);
        slots_[i].weight = weight;
        sums_[i] = sum;
    }

private:
    // 32 bits that the position does not show, and never 0, which marks an empty slot.  Two keys of one position
    // that agree in these are taken for one: of a million features, about one pair.
    static uint32_t tag(uint64_t key) { return static_cast<uint32_t>(key >> 32) | 1u; }
    uint64_t mask() const { return slots_.size() - 1; }

    uint64_t find_or_insert(uint64_t key) {
        if (keys_.size() * 2 >= slots_.size()) grow();
        uint64_t i = key & mask();
        while (slots_[i].tag != tag(key) && slots_[i].tag != 0) i = (i + 1) & mask();
        if (slots_[i].tag == 0) {
            slots_[i].tag = tag(key);
            keys_.push_back(key);
        }
        return i;
    }

    void grow() {
        std::vector<Entry> entries;
        entries.reserve(keys_.size());
        for (uint64_t key : keys_) entries.push_back(entry(key));
        slots_.assign(slots_.size() * 2, Slot());
        sums_.assign(slots_.size(), 0.0);
        for (size_t k = 0; k < keys_.size(); ++k) {
            uint64_t i = keys_[k] & mask();
            while (slots_[i].tag != 0) i = (i + 1) & mask();
            slots_[i] = {tag(keys_[k]), entries[k].weight};
            sums_[i] = entries[k].sum;
        }
    }

    struct Slot {
        uint32_t tag = 0;
        float weight = 0;
    };
    std::vector<Slot> slots_;
    std::vector<double> sums_;
    std::vector<uint64_t> keys_;  // in the order of their first update
};

}  // namespace wnparse
