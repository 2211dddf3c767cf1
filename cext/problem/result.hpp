// What a decoder answers.
#pragma once

#include <cstdint>
#include <limits>

namespace wnparse {

struct Result {
    double score;        // of the tree, summed in double from the original matrix
    double upper_bound;  // no valid tree scores more; equal to score when that is proved
    int32_t iterations;  // arborescences computed
    int32_t nodes;       // search nodes visited; 1: the root alone
    bool feasible;       // false: proved that no valid tree exists
};

inline Result infeasible_result(int32_t iterations = 0, int32_t nodes = 0) {
    const double none = -std::numeric_limits<double>::infinity();
    return {none, none, iterations, nodes, false};
}

// What has become of a sentence of a batch.
enum SentenceState : uint8_t { state_open, state_decoded, state_infeasible, state_invalid };

}  // namespace wnparse
