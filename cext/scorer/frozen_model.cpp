#include "scorer/frozen_model.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "problem/part_tables.hpp"
#include "scorer/local_scores.hpp"
#include "scorer/part_scores.hpp"
#include "scorer/sentence_scorer.hpp"

namespace wnparse {

namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point start, Clock::time_point end) {
    return std::chrono::duration<double>(end - start).count();
}

// A good valid tree is enough to begin with: no more than half of the time and a tenth of the nodes go into it.
// What is pruned does not depend on decoders outside of the core.
Settings for_pruning(Settings settings) {
    if (settings.decoder == Decoder::external) settings.decoder = Decoder::bnb;
    settings.options.time_limit /= 2;
    settings.options.max_nodes = std::max(1, settings.options.max_nodes / 10);
    return settings;
}

// The time limit of a sentence that is searched several times: half of what is left goes into each search but the
// last, which gets the rest.
class SharedTime {
public:
    SharedTime(const Settings& settings, double spent) : settings_(settings), spent_(spent) {}

    Settings share(bool last) const {
        Settings result = settings_;
        result.options = result.options.after(spent_ + seconds(start_, Clock::now()));
        if (!last) result.options.time_limit /= 2;
        return result;
    }

private:
    const Settings& settings_;
    double spent_;  // before
    Clock::time_point start_ = Clock::now();
};

}  // namespace

struct FrozenModel::Worker {
    SentenceScorer<FrozenWeights, FrozenLabelRows, int32_t> scorer;
    // Of higher order.
    ArcPruner pruner;
    Candidates kept;
    std::vector<int32_t> tree;
    PartScorer<FrozenWeights, int32_t> part_scorer;
    PartTables parts;
    const PartTables* used = nullptr;  // at higher order
    RuledSentence ruled;

    // What scoring and pruning took from the time limit, which at order 1 is for the search alone.
    double spent(const Times& times) const { return used == nullptr ? 0.0 : times.features + times.labels; }

    // For the search, at higher order: the tree that it begins with, and the time that is left for it.
    Settings left(Settings settings, const Times& times) const {
        if (used == nullptr) return settings;
        settings.options = settings.options.after(spent(times));
        settings.options.known = tree.data();
        return settings;
    }
};

FrozenModel::FrozenModel() = default;
FrozenModel::~FrozenModel() = default;

Outcome FrozenModel::parse(const Tokens& tokens, const Settings& settings, bool prune, const int32_t* given,
                           const Ruling& ruling, int32_t* heads, int32_t* labels, Times* times) {
    std::unique_ptr<Worker> worker = take();
    const bool ruled = ruling.rules != nullptr && tables.labelled();
    std::optional<Outcome> outcome = prepare(*worker, tokens, settings, prune, given, ruled, times);
    if (!outcome && ruled) {
        const auto start = Clock::now();
        outcome = parse_under_rules(*worker, tokens, settings, given, ruling, *times, heads, labels);
        times->decoding += seconds(start, Clock::now());
        give_back(std::move(worker));
        return *outcome;
    }
    const auto scored = Clock::now();
    if (!outcome)
        outcome = decode_checked(worker->scorer.matrix(), worker->left(settings, *times), heads, worker->used);
    const auto decoded = Clock::now();
    for (int32_t m = 1; outcome->result.has_tree() && tables.labelled() && m <= tokens.n; ++m)
        labels[m] = worker->scorer.label(heads[m], m);
    times->decoding += seconds(scored, decoded);
    times->labels += seconds(decoded, Clock::now());
    give_back(std::move(worker));
    return *outcome;
}

