// Many sentences by several threads. Each sentence is decoded by itself, so the answers do not depend on their
// number.
#pragma once

#include <cstdint>

#include "decoders/decoder.hpp"
#include "problem/part_lists.hpp"

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

// Decode all open sentences of [0, count) by `threads` threads, this one included; some stay open if that was
// interrupted.  `parts`: for each sentence, nullptr without any.
void decode_batch(const ScoreMatrix* matrices, int64_t count, const Settings& settings, const Columns& columns,
                  int32_t threads, const PartLists* parts = nullptr);

}  // namespace wnparse
