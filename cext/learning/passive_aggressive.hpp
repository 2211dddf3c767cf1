// Structured passive-aggressive learning, PA-I (Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, "Online
// passive-aggressive algorithms", sections 3 and 9, the max-loss update), as in Martins, Smith & Xing 2009,
// section 4.
//
// z is the tree that violates its margin most, argmax s(z) + L(y, z): the best tree of the scores with costs
// added.
//     w' = w + alpha (f(y) - f(z)),     alpha = min(C, (s(z) + L(y, z) - s(y)) / |f(y) - f(z)|^2).
// It differs from single-best MIRA (mira.hpp) in z alone, and goes on while a margin is missed and no tree is
// wrong.
#pragma once

#include "learning/mira.hpp"

namespace wnparse {

// One step from a sentence that was scored with the margin as cost; false if all margins hold.
inline bool passive_aggressive_step(LearnerState& state, const GoldTree& gold, const LabelledTree& worst,
                                    double limit, MarginConstraints& constraints) {
    return mira_step(state, gold, worst, limit, constraints);
}

}  // namespace wnparse