Outcome FrozenModel::parse_under_rules(Worker& worker, const Tokens& tokens, const Settings& settings,
                                       const int32_t* given, const Ruling& ruling, const Times& times,
                                       int32_t* heads, int32_t* labels) {
    // Labels of all arcs of a longer sentence would take too long.
    constexpr int32_t longest_open = 200;
    auto& scorer = worker.scorer;
    RuledSentence& ruled = worker.ruled;
    const int32_t n = tokens.n;
    const bool higher = worker.used != nullptr;
    const SharedTime time(settings, worker.spent(times));
    ruled.narrow(n);
    if (!higher) {
        if (given != nullptr) scorer.hold(given);
        worker.tree.resize(n + 1);
        const Outcome plain = decode_checked(scorer.matrix(), time.share(false), worker.tree.data());
        if (!plain.result.has_tree()) return plain;
        labels[0] = -1;
        for (int32_t m = 1; m <= n; ++m) labels[m] = scorer.label(worker.tree[m], m);
        std::copy(worker.tree.begin(), worker.tree.end(), heads);
        if (ruled.keeps(ruling, heads, labels, n)) return plain;
    }
    Outcome outcome{};
    const bool opens = given == nullptr && n <= longest_open;
    const int32_t most = !opens ? 1 : higher ? 2 : 3;  // parts of all arcs would take too long, too
    for (int32_t attempt = 0; attempt <= most; ++attempt) {
        // The last one takes what there is.
        const bool last = attempt == most;
        outcome = ruled.decode(ruling, scorer, scale, time.share(last), worker.used, worker.tree.data(), last,
                               heads, labels);
        const bool found = outcome.result.has_tree();
        if (last || (found && outcome.result.broken == 0) || settings.options.stopped()) break;
        if (!opens) continue;
        const bool wider = ruled.widen(heads, found, !higher && attempt == 2);
        if (higher && wider) reopen(worker);
        if (higher && !wider) attempt = most - 1;
        if (!higher && !wider) ruled.widen(heads, found, true);
    }
    return outcome;
}

// The first tree is the one that a parse finds; the others are found in the time that it leaves.
void FrozenModel::rank_under_rules(Worker& worker, const Tokens& tokens, const Settings& settings, int64_t k,
                                   const int32_t* given, const Ruling& ruling, const Times& times,
                                   Ranking& found) {
    const SharedTime time(settings, worker.spent(times));
    std::vector<int32_t> heads(tokens.n + 1, -1), labels(tokens.n + 1, -1);
    const Outcome outcome =
        parse_under_rules(worker, tokens, settings, given, ruling, times, heads.data(), labels.data());
    found.trees.unsettled = outcome.result.feasible && !outcome.result.has_tree();
    if (!outcome.result.has_tree()) return;
    if (k == 1)
        found.trees.add(heads.data(), labels.data(), outcome.result);
    else
        worker.ruled.rank(ruling, worker.scorer, scale, time.share(true), worker.used, heads.data(), labels.data(),
                          outcome.result, k, found.trees);
    const bool same = std::equal(heads.begin(), heads.end(), found.trees.tree(0));
    if (same && outcome.certified) found.trees.results[0].upper_bound = found.trees.results[0].score;
}

