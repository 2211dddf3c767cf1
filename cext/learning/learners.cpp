#include "learning/learners.hpp"

#include <stdexcept>

#include "learning/mira.hpp"
#include "learning/passive_aggressive.hpp"
#include "learning/perceptron.hpp"

namespace wnparse {

namespace {

const LearnerEntry& entry_of(Method method) {
    for (const LearnerEntry& entry : learner_table)
        if (entry.method == method) return entry;
    throw std::invalid_argument("no such learner");
}

}  // namespace

bool OnlineLearner::learn(const Tokens& tokens, const int32_t* heads, const int32_t* labels, const KeptArcs* kept,
                          const Settings& settings, Counts* counts) {
    const GoldTree gold{heads, labels};
    const LearnerEntry& entry = entry_of(method);
    state.score(tokens, gold, entry.augments ? state.margin : 0.0f, kept);
    const bool decoded = entry.ranks ? kbest.decode(state, settings, guess_) : state.decode(settings, guess_);
    *counts = {0, 0};
    for (int32_t m = 1; decoded && m <= tokens.n; ++m) {
        counts->heads += guess_.heads[m] == heads[m];
        counts->labels += state.is_right(guess_, gold, m);
    }
    changed = decoded && update(gold);
    state.step += 1;
    return decoded;
}

bool OnlineLearner::update(const GoldTree& gold) {
    switch (method) {
        case Method::perceptron: return perceptron_step(state, gold, guess_);
        case Method::mira: return mira_step(state, gold, guess_, limit, constraints_);
        case Method::mira_kbest: return kbest.step(state, gold, limit, constraints_);
        case Method::mira_factored: return factored_.step(state, gold, limit, constraints_);
        case Method::passive_aggressive: return passive_aggressive_step(state, gold, guess_, limit, constraints_);
    }
    throw std::invalid_argument("no such learner");
}

}  // namespace wnparse
