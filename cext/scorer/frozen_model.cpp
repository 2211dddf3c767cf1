#include "scorer/frozen_model.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "problem/part_tables.hpp"
#include "scorer/part_scores.hpp"
#include "scorer/sentence_scorer.hpp"

namespace wnparse {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point start, Clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

}  // namespace

struct FrozenModel::Worker {
    SentenceScorer<FrozenWeights, FrozenLabelRows, int32_t> scorer;
    // Of higher order.
    ArcPruner pruner;
    Candidates kept;
    std::vector<int32_t> tree;
    PartScorer<FrozenWeights, int32_t> part_scorer;
    PartTables parts;
};

FrozenModel::FrozenModel() = default;
FrozenModel::~FrozenModel() = default;

Outcome FrozenModel::parse(const Tokens& tokens, const Settings& settings, bool prune, const int32_t* given,
                           int32_t* heads, int32_t* labels, Times* times) {
    std::unique_ptr<Worker> worker = take();
    const FirstPass used = prune ? first_pass : FirstPass();
    const Outcome outcome = decode(*worker, tokens, settings, used, given, heads, times);
    const auto decoded = Clock::now();
    for (int32_t m = 1; outcome.result.has_tree() && tables.labelled() && m <= tokens.n; ++m)
        labels[m] = worker->scorer.label(heads[m], m);
    times->labels += seconds(decoded, Clock::now());
    give_back(std::move(worker));
    return outcome;
}

// Score a sentence and find its best tree.
Outcome FrozenModel::decode(Worker& worker, const Tokens& tokens, const Settings& settings, const FirstPass& used,
                            const int32_t* given, int32_t* heads, Times* times) const {
    auto& scorer = worker.scorer;
    const bool higher = tables.order > 1;
    const auto start = Clock::now();
    scorer.start(tables, tokens, used);
    Settings rest = settings;
    if (higher) {
        worker.tree.resize(tokens.n + 1);
        const Outcome pruned = worker.pruner.prune(scorer, tables, pruner, used, settings, {given, nullptr},
                                                   worker.kept, worker.tree.data());
        *times = {seconds(start, Clock::now()), 0.0, 0.0};
        if (!pruned.result.has_tree()) return pruned;
        scorer.keep(worker.kept);
        rest.options.known = worker.tree.data();
    }
    scorer.score_arcs(tables, weights);
    const auto arcs = Clock::now();
    scorer.score_labels(tables, rows, scale, used);
    if (given != nullptr) scorer.allow(given);
    const auto labels = Clock::now();
    if (higher) {
        worker.parts.start(tokens.n, tables.order, [&](int32_t h, int32_t m) {
            return scorer.row(m)[h] > -std::numeric_limits<float>::infinity();
        });
        worker.part_scorer.fill(tables, scorer.sentence(), weights, scale, worker.parts);
    }
    const auto scored = Clock::now();
    const Outcome outcome = decode_checked(scorer.matrix(), rest, heads, higher ? &worker.parts : nullptr);
    const auto decoded = Clock::now();
    *times = {seconds(start, arcs) + seconds(labels, scored), seconds(scored, decoded), seconds(arcs, labels)};
    return outcome;
}

Outcome FrozenModel::choose(const Tokens& tokens, const Settings& settings, const int32_t* gold, Candidates& kept,
                            int32_t* tree) {
    std::unique_ptr<Worker> worker = take();
    worker->scorer.start(tables, tokens, first_pass);
    const Outcome outcome =
        worker->pruner.prune(worker->scorer, tables, pruner, first_pass, settings, {nullptr, gold}, kept, tree);
    give_back(std::move(worker));
    return outcome;
}

void FrozenModel::score(const Tokens& tokens, bool prune, float* scores, int32_t* labels) {
    std::unique_ptr<Worker> worker = take();
    auto& scorer = worker->scorer;
    const FirstPass used = prune ? first_pass : FirstPass();
    scorer.start(tables, tokens, used);
    scorer.score_arcs(tables, weights);
    scorer.score_labels(tables, rows, scale, used);
    const int64_t width = tokens.n + 1;
    std::copy_n(scorer.row(0), width * width, scores);
    if (tables.labelled()) std::copy(scorer.best_labels().begin(), scorer.best_labels().end(), labels);
    give_back(std::move(worker));
}

void FrozenModel::label(const Tokens& tokens, const int32_t* heads, int32_t* labels) {
    std::unique_ptr<Worker> worker = take();
    worker->scorer.start_labels(tables, tokens, rows);
    for (int32_t m = 1; m <= tokens.n; ++m) labels[m] = worker->scorer.label(heads[m], m);
    give_back(std::move(worker));
}

std::unique_ptr<FrozenModel::Worker> FrozenModel::take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<Worker>();
    std::unique_ptr<Worker> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
}

void FrozenModel::give_back(std::unique_ptr<Worker> worker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(worker));
}

}  // namespace wnparse