void FrozenModel::rank(const Tokens& tokens, const Settings& settings, int64_t k, bool prune, const int32_t* given,
                       const Ruling& ruling, Ranking& found, Times* times) {
    std::unique_ptr<Worker> worker = take();
    auto& scorer = worker->scorer;
    const bool ruled = ruling.rules != nullptr && tables.labelled();
    found.trees.begin(tokens.n);
    const std::optional<Outcome> outcome = prepare(*worker, tokens, settings, prune, given, ruled, times);
    const auto scored = Clock::now();
    if (outcome)
        found.trees.unsettled = outcome->result.feasible;
    else if (ruled)
        rank_under_rules(*worker, tokens, settings, k, given, ruling, *times, found);
    else
        wnparse::rank(scorer.matrix(), worker->left(settings, *times), k, found.trees, worker->used);
    const auto decoded = Clock::now();
    if (!ruled) found.trees.labels.assign(found.trees.heads.size(), -1);
    for (int64_t i = 0; i < found.trees.count(); ++i) {
        const int32_t* heads = found.trees.tree(i);
        Result& result = found.trees.results[i];
        result.upper_bound = std::max(result.upper_bound, result.score);
        found.certified.push_back(is_certified(scorer.matrix(), heads, result));
        for (int32_t m = 1; tables.labelled() && !ruled && m <= tokens.n; ++m)
            found.trees.labels[i * (tokens.n + 1) + m] = scorer.label(heads[m], m);
    }
    const auto labelled = Clock::now();
    if (found.trees.count() > 0 && worker->used != nullptr) {
        found.local.resize(static_cast<size_t>(tokens.n + 1) * (tokens.n + 1));
        find_local_scores(
            worker->parts, found.trees.tree(0), [&](int32_t m) { return scorer.row(m); }, found.local.data());
    }
    times->decoding += seconds(scored, decoded) + seconds(labelled, Clock::now());
    times->labels += seconds(decoded, labelled);
    give_back(std::move(worker));
}

// Score a sentence: arcs and labels, and at higher order what is left after pruning and its parts.  What came of
// the pruning, if it left nothing.
std::optional<Outcome> FrozenModel::prepare(Worker& worker, const Tokens& tokens, const Settings& settings,
                                            bool prune, const int32_t* given, bool record, Times* times) const {
    const FirstPass used = prune ? first_pass : FirstPass();
    auto& scorer = worker.scorer;
    const bool higher = tables.order > 1;
    const auto start = Clock::now();
    worker.used = nullptr;
    scorer.record_labels(record);
    scorer.start(tables, tokens, used);
    if (higher) {
        worker.tree.resize(tokens.n + 1);
        const Outcome pruned = worker.pruner.prune(scorer, tables, pruner, used, for_pruning(settings),
                                                   {given, nullptr}, worker.kept, worker.tree.data());
        *times = {seconds(start, Clock::now()), 0.0, 0.0};
        if (!pruned.result.has_tree()) return pruned;
        scorer.keep(worker.kept);
    }
    scorer.score_arcs(tables, weights);
    const auto arcs = Clock::now();
    scorer.score_labels(tables, rows, scale, used);
    if (given != nullptr) scorer.allow(given);
    const auto labels = Clock::now();
    if (higher) score_parts(worker);
    *times = {seconds(start, arcs) + seconds(labels, Clock::now()), 0.0, seconds(arcs, labels)};
    return std::nullopt;
}

// Of the arcs that are left.
void FrozenModel::score_parts(Worker& worker) const {
    auto& scorer = worker.scorer;
    worker.parts.start(scorer.words(), tables.order, [&](int32_t h, int32_t m) {
        return scorer.row(m)[h] > -std::numeric_limits<float>::infinity();
    });
    worker.part_scorer.fill(tables, scorer.sentence(), weights, scale, worker.parts);
    worker.used = &worker.parts;
}

// Score the arcs that rules have opened, and all parts anew.
void FrozenModel::reopen(Worker& worker) const {
    worker.kept = worker.ruled.opened(worker.kept);
    worker.scorer.keep(worker.kept);
    worker.scorer.score_arcs(tables, weights);
    worker.scorer.score_labels(tables, rows, scale, FirstPass());
    score_parts(worker);
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

void FrozenModel::score_labels(const Tokens& tokens, const int32_t* heads, int32_t count, float* scores) {
    std::unique_ptr<Worker> worker = take();
    worker->scorer.start_labels(tables, tokens, rows);
    std::fill_n(scores, static_cast<int64_t>(tokens.n + 1) * count, -std::numeric_limits<float>::infinity());
    for (int32_t m = 1; m <= tokens.n; ++m)
        worker->scorer.visit_labels(heads[m], m, scale, [&](int32_t label, float score) {
            scores[static_cast<int64_t>(m) * count + label] = score;
        });
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
