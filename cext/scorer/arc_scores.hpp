// First-order scores: score(h, m) = sum over templates of the weight of the feature that it makes of arc h -> m.
//
// O(arcs templates) look-ups, less what does not change with the arc: a template is looked up once per sentence,
// per head, per modifier, or per pair of token types where that is all it depends on, and words in between are
// summed up along the sentence once for each pair of tags.  Each weight is fetched independently of the others, so
// that misses overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "features/feature_keys.hpp"

namespace wnparse {

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
    static constexpr int bits = 15;
    struct Entry {
        uint64_t key = 0;
        Sum value = 0;
    };
    std::vector<Entry> entries_;
};

template <class Weights, class Sum>
class ArcScorer {
public:
    // Begin with a sentence; `used` are the templates that count.  All must stay until the next start.
    void start(const SentenceFeatures& sentence, const std::vector<int32_t>& used, const Weights& weights) {
        sentence_ = &sentence;
        weights_ = &weights;
        width_ = sentence.n() + 1;
        const TokenTypes& types = sentence.types;
        constant_.assign(2 * distance_bins, 0);
        head_.assign(2 * width_, 0);
        modifier_.assign(2 * width_, 0);
        type_known_.assign(types.types.pairs(), 0);
        type_pair_.resize(types.types.pairs());
        for (int32_t t : used) add_shared(t);
        pair_templates_.clear();
        between_templates_.clear();
        type_templates_.clear();
        for (int32_t t : used) {
            if (sentence.of(t).shape == Shape::pair) pair_templates_.push_back(t);
            if (sentence.of(t).shape == Shape::between) between_templates_.push_back(t);
            if (sentence.of(t).shape == Shape::types) type_templates_.push_back(t);
        }
        pairs_.gather(sentence, pair_templates_);
        const size_t sums = types.tags.pairs() * (width_ + 1);
        summed_ = !between_templates_.empty() && sums <= most_along;
        along_known_.assign(summed_ ? types.tags.pairs() : 0, 0);
        along_.resize(summed_ ? sums : 0);
    }

    // row[k] = score(heads[k], m).
    void score(int32_t m, const int32_t* heads, int32_t count, Sum* row) {
        for (int32_t k = 0; k < count; ++k) {
            const int32_t h = heads[k], right = h < m, bin = distance_bin(std::abs(h - m));
            row[k] = constant_[right * distance_bins + bin] + head_[right * width_ + h] +
                     modifier_[right * width_ + m] + of_types(h, m) + between(h, m) + of_pair(h, m);
        }
    }

private:
    // Templates that are looked up once for a sentence, a head or a modifier, and a direction.
    void add_shared(int32_t t) {
        const Template& shared_template = sentence_->of(t);
        const SentenceFeatures& sentence = *sentence_;
        for (int32_t right = 0; right < 2; ++right) {
            const uint64_t direction = direction_key(right);
            if (shared_template.shape == Shape::constant) {
                for (int32_t bin = 0; bin < distance_bins; ++bin) {
                    constant_[right * distance_bins + bin] +=
                        (*weights_)(sentence.head(t, 0) + sentence.modifier(t, 0) + direction +
                                    (shared_template.binned ? bin_key(bin) : 0));
                }
            } else if (shared_template.shape == Shape::head) {
                for (int32_t h = 0; h < width_; ++h)
                    head_[right * width_ + h] +=
                        (*weights_)(sentence.head(t, h) + sentence.modifier(t, 0) + direction);
            } else if (shared_template.shape == Shape::modifier) {
                for (int32_t m = 1; m < width_; ++m) {
                    modifier_[right * width_ + m] +=
                        (*weights_)(sentence.head(t, 0) + sentence.modifier(t, m) + direction);
                }
            }
        }
    }

    // Templates of token types: one pair of tokens stands for all of their types and direction.
    Sum of_types(int32_t h, int32_t m) {
        const LocalIds& types = sentence_->types.types;
        const size_t at = types.pair(h, m);
        if (type_known_[at]) return type_pair_[at];
        type_known_[at] = 1;
        const auto compute = [&] {
            Sum sum = 0;
            for (int32_t t : type_templates_)
                sentence_->for_each(t, h, m, [&](uint64_t key) { sum += (*weights_)(key); });
            return sum;
        };
        if constexpr (Weights::constant) {
            const uint64_t key =
                mix(types.values[types.id[h]] + odd_constant * types.values[types.id[m]] + (h < m));
            return type_pair_[at] = memo_.get(key | 1, compute);
        } else {
            return type_pair_[at] = compute();
        }
    }

    // The words between h and m: along[i] = sum over the words b < i of the weight of b's tag between such a pair
    // of tags.
    Sum between(int32_t h, int32_t m) {
        if (between_templates_.empty()) return 0;
        if (!summed_) return sum_between(h, m);
        const LocalIds& tags = sentence_->types.tags;
        const size_t pair = tags.pair(h, m);
        Sum* along = along_.data() + pair * (width_ + 1);
        if (!along_known_[pair]) {
            along_known_[pair] = 1;
            between_.assign(tags.count(), 0);
            for (int32_t t : between_templates_) {
                const uint64_t base = sentence_->head(t, h) + sentence_->modifier(t, m) + direction_key(h < m);
                for (int32_t tag = 0; tag < tags.count(); ++tag)
                    between_[tag] += (*weights_)(base + between_key(tags.values[tag]));
            }
            along[0] = 0;
            for (int32_t b = 0; b < width_; ++b) along[b + 1] = along[b] + between_[tags.id[b]];
        }
        return along[std::max(h, m)] - along[std::min(h, m) + 1];
    }

    // The same, word by word: a sentence with hundreds of tags has too many pairs of these.
    Sum sum_between(int32_t h, int32_t m) const {
        Sum sum = 0;
        for (int32_t t : between_templates_)
            sentence_->for_each(t, h, m, [&](uint64_t key) { sum += (*weights_)(key); });
        return sum;
    }

    Sum of_pair(int32_t h, int32_t m) const {
        typename Weights::Total total;
        pairs_.for_each(h, m, [&](uint64_t key) { total.add(*weights_, key); });
        return total.sum();
    }

    static constexpr size_t most_along = size_t(1) << 26;

    const SentenceFeatures* sentence_ = nullptr;
    const Weights* weights_ = nullptr;
    int32_t width_ = 0;                 // n + 1
    bool summed_ = false;               // whether words in between are summed up along the sentence
    std::vector<Sum> constant_;         // [direction][bin]
    std::vector<Sum> head_;             // [direction][n + 1]
    std::vector<Sum> modifier_;         // [direction][n + 1]
    std::vector<uint8_t> type_known_;   // [direction][type of h][type of m]
    std::vector<Sum> type_pair_;        // the same
    std::vector<Sum> between_;          // [tag in between], of one pair
    std::vector<uint8_t> along_known_;  // [direction][tag of h][tag of m]
    std::vector<Sum> along_;            // [direction][tag of h][tag of m][n + 2]
    std::vector<int32_t> pair_templates_, between_templates_, type_templates_;
    PairKeys pairs_;
    TypeMemo<Sum> memo_;
};

}  // namespace wnparse
