// Labels: score(h, m, l) = score(h, m) + sum over label templates of the weight of (feature, l).
//
// Only labels seen in training between such a pair of tags, in that direction, are candidates; a pair never seen has those
// seen at the modifier's tag, and at last all.  Node 0 as head is a tag of its own, so that `root` goes with head 0,
// both ways, where the training data has it so.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "arc_scores.hpp"
#include "templates.hpp"

namespace wnparse {

// Sorted keys with the labels allowed for each; see wnparse/labels.py for how they are made.
struct LabelTable {
    const uint64_t* keys = nullptr;    // [count], ascending
    const int32_t* begin = nullptr;    // [count + 1]
    const int32_t* labels = nullptr;   // label ids
    int64_t count = 0;

    struct Range {
        const int32_t* first;
        const int32_t* last;
        bool empty() const { return first == last; }
    };
    Range find(uint64_t key) const {
        const uint64_t* at = std::lower_bound(keys, keys + count, key);
        if (at == keys + count || *at != key) return {nullptr, nullptr};
        return {labels + begin[at - keys], labels + begin[at - keys + 1]};
    }
};

inline uint64_t label_pair_key(uint64_t head_tag, uint64_t modifier_tag, bool right, bool root) {
    return mix(mix(root ? 1 : head_tag) ^ modifier_tag) + (root ? 5 : right ? 3 : 2);
}
inline uint64_t label_modifier_key(uint64_t modifier_tag, bool root) { return mix(modifier_tag + 17) + (root ? 1 : 0); }
inline uint64_t label_any_key(bool root) { return root ? 1 : 0; }

inline LabelTable::Range candidate_labels(const LabelTable& table, const Tokens& tokens, int32_t h, int32_t m) {
    const uint64_t tag = tokens.atom(m, tag_atom);
    LabelTable::Range range = table.find(label_pair_key(tokens.atom(h, tag_atom), tag, h < m, h == 0));
    if (range.empty()) range = table.find(label_modifier_key(tag, h == 0));
    return range.empty() ? table.find(label_any_key(h == 0)) : range;
}

template <class Weights, class Sum>
class LabelScorer {
   public:
    struct Best {
        int32_t label;  // -1: none is allowed
        Sum score;
    };

    // The best candidate label of an arc, the first of those that tie; every label but `spared` (-1: all) gains `cost`.
    Best best(const std::vector<Template>& templates, const Components& parts, const Tokens& tokens, const Weights& weights,
              const LabelTable& table, int32_t h, int32_t m, int32_t spared = -1, Sum cost = 0) {
        keys_.clear();
        for (size_t t = 0; t < templates.size(); ++t) {
            if (!templates[t].label) continue;
            const uint64_t base = parts.head(t)[h] + parts.modifier(t)[m] + arc_key(templates[t], h, m);
            for_each_key(templates[t], base, tokens, h, m, [&](uint64_t key) { keys_.push_back(key); });
        }
        Best best{-1, 0};
        const LabelTable::Range range = candidate_labels(table, tokens, h, m);
        for (const int32_t* label = range.first; label != range.last; ++label) {
            const uint64_t extra = label_key(*label);
            Sum sum = spared >= 0 && *label != spared ? cost : 0;
            for (uint64_t key : keys_) sum += weights(key + extra);
            if (best.label < 0 || sum > best.score) best = {*label, sum};
        }
        return best;
    }

   private:
    std::vector<uint64_t> keys_;
};

}  // namespace wnparse
