// Many sentences by several threads. Each sentence is decoded by itself, so the answers do not depend on their
// number.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/parallel_for.hpp"
#include "decoders/decoder.hpp"

namespace wnparse {

struct Columns {
    int32_t* heads;  // int32[B][width], -1 beyond the end of a sentence
    int64_t width;
    double* score;        // [B]
    double* upper_bound;  // [B]
    uint8_t* certified;   // [B]
    int32_t* iterations;  // [B]
    int32_t* nodes;       // [B]
    uint8_t* state;       // SentenceState[B]
};

// Decode sentence i into its row of the columns; it stays open if the search was stopped.
inline void decode_row(const ScoreMatrix* matrices, int64_t i, const Settings& settings, const Columns& columns) {
    int32_t* heads = columns.heads + i * columns.width;
    std::fill(heads, heads + columns.width, -1);
    const Outcome outcome = decode_matrix(matrices[i], settings, heads);
    const volatile int* stop = settings.options.stop;
    if (stop != nullptr && *stop != 0) return;
    columns.score[i] = outcome.result.score;
    columns.upper_bound[i] = outcome.result.upper_bound;
    columns.certified[i] = outcome.certified;
    columns.iterations[i] = outcome.result.iterations;
    columns.nodes[i] = outcome.result.nodes;
    columns.state[i] = !outcome.valid_scores     ? state_invalid
                       : outcome.result.feasible ? state_decoded
                                                 : state_infeasible;
}

// Decode all open sentences of [0, count) by `threads` threads, this one included.
inline void decode_batch(const ScoreMatrix* matrices, int64_t count, const Settings& settings,
                         const Columns& columns, int32_t threads) {
    parallel_for(count, threads, settings.options.stop, [&](int64_t i) {
        if (columns.state[i] == state_open) decode_row(matrices, i, settings, columns);
    });
}

// The same while Ctrl-C stops the work, if this is the thread that signals go to. True: it did, and some sentences
// are still open.
inline bool decode_batch_guarded(const ScoreMatrix* matrices, int64_t count, Settings settings,
                                 const Columns& columns, int32_t threads, bool main_thread) {
    const InterruptGuard guard(main_thread);
    settings.options.stop = guard.flag();
    decode_batch(matrices, count, settings, columns, threads);
    return guard.interrupted();
}

// Seconds of the kernel alone, for benchmarks: the least of `repeats` passes for each sentence. Passes go through
// the whole batch, so that neither cache nor branch predictor sees a sentence twice in a row.
inline void time_kernels(const ScoreMatrix* matrices, int64_t count, const Settings& settings, int32_t repeats,
                         double* seconds, double* pass_seconds) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    int32_t longest = 0;
    for (int64_t i = 0; i < count; ++i) longest = std::max(longest, matrices[i].n);
    std::vector<int32_t> heads(longest + 1);
    const auto run = [&](const ScoreMatrix& matrix) {
        if (matrix.wide) {
            decode_scores(static_cast<const double*>(matrix.scores), matrix.n, matrix.stride, settings,
                          heads.data());
        } else {
            decode_scores(static_cast<const float*>(matrix.scores), matrix.n, matrix.stride, settings,
                          heads.data());
        }
    };
    *pass_seconds = std::numeric_limits<double>::infinity();
    std::fill_n(seconds, count, *pass_seconds);
    for (int32_t pass = 0; pass < repeats; ++pass) {
        const auto start = Clock::now();
        for (int64_t i = 0; i < count; ++i) run(matrices[i]);
        *pass_seconds = std::min(*pass_seconds, since(start));
    }
    for (int32_t pass = 0; pass < repeats; ++pass) {
        for (int64_t i = 0; i < count; ++i) {
            const auto start = Clock::now();
            run(matrices[i]);
            seconds[i] = std::min(seconds[i], since(start));
        }
    }
}

}  // namespace wnparse
