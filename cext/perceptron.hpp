// The averaged structured perceptron (Collins 2002, "Discriminative training methods for hidden Markov models").
//
// For a sentence with gold tree y and the best tree z under the current weights:  w <- w + f(y) - f(z).
// Features factor over arcs, so that arcs on which y and z agree, with their labels, cancel out.  z is the best tree after
// each wrong head has gained a margin and each wrong label half of it, so that learning goes on until the gold tree wins by
// that much (perceptron with margin: Krauth & Mezard 1987; loss-augmented decoding: Taskar et al. 2005).
#pragma once

#include <cstdint>
#include <vector>

#include "decoder.hpp"
#include "learned_rows.hpp"
#include "learned_weights.hpp"
#include "sentence_scores.hpp"

namespace wnparse {

class Perceptron {
   public:
    ParserTables tables;
    Pruning pruning;
    LearnedWeights weights;
    LearnedRows rows;
    float margin = 0;
    double step = 1;  // sentences seen, plus one

    struct Counts {
        int32_t heads;   // words with the right head
        int32_t labels;  // and the right label
    };

    // One update.  False: no tree satisfies the constraints, and the sentence is passed over.
    bool learn(const Tokens& tokens, const int32_t* heads, const int32_t* labels, const Settings& settings, Counts* counts) {
        const int32_t width = tokens.n + 1;
        predicted_.resize(width);
        *counts = {0, 0};
        const Lesson<float> lesson{heads, labels, margin};
        scorer_.score_arcs(tables, tokens, weights, pruning, &lesson);
        scorer_.score_labels(tables, rows, 1.0f, pruning, &lesson);
        const Matrix matrix{scorer_.scores.data(), width, tokens.n, false};
        const bool found = decode_matrix(matrix, settings, predicted_.data()).result.feasible;
        for (int32_t m = 1; found && m <= tokens.n; ++m) {
            const int32_t guess = predicted_[m];
            const int32_t label = tables.labelled() ? scorer_.label(guess, m) : 0;
            const bool right = guess == heads[m];
            const bool all_right = right && (!tables.labelled() || label == labels[m]);
            counts->heads += right;
            counts->labels += all_right;
            if (all_right) continue;
            update(heads[m], m, labels[m], 1.0f, !right);
            update(guess, m, label, -1.0f, !right);
        }
        step += 1;
        return found;
    }

   private:
    void update(int32_t h, int32_t m, int32_t label, float delta, bool arc) {
        const SentenceFeatures& features = scorer_.features;
        for (int32_t t = 0; t < static_cast<int32_t>(tables.templates.all.size()); ++t) {
            if (arc && features.of(t).arc) {
                features.for_each(t, h, m, [&](uint64_t key) { weights.add(key, delta, step); });
            }
            if (tables.labelled() && features.of(t).label) {
                features.for_each(t, h, m, [&](uint64_t key) { rows.add(key, label, delta, step); });
            }
        }
    }

    SentenceScorer<LearnedWeights, LearnedRows, float> scorer_;
    std::vector<int32_t> predicted_;
};

}  // namespace wnparse
