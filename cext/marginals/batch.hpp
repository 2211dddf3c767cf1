// Marginals of many sentences by several threads, each by itself: the answers do not depend on their number.
#pragma once

#include <cstdint>

#include "base/parallel_for.hpp"
#include "marginals/marginals.hpp"
#include "problem/result.hpp"
#include "problem/score_matrix.hpp"

namespace wnparse {

// Sentences beyond this many words give their memory back at once.
constexpr int32_t kept_marginals_length = 200;

struct MarginalsColumns {
    double* marginals;  // [B][width][width], 0 beforehand; null: the partition functions alone
    int64_t width;
    double* log_partition;  // [B]
    uint8_t* state;         // SentenceState[B]
};

inline void sum_sentence(const ScoreMatrix& matrix, const MarginalsSettings& settings,
                         const MarginalsColumns& columns, int64_t i) {
    static thread_local Marginals sums;
    if (find_invalid(matrix) >= 0) {
        columns.state[i] = state_invalid;
        return;
    }
    double* target =
        columns.marginals == nullptr ? nullptr : columns.marginals + i * columns.width * columns.width;
    const bool has_tree = sums.run(matrix, settings, target, columns.width);
    columns.log_partition[i] = sums.log_partition;
    columns.state[i] = has_tree ? state_decoded : state_infeasible;
    if (matrix.n > kept_marginals_length) sums = Marginals();
}

// All open sentences; some stay open if that was interrupted.
inline void sum_batch(const ScoreMatrix* matrices, int64_t count, const MarginalsSettings& settings,
                      const MarginalsColumns& columns, int32_t threads, const Stop& stop) {
    parallel_for(count, threads, stop, [&](int64_t i) {
        if (columns.state[i] == state_open) sum_sentence(matrices[i], settings, columns, i);
    });
}

}  // namespace wnparse
