// The averaged structured perceptron (Collins 2002, "Discriminative training methods for hidden Markov models").
//
// For a sentence with gold tree y and the best tree z under the current weights:  w <- w + f(y) - f(z).
// z is the best tree after each wrong head has gained a margin and each wrong label half of it, so that learning
// goes on until the gold tree wins by that much (perceptron with margin: Krauth & Mezard 1987; loss-augmented
// decoding: Taskar et al. 2005).
#pragma once

#include <cstdint>

#include "learning/tree_difference.hpp"

namespace wnparse {

// One step from a sentence that was scored with its margin as cost; false if the tree is right and nothing
// changes.
inline bool perceptron_step(LearnerState& state, const GoldTree& gold, const LabelledTree& guess) {
    return for_each_difference(state, gold, guess,
                               [&](const FeaturePart& part, int32_t sign) {
                                   const float delta = static_cast<float>(sign);
                                   state.for_each_feature(
                                       part, [&](uint64_t key) { state.change(key, part.label, delta); });
                               })
        .differs;
}

}  // namespace wnparse
