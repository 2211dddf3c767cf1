// A finished model at work: scores, decodes and labels one sentence; many threads may share it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "decoders/decoder.hpp"
#include "scorer/sentence_scorer.hpp"
#include "scorer/weights/frozen_label_rows.hpp"
#include "scorer/weights/frozen_weights.hpp"

namespace wnparse {

class FrozenModel {
    using Scorer = SentenceScorer<FrozenWeights, FrozenLabelRows, int32_t>;

public:
    ParserTables tables;
    FrozenWeights weights;
    FrozenLabelRows rows;
    FirstPass first_pass;
    float scale = 1;

    // Seconds that the parts of a parse took: arcs, decoding, labels.
    struct Times {
        double features, decoding, labels;
    };

    // heads[0..n]; labels[0..n], -1 without labels.
    Outcome parse(const Tokens& tokens, const Settings& settings, bool prune, int32_t* heads, int32_t* labels,
                  Times* times) {
        std::unique_ptr<Scorer> scorer = take();
        const FirstPass used = prune ? first_pass : FirstPass();
        const auto start = Clock::now();
        scorer->score_arcs(tables, tokens, weights, used);
        const auto arcs = Clock::now();
        scorer->score_labels(tables, rows, scale, used);
        const auto scored = Clock::now();
        const Outcome outcome =
            decode_matrix({scorer->scores.data(), tokens.n + 1, tokens.n, false}, settings, heads);
        const auto decoded = Clock::now();
        for (int32_t m = 1; outcome.result.feasible && tables.labelled() && m <= tokens.n; ++m)
            labels[m] = scorer->label(heads[m], m);
        *times = {seconds(start, arcs), seconds(scored, decoded),
                  seconds(arcs, scored) + seconds(decoded, Clock::now())};
        give_back(std::move(scorer));
        return outcome;
    }

    // The score matrix itself and the best label of each arc: [n + 1][n + 1], row = modifier.
    void score(const Tokens& tokens, bool prune, float* scores, int32_t* labels) {
        std::unique_ptr<Scorer> scorer = take();
        const FirstPass used = prune ? first_pass : FirstPass();
        scorer->score_arcs(tables, tokens, weights, used);
        scorer->score_labels(tables, rows, scale, used);
        std::copy(scorer->scores.begin(), scorer->scores.end(), scores);
        if (tables.labelled()) std::copy(scorer->labels.begin(), scorer->labels.end(), labels);
        give_back(std::move(scorer));
    }

    // The best labels of a tree that is given.
    void label(const Tokens& tokens, const int32_t* heads, int32_t* labels) {
        std::unique_ptr<Scorer> scorer = take();
        scorer->start_labels(tables, tokens, rows);
        for (int32_t m = 1; m <= tokens.n; ++m) labels[m] = scorer->label(heads[m], m);
        give_back(std::move(scorer));
    }

private:
    using Clock = std::chrono::steady_clock;
    static double seconds(Clock::time_point start, Clock::time_point end) {
        return std::chrono::duration<double>(end - start).count();
    }

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
