// The averaged structured perceptron (Collins 2002, "Discriminative training methods for hidden Markov models").
//
// For a sentence with gold tree y and the best tree z under the current weights:  w <- w + f(y) - f(z).
// z is the best tree after each wrong head has gained a margin and each wrong label half of it, so that learning
// goes on until the gold tree wins by that much (perceptron with margin: Krauth & Mezard 1987; loss-augmented
// decoding: Taskar et al. 2005).
#pragma once

#include <cstdint>

#include "learning/learner_state.hpp"

namespace wnparse {

// Add delta times the features of an arc with its label; of the label alone if the arc is right as it is.
inline void add_features(LearnerState& state, int32_t h, int32_t m, int32_t label, float delta, bool arc) {
    if (arc) state.for_each_arc_feature(h, m, [&](uint64_t key) { state.weights.add(key, delta, state.step); });
    if (!state.tables.labelled()) return;
    state.for_each_label_feature(h, m, [&](uint64_t key) { state.rows.add(key, label, delta, state.step); });
}

// One step from a sentence that was scored with its margin as cost; false if the tree is right and nothing
// changes.
inline bool perceptron_step(LearnerState& state, const GoldTree& gold, const LabelledTree& guess) {
    bool changed = false;
    for (int32_t m = 1; m <= state.words(); ++m) {
        if (state.is_right(guess, gold, m)) continue;
        const bool arc = guess.heads[m] != gold.heads[m];
        add_features(state, gold.heads[m], m, gold.labels[m], 1.0f, arc);
        add_features(state, guess.heads[m], m, guess.labels[m], -1.0f, arc);
        changed = true;
    }
    return changed;
}

}  // namespace wnparse
