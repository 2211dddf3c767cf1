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
#include "scorer/weights/frozen_label_weights.hpp"
#include "scorer/weights/frozen_weights.hpp"

namespace wnparse {

class FrozenModel {
public:
    ParserTables tables;
    FrozenWeights weights;
    FrozenLabelWeights label_weights;
    FirstPass first_pass;
    Pruner pruner;  // of a model of higher order
    float scale = 1;

    FrozenModel();
    ~FrozenModel();

    // A sentence to parse, and what is wanted of it.
    struct Request {
        const Tokens* tokens = nullptr;
        Settings settings;
        bool prune = true;               // by the first pass
        const int32_t* given = nullptr;  // [n + 1] heads that words must have, -1 where they are free
        Ruling ruling;
        int64_t k = 1;         // trees
        bool explain = false;  // whether Parses::head_scores is wanted
    };

    // Seconds that the steps of a parse took: arcs, decoding, labels.
    struct Times {
        double features = 0.0, decoding = 0.0, labels = 0.0;
    };

    // The best trees of a sentence, in the order of RankedTrees.
    struct Parses {
        RankedTrees trees;               // with labels, -1 without any
        std::vector<uint8_t> certified;  // [trees]
        // [n + 1][n + 1] what each head of a word scores: at order 1 its arc; at higher order around the best tree
        // (local_scores.hpp), -inf if it was pruned.
        std::vector<double> head_scores;
        Times times;
    };
    void parse(const Request& request, Parses& parses);

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

    std::optional<Outcome> prepare(Worker& worker, const Request& request, bool ruled, Times& times) const;
    Outcome parse_under_rules(Worker& worker, const Request& request, const Times& times, int32_t* heads,
                              int32_t* labels);
    void find_best(Worker& worker, const Request& request, bool ruled, Parses& parses);
    void rank_several(Worker& worker, const Request& request, Parses& parses);
    void rank_under_rules(Worker& worker, const Request& request, Parses& parses);
    void certify(const Worker& worker, Parses& parses) const;
    void explain(Worker& worker, Parses& parses) const;
    void score_parts(Worker& worker) const;
    void reopen(Worker& worker) const;

    std::mutex mutex_;
    std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace wnparse
