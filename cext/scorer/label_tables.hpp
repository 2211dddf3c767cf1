// Which labels are candidates for an arc, and which templates score them.
//
// Only labels seen in training between such a pair of tags, in that direction, are candidates; a pair never seen
// has those seen at the modifier's tag, and at last all.  Node 0 as head is a tag of its own, so that `root` goes
// with head 0, both ways, where the training data has it so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/hashing.hpp"
#include "features/templates.hpp"

namespace wnparse {

// Sorted keys with the labels allowed for each; see wnparse/training/trainer.py for how they are made.  Lists are
// checked (base/table_checks.hpp) before they come here.  Where keys are not sorted, some are not found, and
// nothing else.
struct LabelTable {
    const uint64_t* keys = nullptr;   // [count], ascending
    const int32_t* begin = nullptr;   // [count + 1]
    const int32_t* labels = nullptr;  // label ids, fewer than ParserTables::label_count
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
inline uint64_t label_modifier_key(uint64_t modifier_tag, bool root) {
    return mix(modifier_tag + 17) + (root ? 1 : 0);
}
inline uint64_t label_any_key(bool root) { return root ? 1 : 0; }

inline LabelTable::Range candidate_labels(const LabelTable& table, const Tokens& tokens, int32_t h, int32_t m) {
    const uint64_t tag = tokens.atom(m, tag_atom);
    LabelTable::Range range = table.find(label_pair_key(tokens.atom(h, tag_atom), tag, h < m, h == 0));
    if (range.empty()) range = table.find(label_modifier_key(tag, h == 0));
    return range.empty() ? table.find(label_any_key(h == 0)) : range;
}

// The templates of labels, by the ends of the arc that they need.
struct LabelTemplates {
    std::vector<int32_t> of_head, of_modifier, of_types, of_arc;

    void add(const Template& t, int32_t index) {
        if (t.one_end())
            (t.head.empty() ? of_modifier : of_head).push_back(index);
        else
            (t.shape == Shape::types ? of_types : of_arc).push_back(index);
    }
};

}  // namespace wnparse
