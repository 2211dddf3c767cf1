// Many sentences on several threads.  Each sentence is decoded on its own, so the results do not depend on the
// number of threads.
#pragma once

#include <cstdint>

#include "decoders/decoder.hpp"
#include "problem/part_lists.hpp"

namespace wnparse {

// Where the results of a batch go.
struct BatchColumns {
    int32_t* heads;  // int32[B][width], -1 beyond the end of a sentence
    int64_t width;
    double* score;        // [B]
    double* upper_bound;  // [B]
    uint8_t* certified;   // [B]
    int32_t* iterations;  // [B]
    int32_t* nodes;       // [B]
    uint8_t* state;       // SentenceState[B]
};

// Decode all open sentences of [0, count) by `threads` threads, this one included; some stay open if that was
// interrupted.  `parts`: for each sentence, nullptr without any.
void decode_batch(const ScoreMatrix* matrices, int64_t count, const Settings& settings,
                  const BatchColumns& columns, int32_t threads, const PartLists* parts = nullptr);

}  // namespace wnparse
