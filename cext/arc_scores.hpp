// First-order scores: score(h, m) = sum over templates of the weight of the feature that it makes of arc h -> m.
//
// O(n^2 templates) look-ups, less what does not change with the arc: a template is looked up once per sentence, per head, per
// modifier, or per pair of token types where that is all it depends on, and words in between are summed up along the
// sentence once for each pair of tags.  Each weight is fetched independently of the others, so that misses overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "templates.hpp"

namespace wnparse {

// Small numbers for the distinct values of an attribute within one sentence.
class LocalIds {
   public:
    template <class Key>
    void number(int32_t size, Key key) {
        id.resize(size);
        values.clear();
        first.clear();
        for (int32_t token = 0; token < size; ++token) {
            const uint64_t value = key(token);
            int32_t k = 0;
            while (k < static_cast<int32_t>(values.size()) && values[k] != value) ++k;
            if (k == static_cast<int32_t>(values.size())) {
                values.push_back(value);
                first.push_back(token);
            }
            id[token] = k;
        }
    }
    int32_t count() const { return static_cast<int32_t>(values.size()); }

    std::vector<int32_t> id;        // [tokens]
    std::vector<uint64_t> values;   // [count]
    std::vector<int32_t> first;     // [count] the first token that has it
};

// The parts of all templates that depend on one token alone.
class Components {
   public:
    void compute(const std::vector<Template>& templates, const Tokens& tokens) {
        width_ = tokens.n + 1;
        parts_.resize(2 * templates.size() * width_);
        uint64_t* part = parts_.data();
        for (const Template& t : templates) {
            for (int32_t i = 0; i < width_; ++i) *part++ = t.head.hash(tokens, i, t.seed);
            for (int32_t i = 0; i < width_; ++i) *part++ = t.modifier.hash(tokens, i, t.seed + 1);
        }
    }
    const uint64_t* head(size_t t) const { return parts_.data() + 2 * t * width_; }
    const uint64_t* modifier(size_t t) const { return parts_.data() + (2 * t + 1) * width_; }

