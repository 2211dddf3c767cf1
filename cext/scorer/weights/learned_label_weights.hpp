// The weights of labels while they are learned: a sparse matrix with a row for each feature, of labels with weight
// and running sum.
//
// One look-up finds the weights of all labels that were ever updated with a feature.  Averaging as in
// learned_weights.hpp.
#pragma once

#include <cstdint>
#include <vector>

namespace wnparse {

class LearnedLabelWeights {
public:
    static constexpr bool constant = false;
    LearnedLabelWeights() : slots_(1u << 16) {}
    // Sums that there must be behind those of the labels: none, these labels are known.
    static constexpr int32_t slack() { return 0; }

    // Adds up the rows of many features.
    class Adder {
    public:
        explicit Adder(const LearnedLabelWeights& table) : table_(table) {}
        static constexpr int32_t slack() { return LearnedLabelWeights::slack(); }
        // Add the weights of a feature to the sums of all labels.
        void add(uint64_t key, float* sums) {
            const Slot& slot = table_.slots_[table_.find(key)];
            for (uint32_t k = slot.begin; k < slot.begin + slot.size; ++k)
                sums[table_.entries_[k].label] += table_.entries_[k].weight;
        }
        void finish() {}

    private:
        const LearnedLabelWeights& table_;
    };

    // The weight of a feature with one label, 0 if it was never updated.
    float operator()(uint64_t key, int32_t label) const {
        const Slot& slot = slots_[find(key)];
        for (uint32_t k = slot.begin; k < slot.begin + slot.size; ++k)
            if (entries_[k].label == label) return entries_[k].weight;
        return 0;
    }

    void add(uint64_t key, int32_t label, float delta, double step) {
        const size_t at = find_or_insert(key, label);
        entries_[at].weight += delta;
        sums_[at] += step * delta;
    }

    void restore(uint64_t key, int32_t label, float weight, double sum) {
        const size_t at = find_or_insert(key, label);
        entries_[at].weight = weight;
        sums_[at] = sum;
    }

    size_t size() const { return count_; }
    const std::vector<uint64_t>& keys() const { return keys_; }

    // Copy the row of a feature that is there; how many labels it has.
    size_t copy_row(uint64_t key, int32_t* labels, float* weights, double* sums) const {
        const Slot& slot = slots_[find(key)];
        for (uint32_t k = 0; k < slot.size; ++k) {
            labels[k] = entries_[slot.begin + k].label;
            weights[k] = entries_[slot.begin + k].weight;
            sums[k] = sums_[slot.begin + k];
        }
        return slot.size;
    }

private:
    struct Slot {
        uint32_t tag = 0;
        uint32_t begin = 0;  // of entries
        uint32_t size = 0;   // 0: an empty slot
        uint32_t capacity = 0;
    };
    struct Entry {
        int32_t label;
        float weight;
    };

    static uint32_t tag(uint64_t key) { return static_cast<uint32_t>(key >> 32); }
    uint64_t mask() const { return slots_.size() - 1; }

    uint64_t find(uint64_t key) const {
        uint64_t i = key & mask();
        while (slots_[i].size != 0 && slots_[i].tag != tag(key)) i = (i + 1) & mask();
        return i;
    }

    size_t find_or_insert(uint64_t key, int32_t label) {
        if (keys_.size() * 2 >= slots_.size()) grow();
        Slot& slot = slots_[find(key)];
        for (uint32_t k = slot.begin; k < slot.begin + slot.size; ++k)
            if (entries_[k].label == label) return k;
        if (slot.size == 0) {
            slot.tag = tag(key);
            keys_.push_back(key);
        }
        if (slot.size == slot.capacity) move(slot);
        const size_t at = slot.begin + slot.size++;
        entries_[at] = {label, 0};
        ++count_;
        return at;
    }

    // To the end, with room for as many again.
    void move(Slot& slot) {
        const uint32_t from = slot.begin;
        slot.begin = static_cast<uint32_t>(entries_.size());
        slot.capacity = slot.capacity == 0 ? 2 : 2 * slot.capacity;
        entries_.resize(entries_.size() + slot.capacity);
        sums_.resize(entries_.size());
        for (uint32_t k = 0; k < slot.size; ++k) {
            entries_[slot.begin + k] = entries_[from + k];
            sums_[slot.begin + k] = sums_[from + k];
        }
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (uint64_t key : keys_) {
            uint64_t from = key & (old.size() - 1), to = key & mask();
            while (old[from].tag != tag(key)) from = (from + 1) & (old.size() - 1);
            while (slots_[to].size != 0) to = (to + 1) & mask();
            slots_[to] = old[from];
        }
    }

    std::vector<Slot> slots_;
    std::vector<Entry> entries_;
    std::vector<double> sums_;    // of the entries
    std::vector<uint64_t> keys_;  // of the rows, in the order of their first update
    size_t count_ = 0;            // labels of all rows
};

}  // namespace wnparse
