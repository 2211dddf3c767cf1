// Head selection with the features of arcs: each word picks its head by itself, as a log-linear model (Zhang,
// Cheng & Lapata 2017, "Dependency parsing as head selection").
//
// It is how the pruner of models of higher order is learned (arc_pruner.hpp): what must not be dropped is not what
// wins in the best tree, but all that is likely.  p(h | m) = exp s(h, m) / sum over h' of exp s(h', m);  the
// gradient of log p(gold | m) by s(h, m) is [h = gold] - p(h | m).  Stochastic gradient, its weights averaged over
// all sentences (Polyak & Juditsky 1992).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scorer/sentence_scorer.hpp"
#include "scorer/weights/learned_label_weights.hpp"
#include "scorer/weights/learned_weights.hpp"

namespace wnparse {

class HeadSelection {
public:
    ParserTables tables;
    FirstPass first_pass;
    LearnedWeights weights;
    double step = 1;  // sentences seen, plus one

    // One step for each annotated word of a sentence (-1: it has no head); how many have their head as the
    // likeliest.
    int32_t learn(const Tokens& tokens, const int32_t* gold, float rate) {
        const Lesson<float> lesson{gold, nullptr, 0.0f};
        scorer_.start(tables, tokens, first_pass, &lesson);
        scorer_.score_arcs(tables, weights);
        const Candidates& open = scorer_.scored_arcs();
        int32_t right = 0;
        for (int32_t m = 1; m <= tokens.n; ++m)
            if (gold[m] >= 0) right += update(m, open.of(m), scorer_.arc_scores(m), open.count(m), gold[m], rate);
        step += 1;
        return right;
    }

private:
    bool update(int32_t m, const int32_t* heads, const float* scores, int32_t count, int32_t gold, float rate) {
        probabilities_.assign(scores, scores + count);
        const int32_t likeliest = heads[std::max_element(scores, scores + count) - scores];
        const float best = *std::max_element(scores, scores + count);
        float total = 0;
        for (float& probability : probabilities_) total += probability = std::exp(probability - best);
        for (int32_t k = 0; k < count; ++k) {
            const float gradient = (heads[k] == gold) - probabilities_[k] / total;
            if (std::fabs(gradient) < least_gradient) continue;  // out of the question: leave the weights alone
            for (int32_t t : tables.arcs) {
                scorer_.sentence().for_each(t, heads[k], m,
                                            [&](uint64_t key) { weights.add(key, rate * gradient, step); });
            }
        }
        return likeliest == gold;
    }

    static constexpr float least_gradient = 0.01f;
    SentenceScorer<LearnedWeights, LearnedLabelWeights, float> scorer_;
    std::vector<float> probabilities_;  // of the heads of one word, times their sum
};

}  // namespace wnparse
