// Single-best MIRA (Crammer & Singer 2003; McDonald, Crammer & Pereira 2005, "Online large-margin training of
// dependency parsers", section 2.2), as for non-projective trees in McDonald, Pereira, Ribarov & Hajic 2005,
// section 3.1.
//
// For a sentence with gold tree y and the best tree z under the current weights, no cost added:
//     min |w' - w|  with  s(y) - s(z) >= L(y, z),     so  w' = w + alpha (f(y) - f(z)),
//     alpha = min(C, (L(y, z) - s(y) + s(z)) / |f(y) - f(z)|^2).
#pragma once

#include "learning/margin_constraints.hpp"

namespace wnparse {

// One step from a sentence that was scored without cost; false if the tree is right and nothing changes.
inline bool mira_step(LearnerState& state, const GoldTree& gold, const LabelledTree& guess, double limit,
                      MarginConstraints& constraints) {
    constraints.start(state);
    constraints.add_tree(gold, guess);
    return constraints.step(limit);
}

}  // namespace wnparse
