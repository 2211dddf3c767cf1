// The k best trees under structural constraints: ranking by partition, each part solved by branch-and-bound.
//
// E. L. Lawler (1972), "A procedure for computing the k best solutions to discrete optimization problems and its
// application to the shortest path problem"; K. G. Murty (1968) for the assignment problem.
//
// A part of the search space holds the trees that give the words before `word` the heads of a tree T already found, and
// `word` none of some forbidden heads; later words are free.  Once the best tree T of a part is out, the rest of the
// part falls into disjoint parts, one for each word w from `word` on: the heads of T before w, another than T[w] at w.
//
// The best arborescence bounds a part, O(n^2), and where it is valid it is the part's best tree.  The branch-and-bound
// runs only for a part that reaches the head of the queue without such a tree: n arborescences a tree, and few searches.
//
// Certificate.  Let R be the largest upper bound of the parts left over.  The trees found that weigh R at least are the
// best ones of all, in order; for the others, the j-th best tree weighs at most R.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "branch_and_bound.hpp"
#include "kbest_trees.hpp"
#include "msa.hpp"
#include "scores.hpp"

namespace wnparse {

class KbestSearch {
public:
    // Appends up to k valid trees of scores[m * stride + h] in falling weight; false if `stop` ended that.
    template <class Score>
    bool run(const Score* scores, int32_t words, int64_t stride, const Constraints& wanted, const Options& given,
             int64_t k, SearchWorkspace& search, KbestTrees& trees) {
        begin(words, wanted, given, search);
        load_relative(scores, n, stride, width, weight.data());
        load(0);
        bound(0);
        while (trees.count() < k && !queue.empty()) {
            if (stopped()) {
                return false;
            }
            const int32_t next = pop();
            if (!parts[next].solved) {
                solve(next);
                continue;
            }
            const double score = tree_score(scores, n, stride, tree_of(next));
            trees.add(tree_of(next), Result{score, parts[next].weight, iterations, nodes, true});
            if (trees.count() < k) {
                divide(next);
            } else {
                // What the part holds besides is left over.
                queue.push_back(next);
            }
        }
        certify(trees);
        return !stopped();
    }

private:
    struct Part {
        double upper;    // no tree of the part weighs more
        double weight;   // of its best tree, if solved
        int64_t tree;    // place of that tree in `found`; -1: not solved
        int32_t parent;  // part whose best tree gives the heads before `word`; -1: none
        int32_t word;
        bool solved;
        double key() const { return solved ? weight : upper; }
    };

    int32_t n = 0;
    int64_t width = 0;
    Constraints constraints{};
    Options options{};
    SearchWorkspace* work = nullptr;
    int32_t iterations = 0, nodes = 0;
    std::vector<double> weight;   // [n + 1][width] relative to the best of the row
    std::vector<double> theta;    // [n + 1][width] the same within a part
    std::vector<int32_t> heads;   // [n + 1]
    std::vector<int32_t> found;   // [][n + 1] best trees of parts
    std::vector<Part> parts;
    std::vector<int32_t> queue;   // a heap of parts

    void begin(int32_t words, const Constraints& wanted, const Options& given, SearchWorkspace& search) {
        n = words;
        width = padded(n + 1);
        constraints = wanted;
        options = given;
        work = &search;
        iterations = nodes = 0;
        weight.resize((n + 1) * width);
        heads.resize(n + 1);
        found.clear();
        parts.clear();
        queue.clear();
        parts.push_back({std::numeric_limits<double>::infinity(), 0.0, -1, -1, 1, false});
    }

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
        for (int32_t m = 1; m < word; ++m) {
            force(m, tree_of(parts[part].parent)[m]);
        }
        for (int32_t at = part; parts[at].parent >= 0 && parts[at].word == word; at = parts[at].parent) {
            forbid(word, tree_of(parts[at].parent)[word]);
        }
    }

    double weight_of(const int32_t* tree) const {
        double sum = 0.0;
        for (int32_t m = 1; m <= n; ++m) {
            sum += weight[m * width + tree[m]];
        }
        return sum;
    }

    void keep(Part& part, const int32_t* tree, double tree_weight) {
        part.tree = static_cast<int64_t>(found.size());
        part.weight = tree_weight;
        part.solved = true;
        found.insert(found.end(), tree, tree + n + 1);
    }

    bool is_valid(const int32_t* tree) {
        bool valid = false;
        with_width(n, [&](auto bits) {
            auto& structure = work->tree<decltype(bits)::value>().search.problem.structure;
            structure.reserve(n);
            structure.close(tree);
            valid = structure.is_valid(constraints);
            return Result();
        });
        return valid;
    }

    // Queue a part, whose theta is loaded, with the bound of its best arborescence, unless it is empty.
    void bound(int32_t part) {
        ++iterations;
        if (!msa(theta.data(), n, width, constraints.single_root, heads.data(), work->msa<double>())) {
            return;
        }
        const double most = weight_of(heads.data());
        if (is_valid(heads.data())) {
            keep(parts[part], heads.data(), most);
            parts[part].upper = most;
        } else {
            parts[part].upper = std::min(parts[part].upper, most);
        }
        push(part);
    }

    // Branch-and-bound within a part.
    void solve(int32_t part) {
        load(part);
        const Result result =
            branch_and_bound(theta.data(), n, width, constraints, options, heads.data(), *work);
        iterations += result.iterations;
        nodes += result.nodes;
        if (!result.feasible || stopped()) {
            return;
        }
        Part& solved = parts[part];
        keep(solved, heads.data(), weight_of(heads.data()));
        const double gap = result.upper_bound - result.score;
        solved.upper = gap > 0.0 ? std::max(solved.weight, std::min(solved.upper, solved.weight + gap)) : solved.weight;
        push(part);
    }

    // The part without its best tree.
    void divide(int32_t part) {
        load(part);
        for (int32_t word = parts[part].word; word <= n; ++word) {
            const int32_t h = tree_of(part)[word];
            forbid(word, h);
            parts.push_back({parts[part].upper, 0.0, -1, part, word, false});
            bound(static_cast<int32_t>(parts.size()) - 1);
            force(word, h);
        }
    }

    // Turn the weights that the trees carry as their bounds into upper bounds on the j-th best score.
    void certify(KbestTrees& trees) const {
        double rest = minus_infinity<double>();
        for (const int32_t part : queue) {
            rest = std::max(rest, parts[part].upper);
        }
        for (Result& result : trees.results) {
            const double gap = rest - result.upper_bound;
            result.upper_bound = gap > 0.0 ? result.score + gap : result.score;
        }
    }
};

}  // namespace wnparse
