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
    SentenceScorer<FrozenWeights, FrozenLabelWeights, int32_t> scorer;
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

void FrozenModel::parse(const Request& request, Parses& parses) {
    std::unique_ptr<Worker> worker = take();
    const bool ruled = request.ruling.rules != nullptr && tables.labelled();
    parses.trees.begin(request.tokens->n);
    const std::optional<Outcome> outcome = prepare(*worker, request, ruled, parses.times);
    if (outcome) {
        parses.trees.unsettled = outcome->result.feasible;
    } else {
        if (request.explain && worker->used == nullptr) explain(*worker, parses);
        if (request.k == 1)
            find_best(*worker, request, ruled, parses);
        else if (ruled)
            rank_under_rules(*worker, request, parses);
        else
            rank_several(*worker, request, parses);
        if (request.explain && worker->used != nullptr && parses.trees.count() > 0) explain(*worker, parses);
    }
    give_back(std::move(worker));
}

void FrozenModel::find_best(Worker& worker, const Request& request, bool ruled, Parses& parses) {
    const int32_t n = request.tokens->n;
    std::vector<int32_t> heads(n + 1, -1), labels(n + 1, -1);
    const auto start = Clock::now();
    const Outcome outcome =
        ruled ? parse_under_rules(worker, request, parses.times, heads.data(), labels.data())
              : decode_checked(worker.scorer.matrix(), worker.left(request.settings, parses.times), heads.data(),
                               worker.used);
    const auto decoded = Clock::now();
    parses.trees.unsettled = outcome.result.feasible && !outcome.result.has_tree();
    if (outcome.result.has_tree()) {
        for (int32_t m = 1; tables.labelled() && !ruled && m <= n; ++m)
            labels[m] = worker.scorer.label(heads[m], m);
        parses.trees.add(heads.data(), labels.data(), outcome.result);
        parses.certified.push_back(outcome.certified);
    }
    parses.times.decoding += seconds(start, decoded);
    parses.times.labels += seconds(decoded, Clock::now());
}

void FrozenModel::rank_several(Worker& worker, const Request& request, Parses& parses) {
    const int32_t n = request.tokens->n;
    RankedTrees& trees = parses.trees;
    auto& scorer = worker.scorer;
    if (find_invalid(scorer.matrix()) >= 0) return;
    const auto start = Clock::now();
    rank(scorer.matrix(), worker.left(request.settings, parses.times), request.k, trees, worker.used);
    const auto decoded = Clock::now();
    trees.labels.assign(trees.heads.size(), -1);
    for (int64_t i = 0; i < trees.count(); ++i) {
        const int32_t* heads = trees.tree(i);
        for (int32_t m = 1; tables.labelled() && m <= n; ++m)
            trees.labels[i * (n + 1) + m] = scorer.label(heads[m], m);
    }
    certify(worker, parses);
    parses.times.decoding += seconds(start, decoded);
    parses.times.labels += seconds(decoded, Clock::now());
}

// The first tree is the one that find_best() finds; the others are found in the time that it leaves.
void FrozenModel::rank_under_rules(Worker& worker, const Request& request, Parses& parses) {
    const auto start = Clock::now();
    const SharedTime time(request.settings, worker.spent(parses.times));
    RankedTrees& trees = parses.trees;
    std::vector<int32_t> heads(request.tokens->n + 1, -1), labels(request.tokens->n + 1, -1);
    const Outcome outcome = parse_under_rules(worker, request, parses.times, heads.data(), labels.data());
    trees.unsettled = outcome.result.feasible && !outcome.result.has_tree();
    if (outcome.result.has_tree()) {
        worker.ruled.rank(request.ruling, worker.scorer, scale, time.share(true), worker.used, heads.data(),
                          labels.data(), outcome.result, request.k, trees);
        const bool same = std::equal(heads.begin(), heads.end(), trees.tree(0));
        if (same && outcome.certified) trees.results[0].upper_bound = trees.results[0].score;
        certify(worker, parses);
    }
    parses.times.decoding += seconds(start, Clock::now());
}

// Which of several trees are proved to have their rank.
void FrozenModel::certify(const Worker& worker, Parses& parses) const {
    for (int64_t i = 0; i < parses.trees.count(); ++i) {
        Result& result = parses.trees.results[i];
        result.upper_bound = std::max(result.upper_bound, result.score);
        parses.certified.push_back(is_certified(worker.scorer.matrix(), parses.trees.tree(i), result));
    }
}

void FrozenModel::explain(Worker& worker, Parses& parses) const {
    const auto start = Clock::now();
    const auto& scorer = worker.scorer;
    const size_t cells = static_cast<size_t>(scorer.words() + 1) * (scorer.words() + 1);
    parses.head_scores.resize(cells);
    if (worker.used == nullptr)
        std::copy_n(scorer.row(0), cells, parses.head_scores.begin());
    else
        find_local_scores(
            worker.parts, parses.trees.tree(0), [&](int32_t m) { return scorer.row(m); },
            parses.head_scores.data());
    parses.times.decoding += seconds(start, Clock::now());
}

