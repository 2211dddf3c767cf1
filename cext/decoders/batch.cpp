#include "decoders/batch.hpp"

#include <algorithm>

#include "base/parallel_for.hpp"

namespace wnparse {

namespace {

InputDecoder& own_decoder() {
    static thread_local InputDecoder decoder;
    return decoder;
}

void forget_long(const Input& input, InputDecoder& decoder) {
    if (input.scores.n > kept_length) decoder = InputDecoder();
}

// Decode sentence i into the columns; it stays open if the search was stopped.
void decode_sentence(const Input& input, int64_t i, const Settings& settings, const BatchColumns& columns) {
    int32_t* heads = columns.heads + i * columns.width;
    int32_t* labels = columns.labels != nullptr ? columns.labels + i * columns.width : nullptr;
    std::fill(heads, heads + columns.width, -1);
    InputDecoder& decoder = own_decoder();
    const Outcome outcome = decoder.decode(input, settings, heads, labels);
    columns.state[i] = decoder.state();
    if (decoder.state() != state_decoded) std::fill(heads, heads + columns.width, -1);
    columns.score[i] = decoder.state() == state_overpriced ? decoder.range() : outcome.result.score;
    columns.upper_bound[i] = outcome.result.upper_bound;
    columns.certified[i] = outcome.certified;
    columns.iterations[i] = outcome.result.iterations;
    columns.nodes[i] = outcome.result.nodes;
    columns.broken[i] = outcome.result.broken;
    forget_long(input, decoder);
}

}  // namespace

void decode_batch(const Input* inputs, int64_t count, const Settings& settings, const BatchColumns& columns,
                  int32_t threads) {
    parallel_for(count, threads, settings.options.stop,
                 [&](int64_t i) { decode_sentence(inputs[i], i, settings, columns); });
}

void rank_batch(const Input* inputs, int64_t count, const Settings& settings, int64_t k, Ranked* ranked,
                int32_t threads) {
    parallel_for(count, threads, settings.options.stop, [&](int64_t i) {
        own_decoder().rank(inputs[i], settings, k, ranked[i]);
        forget_long(inputs[i], own_decoder());
    });
}

}  // namespace wnparse
