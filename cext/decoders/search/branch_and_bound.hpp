// Exact search: branch-and-bound on the bounds of the Lagrangian relaxation.
//
// Corro et al. (2016), section 6.  Depth first, but for long searches; a node keeps its open arcs and the cuts
// with their multipliers, from which its children start.  The bound of a node is that of its relaxation, never
// above its parent's.
//
// The search proves that no tree is better than the incumbent because every node is either divided in two, which
// share out its trees, or closed for one of three reasons (`Closed`).
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/search/branching_arc.hpp"
#include "decoders/search/branching_label.hpp"
#include "decoders/search/root.hpp"
#include "problem/work.hpp"

namespace wnparse {

// Why a node holds no tree that is better than the incumbent.
struct BoundReached {
    double bound;  // of all its trees; at most SearchState::floor()
};
struct NoTreeLeft {};   // proved by the relaxation
struct OneTreeLeft {};  // every word has one head left and, under rules, one label: the tree is evaluated
using Closed = std::variant<BoundReached, NoTreeLeft, OneTreeLeft>;

template <int W>
class BranchAndBound {
public:
    explicit BranchAndBound(SearchTree<W>& tree) : tree_(tree), state_(tree.state) {}

    int32_t visited() const { return visited_; }  // nodes

    // Search below the root, whose relaxation has just been run and has an incumbent.  An upper bound on all valid
    // trees.
    double run(double root_bound, int32_t max_nodes) {
        tree_.nodes.clear();
        left_open_ = minus_infinity<double>();
        expand(root_bound);
        while (!tree_.nodes.empty() && visited_ < max_nodes && !state_.stopped()) {
            if (chart_is_due() && ask_chart()) return state_.lower();
            if (state_.incumbent().broken > 0 && visited_ >= state_.options().broken_nodes) break;
            visit();
        }
        return std::max(tree_.nodes.highest(state_.lower()), left_open_);
    }

private:
    using Chart = GapChart<BestWeights>;

    // The chart solves block degree 2 with nesting outright.  Its cost is known beforehand, that of the search is
    // not: waiting until as much has been spent on nodes costs at most twice the cheaper of both.  The paper's own
    // method does without.
    bool chart_is_due() const {
        const Constraints& constraints = state_.constraints();
        const double spent = visited_ * node_work(state_.words());
        return !charted_ && !state_.has_parts() && !state_.has_labels() && constraints.block_degree == 2 &&
               constraints.well_nested && state_.words() <= Chart::kMostWords && !state_.options().paper_cuts &&
               !state_.options().paper_fixing && chaos::seldom(spent >= Chart::work(state_.words()), 16);
    }

    // True if that settles the problem.
    bool ask_chart() {
        const Objective& objective = state_.objective();
        charted_ = true;
        chart_tree_.resize(objective.words() + 1);
        const SearchEnd end =
            tree_.chart.run({objective.rows(), objective.width(), objective.words()},
                            state_.constraints().single_root, state_.options().stop, chart_tree_.data());
        if (end == SearchEnd::found) state_.accept(chart_tree_.data());
        return end != SearchEnd::stopped;
    }

    // Depth first finds trees, and settles most sentences in a few nodes.  In a longer search the other child of
    // the root would stay open to the end, and with it the bound: every second node is then one of the highest
    // bound, as long as the open nodes take little memory.  The paper's own method is depth first.
    bool highest_is_due() const {
        constexpr int32_t alone = 16;
        constexpr int64_t most_open = 1000, most_bytes = 1 << 24;
        const int64_t bytes = int64_t{state_.words() + 1} * sizeof(BitSet<W>);
        const bool paper = state_.options().paper_cuts || state_.options().paper_fixing;
        return !paper && visited_ >= alone && visited_ % 2 == 0 &&
               tree_.nodes.height() < std::min(most_open, most_bytes / bytes);
    }

