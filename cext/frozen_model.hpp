// A finished model at work: scores, decodes and labels one sentence; many threads may share it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "decoder.hpp"
#include "frozen_weights.hpp"
#include "sentence_scores.hpp"

namespace wnparse {

class FrozenModel {
    using Scorer = SentenceScorer<FrozenWeights, int32_t>;

   public:
    ParserTables tables;
    FrozenWeights weights;
    float scale = 1;

    // heads[0..n]; labels[0..n], -1 without labels; seconds[3], unless null: for scores, decoding and labels.
    Outcome parse(const Tokens& tokens, const Settings& settings, int32_t beam, int32_t* heads, int32_t* labels,
                  double* seconds = nullptr) {
        std::unique_ptr<Scorer> scorer = take();
        const auto start = std::chrono::steady_clock::now();
        scorer->score(tables, tokens, weights, scale, beam);
        const auto scored = std::chrono::steady_clock::now();
        const int32_t width = tokens.n + 1;
        const Outcome outcome = decode_matrix({scorer->scores.data(), width, tokens.n, false}, settings, heads);
        const auto decoded = std::chrono::steady_clock::now();
        for (int32_t m = 1; outcome.result.feasible && tables.labelled && m <= tokens.n; ++m) {
            labels[m] = scorer->label(tables, tokens, weights, heads[m], m);
        }
        give_back(std::move(scorer));
        const auto labelled = std::chrono::steady_clock::now();
        const std::chrono::duration<double> spent[] = {scored - start, decoded - scored, labelled - decoded};
        for (int32_t k = 0; seconds && k < 3; ++k) seconds[k] = spent[k].count();
        return outcome;
    }

    // The score matrix itself and the best label of each arc: [n + 1][n + 1], row = modifier.
    void score(const Tokens& tokens, int32_t beam, float* scores, int32_t* labels) {
        std::unique_ptr<Scorer> scorer = take();
        scorer->score(tables, tokens, weights, scale, beam);
        std::copy(scorer->scores.begin(), scorer->scores.end(), scores);
        if (tables.labelled) std::copy(scorer->labels.begin(), scorer->labels.end(), labels);
        give_back(std::move(scorer));
    }

   private:
    // Scorers keep their memory and what they remember of token types: one for each thread at work.
    std::unique_ptr<Scorer> take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (idle_.empty()) return std::make_unique<Scorer>();
        std::unique_ptr<Scorer> scorer = std::move(idle_.back());
        idle_.pop_back();
        return scorer;
    }
    void give_back(std::unique_ptr<Scorer> scorer) {
        const std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(std::move(scorer));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Scorer>> idle_;
};

}  // namespace wnparse