   private:
    size_t width_ = 0;
    std::vector<uint64_t> parts_;  // [templates][head, modifier][n + 1]
};

// Call f with the key of each feature that a template makes of the arc h -> m.
template <class Function>
void for_each_key(const Template& t, uint64_t base, const Tokens& tokens, int32_t h, int32_t m, Function f) {
    if (t.between) {
        for (int32_t b = std::min(h, m) + 1; b < std::max(h, m); ++b) f(base + between_key(tokens.atom(b, tag_atom)));
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

inline uint64_t arc_key(const Template& t, int32_t h, int32_t m) {
    return direction_key(h < m) + (t.binned ? bin_key(distance_bin(std::abs(h - m))) : 0);
}

// Sums over all templates of token types, kept from sentence to sentence while the weights stay the same.
template <class Sum>
class TypeMemo {
   public:
    template <class Compute>
    Sum get(uint64_t key, Compute compute) {
        if (entries_.empty()) entries_.resize(1u << bits);
        Entry& entry = entries_[key >> (64 - bits)];
        if (entry.key != key) entry = {key, compute()};
        return entry.value;
    }

   private:
    static constexpr int bits = 16;
    struct Entry {
        uint64_t key = 0;
        Sum value = 0;
    };
    std::vector<Entry> entries_;
};

template <class Weights, class Sum>
class ArcScorer {
   public:
    // Fill scores[m * (n + 1) + h]; row 0 and the diagonal stay as they are.
    void score(const std::vector<Template>& templates, const Components& parts, const Tokens& tokens,
               const Weights& weights, Sum* scores) {
        n_ = tokens.n;
        constant_.assign(2 * distance_bins, 0);
        head_.assign(2 * (n_ + 1), 0);
        modifier_.assign(2 * (n_ + 1), 0);
        number_types(tokens);
        for (size_t t = 0; t < templates.size(); ++t) {
            if (templates[t].arc) add_shared(templates[t], parts.head(t), parts.modifier(t), weights);
        }
        sum_types(templates, parts, tokens, weights);
        sum_between(templates, parts, weights);
        for (int32_t m = 1; m <= n_; ++m) {
            Sum* row = scores + static_cast<int64_t>(m) * (n_ + 1);
            start_row(m, row);
            for (size_t t = 0; t < templates.size(); ++t) {
                if (!templates[t].arc || templates[t].shape != Shape::pair) continue;
                if (templates[t].counted) {
                    add_counted(templates[t], parts.head(t), parts.modifier(t)[m], m, tokens, weights, row);
                } else {
                    add_pairs(templates[t], parts.head(t), parts.modifier(t)[m], m, weights, row);
                }
            }
        }
    }

   private:
    // Which pairs of types, and of tags, stand in which order: others need not be looked up.
    void number_types(const Tokens& tokens) {
        tags_.number(n_ + 1, [&](int32_t i) { return tokens.atom(i, tag_atom); });
        types_.number(n_ + 1, [&](int32_t i) {
            return mix(mix(mix(tokens.atom(i, tag_atom)) ^ tokens.atom(i, fine_tag_atom)) ^ tokens.atom(i, feats_atom));
        });
        mark_pairs(types_, type_needed_);
        mark_pairs(tags_, tag_needed_);
        type_pair_.assign(type_needed_.size(), 0);
    }

    void mark_pairs(const LocalIds& ids, std::vector<uint8_t>& needed) const {
        const int32_t count = ids.count();
        needed.assign(2 * static_cast<size_t>(count) * count, 0);
        for (int32_t m = 1; m <= n_; ++m) {
            for (int32_t h = 0; h <= n_; ++h) needed[((h < m) * count + ids.id[h]) * count + ids.id[m]] = 1;
        }
    }

    // Templates that are looked up once for a sentence, a head or a modifier, and a direction.
    void add_shared(const Template& t, const uint64_t* head, const uint64_t* modifier, const Weights& weights) {
        for (int32_t right = 0; right < 2; ++right) {
            const uint64_t direction = direction_key(right);
            if (t.shape == Shape::constant) {
                for (int32_t bin = 0; bin < distance_bins; ++bin) {
                    constant_[right * distance_bins + bin] +=
                        weights(head[0] + modifier[0] + direction + (t.binned ? bin_key(bin) : 0));
                }
            } else if (t.shape == Shape::head) {
                for (int32_t h = 0; h <= n_; ++h) head_[right * (n_ + 1) + h] += weights(head[h] + modifier[0] + direction);
            } else if (t.shape == Shape::modifier) {
                for (int32_t m = 1; m <= n_; ++m) {
                    modifier_[right * (n_ + 1) + m] += weights(head[0] + modifier[m] + direction);
                }
            }
        }
    }

    // type_pair_[right][th][tm]: one token stands for all of its type.
    void sum_types(const std::vector<Template>& templates, const Components& parts, const Tokens& tokens, const Weights& weights) {
        const int32_t count = types_.count();
        size_t at = 0;
        for (int32_t right = 0; right < 2; ++right) {
            for (int32_t th = 0; th < count; ++th) {
                for (int32_t tm = 0; tm < count; ++tm, ++at) {
                    if (!type_needed_[at]) continue;
                    const auto compute = [&] {
                        return sum_type_pair(templates, parts, tokens, weights, types_.first[th], types_.first[tm], direction_key(right));
                    };
                    if constexpr (Weights::constant) {
                        const uint64_t key = mix(types_.values[th] + odd_constant * types_.values[tm] + right);
                        type_pair_[at] = memo_.get(key | 1, compute);
                    } else {
                        type_pair_[at] = compute();
                    }
                }
            }
        }
    }

    Sum sum_type_pair(const std::vector<Template>& templates, const Components& parts, const Tokens& tokens,
                      const Weights& weights, int32_t h, int32_t m, uint64_t direction) const {
        Sum sum = 0;
        for (size_t t = 0; t < templates.size(); ++t) {
            if (!templates[t].arc || templates[t].shape != Shape::types) continue;
            for_each_key(templates[t], parts.head(t)[h] + parts.modifier(t)[m] + direction, tokens, h, m,
                         [&](uint64_t key) { sum += weights(key); });
        }
        return sum;
    }

    // along_[right][tag of h][tag of m][i] = sum over the words b < i of the weight of b's tag between such a pair.
    void sum_between(const std::vector<Template>& templates, const Components& parts, const Weights& weights) {
        const int32_t count = tags_.count();
        along_.resize(tag_needed_.size() * (n_ + 2));
        for (size_t pair = 0; pair < tag_needed_.size(); ++pair) {
            if (!tag_needed_[pair]) continue;
            const int32_t right = static_cast<int32_t>(pair / (static_cast<size_t>(count) * count));
            const int32_t h = tags_.first[pair / count % count], m = tags_.first[pair % count];
            between_.assign(count, 0);
            for (size_t t = 0; t < templates.size(); ++t) {
                if (!templates[t].arc || templates[t].shape != Shape::between) continue;
                const uint64_t base = parts.head(t)[h] + parts.modifier(t)[m] + direction_key(right);
                for (int32_t tb = 0; tb < count; ++tb) between_[tb] += weights(base + between_key(tags_.values[tb]));
            }
            Sum* along = along_.data() + pair * (n_ + 2);
            along[0] = 0;
            for (int32_t b = 0; b <= n_; ++b) along[b + 1] = along[b] + between_[tags_.id[b]];
        }
    }

    void start_row(int32_t m, Sum* row) {
        const int32_t tags = tags_.count(), types = types_.count();
        direction_.resize(n_ + 1);
        binned_.resize(n_ + 1);
        for (int32_t h = 0; h <= n_; ++h) {
            const int32_t right = h < m;
            const int32_t bin = distance_bin(std::abs(h - m));
            direction_[h] = direction_key(right);
            binned_[h] = direction_key(right) + bin_key(bin);
            if (h == m) continue;
            const size_t pair = static_cast<size_t>(right * tags + tags_.id[h]) * tags + tags_.id[m];
            const Sum* along = along_.data() + pair * (n_ + 2);
            row[h] = constant_[right * distance_bins + bin] + head_[right * (n_ + 1) + h] + modifier_[right * (n_ + 1) + m] +
                     type_pair_[static_cast<size_t>(right * types + types_.id[h]) * types + types_.id[m]] +
                     along[std::max(h, m)] - along[std::min(h, m) + 1];
        }
    }

    void add_pairs(const Template& t, const uint64_t* head, uint64_t modifier, int32_t m, const Weights& weights, Sum* row) {
        const uint64_t* place = t.binned ? binned_.data() : direction_.data();
        const Sum diagonal = row[m];
        for (int32_t h = 0; h <= n_; ++h) row[h] += weights(head[h] + modifier + place[h]);
        row[m] = diagonal;
    }

    void add_counted(const Template& t, const uint64_t* head, uint64_t modifier, int32_t m, const Tokens& tokens,
                     const Weights& weights, Sum* row) {
        for (int32_t h = 0; h <= n_; ++h) {
            if (h == m) continue;
            for_each_key(t, head[h] + modifier + (t.binned ? binned_[h] : direction_[h]), tokens, h, m,
                         [&](uint64_t key) { row[h] += weights(key); });
        }
    }

    int32_t n_ = 0;
    LocalIds tags_, types_;
    std::vector<uint8_t> tag_needed_, type_needed_;  // [direction][of h][of m]
    std::vector<Sum> constant_;   // [direction][bin]
    std::vector<Sum> head_;       // [direction][n + 1]
    std::vector<Sum> modifier_;   // [direction][n + 1]
    std::vector<Sum> type_pair_;  // [direction][type of h][type of m]
    std::vector<Sum> between_;    // [tag in between], of one pair
    std::vector<Sum> along_;      // [direction][tag of h][tag of m][n + 2]
    std::vector<uint64_t> direction_, binned_;  // [n + 1] of the current row
    TypeMemo<Sum> memo_;
};

}  // namespace wnparse
