// Seconds that the kernel of a decoder takes, without checks or Python.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/decoder.hpp"

namespace wnparse {

// The minimum of `repeats` passes: seconds[i] for sentence i, `pass_seconds` for all of them.  Each pass goes
// through the whole batch, so that neither cache nor branch predictor meets a sentence twice in a row.
inline void time_kernels(const ScoreMatrix* matrices, int64_t count, const Settings& settings, int32_t repeats,
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
