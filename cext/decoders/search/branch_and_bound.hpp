// Exact search: branch-and-bound on the bounds of the Lagrangian relaxation.
//
// Corro et al. (2016), section 6.  Depth first; a node keeps its open arcs and the cuts with their multipliers,
// from which its children start.  The bound of a node is that of its relaxation, never above its parent's.
#pragma once

#include <algorithm>
#include <cstdint>

#include "decoders/search/root.hpp"

namespace wnparse {

template <int W>
struct BranchAndBound {
    // Cost of a node in nanoseconds, the unit of Chart::work.
    static constexpr double kNodeWork = 10000.0, kNodeWorkPerWord = 1000.0;

    using Chart = GapChart<BestWeights>;

    Tree<W>& tree;
    Search<W>& search = tree.search;
    std::vector<int32_t> chart_tree{};  // [n + 1]
    int32_t visited = 0;                // nodes
    bool charted = false;               // the chart has been asked

    // Search below the root, whose relaxation has just been run and has an incumbent.  An upper bound on all valid
    // trees.
    double run(double root_bound, int32_t max_nodes) {
        tree.height = 0;
        branch(root_bound);
        while (tree.height > 0 && visited < max_nodes && !search.stopped()) {
            if (chart_is_due() && ask_chart()) return search.lower;
            visit();
        }
        double upper = search.lower;
        for (int32_t i = 0; i < tree.height; ++i) upper = std::max(upper, tree.nodes[i].bound);
        return upper;
    }

private:
    // The chart solves block degree 2 with nesting outright.  Its cost is known beforehand, that of the search is
    // not: waiting until as much has been spent on nodes costs at most twice the cheaper of both.  The paper's own
    // method does without.
    bool chart_is_due() const {
        const Constraints& constraints = search.problem.constraints;
        const double spent = visited * (kNodeWork + kNodeWorkPerWord * search.problem.n);
        return !charted && constraints.block_degree == 2 && constraints.well_nested &&
               search.problem.n <= Chart::kMostWords && !search.options.paper_cuts &&
               !search.options.paper_fixing && spent >= Chart::work(search.problem.n);
    }

    // True if that settles the problem.
    bool ask_chart() {
        const Relaxation<W>& problem = search.problem;
        charted = true;
        chart_tree.resize(problem.n + 1);
        const Chart::Outcome outcome =
            tree.chart.run({problem.weight.data(), problem.width, problem.n}, problem.constraints.single_root,
                           search.options.stop, chart_tree.data());
        if (outcome == Chart::Outcome::found) search.accept(chart_tree.data());
        return outcome != Chart::Outcome::stopped;
    }

    void visit() {
        const Node<W>& node = tree.nodes[--tree.height];
        if (node.bound <= search.floor()) return;
        ++visited;
        search.problem.open = node.open;
        search.problem.cuts = node.cuts;
        search.problem.price_all();
        const int32_t limit = std::min(search.rule.node_iterations, search.options.max_iterations);
        const double bound = search.relax(limit, node.bound);
        if (bound > search.floor()) branch(bound);
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
        if (static_cast<int32_t>(tree.nodes.size()) <= tree.height) tree.nodes.emplace_back();
        Node<W>& node = tree.nodes[tree.height++];
        node.open = search.problem.open;
        node.cuts = search.problem.cuts;
        node.bound = bound;
        return node;
    }

    // The arc on which the last trees of the relaxation disagree most, weighted by its price: an arc that is in
    // half of them and pays much is what the multipliers could not settle.
    void choose_arc(int32_t& m, int32_t& h) const {
        const Relaxation<W>& problem = search.problem;
        const int32_t trees = std::min(search.recent_count, search.kRecent);
        double most = -1.0;
        for (int32_t word = 1; word <= problem.n; ++word) {
            if (!problem.open[word].more_than(1)) continue;
            BitSet<W> seen = BitSet<W>::none();
            for (int32_t i = 0; i < trees; ++i) {
                const int32_t head = search.recent[i * (problem.n + 1) + word];
                if (seen.has(head) || !problem.open[word].has(head)) continue;
                seen.add(head);
                const double value = disagreement(word, head, trees);
                if (value > most) {
                    most = value;
                    m = word;
                    h = head;
                }
            }
            if (m < 0) {
                m = word;
                h = problem.open[word].lowest();
            }
        }
    }

    double disagreement(int32_t m, int32_t h, int32_t trees) const {
        const Relaxation<W>& problem = search.problem;
        int32_t with = 0;
        for (int32_t i = 0; i < trees; ++i) with += search.recent[i * (problem.n + 1) + m] == h;
        const int64_t arc = m * problem.width + h;
        return std::min(with, trees - with) * (problem.weight[arc] - problem.theta[arc]);
    }
};

template <class Score>
Result branch_and_bound(const Score* scores, int32_t n, int64_t stride, const Constraints& constraints,
                        const Options& options, int32_t* heads, SearchWorkspace& work) {
    return with_width(n, [&](auto width) {
        constexpr int W = decltype(width)::value;
        Result result;
        if (without_search<Score, W>(scores, n, stride, constraints, heads, work, result)) return result;
        Search<W>& search = work.tree<W>().search;
        Rule rule = work.rule;
        if (options.local_search) rule.least_agility = rule.branching_agility;
        double upper = relax_root<Score, W>(scores, n, stride, constraints, options, heads, work, rule);
        int32_t nodes = 1;
        upper = seek_first_tree(work.tree<W>(), upper, nodes);
        if (search.has_tree() && upper > search.floor() && !search.stopped()) {
            BranchAndBound<W> tree{work.tree<W>()};
            upper = tree.run(upper, options.max_nodes);
            nodes += tree.visited;
        }
        return finish_search(search, scores, stride, upper, nodes, heads);
    });
}

}  // namespace wnparse
