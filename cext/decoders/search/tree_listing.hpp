// All trees above a cutoff, for a ranking of trees with parts of higher order.
//
// The relaxation gives multipliers u at which L(u) is the value of the best tree, or close to it, and closes the
// arcs that no tree above the cutoff uses.  Where few trees are left, they are listed one by one (few_trees.hpp).
// Where there are too many, an arc divides them in two, as in branch-and-bound, and each half starts from the
// multipliers of both.  The cutoff rises with the trees that are found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/chaos.hpp"
#include "decoders/search/few_trees.hpp"
#include "decoders/search/root.hpp"
#include "decoders/search/search_tree.hpp"

namespace wnparse {

template <int W>
class TreeListing {
public:
    TreeListing(SearchTree<W>& tree, FewTrees& few, const ListVisitor& visit)
        : tree_(tree), state_(tree.state), few_(few), visit_(visit) {}

    // options.known is the best tree.  False if there are too many trees, or the time is over.
    bool run(const Problem& problem, const Options& options) {
        Options limited = options;
        limited.local_search = false;  // the best tree is known
        StepRule step_rule = step_rule_of(problem);
        step_rule.least_agility = step_rule.branching_agility;
        state_.start(problem, limited, step_rule, options.known);
        state_.rank_above(options.cutoff);
        tree_.nodes.clear();
        int32_t left = chaos::count(0, kMostNodes);
        bool listed = left > 0 && list(relax_root(options.max_iterations));
        while (listed && !tree_.nodes.empty()) {
            const Node<W>& node = tree_.nodes.pop();
            if (!state_.is_above_cutoff(node.bound)) continue;
            const double bound = node.bound;
            state_.enter(node.open, node.cuts, node.shares, node.rules);
            state_.restart(options.known);
            listed =
                --left > 0 && list(state_.relax(std::min(step_rule.below_root, options.max_iterations), bound));
        }
        return listed && !state_.stopped();
    }

private:
    static constexpr int32_t kMostNodes = 64;

    // Rules are priced if the best tree breaks one with the best labels.
    double relax_root(int32_t limit) {
        const double bound = state_.relax(limit, std::numeric_limits<double>::infinity());
        if (!state_.rules_wait() || !state_.is_above_cutoff(bound) || state_.keeps_rules()) return bound;
        state_.begin_rules();
        return state_.relax(limit, bound);
    }

    // List the trees of the node whose relaxation has just been run, or divide them.
    bool list(double bound) {
        if (state_.stopped()) return false;
        if (!state_.is_above_cutoff(bound) || !find_slacks()) return true;
        const auto visit = [&](const int32_t* heads, double value) {
            const double cutoff = visit_(heads, value + state_.objective().offset());
            state_.rank_above(cutoff);
            return cutoff - state_.objective().offset();
        };
        if (few_.run(state_.objective(), slacks_, visit)) return true;
        const Arc arc = few_.closest();
        if (arc.m == 0) return false;
        bound = std::min(bound, slacks_.bound);
        tree_.nodes.push(state_, bound).open[arc.m].remove(arc.h);
        tree_.nodes.push(state_, bound).open[arc.m] = BitSet<W>::only(arc.h);
        return true;
    }

    // What the bound loses by each arc.  False if no tree is left.
    bool find_slacks() {
        const int32_t n = state_.words();
        slacks_.width = n + 1;
        slacks_.slack.assign((n + 1) * (n + 1), {minus_infinity<double>(), 0.0, 0.0});
        if (!state_.visit_slacks([&](Arc arc, double of_tree, const auto& of_automata) {
                slacks_.slack[arc.m * (n + 1) + arc.h] = {of_tree, of_automata.of_head, of_automata.of_modifier};
            }))
            return false;
        slacks_.bound = state_.bound();
        slacks_.cutoff = state_.cutoff();
        return true;
    }

    SearchTree<W>& tree_;
    SearchState<W>& state_;
    FewTrees& few_;
    const ListVisitor& visit_;
    ArcSlacks slacks_;
};

}  // namespace wnparse
