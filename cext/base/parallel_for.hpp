// The sentences of a batch, shared out among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>

#include "base/helper_threads.hpp"
#include "base/stop.hpp"

namespace wnparse {

// Call work(i) for every i of [0, count) by `threads` threads, this one included, until `stop` is raised.  The
// others are waited for, and meanwhile `stop` asked.
template <class Work>
void parallel_for(int64_t count, int32_t threads, const Stop& stop, const Work& work) {
    // Small enough to share the last sentences out, large enough to keep the threads' writes apart.
    const int64_t chunk = std::clamp<int64_t>(count / (int64_t(threads) * 16), 1, 64);
    std::atomic<int64_t> next{0};
    std::atomic<bool> out_of_memory{false};
    const auto run = [&] {
        try {
            RareStop rare(stop, 16);
            for (int64_t first; (first = next.fetch_add(chunk)) < count;) {
                for (int64_t i = first; i < std::min(first + chunk, count); ++i) {
                    if (stop.interrupted() || rare.stopped()) return;
                    work(i);
                }
            }
        } catch (const std::bad_alloc&) {
            out_of_memory = true;
        }
    };
    const int64_t helpers = std::min<int64_t>(threads, (count + chunk - 1) / chunk) - 1;
    if (helpers > 0)
        run_with_helpers(helpers, run, [&] { stop.stopped(); });
    else
        run();
    if (out_of_memory) throw std::bad_alloc();
}

}  // namespace wnparse
