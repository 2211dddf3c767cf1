// Scores of parts of higher order: the sum of the weights of their features, laid out as decoders read them.
//
// The features of two words, consecutive siblings (m, s) or grandparent and grandchild (g, m), are summed up once
// for each pair and not once for each part, by the scorer of arcs under templates of their own.  With c candidate
// heads a word there are O(c^2) parts a word, and O(templates) look-ups each.
#pragma once

#include <cstdint>
#include <vector>

#include "features/part_keys.hpp"
#include "problem/part_tables.hpp"
#include "scorer/arc_scores.hpp"
#include "scorer/parser_tables.hpp"

namespace wnparse {

// The scores of pairs of words, each worked out when it is first needed.
template <class Weights, class Sum>
class PairScorer {
public:
    void start(const SentenceFeatures& sentence, const std::vector<int32_t>& templates, const Weights& weights) {
        used_ = !templates.empty();
        if (!used_) return;
        width_ = sentence.n() + 1;
        known_.assign(size_t(width_) * width_, 0);
        sums_.resize(known_.size());
        scorer_.start(sentence, templates, weights);
    }

    Sum operator()(int32_t first, int32_t second) {
        if (!used_) return 0;
        const size_t at = size_t(first) * width_ + second;
        if (!known_[at]) {
            known_[at] = 1;
            scorer_.score(second, &first, 1, &sums_[at]);
        }
        return sums_[at];
    }

private:
    bool used_ = false;
    int32_t width_ = 0;
    std::vector<uint8_t> known_;  // [n + 1][n + 1]
    std::vector<Sum> sums_;       // the same
    ArcScorer<Weights, Sum> scorer_;
};

template <class Weights, class Sum>
class PartScorer {
public:
    // Fill in the scores of all parts over the candidates of `parts`, a weight being worth `scale`.
    void fill(const ParserTables& tables, const SentenceFeatures& sentence, const Weights& weights, float scale,
              PartTables& parts) {
        weights_ = &weights;
        scale_ = scale;
        keys_.gather(*sentence.tokens, tables.parts);
        siblings_.start(sentence, tables.parts.sibling_pairs, weights);
        grandparents_.start(sentence, tables.parts.grandparent_pairs, weights);
        for (int32_t h = 0; h <= parts.words(); ++h) {
            for (int32_t right = 0; right < 2; ++right) {
                fill_siblings(parts, h, right);
                if (h > 0) fill_grandparents(parts, h, right);
                if (parts.order() >= 3) fill_third(parts, h, right);
            }
        }
        parts.measure();
    }

    // The features of the sentence that was scored last.
    const PartKeys& keys() const { return keys_; }

private:
    double scaled(Sum sum) const { return static_cast<double>(scale_ * static_cast<float>(sum)); }

    template <class Part>
    Sum of_triple(const Part& part) const {
        typename Weights::Total total;
        keys_.for_each(part, [&](uint64_t key) { total.add(*weights_, key); });
        return total.sum();
    }

    // The node at a position, where START and STOP are the head itself.
    static int32_t node(const PartTables& parts, const PartTables::Side& side, int32_t h, int32_t at) {
        return at == 0 || at == side.stop() ? h : parts.children(side)[at - 1];
    }

    void fill_siblings(PartTables& parts, int32_t h, bool right) {
        const PartTables::Side& side = parts.head(h).side[right];
        for (int32_t a = 0; a <= side.count; ++a) {
            double* row = parts.sibling(side, a);
            const int32_t m = node(parts, side, h, a);
            for (int32_t b = a + 1; b <= side.stop(); ++b) {
                const int32_t s = node(parts, side, h, b);
                Sum sum = of_triple(Sibling{h, m, s, right});
                if (m != h && s != h) sum += siblings_(m, s);
                row[b] = scaled(sum);
            }
        }
    }

    void fill_grandparents(PartTables& parts, int32_t h, bool right) {
        const PartTables::Head& head = parts.head(h);
        const PartTables::Side& side = head.side[right];
        const int32_t* parent = parts.parents(head);
        for (int32_t b = 1; b <= side.count; ++b) {
            double* row = parts.grandparent(head, side, b);
            const int32_t m = parts.children(side)[b - 1];
            for (int32_t p = 0; p < head.parents; ++p) {
                const int32_t g = parent[p];
                if (g != m) row[p] = scaled(of_triple(Grandparent{g, h, m}) + grandparents_(g, m));
            }
        }
    }

    void fill_third(PartTables& parts, int32_t h, bool right) {
        const PartTables::Head& head = parts.head(h);
        const PartTables::Side& side = head.side[right];
        if (side.trisibling < 0) return;
        const int32_t* parent = parts.parents(head);
        for (int32_t a = 0; a <= side.count; ++a) {
            const int32_t m = node(parts, side, h, a);
            for (int32_t b = a + 1; b <= side.stop(); ++b) {
                const int32_t s = node(parts, side, h, b);
                double* row = parts.grandsibling(head, side, a, b);
                for (int32_t p = 0; h > 0 && p < head.parents; ++p)
                    row[p] = scaled(of_triple(GrandSibling{parent[p], {h, m, s, right}}));
                if (b > side.count) continue;
                double* after = parts.trisibling(side, a, b);
                for (int32_t c = b + 1; c <= side.stop(); ++c)
                    after[c] = scaled(of_triple(TriSibling{h, m, s, node(parts, side, h, c), right}));
            }
        }
    }

    const Weights* weights_ = nullptr;
    float scale_ = 1;
    PartKeys keys_;
    PairScorer<Weights, Sum> siblings_, grandparents_;
};

}  // namespace wnparse
