#include "decoders/batch.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "base/parallel_for.hpp"

namespace wnparse {

namespace {

// Decode sentence i into its row of the columns; it stays open if the search was stopped.
void decode_row(const ScoreMatrix* matrices, int64_t i, const Settings& settings, const Columns& columns,
                const PartLists* parts) {
    static thread_local PartTables tables;
    int32_t* heads = columns.heads + i * columns.width;
    std::fill(heads, heads + columns.width, -1);
    if (parts != nullptr) load_parts(parts[i], matrices[i], tables);
    const Outcome outcome = decode_checked(matrices[i], settings, heads, parts != nullptr ? &tables : nullptr);
    if (settings.options.stop.interrupted()) return;
    if (!outcome.result.has_tree()) std::fill(heads, heads + columns.width, -1);
    columns.score[i] = outcome.result.score;
    columns.upper_bound[i] = outcome.result.upper_bound;
    columns.certified[i] = outcome.certified;
    columns.iterations[i] = outcome.result.iterations;
    columns.nodes[i] = outcome.result.nodes;
    columns.state[i] = !outcome.valid_scores       ? state_invalid
                       : outcome.result.has_tree() ? state_decoded
                       : outcome.result.feasible   ? state_limited
                                                   : state_infeasible;
}

}  // namespace

void decode_batch(const ScoreMatrix* matrices, int64_t count, const Settings& settings, const Columns& columns,
                  int32_t threads, const PartLists* parts) {
    parallel_for(count, threads, settings.options.stop, [&](int64_t i) {
        if (columns.state[i] == state_open) decode_row(matrices, i, settings, columns, parts);
    });
}

void time_kernels(const ScoreMatrix* matrices, int64_t count, const Settings& settings, int32_t repeats,
                  double* seconds, double* pass_seconds) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    int32_t longest = 0;
    for (int64_t i = 0; i < count; ++i) longest = std::max(longest, matrices[i].n);
    std::vector<int32_t> heads(longest + 1);
    *pass_seconds = std::numeric_limits<double>::infinity();
    std::fill_n(seconds, count, *pass_seconds);
    for (int32_t pass = 0; pass < repeats; ++pass) {
        const auto start = Clock::now();
        for (int64_t i = 0; i < count; ++i) decode(matrices[i], settings, heads.data());
        *pass_seconds = std::min(*pass_seconds, since(start));
    }
    for (int32_t pass = 0; pass < repeats; ++pass) {
        for (int64_t i = 0; i < count; ++i) {
            const auto start = Clock::now();
            decode(matrices[i], settings, heads.data());
            seconds[i] = std::min(seconds[i], since(start));
        }
    }
}

}  // namespace wnparse
