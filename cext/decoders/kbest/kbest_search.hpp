// The k best trees under structural constraints: ranking by partition, each part solved by branch-and-bound.
//
// E. L. Lawler (1972), "A procedure for computing the k best solutions to discrete optimization problems and its
// application to the shortest path problem"; K. G. Murty (1968) for the assignment problem.
//
// A part of the search space holds the trees that give the words before `word` the heads of a tree T already
// found, and `word` none of some forbidden heads; later words are free.  Once the best tree T of a part is out,
// the rest of the part falls into disjoint parts, one for each word w from `word` on: the heads of T before w,
// another than T[w] at w.
//
// The best arborescence bounds a part, O(n^2), and where it is valid it is the part's best tree.  The
// branch-and-bound runs only for a part that reaches the head of the queue without such a tree: n arborescences a
// tree, and few searches. A part may hold poor trees or none in spite of its bound, and proving that could take
// for ever.  Two things prevent it:
//  - a cutoff: of each such part one tree is known, T with another head at w.  With j trees still to come, nothing
//  below
//    the j-th best tree known is of interest, since parts are disjoint;
//  - an effort: a search that leaves a gap at its limit gives the part a better bound and sends it back to the
//  queue,
//    with a higher limit for the next time it gets to the head.
// And an allowance: what max_nodes nodes take is spent on a rank at most.  After that the best tree known of a
// part is taken for its answer, its bound stays, and a part without a tree is left over.
//
// Certificate.  Let R be the largest upper bound of the parts left over.  The trees found that weigh R at least
// are the best ones of all, in order; for the others, the j-th best tree weighs at most R.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "decoders/direct/msa.hpp"
#include "decoders/kbest/ranked_trees.hpp"
#include "decoders/search/branch_and_bound.hpp"
#include "problem/score_matrix.hpp"

namespace wnparse {

class KbestSearch {
public:
    // Appends up to k valid trees of scores[m * stride + h] in falling weight; false if `stop` ended that.
    template <class Score>
    bool run(const Score* scores, int32_t words, int64_t stride, const Constraints& wanted, const Options& given,
             int64_t k, SearchWorkspace& search, RankedTrees& trees) {
        begin(words, wanted, given, search);
        load_relative(scores, n, stride, width, weight.data());
        load(0);
        bound(0);
        while (trees.count() < k && !queue.empty()) {
            if (stopped()) return false;
            const int32_t next = pop();
            if (!parts[next].solved) {
                solve(next, k - trees.count());
                continue;
            }
            const double score = tree_score(scores, n, stride, tree_of(next));
            trees.add(tree_of(next), Result{score, parts[next].weight, iterations, nodes, true});
            allowed = spent + options.max_nodes * node_work();
            if (trees.count() < k) {
                divide(next);
            } else {
                // What the part holds besides is left over.
                rest = std::max(rest, parts[next].upper);
            }
        }
        certify(trees);
        return !stopped();
    }

private:
    // Search nodes of the first attempt at a part, and how many times more the next one has.
    static constexpr int32_t kFirstEffort = 4, kMoreEffort = 4, kMostEffort = std::numeric_limits<int32_t>::max();

    struct Part {
        double upper;    // no tree of the part weighs more
        double weight;   // of the best tree known, -inf if none is
        int64_t tree;    // its place in `found`
        int32_t parent;  // part whose best tree gives the heads before `word`; -1: none
        int32_t word;
        int32_t effort;  // nodes of its next search
        bool solved;     // the tree known is the answer for this part
        double key() const { return solved ? weight : upper; }
    };

    int32_t n = 0;
    int64_t width = 0;
    Constraints constraints{};
    Options options{};
    SearchWorkspace* work = nullptr;
    int32_t iterations = 0, nodes = 0;
    double spent = 0.0, allowed = 0.0;  // on searches, in nanoseconds by rule of thumb: the same on every machine
    double rest = 0.0;                  // upper bound of the parts that are no longer in the queue
    std::vector<double> weight;         // [n + 1][width] relative to the best of the row
    std::vector<double> theta;          // [n + 1][width] the same within a part
    std::vector<int32_t> heads;         // [n + 1]
    std::vector<int32_t> order;         // [n + 1] heads from the best to the worst
    std::vector<int32_t> found;         // [][n + 1] trees of parts
    std::vector<double> known;          // weights of the trees known
    std::vector<Part> parts;
    std::vector<int32_t> queue;  // a heap of parts

