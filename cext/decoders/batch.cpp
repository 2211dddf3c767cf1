#include "decoders/batch.hpp"

#include <algorithm>

#include "base/parallel_for.hpp"

namespace wnparse {

namespace {

// Decode sentence i into the columns; it stays open if the search was stopped.
void decode_sentence(const ScoreMatrix* matrices, int64_t i, const Settings& settings, const BatchColumns& columns,
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

void decode_batch(const ScoreMatrix* matrices, int64_t count, const Settings& settings,
                  const BatchColumns& columns, int32_t threads, const PartLists* parts) {
    parallel_for(count, threads, settings.options.stop, [&](int64_t i) {
        if (columns.state[i] == state_open) decode_sentence(matrices, i, settings, columns, parts);
    });
}

}  // namespace wnparse
