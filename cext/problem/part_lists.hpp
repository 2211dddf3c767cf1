// Parts of higher order as they come from outside: rows of indices, each with a score.
//
// A sibling row (h, m, s, right) says that s is the next child of h after m going outwards, on the right side of h
// or on its left; m == h: s is the innermost child of its side, s == h: m is the outermost, both: there is none. A
// grandparent row is (g, h, m), a grand-sibling row (g, h, m, s, right).  Rows over arcs that are forbidden, or
// that no tree can have, score nothing; rows that repeat add up. O(rows).
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "problem/part_tables.hpp"
#include "problem/score_matrix.hpp"

namespace wnparse {

struct PartList {
    const int32_t* rows = nullptr;
    const double* scores = nullptr;
    int64_t count = 0;
};

struct PartLists {
    PartList siblings, grandparents, grandsiblings;  // rows of 4, 3 and 5 numbers
};

namespace parts_detail {

inline Sibling sibling_of(const int32_t* row) { return {row[0], row[1], row[2], row[3] != 0}; }

// Are the children on the side of the part?
inline bool on_its_side(const Sibling& part) {
    return (part.m == part.h || (part.m > part.h) == part.right) &&
           (part.s == part.h || (part.s > part.h) == part.right);
}

inline void add_score(double* place, double score) {
    if (place != nullptr) *place += score;
}

}  // namespace parts_detail

// Lay the parts out over the finite arcs of a matrix.
inline void load_parts(const PartLists& lists, const ScoreMatrix& matrix, PartTables& tables) {
    using namespace parts_detail;
    with_scores(matrix, [&](const auto* scores) {
        using Score = std::remove_cv_t<std::remove_reference_t<decltype(*scores)>>;
        tables.start(matrix.n, 2, [&](int32_t h, int32_t m) {
            return scores[m * matrix.stride + h] > -std::numeric_limits<Score>::infinity();
        });
        return 0;
    });
    for (int64_t i = 0; i < lists.siblings.count; ++i) {
        const Sibling part = sibling_of(lists.siblings.rows + 4 * i);
        if (on_its_side(part)) add_score(tables.find(part), lists.siblings.scores[i]);
    }
    for (int64_t i = 0; i < lists.grandparents.count; ++i) {
        const int32_t* row = lists.grandparents.rows + 3 * i;
        if (row[1] > 0) add_score(tables.find(Grandparent{row[0], row[1], row[2]}), lists.grandparents.scores[i]);
    }
    for (int64_t i = 0; i < lists.grandsiblings.count; ++i) {
        const int32_t* row = lists.grandsiblings.rows + 5 * i;
        const Sibling part = sibling_of(row + 1);
        if (part.h > 0 && on_its_side(part))
            add_score(tables.find(GrandSibling{row[0], part}), lists.grandsiblings.scores[i]);
    }
    tables.measure();
}

}  // namespace wnparse
