// Exact search: branch-and-bound on the bounds of the Lagrangian relaxation.
//
// Corro et al. (2016), section 6.  Depth first; a node keeps its open arcs and the cuts with their multipliers, from
// which its children start.  The bound of a node is that of its relaxation, never above its parent's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "search.hpp"

namespace wnparse {

template <int W>
struct BranchAndBound {
    Tree<W>& tree;
    Search<W>& search = tree.search;
    int32_t visited = 0;   // nodes in all
    int32_t counted = 0;   // nodes since the first valid tree
    double dropped = minus_infinity<double>();  // largest bound of a node given up

    // Search below the root, whose relaxation has just been run; `first_only` ends at the first valid tree.  An
    // upper bound on all valid trees.
    double run(double root_bound, int32_t max_nodes, bool first_only) {
        tree.height = 0;
        branch(root_bound);
        while (tree.height > 0) {
            const bool limit = search.has_tree() && (first_only || counted >= max_nodes);
            if (limit || search.stopped()) {
                break;
            }
            visit();
        }
        double upper = std::max(search.lower, dropped);
        for (int32_t i = 0; i < tree.height; ++i) {
            upper = std::max(upper, tree.nodes[i].bound);
        }
        return upper;
    }

private:
    void visit() {
        const Node<W>& node = tree.nodes[--tree.height];
        if (node.bound <= search.floor()) {
            return;
        }
        ++visited;
        counted += search.has_tree();
        search.problem.open = node.open;
        search.problem.cuts = node.cuts;
        search.problem.price_all();
        const double bound = search.relax(search.rule.node_iterations, node.bound, search.rule.node_agility);
        if (bound > search.floor()) {
            branch(bound);
        }
    }

    // Two children: the arc is in the tree, or it is not; the first is looked at first.
    void branch(double bound) {
        int32_t m = -1, h = -1;
        choose_arc(m, h);
        if (m < 0) {
            // Every word has one head left, and relax() has looked at that tree.
            return;
        }
        Node<W>& without = push(bound);
        without.open[m].remove(h);
        Node<W>& with = push(bound);
        with.open[m] = BitSet<W>::only(h);
    }

    Node<W>& push(double bound) {
        if (static_cast<int32_t>(tree.nodes.size()) <= tree.height) {
            tree.nodes.emplace_back();
        }
        Node<W>& node = tree.nodes[tree.height++];
        node.open = search.problem.open;
        node.cuts = search.problem.cuts;
        node.bound = bound;
        return node;
    }

    // The word whose arc in the current arborescence is priced most, among those with a choice left.
    void choose_arc(int32_t& m, int32_t& h) const {
        const Relaxation<W>& problem = search.problem;
        double most = -1.0;
        for (int32_t word = 1; word <= problem.n; ++word) {
            if (!problem.open[word].more_than(1)) {
                continue;
            }
            if (m < 0) {
                m = word;
                h = problem.open[word].lowest();
            }
            const int64_t at = word * problem.width + problem.tree[word];
            const double price = problem.weight[at] - problem.theta[at];
            if (price > most && problem.open[word].has(problem.tree[word])) {
                most = price;
                m = word;
                h = problem.tree[word];
            }
        }
    }
};

template <class Score>
Result branch_and_bound(const Score* scores, int32_t n, int64_t stride, const Constraints& constraints,
                        const Options& options, int32_t* heads, SearchWorkspace& work) {
    return with_width(n, [&](auto width) {
        constexpr int W = decltype(width)::value;
        Result result;
        if (without_search<Score, W>(scores, n, stride, constraints, heads, work, result)) {
            return result;
        }
        Search<W>& search = begin_search<Score, W>(scores, n, stride, constraints, options, heads, work);
        double upper = search.relax(options.max_iterations, std::numeric_limits<double>::infinity(), search.rule.agility);
        int32_t nodes = 1;
        if (upper > search.floor() && !search.stopped()) {
            BranchAndBound<W> tree{work.tree<W>()};
            upper = tree.run(upper, options.max_nodes, false);
            nodes += tree.visited;
        }
        return finish_search(search, scores, stride, upper, nodes, heads);
    });
}

}  // namespace wnparse
