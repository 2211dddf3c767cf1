// A finished model at work: scores, decodes and labels one sentence; many threads may share it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "decoders/decoder.hpp"
#include "features/tokens.hpp"
#include "scorer/first_pass/first_pass_scores.hpp"
#include "scorer/parser_tables.hpp"
#include "scorer/weights/frozen_label_rows.hpp"
#include "scorer/weights/frozen_weights.hpp"

namespace wnparse {

template <class Weights, class Rows, class Sum>
class SentenceScorer;

class FrozenModel {
public:
    ParserTables tables;
    FrozenWeights weights;
    FrozenLabelRows rows;
    FirstPass first_pass;
    float scale = 1;

    FrozenModel();
    ~FrozenModel();

    // Seconds that the steps of a parse took: arcs, decoding, labels.
    struct Times {
        double features, decoding, labels;
    };

    // heads[0..n]; labels[0..n], -1 without labels.
    Outcome parse(const Tokens& tokens, const Settings& settings, bool prune, int32_t* heads, int32_t* labels,
                  Times* times);

    // The score matrix itself and the best label of each arc: [n + 1][n + 1], row = modifier.
    void score(const Tokens& tokens, bool prune, float* scores, int32_t* labels);

    // The best labels of a tree that is given.
    void label(const Tokens& tokens, const int32_t* heads, int32_t* labels);

private:
    using Scorer = SentenceScorer<FrozenWeights, FrozenLabelRows, int32_t>;

    // Scorers keep their memory and what they remember of token types: one for each thread at work.
    std::unique_ptr<Scorer> take();
    void give_back(std::unique_ptr<Scorer> scorer);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Scorer>> idle_;
};

}  // namespace wnparse
