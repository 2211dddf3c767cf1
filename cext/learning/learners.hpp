// From a learner's name to its step: one call a sentence.
#pragma once

#include <cstdint>

#include "learning/learner_state.hpp"
#include "learning/margin_constraints.hpp"
#include "learning/mira.hpp"
#include "learning/mira_factored.hpp"
#include "learning/mira_kbest.hpp"
#include "learning/passive_aggressive.hpp"
#include "learning/perceptron.hpp"

namespace wnparse {

enum class Method : int32_t { perceptron, mira, mira_kbest, mira_factored, passive_aggressive };

class OnlineLearner {
public:
    LearnerState state;
    KbestMira kbest;
    Method method = Method::perceptron;
    double limit = 0;      // C, the largest multiplier of a constraint; unused by the perceptron
    bool changed = false;  // whether the last sentence changed the weights

    struct Counts {
        int32_t heads;   // words with the right head
        int32_t labels;  // and the right label
    };

    // One update.  False: no tree satisfies the constraints, and the sentence is passed over.
    bool learn(const Tokens& tokens, const int32_t* heads, const int32_t* labels, const Settings& settings,
               Counts* counts) {
        const GoldTree gold{heads, labels};
        const bool augmented = method != Method::mira && method != Method::mira_kbest;
        state.score(tokens, gold, augmented ? state.margin : 0.0f);
        const bool found =
            method == Method::mira_kbest ? kbest.decode(state, settings, guess_) : state.decode(settings, guess_);
        *counts = {0, 0};
        for (int32_t m = 1; found && m <= tokens.n; ++m) {
            counts->heads += guess_.heads[m] == heads[m];
            counts->labels += state.is_right(guess_, gold, m);
        }
        changed = found && update(gold);
        state.step += 1;
        return found;
    }

private:
    bool update(const GoldTree& gold) {
        switch (method) {
            case Method::mira: return mira_step(state, gold, guess_, limit, constraints_);
            case Method::mira_kbest: return kbest.step(state, gold, limit, constraints_);
            case Method::mira_factored: return factored_.step(state, gold, limit, constraints_);
            case Method::passive_aggressive:
                return passive_aggressive_step(state, gold, guess_, limit, constraints_);
            default: return perceptron_step(state, gold, guess_);
        }
    }

    LabelledTree guess_;
    FactoredMira factored_;
    MarginConstraints constraints_;
};

}  // namespace wnparse
