// Labels: score(h, m, l) = score(h, m) + sum over label templates of the weight of (feature, l).
//
// One look-up gives the weights of all labels of a feature; templates of one end of the arc alone are summed once.
// label_tables.hpp says which labels are candidates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "features/feature_keys.hpp"
#include "scorer/label_tables.hpp"

namespace wnparse {

// Sums of labels over all templates of token types, kept from sentence to sentence while the weights stay the
// same.
template <class Sum>
class LabelMemo {
public:
    // The sums of a pair of types, and whether they are still to be worked out.
    Sum* find(uint64_t key, int32_t width, int32_t slack, bool* missing) {
        if (width != width_) {
            width_ = width;
            bits_ = most_bits;
            while (bits_ > 1 && (size_t(width) << bits_) > most_sums) --bits_;
            keys_.assign(size_t(1) << bits_, 0);
            sums_.resize(keys_.size() * width + slack);
        }
        const size_t at = key >> (64 - bits_);
        *missing = keys_[at] != key;
        keys_[at] = key;
        return sums_.data() + at * width;
    }

private:
    static constexpr int most_bits = 13;
    static constexpr size_t most_sums = size_t(1) << 22;  // with thousands of labels, fewer pairs are kept
    int32_t width_ = 0;
    int bits_ = most_bits;
    std::vector<uint64_t> keys_;
    std::vector<Sum> sums_;  // [2^bits][width], and slack
};

template <class LabelWeights, class Sum>
class LabelScorer {
public:
    struct Best {
        int32_t label;  // -1: none is allowed
        Sum score;
    };

    // Begin with a sentence; `used` are the templates that count.  All must stay until the next start.
    void start(const SentenceFeatures& sentence, const LabelTemplates& used, const LabelWeights& weights,
               const LabelTable& table, int32_t labels) {
        // `labels` is a multiple of 8: whole vectors
        sentence_ = &sentence;
        used_ = &used;
        weights_ = &weights;
        table_ = &table;
        width_ = labels;
        const size_t places = 2 * (static_cast<size_t>(sentence.n()) + 1);
        known_.assign(2 * places, 0);
        shared_.resize(2 * places * width_ + weights.slack());
        range_known_.assign(sentence.types.tags.pairs(), 0);
        ranges_.resize(range_known_.size());
        pairs_.gather(sentence, used.of_arc);
    }

    // Sum up the labels of the arcs from each of these heads to m.
    void score(int32_t m, const int32_t* heads, int32_t count) {
        typename LabelWeights::Adder adder(*weights_);
        m_ = m;
        heads_ = heads;
        sums_.resize(static_cast<size_t>(count) * width_ + weights_->slack());
        for (int32_t k = 0; k < count; ++k) {
            Sum* sums = sums_.data() + static_cast<size_t>(k) * width_;
            start_types(heads[k], adder, sums);
            prepare(true, heads[k], m, adder);
            prepare(false, heads[k], m, adder);
            pairs_.for_each(heads[k], m, [&](uint64_t key) { adder.add(key, sums); });
        }
        adder.finish();
        if constexpr (std::is_integral_v<Sum>) {  // a learner has none
            const ExtraScores* extra = sentence_->tokens->extra;
            for (int32_t k = 0; extra != nullptr && k < count; ++k)
                extra->add_labels(heads[k], m, width_, sums_.data() + static_cast<size_t>(k) * width_, extra_);
        }
    }

    // All candidate labels of the k-th of these arcs: call visit(label, sum).
    template <class Visit>
    void each(int32_t k, Visit&& visit) {
        const Sum* sums = sums_.data() + static_cast<size_t>(k) * width_;
        const Sum* of_head = shared_.data() + place(true, heads_[k], m_) * width_;
        const Sum* of_modifier = shared_.data() + place(false, heads_[k], m_) * width_;
        const LabelTable::Range range = candidates(heads_[k], m_);
        for (const int32_t* label = range.first; label != range.last; ++label)
            visit(*label, of_head[*label] + of_modifier[*label] + sums[*label]);
    }

    // The best candidate label of the k-th of these arcs, the first of those that tie; every label but `spared`
    // (-1: all) gains `cost`.
    Best best(int32_t k, int32_t spared = -1, Sum cost = 0) {
        Best best{-1, 0};
        each(k, [&](int32_t label, Sum sum) {
            if (spared >= 0 && label != spared) sum += cost;
            if (best.label < 0 || sum > best.score) best = {label, sum};
        });
        return best;
    }

private:
    using Adder = typename LabelWeights::Adder;

    void add(const std::vector<int32_t>& templates, int32_t h, int32_t m, Adder& adder, Sum* sums) const {
        for (int32_t t : templates) sentence_->for_each(t, h, m, [&](uint64_t key) { adder.add(key, sums); });
    }

    // Where the sums stand that depend on one end of the arc, and its direction, alone.
    size_t place(bool head, int32_t h, int32_t m) const {
        return (head * 2 + (h < m)) * (static_cast<size_t>(sentence_->n()) + 1) + (head ? h : m);
    }

    void prepare(bool head, int32_t h, int32_t m, Adder& adder) {
        const size_t at = place(head, h, m);
        if (known_[at]) return;
        known_[at] = 1;
        Sum* sums = shared_.data() + at * width_;
        std::fill_n(sums, width_, Sum(0));
        add(head ? used_->of_head : used_->of_modifier, h, m, adder, sums);
    }

    // Begin the sums of an arc with those of its types.
    void start_types(int32_t h, Adder& adder, Sum* sums) {
        if constexpr (LabelWeights::constant) {
            const LocalIds& types = sentence_->types.types;
            const uint64_t key =
                mix(types.values[types.id[h]] + odd_constant * types.values[types.id[m_]] + (h < m_));
            bool missing = true;
            Sum* remembered = memo_.find(key | 1, width_, weights_->slack(), &missing);
            if (missing) {
                std::fill_n(remembered, width_, Sum(0));
                add(used_->of_types, h, m_, adder, remembered);
                adder.finish();  // another arc may take the place in the memo
            }
            std::copy_n(remembered, width_, sums);
        } else {
            std::fill_n(sums, width_, Sum(0));
            add(used_->of_types, h, m_, adder, sums);
        }
    }

    LabelTable::Range candidates(int32_t h, int32_t m) {
        const size_t at = sentence_->types.tags.pair(h, m);
        if (!range_known_[at]) {
            range_known_[at] = 1;
            ranges_[at] = candidate_labels(*table_, *sentence_->tokens, h, m);
        }
        return ranges_[at];
    }

    const SentenceFeatures* sentence_ = nullptr;
    const LabelTemplates* used_ = nullptr;
    const LabelWeights* weights_ = nullptr;
    const LabelTable* table_ = nullptr;
    int32_t width_ = 0;                      // of a row of sums
    std::vector<uint8_t> known_;             // [modifier, head][direction][n + 1]
    std::vector<Sum> shared_;                // [modifier, head][direction][n + 1][width], and slack
    std::vector<uint8_t> range_known_;       // [direction][tag of h][tag of m]
    std::vector<LabelTable::Range> ranges_;  // the same
    int32_t m_ = 0;                          // the word whose arcs were scored last
    const int32_t* heads_ = nullptr;         // and their heads
    std::vector<Sum> sums_;                  // [heads][width], less what depends on one end alone; and slack
    std::vector<float> extra_;               // of one arc, from a second scorer
    PairKeys pairs_;                         // of the templates that need the whole arc
    LabelMemo<Sum> memo_;
};

}  // namespace wnparse