    void begin(int32_t words, const Constraints& wanted, const Options& given, SearchWorkspace& search) {
        n = words;
        width = padded(n + 1);
        constraints = wanted;
        options = given;
        work = &search;
        iterations = nodes = 0;
        spent = 0.0;
        allowed = options.max_nodes * node_work();
        rest = minus_infinity<double>();
        weight.resize((n + 1) * width);
        heads.resize(n + 1);
        found.clear();
        parts.clear();
        queue.clear();
        add_part(std::numeric_limits<double>::infinity(), -1, 1);
    }

    int32_t add_part(double upper, int32_t parent, int32_t word) {
        parts.push_back({upper, minus_infinity<double>(), -1, parent, word, kFirstEffort, false});
        return static_cast<int32_t>(parts.size()) - 1;
    }

    double node_work() const { return BranchAndBound<1>::kNodeWork + BranchAndBound<1>::kNodeWorkPerWord * n; }
    bool stopped() const { return options.stop != nullptr && *options.stop != 0; }
    const int32_t* tree_of(int32_t part) const { return found.data() + parts[part].tree; }

    // A solved part goes before a bound of the same weight.
    bool less(int32_t first, int32_t second) const {
        const double a = parts[first].key(), b = parts[second].key();
        return a < b || (a == b && !parts[first].solved && parts[second].solved);
    }

    void push(int32_t part) {
        queue.push_back(part);
        std::push_heap(queue.begin(), queue.end(), [this](int32_t a, int32_t b) { return less(a, b); });
    }

    int32_t pop() {
        std::pop_heap(queue.begin(), queue.end(), [this](int32_t a, int32_t b) { return less(a, b); });
        const int32_t part = queue.back();
        queue.pop_back();
        return part;
    }

    void force(int32_t m, int32_t h) {
        double* row = theta.data() + m * width;
        const double kept = weight[m * width + h];
        std::fill_n(row, width, minus_infinity<double>());
        row[h] = kept;
    }

    void forbid(int32_t m, int32_t h) { theta[m * width + h] = minus_infinity<double>(); }

    // Theta of a part.  Heads forbidden to its word in the parts above are still so where that word is the same.
    void load(int32_t part) {
        theta = weight;
        const int32_t word = parts[part].word;
        for (int32_t m = 1; m < word; ++m) force(m, tree_of(parts[part].parent)[m]);
        for (int32_t at = part; parts[at].parent >= 0 && parts[at].word == word; at = parts[at].parent)
            forbid(word, tree_of(parts[at].parent)[word]);
    }

    double weight_of(const int32_t* tree) const {
        double sum = 0.0;
        for (int32_t m = 1; m <= n; ++m) sum += weight[m * width + tree[m]];
        return sum;
    }

    // The tree in `heads` is the best known of a part.
    void keep(Part& part, double tree_weight) {
        part.tree = static_cast<int64_t>(found.size());
        part.weight = tree_weight;
        found.insert(found.end(), heads.begin(), heads.end());
    }

    bool is_valid(const int32_t* tree) {
        bool valid = false;
        with_width(n, [&](auto bits) {
            auto& structure = work->tree<decltype(bits)::value>().search.problem.structure;
            structure.reserve(n);
            structure.close(tree);
            valid = structure.is_valid(constraints) &&
                    (!constraints.single_root || n == 0 || has_single_root(tree, n));
            return Result();
        });
        return valid;
    }

    // Queue a part, whose theta is loaded, with the bound of its best arborescence, unless it is empty.
    void bound(int32_t part) {
        ++iterations;
        if (!msa(theta.data(), n, width, constraints.single_root, heads.data(), work->msa<double>())) return;
        const double most = weight_of(heads.data());
        parts[part].upper = std::min(parts[part].upper, most);
        if (is_valid(heads.data())) {
            keep(parts[part], most);
            parts[part].solved = true;
        } else if (parts[part].parent >= 0) {
            find_neighbour(part);
        }
        push(part);
    }

