// What a decoder is given: the scores of parts, and which trees are valid.
//
// First order: the scores of arcs are all there is.  Higher order: tables of other parts beside them; the
// objective (objective.hpp) says how they add up.
#pragma once

#include "problem/part_tables.hpp"
#include "problem/score_matrix.hpp"
#include "problem/settings.hpp"

namespace wnparse {

struct Problem {
    ScoreMatrix scores;
    Constraints constraints;
    const PartTables* parts = nullptr;  // of higher order: all finite arcs are candidates there; nullptr: none

    int32_t words() const { return scores.n; }
    int32_t order() const { return parts == nullptr ? 1 : parts->order(); }
};

}  // namespace wnparse
