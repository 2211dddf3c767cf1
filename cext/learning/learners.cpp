#include "learning/learners.hpp"

#include <algorithm>
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
    const GoldTree gold{heads, labels, heads, labels};
    const LearnerEntry& entry = entry_of(method);
    state.score(tokens, gold, entry.augments ? state.margin : 0.0f, kept);
    bool decoded = entry.ranks ? kbest.decode(state, settings, guess_) : state.decode(settings, guess_);
    *counts = {0, 0};
    for (int32_t m = 1; decoded && m <= tokens.n; ++m) {
        counts->heads += guess_.heads[m] == heads[m];
        counts->labels += state.is_right(guess_, gold, m);
    }
    const bool whole =
        std::find(heads + 1, heads + tokens.n + 1, -1) == heads + tokens.n + 1 &&
        (!state.tables.labelled() || std::find(labels + 1, labels + tokens.n + 1, -1) == labels + tokens.n + 1);
    // Factored learners look at annotated words alone.
    if (whole || entry.factors) {
        changed = decoded && update(gold);
    } else {
        decoded = decoded && complete(settings, gold);
        changed = decoded && update({completed_.heads.data(), completed_.labels.data(), heads, labels});
    }
    state.step += 1;
    return decoded;
}

// The tree to learn where some words are not annotated; false if there is none.
bool OnlineLearner::complete(const Settings& settings, const GoldTree& given) {
    if (completes) return state.complete(settings, given, completed_);
    completed_ = guess_;
    for (int32_t m = 1; m <= state.words(); ++m)
        if (given.given_heads[m] >= 0) completed_.heads[m] = given.given_heads[m];
    state.label(completed_);
    for (int32_t m = 1; state.tables.labelled() && m <= state.words(); ++m)
        if (given.given_labels[m] >= 0) completed_.labels[m] = given.given_labels[m];
    return true;
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
