// The score matrix of a sentence: arcs, and for each arc its best label.
//
// With labels, score(h, m) = arc + max over l of label score: only the best label of each arc matters to a first-order
// decoder, and it can be picked before decoding.  Labels cost more than arcs, so they are scored for the `beam` best heads of
// each word by arc score alone; any other head counts as if its label were the worst of those, and gets a label only if it is
// chosen.  All arcs stay finite, so that there is always a valid tree.  A beam of 0 scores all labels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "arc_scores.hpp"
#include "label_scores.hpp"

namespace wnparse {

struct ParserTables {
    std::vector<Template> templates;
    LabelTable labels;
    bool labelled = false;
};

template <class Weights, class Sum>
class SentenceScorer {
   public:
    std::vector<float> scores;    // [n + 1][n + 1], scores[m][h]
    std::vector<int32_t> labels;  // [n + 1][n + 1], the best label of each arc that is not pruned
    Components parts;

    // With gold heads and labels the scores are loss-augmented: what is wrong gains `cost`, a wrong label half of it, and
    // gold arcs are never pruned.
    void score(const ParserTables& tables, const Tokens& tokens, const Weights& weights, float scale, int32_t beam,
               const int32_t* gold = nullptr, const int32_t* gold_labels = nullptr, Sum cost = 0) {
        const int32_t n = tokens.n, width = n + 1;
        parts.compute(tables.templates, tokens);
        sums_.assign(static_cast<size_t>(width) * width, 0);
        arcs_.score(tables.templates, parts, tokens, weights, sums_.data());
        scores.assign(sums_.size(), 0.0f);
        if (!tables.labelled) {
            for (int32_t m = 1; m <= n; ++m) {
                for (int32_t h = 0; h <= n; ++h) {
                    const size_t at = static_cast<size_t>(m) * width + h;
                    scores[at] = scale * static_cast<float>(sums_[at] + (gold && gold[m] != h ? cost : 0));
                }
            }
            return;
        }
        labels.assign(sums_.size(), -1);
        for (int32_t m = 1; m <= n; ++m) {
            Sum worst = std::numeric_limits<Sum>::max();
            const Sum threshold = beam_threshold(sums_.data() + static_cast<size_t>(m) * width, n, m, beam);
            for (int32_t h = 0; h <= n; ++h) {
                const size_t at = static_cast<size_t>(m) * width + h;
                scores[at] = -std::numeric_limits<float>::infinity();
                if (h == m || (sums_[at] < threshold && !(gold && gold[m] == h))) continue;
                const bool right = gold && gold[m] == h;
                const auto best = labeller_.best(tables.templates, parts, tokens, weights, tables.labels, h, m,
                                                 right ? gold_labels[m] : -1, cost / 2);
                if (best.label < 0) continue;  // no label goes with this head: so does no arc
                labels[at] = best.label;
                worst = std::min(worst, best.score);
                scores[at] = scale * static_cast<float>(sums_[at] + best.score + (gold && !right ? cost : 0));
            }
            for (int32_t h = 0; h <= n; ++h) {
                const size_t at = static_cast<size_t>(m) * width + h;
                const bool known = !tables.labels.find(label_any_key(h == 0)).empty();
                if (h != m && sums_[at] < threshold && labels[at] < 0 && known) {
                    scores[at] = scale * static_cast<float>(sums_[at] + worst + cost);
                }
            }
        }
    }

    // The label of an arc that was chosen.
    int32_t label(const ParserTables& tables, const Tokens& tokens, const Weights& weights, int32_t h, int32_t m) {
        const int32_t found = labels[static_cast<size_t>(m) * (tokens.n + 1) + h];
        return found >= 0 ? found : labeller_.best(tables.templates, parts, tokens, weights, tables.labels, h, m).label;
    }

   private:
    // The arc score of the `beam`-th best head of m.
    Sum beam_threshold(const Sum* row, int32_t n, int32_t m, int32_t beam) {
        if (beam <= 0 || beam >= n) return std::numeric_limits<Sum>::lowest();
        sorted_.clear();
        for (int32_t h = 0; h <= n; ++h) {
            if (h != m) sorted_.push_back(row[h]);
        }
        std::nth_element(sorted_.begin(), sorted_.begin() + (beam - 1), sorted_.end(), std::greater<Sum>());
        return sorted_[beam - 1];
    }

    std::vector<Sum> sums_, sorted_;
    ArcScorer<Weights, Sum> arcs_;
    LabelScorer<Weights, Sum> labeller_;
};

}  // namespace wnparse
