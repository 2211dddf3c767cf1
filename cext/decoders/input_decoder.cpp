#include "decoders/input_decoder.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/chaos.hpp"
#include "decoders/ranking.hpp"

namespace wnparse {

namespace {

using Clock = std::chrono::steady_clock;

// The trees among which a decoder looks for the best one.
Constraints constraints_of(const Settings& settings) {
    Constraints constraints = settings.constraints;
    if (settings.decoder == Decoder::eisner) constraints.block_degree = 1;
    return constraints;
}

}  // namespace

Outcome InputDecoder::decode(const Input& input, const Settings& settings, int32_t* heads, int32_t* labels) {
    state_ = state_open;
    Outcome outcome;
    if (input.plain()) {
        outcome = decode_checked(input.scores, settings, heads);
    } else {
        state_ = problem_.load(input);
        if (state_ != state_open) return refused();
        outcome =
            input.ruled() ? decode_ruled(input, settings, heads, labels) : decode_loaded(settings, heads, labels);
    }
    if (state_ != state_open || settings.options.stop.interrupted()) return outcome;
    state_ = !outcome.valid_scores       ? state_invalid
             : outcome.result.has_tree() ? state_decoded
             : outcome.result.feasible   ? state_limited
                                         : state_infeasible;
    return outcome;
}

Outcome InputDecoder::decode_loaded(const Settings& settings, int32_t* heads, int32_t* labels) {
    const Outcome outcome =
        decode_checked(problem_.scores(), settings, heads, problem_.parts(), problem_.labelling());
    if (labels != nullptr && outcome.result.has_tree()) problem_.write_labels(heads, labels);
    return outcome;
}

Outcome InputDecoder::decode_ruled(const Input& input, const Settings& settings, int32_t* heads, int32_t* labels) {
    const int32_t n = input.scores.n;
    const double* floors = nullptr;
    Settings known = settings;
    const chaos::Scope scope(settings.options.seeds);
    // Parts of higher order are no part of the bound, and decoders outside of the core are called for every tree.
    const bool plain = input.parts == nullptr && settings.decoder != Decoder::external;
    if (chaos::flip(plain) && plain && free_tree_.find(problem_, constraints_of(settings), own_workspace())) {
        if (free_tree_.keeps_rules(problem_)) {
            std::copy_n(free_tree_.heads(), n + 1, heads);
            for (int32_t m = 1; m <= n; ++m) labels[m] = free_tree_.label(m);
            Result result{free_tree_.score(), free_tree_.score(), 1, 1, true};
            // Of projective trees alone nothing follows for others.
            if (settings.decoder == Decoder::eisner && !settings.constraints.projective())
                result.upper_bound = std::numeric_limits<double>::infinity();
            return {result, is_certified(problem_.scores(), heads, result), true};
        }
        // The projective trees of `msa-eisner` may all be worse than this one.
        if (settings.decoder != Decoder::msa_eisner) floors = free_tree_.floors(problem_);
        if (floors != nullptr) known.options.known = free_tree_.heads();
    }
    if (!add_rules(floors)) return refused();
    return decode_loaded(known, heads, labels);
}

bool InputDecoder::add_rules(const double* floors) {
    state_ = problem_.add_rules(floors);
    if (state_ == state_overpriced) range_ = problem_.labelling()->range();
    return state_ == state_open;
}

void InputDecoder::rank(const Input& input, const Settings& settings, int64_t k, Ranked& ranked) {
    const auto start = Clock::now();
    const bool labelled = input.labels != nullptr;
    std::vector<int32_t> heads(input.scores.n + 1), labels(labelled ? input.scores.n + 1 : 0, -1);
    const Outcome first = decode(input, settings, heads.data(), labelled ? labels.data() : nullptr);
    ranked.trees.begin(input.scores.n);
    ranked.trees.unsettled = state_ == state_limited;
    if (state_ == state_decoded && k == 1) {
        ranked.trees.add(heads.data(), labelled ? labels.data() : nullptr, first.result);
        ranked.certified.push_back(first.certified);
    } else if (state_ == state_decoded) {
        Settings left = settings;
        left.options = settings.options.after(std::chrono::duration<double>(Clock::now() - start).count());
        rank_rest(input, left, k, {heads.data(), input.ruled() ? labels.data() : nullptr, first.result}, ranked);
    }
    ranked.state = state_;
    ranked.range = range_;
}

// The trees after the first, with all labels.
void InputDecoder::rank_rest(const Input& input, const Settings& settings, int64_t k, const FirstOfRanking& first,
                             Ranked& ranked) {
    if (input.plain() || input.ruled()) problem_.load(input);
    if (input.ruled() && !add_rules(nullptr)) return;
    RankedTrees& trees = ranked.trees;
    rank_after(problem_.scores(), settings, k, first.heads, first.labels, first.result, trees, problem_.parts(),
               problem_.labelling());
    if (settings.options.stop.interrupted()) return;
    state_ = state_decoded;
    for (int64_t j = 0; j < trees.count(); ++j) {
        Result& result = trees.results[j];
        result.upper_bound = std::max(result.upper_bound, result.score);
        ranked.certified.push_back(is_certified(problem_.scores(), trees.tree(j), result));
    }
    if (input.labels == nullptr || input.ruled()) return;
    const int64_t width = trees.n + 1;
    trees.labels.resize(trees.heads.size());
    for (int64_t j = 0; j < trees.count(); ++j)
        problem_.write_labels(trees.tree(j), trees.labels.data() + j * width);
}

}  // namespace wnparse