Outcome FrozenModel::parse_under_rules(Worker& worker, const Request& request, const Times& times, int32_t* heads,
                                       int32_t* labels) {
    // Labels of all arcs of a longer sentence would take too long.
    constexpr int32_t longest_open = 200;
    auto& scorer = worker.scorer;
    RuledSentence& ruled = worker.ruled;
    const Ruling& ruling = request.ruling;
    const int32_t n = request.tokens->n;
    const bool higher = worker.used != nullptr;
    const SharedTime time(request.settings, worker.spent(times));
    ruled.narrow(n);
    if (!higher) {
        worker.tree.resize(n + 1);
        const Outcome plain = decode_checked(scorer.matrix(), time.share(false), worker.tree.data());
        if (!plain.result.has_tree()) return plain;
        labels[0] = -1;
        for (int32_t m = 1; m <= n; ++m) {
            labels[m] = ruling.given_label(m);
            if (labels[m] < 0) labels[m] = scorer.label(worker.tree[m], m);
        }
        std::copy(worker.tree.begin(), worker.tree.end(), heads);
        if (ruled.keeps(ruling, heads, labels, n)) return plain;
    }
    Outcome outcome{};
    const bool opens = request.given == nullptr && n <= longest_open;
    const int32_t most = !opens ? 1 : higher ? 2 : 3;  // parts of all arcs would take too long, too
    for (int32_t attempt = 0; attempt <= most; ++attempt) {
        // The last one takes what there is.
        const bool last = attempt == most;
        outcome = ruled.decode(ruling, scorer, scale, time.share(last), worker.used, worker.tree.data(), last,
                               heads, labels);
        const bool has_tree = outcome.result.has_tree();
        if (last || (has_tree && outcome.result.broken == 0) || request.settings.options.stopped()) break;
        if (!opens) continue;
        const bool wider = ruled.widen(heads, has_tree, !higher && attempt == 2);
        if (higher && wider) reopen(worker);
        if (higher && !wider) attempt = most - 1;
        if (!higher && !wider) ruled.widen(heads, has_tree, true);
    }
    return outcome;
}

// Score a sentence: arcs and labels, and at higher order what is left after pruning and its parts.  What came of
// the pruning, if it left nothing.
std::optional<Outcome> FrozenModel::prepare(Worker& worker, const Request& request, bool ruled,
                                            Times& times) const {
    const Tokens& tokens = *request.tokens;
    const int32_t* given = request.given;
    const FirstPass used = request.prune ? first_pass : FirstPass();
    auto& scorer = worker.scorer;
    const bool higher = tables.order > 1;
    const auto start = Clock::now();
    worker.used = nullptr;
    scorer.record_labels(ruled);
    scorer.start(tables, tokens, used);
    if (higher) {
        worker.tree.resize(tokens.n + 1);
        const Outcome pruned = worker.pruner.prune(scorer, tables, pruner, used, for_pruning(request.settings),
                                                   {given, nullptr}, worker.kept, worker.tree.data());
        times = {seconds(start, Clock::now()), 0.0, 0.0};
        if (!pruned.result.has_tree()) return pruned;
        scorer.keep(worker.kept);
    }
    scorer.score_arcs(tables, weights);
    const auto arcs = Clock::now();
    scorer.score_labels(tables, label_weights, scale, used);
    // At higher order the pruner has left nothing else.
    if (given != nullptr && higher) scorer.allow(given);
    if (given != nullptr && !higher) scorer.hold(given);
    const auto labels = Clock::now();
    if (higher) score_parts(worker);
    times = {seconds(start, arcs) + seconds(labels, Clock::now()), 0.0, seconds(arcs, labels)};
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
    worker.scorer.score_labels(tables, label_weights, scale, FirstPass());
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
    scorer.score_labels(tables, label_weights, scale, used);
    const int64_t width = tokens.n + 1;
    std::copy_n(scorer.row(0), width * width, scores);
    if (tables.labelled()) std::copy(scorer.best_labels().begin(), scorer.best_labels().end(), labels);
    give_back(std::move(worker));
}

void FrozenModel::label(const Tokens& tokens, const int32_t* heads, int32_t* labels) {
    std::unique_ptr<Worker> worker = take();
    worker->scorer.start_labels(tables, tokens, label_weights);
    for (int32_t m = 1; m <= tokens.n; ++m) labels[m] = worker->scorer.label(heads[m], m);
    give_back(std::move(worker));
}

void FrozenModel::score_labels(const Tokens& tokens, const int32_t* heads, int32_t count, float* scores) {
    std::unique_ptr<Worker> worker = take();
    worker->scorer.start_labels(tables, tokens, label_weights);
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
