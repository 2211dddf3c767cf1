// Many sentences on several threads.  Each sentence is decoded on its own, so the results do not depend on the
// number of threads.
#pragma once

#include <cstdint>

#include "decoders/input_decoder.hpp"

namespace wnparse {

// Where the results of a batch go.
struct BatchColumns {
    int32_t* heads;             // int32[B][width], -1 beyond the end of a sentence
    int32_t* labels = nullptr;  // the same, -1 for node 0 as well; nullptr without labels
    int64_t width;
    double* score;        // [B]; of an overpriced sentence the range of its scores
    double* upper_bound;  // [B]
    uint8_t* certified;   // [B]
    int32_t* iterations;  // [B]
    int32_t* nodes;       // [B]
    int32_t* broken;      // [B]
    uint8_t* state;       // SentenceState[B]
};

// Decode all sentences of [0, count) by `threads` threads, this one included; some stay open if that was
// interrupted.
void decode_batch(const Input* inputs, int64_t count, const Settings& settings, const BatchColumns& columns,
                  int32_t threads);

// The same for the k best trees; `ranked`: [count].
void rank_batch(const Input* inputs, int64_t count, const Settings& settings, int64_t k, Ranked* ranked,
                int32_t threads);

}  // namespace wnparse
