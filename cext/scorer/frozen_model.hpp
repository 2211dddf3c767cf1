// A finished model at work: scores, decodes and labels one sentence; many threads may share it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "decoders/ranking.hpp"
#include "features/tokens.hpp"
#include "scorer/arc_pruner.hpp"
#include "scorer/first_pass/first_pass_scores.hpp"
#include "scorer/parser_tables.hpp"
#include "scorer/ruled_sentence.hpp"
#include "scorer/weights/frozen_label_rows.hpp"
#include "scorer/weights/frozen_weights.hpp"

namespace wnparse {

class FrozenModel {
public:
    ParserTables tables;
    FrozenWeights weights;
    FrozenLabelRows rows;
    FirstPass first_pass;
    Pruner pruner;  // of a model of higher order
    float scale = 1;

    FrozenModel();
    ~FrozenModel();

    // Seconds that the steps of a parse took: arcs, decoding, labels.
    struct Times {
        double features, decoding, labels;
    };

    // heads[0..n]; labels[0..n], -1 without labels.  `given`, of models of higher order or with rules: heads that
    // words must have, -1 where they are free.
    Outcome parse(const Tokens& tokens, const Settings& settings, bool prune, const int32_t* given,
                  const Ruling& ruling, int32_t* heads, int32_t* labels, Times* times);

    // The best trees of a sentence, of a model of higher order or under rules.
    struct Ranking {
        RankedTrees trees;               // with labels, -1 without any
        std::vector<uint8_t> certified;  // [trees]
        std::vector<double> local;  // [n + 1][n + 1] around the best of them: local_scores.hpp; of higher order
    };
    void rank(const Tokens& tokens, const Settings& settings, int64_t k, bool prune, const int32_t* given,
              const Ruling& ruling, Ranking& found, Times* times);

    // The candidates that the pruner leaves of a sentence to learn from, gold heads among them.
    Outcome choose(const Tokens& tokens, const Settings& settings, const int32_t* gold, Candidates& kept,
                   int32_t* tree);

    // The score matrix itself and the best label of each arc: [n + 1][n + 1], row = modifier.
    void score(const Tokens& tokens, bool prune, float* scores, int32_t* labels);

    // The best labels of a tree that is given.
    void label(const Tokens& tokens, const int32_t* heads, int32_t* labels);

    // What each label scores on the arcs of a tree that is given, [n + 1][count]: -inf where it is no candidate.
    void score_labels(const Tokens& tokens, const int32_t* heads, int32_t count, float* scores);

private:
    // Scorers keep their memory and what they remember of token types: one for each thread at work.
    struct Worker;
    std::unique_ptr<Worker> take();
    void give_back(std::unique_ptr<Worker> worker);

    std::optional<Outcome> prepare(Worker& worker, const Tokens& tokens, const Settings& settings, bool prune,
                                   const int32_t* given, bool record, Times* times) const;
    Outcome parse_under_rules(Worker& worker, const Tokens& tokens, const Settings& settings, const int32_t* given,
                              const Ruling& ruling, const Times& times, int32_t* heads, int32_t* labels);
    void score_parts(Worker& worker) const;
    void reopen(Worker& worker) const;
    void rank_under_rules(Worker& worker, const Tokens& tokens, const Settings& settings, int64_t k,
                          const int32_t* given, const Ruling& ruling, const Times& times, Ranking& found);

    std::mutex mutex_;
    std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace wnparse
