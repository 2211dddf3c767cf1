// The keys of the features that templates make of an arc.
#pragma once

#include <cstdint>
#include <vector>

#include "features/templates.hpp"
#include "features/token_types.hpp"

namespace wnparse {

inline uint64_t arc_key(const Template& t, int32_t h, int32_t m) {
    return direction_key(h < m) + (t.binned ? bin_key(distance_bin(std::abs(h - m))) : 0);
}

// Call f with the key of each feature that a template makes of the arc h -> m.
template <class Function>
void for_each_key(const Template& t, uint64_t base, const Tokens& tokens, int32_t h, int32_t m, Function f) {
    if (t.between) {
        for (int32_t b = std::min(h, m) + 1; b < std::max(h, m); ++b)
            f(base + between_key(tokens.atom(b, tag_atom)));
        return;
    }
    if (t.counted) {
        const int32_t* from = tokens.class_counts + (std::min(h, m) + 1) * class_count;
        const int32_t* to = tokens.class_counts + std::max(h, m) * class_count;
        for (int32_t kind = 0; kind < class_count; ++kind) f(base + count_key(kind, to[kind] - from[kind]));
        return;
    }
    if (!t.head.morph && !t.modifier.morph) {
        f(base);
        return;
    }
    // A side without single values of FEATS counts as one empty value.
    const int32_t h_begin = t.head.morph ? tokens.morph_begin[h] : 0;
    const int32_t h_end = t.head.morph ? tokens.morph_begin[h + 1] : 1;
    const int32_t m_begin = t.modifier.morph ? tokens.morph_begin[m] : 0;
    const int32_t m_end = t.modifier.morph ? tokens.morph_begin[m + 1] : 1;
    for (int32_t j = h_begin; j < h_end; ++j) {
        const uint64_t key = base + (t.head.morph ? head_morph_key(tokens.morphs[j]) : 0);
        for (int32_t k = m_begin; k < m_end; ++k) {
            if (t.agreeing && tokens.morph_names[j] != tokens.morph_names[k]) continue;
            f(key + (t.modifier.morph ? modifier_morph_key(tokens.morphs[k]) : 0));
        }
    }
}

// A sentence with all that is worked out once for it.
class SentenceFeatures {
public:
    const Tokens* tokens = nullptr;
    const Templates* templates = nullptr;
    TokenTypes types;

    void compute(const Templates& used, const Tokens& sentence) {
        templates = &used;
        tokens = &sentence;
        sides_.resize((sentence.n + 1) * used.sides.size());
        uint64_t* side_hash = sides_.data();
        for (int32_t i = 0; i <= sentence.n; ++i)
            for (const TemplateSide& side : used.sides) *side_hash++ = side.hash(sentence, i);
        types.number(sentence);
    }
    int32_t n() const { return tokens->n; }
    const Template& of(int32_t t) const { return templates->all[t]; }

    // What the key of a feature of template t takes from its head, and from its modifier.
    uint64_t head(int32_t t, int32_t h) const {
        return of(t).start + sides_[h * templates->sides.size() + of(t).head_side];
    }
    uint64_t modifier(int32_t t, int32_t m) const {
        return sides_[m * templates->sides.size() + of(t).modifier_side];
    }

    // Call f with the key of each feature that template t makes of the arc h -> m.
    template <class Function>
    void for_each(int32_t t, int32_t h, int32_t m, Function f) const {
        for_each_key(of(t), head(t, h) + modifier(t, m) + arc_key(of(t), h, m), *tokens, h, m, f);
    }

private:
    std::vector<uint64_t> sides_;  // [n + 1][sides]
};

// The keys of some templates of one sentence, side by side for each token.
class PairKeys {
public:
    void gather(const SentenceFeatures& sentence, const std::vector<int32_t>& used) {
        sentence_ = &sentence;
        single_.clear();
        several_.clear();
        for (int32_t t : used) {
            if (!sentence.of(t).single()) several_.push_back(t);
            if (sentence.of(t).single() && !sentence.of(t).binned) single_.push_back(t);
        }
        plain_ = single_.size();
        for (int32_t t : used)
            if (sentence.of(t).single() && sentence.of(t).binned) single_.push_back(t);
        const int32_t width = sentence.n() + 1;
        head_.resize(width * single_.size());
        modifier_.resize(head_.size());
        size_t at = 0;
        for (int32_t i = 0; i < width; ++i) {
            for (int32_t t : single_) {
                head_[at] = sentence.head(t, i);
                modifier_[at++] = sentence.modifier(t, i);
            }
        }
    }

    // Call f with the key of each feature of the arc h -> m.
    template <class Function>
    void for_each(int32_t h, int32_t m, Function f) const {
        const size_t size = single_.size();
        const uint64_t* head = head_.data() + h * size;
        const uint64_t* modifier = modifier_.data() + m * size;
        const uint64_t direction = direction_key(h < m);
        const uint64_t bin = direction + bin_key(distance_bin(std::abs(h - m)));
        for (size_t p = 0; p < plain_; ++p) f(head[p] + modifier[p] + direction);
        for (size_t p = plain_; p < size; ++p) f(head[p] + modifier[p] + bin);
        for (int32_t t : several_) sentence_->for_each(t, h, m, f);
    }

private:
    const SentenceFeatures* sentence_ = nullptr;
    std::vector<int32_t> single_;     // templates that make one feature of an arc, those with the distance last
    std::vector<int32_t> several_;    // the others
    size_t plain_ = 0;                // how many are without the distance
    std::vector<uint64_t> head_;      // [n + 1][single]
    std::vector<uint64_t> modifier_;  // the same
};

}  // namespace wnparse
