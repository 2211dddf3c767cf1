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
#include "learned_weights.hpp"
#include "sentence_scores.hpp"

namespace wnparse {

class Perceptron {
   public:
    ParserTables tables;
    LearnedWeights weights;
    float margin = 0;
    double step = 1;  // sentences seen, plus one

    struct Counts {
        int32_t heads;   // words with the right head
        int32_t labels;  // and the right label
    };

    // One update.  False: no tree satisfies the constraints, and the sentence is passed over.
    bool learn(const Tokens& tokens, const int32_t* heads, const int32_t* labels, const Settings& settings, int32_t beam,
               Counts* counts) {
        const int32_t width = tokens.n + 1;
        predicted_.resize(width);
        *counts = {0, 0};
        scorer_.score(tables, tokens, weights, 1.0f, beam, heads, labels, margin);
        const Matrix matrix{scorer_.scores.data(), width, tokens.n, false};
        const bool found = decode_matrix(matrix, settings, predicted_.data()).result.feasible;
        for (int32_t m = 1; found && m <= tokens.n; ++m) {
            const int32_t guess = predicted_[m];
            const int32_t label = tables.labelled ? scorer_.label(tables, tokens, weights, guess, m) : 0;
            const bool right = guess == heads[m];
            counts->heads += right;
            counts->labels += right && (!tables.labelled || label == labels[m]);
            if (right && (!tables.labelled || label == labels[m])) continue;
            update(tokens, heads[m], m, tables.labelled ? labels[m] : 0, 1.0f, !right);
            update(tokens, guess, m, label, -1.0f, !right);
        }
        step += 1;
        return found;
    }

   private:
    void update(const Tokens& tokens, int32_t h, int32_t m, int32_t label, float delta, bool arc) {
        for (size_t t = 0; t < tables.templates.size(); ++t) {
            const Template& each = tables.templates[t];
            const uint64_t base = scorer_.parts.head(t)[h] + scorer_.parts.modifier(t)[m] + arc_key(each, h, m);
            if (arc && each.arc) {
                for_each_key(each, base, tokens, h, m, [&](uint64_t key) { weights.add(key, delta, step); });
            }
            if (tables.labelled && each.label) {
                const uint64_t extra = label_key(label);
                for_each_key(each, base, tokens, h, m, [&](uint64_t key) { weights.add(key + extra, delta, step); });
            }
        }
    }

    SentenceScorer<LearnedWeights, float> scorer_;
    std::vector<int32_t> predicted_;
};

}  // namespace wnparse
