// What a decoder answers.
#pragma once

#include <cstdint>
#include <limits>

namespace wnparse {

struct Result {
    double score;            // of the tree, summed in double from the original matrix
    double upper_bound;      // no valid tree scores more; equal to score when that is proved
    int32_t iterations;      // arborescences computed
    int32_t nodes;           // search nodes visited; 1: the root alone
    bool feasible;           // false: proved that no valid tree exists
    double tolerance = 0.0;  // of a proof that rests on a solver: how far the bound may lie above the score
    int32_t broken = 0;      // hard rules by the tree; bounds are those of trees that break as many

    // Feasible without a tree: a limit came before the first valid one.
    bool has_tree() const { return feasible && score > -std::numeric_limits<double>::infinity(); }
};

inline Result infeasible_result(int32_t iterations = 0, int32_t nodes = 0) {
    const double none = -std::numeric_limits<double>::infinity();
    return {none, none, iterations, nodes, false};
}

// A limit came first: nothing is known but a bound.
inline Result limited_result(double upper_bound = std::numeric_limits<double>::infinity()) {
    return {-std::numeric_limits<double>::infinity(), upper_bound, 0, 0, true};
}

// What has become of a sentence of a batch.  Invalid: NaN or +inf among its scores; overpriced: the penalties of
// its rules are too large for its scores.
enum SentenceState : uint8_t {
    state_open,
    state_decoded,
    state_limited,
    state_infeasible,
    state_invalid,
    state_overpriced
};

}  // namespace wnparse
