#include "scorer/frozen_model.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "scorer/sentence_scorer.hpp"

namespace wnparse {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point start, Clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

}  // namespace

FrozenModel::FrozenModel() = default;
FrozenModel::~FrozenModel() = default;

Outcome FrozenModel::parse(const Tokens& tokens, const Settings& settings, bool prune, int32_t* heads,
                           int32_t* labels, Times* times) {
    std::unique_ptr<Scorer> scorer = take();
    const FirstPass used = prune ? first_pass : FirstPass();
    const auto start = Clock::now();
    scorer->score_arcs(tables, tokens, weights, used);
    const auto arcs = Clock::now();
    scorer->score_labels(tables, rows, scale, used);
    const auto scored = Clock::now();
    const Outcome outcome = decode_checked(scorer->matrix(), settings, heads);
    const auto decoded = Clock::now();
    for (int32_t m = 1; outcome.result.has_tree() && tables.labelled() && m <= tokens.n; ++m)
        labels[m] = scorer->label(heads[m], m);
    const double labelling = seconds(arcs, scored) + seconds(decoded, Clock::now());
    *times = {seconds(start, arcs), seconds(scored, decoded), labelling};
    give_back(std::move(scorer));
    return outcome;
}

void FrozenModel::score(const Tokens& tokens, bool prune, float* scores, int32_t* labels) {
    std::unique_ptr<Scorer> scorer = take();
    const FirstPass used = prune ? first_pass : FirstPass();
    scorer->score_arcs(tables, tokens, weights, used);
    scorer->score_labels(tables, rows, scale, used);
    const int64_t width = tokens.n + 1;
    std::copy_n(scorer->row(0), width * width, scores);
    if (tables.labelled()) std::copy(scorer->best_labels().begin(), scorer->best_labels().end(), labels);
    give_back(std::move(scorer));
}

void FrozenModel::label(const Tokens& tokens, const int32_t* heads, int32_t* labels) {
    std::unique_ptr<Scorer> scorer = take();
    scorer->start_labels(tables, tokens, rows);
    for (int32_t m = 1; m <= tokens.n; ++m) labels[m] = scorer->label(heads[m], m);
    give_back(std::move(scorer));
}

std::unique_ptr<FrozenModel::Scorer> FrozenModel::take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<Scorer>();
    std::unique_ptr<Scorer> scorer = std::move(idle_.back());
    idle_.pop_back();
    return scorer;
}

void FrozenModel::give_back(std::unique_ptr<Scorer> scorer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(scorer));
}

}  // namespace wnparse
