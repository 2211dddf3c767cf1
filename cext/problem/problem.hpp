// What a decoder is given: the scores of parts, and which trees are valid.
//
// First order: the scores of arcs are all there is.  Tables of other parts, and rules, will stand here beside
// them; the objective (objective.hpp) says how they add up.
#pragma once

#include "problem/score_matrix.hpp"
#include "problem/settings.hpp"

namespace wnparse {

struct Problem {
    ScoreMatrix scores;
    Constraints constraints;

    int32_t words() const { return scores.n; }
};

}  // namespace wnparse
