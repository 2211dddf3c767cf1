// Seconds that the kernel of a decoder takes, without Python.  Scores of arcs alone are not checked; those of
// labels are, in the pass that finds the best ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/decoder.hpp"
#include "decoders/input_decoder.hpp"

namespace wnparse {

// The minimum of `repeats` passes: seconds[i] for sentence i, `pass_seconds` for all of them.  Each pass goes
// through the whole batch, so that neither cache nor branch predictor meets a sentence twice in a row.
inline void time_kernels(const Input* inputs, int64_t count, const Settings& settings, int32_t repeats,
                         double* seconds, double* pass_seconds) {
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    int32_t longest = 0;
    for (int64_t i = 0; i < count; ++i) longest = std::max(longest, inputs[i].scores.n);
    std::vector<int32_t> heads(longest + 1), labels(longest + 1);
    InputDecoder decoder;
    const auto run = [&](const Input& input) {
        if (input.plain())
            decode(input.scores, settings, heads.data());
        else
            decoder.decode(input, settings, heads.data(), input.labels != nullptr ? labels.data() : nullptr);
    };
    *pass_seconds = std::numeric_limits<double>::infinity();
    std::fill_n(seconds, count, *pass_seconds);
    for (int32_t pass = 0; pass < repeats; ++pass) {
        const auto start = Clock::now();
        for (int64_t i = 0; i < count; ++i) run(inputs[i]);
        *pass_seconds = std::min(*pass_seconds, since(start));
    }
    for (int32_t pass = 0; pass < repeats; ++pass) {
        for (int64_t i = 0; i < count; ++i) {
            const auto start = Clock::now();
            run(inputs[i]);
            seconds[i] = std::min(seconds[i], since(start));
        }
    }
}

}  // namespace wnparse