    void visit() {
        if (chaos::on())
            tree_.nodes.raise(chaos::place(0, tree_.nodes.height()));
        else if (highest_is_due())
            tree_.nodes.raise(tree_.nodes.highest_place());
        const Node<W>& node = tree_.nodes.pop();
        if (node.bound <= state_.floor()) return close(BoundReached{node.bound});
        ++visited_;
        state_.enter(node.open, node.cuts, node.shares, node.rules);
        const int32_t limit = std::min(state_.step_rule().below_root, state_.options().max_iterations);
        expand(state_.relax(limit, node.bound));
    }

    // The node whose relaxation has just been run, with this bound: close it, or divide it in two.
    void expand(double bound) {
        if (bound == minus_infinity<double>()) return close(NoTreeLeft{});
        if (bound <= state_.floor()) return close(BoundReached{bound});
        bound = chaos::raise(bound, state_.unit());
        const Arc arc = BranchingArc<W>(state_).choose();
        if (state_.has_rules() && branch_on_label(arc, bound)) return;
        if (arc.m < 0) return close(OneTreeLeft{});
        // The arc is in the tree, or it is not; the first is looked at first.
        tree_.nodes.push(state_, bound).open[arc.m].remove(arc.h);
        tree_.nodes.push(state_, bound).open[arc.m] = BitSet<W>::only(arc.h);
    }

    // The only way to drop a node.
    void close(const Closed& reason) {
        // A bound above the floor closes nothing: the node stays open in the bound of the search.
        if (const BoundReached* reached = std::get_if<BoundReached>(&reason)) {
            if (reached->bound > state_.floor()) left_open_ = std::max(left_open_, reached->bound);
        }
        // Arcs were fixed to zero after the relaxation looked at its last tree: this one may be new.
        if (std::holds_alternative<OneTreeLeft>(reason)) state_.accept_only_tree();
    }

    // Where the last solutions agree on heads but not on a label, or words have no other choice left: two
    // children, the labelled arc is in the tree or it is not.  False if heads are to be decided first.
    bool branch_on_label(Arc arc, double bound) {
        const BranchingLabel<W> branching(state_);
        if (arc.m >= 0 && chaos::flip(!branching.first(arc))) return false;
        const LabelledWord word = branching.choose();
        if (word.m < 0) return false;
        Node<W>& without = tree_.nodes.push(state_, bound);
        without.rules.fixed_to_zero.push_back(word.choice);
        Node<W>& with = tree_.nodes.push(state_, bound);
        with.open[word.m] = BitSet<W>::only(word.h);
        const auto& labelled = state_.labelling().arc(word.h, word.m);
        for (int32_t i = labelled.begin; i < labelled.end; ++i)
            if (i != word.choice && !state_.rule_prices().is_fixed_to_zero(i))
                with.rules.fixed_to_zero.push_back(i);
        return true;
    }

    SearchTree<W>& tree_;
    SearchState<W>& state_;
    std::vector<int32_t> chart_tree_;  // [n + 1]
    int32_t visited_ = 0;
    double left_open_ = minus_infinity<double>();  // the highest bound of a node that could not be closed
    bool charted_ = false;                         // the chart has been asked
};

// `heads` holds the best arborescence, which is not valid.
template <int W>
Result branch_and_bound(const Problem& problem, const Options& options, int32_t* heads, SearchTree<W>& tree,
                        DirectWorkspace& direct) {
    StepRule step_rule = step_rule_of(problem);
    if (options.local_search) step_rule.least_agility = step_rule.branching_agility;
    int32_t nodes = 1;
    double upper = relax_root(problem, options, step_rule, heads, tree.state, direct);
    upper = seek_first_tree(tree, upper, nodes);
    do {
        if (!tree.state.has_tree() || upper <= tree.state.floor() || tree.state.stopped()) continue;
        BranchAndBound<W> search(tree);
        upper = search.run(upper, std::max(0, options.max_nodes - (nodes - 1)));
        nodes += search.visited();
    } while (relax_under_rules(tree.state, upper));
    return finish_search(tree.state, problem, upper, nodes, heads);
}

}  // namespace wnparse
