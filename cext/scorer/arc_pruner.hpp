// The second pass of models of higher order: which few heads of each word are worth parts of several arcs?
//
// A first-order model without labels, with the templates of the parser but weights of its own, scores what the
// first pass has left (coarse-to-fine: Charniak & Johnson 2005; for dependencies Koo & Collins 2010, Rush & Petrov
// 2012).  A word keeps the heads that score not too far below its best one, and its head in the best valid tree of
// this model, so that a valid tree is left.  O(arcs templates) look-ups and one first-order decoding.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/decoder.hpp"
#include "scorer/arc_scores.hpp"
#include "scorer/parser_tables.hpp"
#include "scorer/sentence_scorer.hpp"
#include "scorer/weights/frozen_weights.hpp"

namespace wnparse {

struct Pruner {
    FrozenWeights weights;
    int32_t cutoff = 0;  // heads that score so much below the best of their word are dropped
    int32_t most = 1;    // heads of a word, those of the tree not counted; at least 1
};

// What words must or may have as heads, [n + 1] each; nullptr: nothing is known.
struct KnownHeads {
    const int32_t* given = nullptr;  // the only ones they can have, -1 where they are free
    const int32_t* gold = nullptr;   // to be kept whatever they score, -1 where a word is not annotated
};

class ArcPruner {
public:
    // Prune the candidates of a scorer that was started, into `kept`; `tree` is the best one of this model.  It
    // has no tree where there is none, or a limit came first.
    template <class Scorer>
    Outcome prune(const Scorer& scorer, const ParserTables& tables, const Pruner& pruner,
                  const FirstPass& first_pass, const Settings& settings, const KnownHeads& known, Candidates& kept,
                  int32_t* tree) {
        const int32_t n = scorer.words();
        const Candidates& open = scorer.scored_arcs();
        arcs_.start(scorer.sentence(), tables.arcs, pruner.weights);
        sums_.resize(open.size());
        for (int32_t m = 1; m <= n; ++m) arcs_.score(m, open.of(m), open.count(m), sums_.data() + open.begin[m]);
        fill_matrix(scorer, tables, first_pass, known);
        const ScoreMatrix matrix{scores_.data(), n + 1, n, false};
        const Outcome outcome = decode_checked(matrix, settings, tree);
        if (!outcome.result.has_tree()) return outcome;
        // Where only some words are annotated, a tree with their heads must be left, too.
        const int32_t* gold = known.gold;
        if (gold != nullptr && std::find(gold + 1, gold + n + 1, -1) != gold + n + 1) {
            fix(gold, n);
            completed_.assign(gold, gold + n + 1);
            const Outcome completion = decode_checked(matrix, settings, completed_.data());
            if (!completion.result.has_tree()) return completion;
            gold = completed_.data();
        }
        kept.clear();
        for (int32_t m = 1; m <= n; ++m) {
            heads_.clear();
            if (known.given == nullptr || known.given[m] < 0)
                choose(open, pruner, m, scorer.sentence().tokens->extra);
            heads_.push_back(tree[m]);
            if (gold != nullptr) heads_.push_back(gold[m]);
            std::sort(heads_.begin(), heads_.end());
            heads_.erase(std::unique(heads_.begin(), heads_.end()), heads_.end());
            kept.add_all(heads_.data(), static_cast<int32_t>(heads_.size()));
        }
        return outcome;
    }

private:
    static constexpr float infinite = std::numeric_limits<float>::infinity();

    // The matrix of this model: its scores of the candidates, and lower ones of what the first pass dropped.
    template <class Scorer>
    void fill_matrix(const Scorer& scorer, const ParserTables& tables, const FirstPass& first_pass,
                     const KnownHeads& known) {
        const int32_t n = scorer.words();
        const Candidates& open = scorer.scored_arcs();
        int32_t spread = 1;
        for (int32_t m = 1; m <= n; ++m) {
            const auto [worst, best] =
                std::minmax_element(sums_.data() + open.begin[m], sums_.data() + open.begin[m + 1]);
            spread = std::max(spread, *best - *worst);
        }
        const bool root = !tables.labelled() || !tables.labels.find(label_any_key(true)).empty();
        const bool word = !tables.labelled() || !tables.labels.find(label_any_key(false)).empty();
        scores_.assign(static_cast<size_t>(n + 1) * (n + 1), 0.0f);
        for (int32_t m = 1; m <= n; ++m) {
            float* row = scores_.data() + static_cast<size_t>(m) * (n + 1);
            const int32_t* sums = sums_.data() + open.begin[m];
            if (first_pass.most > 0) {
                const int32_t worst = *std::min_element(sums, sums + open.count(m));
                fill_dropped(first_pass, scorer.below_best(m), static_cast<float>(worst),
                             static_cast<float>(spread), n, row);
            }
            for (int32_t k = 0; k < open.count(m); ++k) row[open.of(m)[k]] = static_cast<float>(sums[k]);
            // Where no label goes with an arc, the parser has none.
            if (!root) row[0] = -infinite;
            if (!word) std::fill(row + 1, row + n + 1, -infinite);
        }
        if (known.given != nullptr) fix(known.given, n);
    }

    // Allow no other heads of words than those that are given, -1 where they are free.
    void fix(const int32_t* given, int32_t n) {
        for (int32_t m = 1; m <= n; ++m) {
            if (given[m] < 0) continue;
            float* row = scores_.data() + static_cast<size_t>(m) * (n + 1);
            std::fill(row, row + n + 1, -infinite);
            row[given[m]] = 0.0f;
        }
    }

    // The heads of m that score at most the cutoff below the best, the best of these if they are too many; and
    // those that are likely for a second scorer.
    void choose(const Candidates& open, const Pruner& pruner, int32_t m, const ExtraScores* extra) {
        const int32_t* sums = sums_.data() + open.begin[m];
        const int32_t count = open.count(m);
        int64_t least = int64_t{*std::max_element(sums, sums + count)} - pruner.cutoff;
        if (pruner.most < count) {
            sorted_.assign(sums, sums + count);
            std::nth_element(sorted_.begin(), sorted_.begin() + (pruner.most - 1), sorted_.end(),
                             std::greater<int32_t>());
            least = std::max(least, int64_t{sorted_[pruner.most - 1]});
        }
        for (int32_t k = 0; k < count; ++k) {
            const int32_t h = open.of(m)[k];
            if (sums[k] >= least || (extra != nullptr && extra->is_likely(h, m))) heads_.push_back(h);
        }
    }

    ArcScorer<FrozenWeights, int32_t> arcs_;
    std::vector<int32_t> sums_;       // of the candidates
    std::vector<float> scores_;       // [n + 1][n + 1]
    std::vector<int32_t> heads_;      // of one word
    std::vector<int32_t> completed_;  // [n + 1] the best tree with the annotated heads
    std::vector<int32_t> sorted_;     // scores of one word
};

}  // namespace wnparse
