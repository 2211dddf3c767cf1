// From a learner's name to its step: one call a sentence.
#pragma once

#include <cstdint>

#include "learning/learner_state.hpp"
#include "learning/margin_constraints.hpp"
#include "learning/mira_factored.hpp"
#include "learning/mira_kbest.hpp"

namespace wnparse {

enum class Method : int32_t { perceptron, mira, mira_kbest, mira_factored, passive_aggressive };

// The learners by name, and what each does: the one table, from which Python makes its own.
struct LearnerEntry {
    Method method;
    const char* name;
    bool augments;  // it looks at scores with costs added
    bool clips;     // its steps are as long as margins need, clipped at C; else they are all of one length
    bool ranks;     // it looks at the k best trees
    bool factors;   // it looks at arcs one by one, and so at no parts of higher order
};

constexpr LearnerEntry learner_table[] = {
    {Method::perceptron, "perceptron", true, false, false, false},
    {Method::mira, "mira", false, true, false, false},
    {Method::mira_kbest, "mira-kbest", false, true, true, false},
    {Method::mira_factored, "mira-factored", true, true, false, true},
    {Method::passive_aggressive, "pa", true, true, false, false},
};
constexpr int32_t learner_count = sizeof(learner_table) / sizeof(learner_table[0]);

class OnlineLearner {
public:
    LearnerState state;
    KbestMira kbest;
    Method method = Method::perceptron;
    double limit = 0;       // C, the largest multiplier of a constraint; unused by the perceptron
    bool changed = false;   // whether the last sentence changed the weights
    bool completes = true;  // false, for comparison: words without annotation do not count at all

    struct Counts {
        int32_t heads;   // annotated words with the right head
        int32_t labels;  // and the right label
    };

    // One update.  Heads and labels are -1 where a word is not annotated: the sentence is then learned from the
    // best tree that has the annotated ones.  False: no tree satisfies the constraints, and the sentence is passed
    // over.  `kept`: what another model has left to choose from, or nullptr.
    bool learn(const Tokens& tokens, const int32_t* heads, const int32_t* labels, const KeptArcs* kept,
               const Settings& settings, Counts* counts);

private:
    bool complete(const Settings& settings, const GoldTree& given);
    bool update(const GoldTree& gold);

    LabelledTree guess_, completed_;
    FactoredMira factored_;
    MarginConstraints constraints_;
};

}  // namespace wnparse
