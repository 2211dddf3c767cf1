// The root of the search: the relaxation, and a first valid tree.
//
// Corro et al. (2016), section 5.3: the best arborescence, if valid, is the answer, and nothing here is called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/chaos.hpp"
#include "decoders/direct/direct.hpp"
#include "decoders/search/search_tree.hpp"
#include "problem/objective.hpp"
#include "problem/result.hpp"

namespace wnparse {

// The constants of the loop that suit a problem.
inline StepRule step_rule_of(const Problem& problem) {
    return problem.parts != nullptr       ? parts_step_rule()
           : problem.labelling != nullptr ? labels_step_rule()
                                          : StepRule();
}

// Where rules wait and the best tree so far breaks one: the relaxation once more, under them.  `upper` bounds all
// trees, before and after; true if there is something new to search.
template <int W>
bool relax_under_rules(SearchState<W>& state, double& upper) {
    if (!state.rules_wait() || state.keeps_rules()) return false;
    // Nothing was left that is better than the incumbent, which is out now.
    if (state.has_tree()) upper = std::max(upper, state.floor());
    state.begin_rules();
    if (state.has_tree()) upper = state.relax(state.options().max_iterations, upper);
    return true;
}

// The relaxation at the root; an upper bound on all valid trees.  `heads` holds the best arborescence.  Where that
// violates one cut alone, its repair is most often the best tree, proved in an iteration or two; Eisner's tree is
// made for the others.
template <int W>
double relax_root(const Problem& problem, const Options& options, const StepRule& step_rule, int32_t* heads,
                  SearchState<W>& state, DirectWorkspace& direct) {
    state.start(problem, options, step_rule, heads);
    double upper = std::numeric_limits<double>::infinity();
    int32_t left = options.max_iterations;
    if (!problem.plain()) {
        state.consider(heads);
        if (!state.has_tree() &&
            best_projective_tree(problem.scores, problem.constraints.single_root, heads, direct, options.stop))
            state.offer(heads);
        upper = state.relax(left, upper);
        relax_under_rules(state, upper);
        return upper;
    }
    if (chaos::flip(options.local_search) && state.repair_one(heads)) {
        const int32_t early = std::min(step_rule.early, left);
        upper = state.relax(early, upper);
        left -= early;
        if (upper <= state.floor() || state.stopped()) return upper;
    }
    if (best_projective_tree(problem.scores, problem.constraints.single_root, heads, direct, options.stop))
        state.offer(heads);
    return state.relax(left, upper);
}

// Where the root has met no valid tree: find one and relax again, or prove that there is none, and the bound is
// -inf.
template <int W>
double seek_first_tree(SearchTree<W>& tree, double upper, int32_t& nodes) {
    SearchState<W>& state = tree.state;
    if (state.has_tree() || upper <= state.floor() || state.stopped()) return upper;
    const SearchEnd end = tree.first.run(state.space(), state.options().first_turns);
    nodes += tree.first.nodes();
    if (end != SearchEnd::found) return end == SearchEnd::infeasible ? minus_infinity<double>() : upper;
    state.narrow(tree.first.open());
    state.offer(tree.first.tree().data());
    return state.relax(state.options().max_iterations, upper);
}

// The incumbent as the answer; `upper` bounds the value of every valid tree.
template <int W>
Result finish_search(SearchState<W>& state, const Problem& problem, double upper, int32_t nodes, int32_t* heads) {
    if (!state.has_tree()) {
        // Proved that there is none, none above the cutoff, or stopped before the first valid tree.
        const double above = upper > state.floor() ? state.objective().offset() + upper : minus_infinity<double>();
        return {minus_infinity<double>(), above, state.iterations(), nodes, above > minus_infinity<double>()};
    }
    const std::vector<int32_t>& best = state.incumbent().heads;
    std::copy(best.begin(), best.end(), heads);
    const double score = state.has_labels() ? state.publish_labels() : tree_score(problem, heads);
    const double gap = upper <= state.floor() ? 0.0 : upper - state.lower();
    return {score, score + gap, state.iterations(), nodes, true, 0.0, state.incumbent().broken};
}

}  // namespace wnparse
