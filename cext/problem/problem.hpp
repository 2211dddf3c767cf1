// What a decoder is given: the scores of parts, and which trees are valid.
//
// First order: the scores of arcs are all there is.  Higher order: tables of other parts beside them; the
// objective (objective.hpp) says how they add up.  Rules speak of arcs with their labels: the score of an arc is
// that of its best label then, and what another costs stands in the labelling.
#pragma once

#include "problem/labelling.hpp"
#include "problem/part_tables.hpp"
#include "problem/score_matrix.hpp"
#include "problem/settings.hpp"

namespace wnparse {

struct Problem {
    ScoreMatrix scores;
    Constraints constraints;
    const PartTables* parts = nullptr;  // of higher order: all finite arcs are candidates there; nullptr: none
    Labelling* labelling = nullptr;     // labels of the arcs, where rules tell which go together; takes the answer

    // Whether the scores of arcs are all there is.
    bool plain() const { return parts == nullptr && labelling == nullptr; }
    int32_t words() const { return scores.n; }
    int32_t order() const { return parts == nullptr ? 1 : parts->order(); }
};

}  // namespace wnparse