    // The parent's tree with the best head at `word` that makes a valid tree of this part.
    void find_neighbour(int32_t part) {
        const int32_t word = parts[part].word;
        const double* row = theta.data() + word * width;
        const int32_t* tree = tree_of(parts[part].parent);
        std::copy(tree, tree + n + 1, heads.begin());
        order.clear();
        for (int32_t h = 0; h <= n; ++h)
            if (row[h] > minus_infinity<double>() && !descends(h, word)) order.push_back(h);
        std::sort(order.begin(), order.end(), [row](int32_t a, int32_t b) { return row[a] > row[b]; });
        for (const int32_t h : order) {
            heads[word] = h;
            if (is_valid(heads.data())) {
                keep(parts[part], weight_of(heads.data()));
                return;
            }
        }
    }

    // Whether h is `word` or lies below it in `heads`.
    bool descends(int32_t h, int32_t word) const {
        while (h > 0 && h != word) h = heads[h];
        return h == word;
    }

    // The weight of the j-th best tree known in the queue and in `part`; -inf if there are not as many.
    double cutoff(int32_t part, int64_t j) {
        known.assign(1, parts[part].weight);
        for (const int32_t other : queue) known.push_back(parts[other].weight);
        if (static_cast<int64_t>(known.size()) < j) return minus_infinity<double>();
        std::nth_element(known.begin(), known.begin() + (j - 1), known.end(), std::greater<double>());
        return known[j - 1];
    }

    // Branch-and-bound within a part, as far as its effort goes; `wanted` trees are still to come.
    void solve(int32_t part, int64_t wanted) {
        if (part > 0 && spent >= allowed) {
            settle(part);
            return;
        }
        load(part);
        Options limited = options;
        limited.max_nodes = std::min(options.max_nodes, parts[part].effort);
        limited.cutoff = cutoff(part, wanted);
        if (parts[part].tree >= 0) limited.known = tree_of(part);
        // Whether there is a tree at all is settled for the whole, whatever it takes.
        limited.first_turns = part == 0 ? 0 : parts[part].effort / kFirstEffort;
        const Result result = branch_and_bound(theta.data(), n, width, constraints, limited, heads.data(), *work);
        iterations += result.iterations;
        nodes += result.nodes;
        spent += node_work() * result.iterations / work->rule.node_iterations;
        if (result.score == minus_infinity<double>())
            spent += FirstTree<1>::kTurnWork * n * n * limited.first_turns;
        if (stopped()) return;
        Part& tried = parts[part];
        const double best = result.feasible ? result.score : minus_infinity<double>();
        if (best > tried.weight) keep(tried, weight_of(heads.data()));
        const bool searched = !result.feasible || result.upper_bound <= best;
        const double reached = std::max(searched ? limited.cutoff : result.upper_bound, tried.weight);
        tried.upper = std::min(tried.upper, reached);
        if (searched && tried.weight < limited.cutoff) {
            rest = std::max(rest, tried.upper);
            return;
        }
        tried.solved =
            tried.weight > minus_infinity<double>() && (searched || limited.max_nodes == options.max_nodes);
        tried.effort = tried.effort > kMostEffort / kMoreEffort ? kMostEffort : tried.effort * kMoreEffort;
        if (tried.solved || !searched) push(part);
    }

    // Nothing more is spent on a part.
    void settle(int32_t part) {
        parts[part].solved = parts[part].weight > minus_infinity<double>();
        if (parts[part].solved)
            push(part);
        else
            rest = std::max(rest, parts[part].upper);
    }

    // The part without its best tree.
    void divide(int32_t part) {
        load(part);
        for (int32_t word = parts[part].word; word <= n; ++word) {
            const int32_t h = tree_of(part)[word];
            forbid(word, h);
            bound(add_part(parts[part].upper, part, word));
            force(word, h);
        }
    }

    // Turn the weights that the trees carry as their bounds into upper bounds on the j-th best score.
    void certify(RankedTrees& trees) const {
        double most = rest;
        for (const int32_t part : queue) most = std::max(most, parts[part].upper);
        for (Result& result : trees.results) {
            const double gap = most - result.upper_bound;
            result.upper_bound = gap > 0.0 ? result.score + gap : result.score;
        }
    }
};

}  // namespace wnparse
