// The k best trees under structural constraints: ranking by partition, each subspace solved by branch-and-bound.
//
// E. L. Lawler (1972), "A procedure for computing the k best solutions to discrete optimization problems and its
// application to the shortest path problem"; K. G. Murty (1968) for the assignment problem.
//
// A subspace of the search space holds the trees that give the words before `word` the heads of a tree T already
// found, and `word` none of some forbidden heads; later words are free.  Once the best tree T of a subspace is
// out, the rest of the subspace falls into disjoint subspaces, one for each word w from `word` on: the heads of T
// before w, another than T[w] at w.
//
// The best arborescence bounds a subspace, O(n^2), and where it is valid it is the subspace's best tree.  The
// branch-and-bound runs only for a subspace that reaches the head of the queue without such a tree: n
// arborescences a tree, and few searches. A subspace may hold poor trees or none in spite of its bound, and
// proving that could take for ever.  Two things prevent it:
//  - a cutoff: of each such subspace one tree is known, T with another head at w.  With j trees still to come,
//    nothing below the j-th best tree known is of interest, since subspaces are disjoint;
//  - an effort: a search that leaves a gap at its limit gives the subspace a better bound and sends it back to the
//    queue, with a higher limit for the next time it gets to the head.
// And an allowance: what max_nodes nodes take is spent on a rank at most.  After that the best tree known of a
// subspace is taken for its answer, its bound stays, and a subspace without a tree is left over.
//
// With parts of higher order an arborescence bounds nothing.  There the relaxation closes the arcs that none of
// the k best trees has, and the trees that are left are subspaces of their own (tree_listing.hpp), unless they are
// too many.
//
// Certificate.  Let R be the largest upper bound of the subspaces left over.  The trees found that weigh R at
// least are the best ones of all, in order; for the others, the j-th best tree weighs at most R.
//
// Under rules a weight counts what broken rules cost, so that trees that break fewer hard ones come first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/kbest/ranked_trees.hpp"
#include "decoders/rules/label_search.hpp"
#include "decoders/search/search.hpp"
#include "problem/objective.hpp"
#include "problem/work.hpp"

namespace wnparse {

// The first tree of a ranking, found before: heads and labels, [n + 1] each, nullptr without labels.
struct FirstOfRanking {
    const int32_t* heads;
    const int32_t* labels;
    const Result& result;
};

class KbestSearch {
public:
    // Appends up to k valid trees in falling value; those known so far if `stop` ended that.
    void run(const Problem& problem, int64_t k, const Options& given, const FirstOfRanking& first,
             SearchWorkspace& workspace, RankedTrees& trees) {
        begin(problem, given, first, workspace);
        if (parts != nullptr && n > 0) list_trees(k);
        while (trees.count() < k && !queue.empty() && !stopped()) {
            const int32_t next = pop();
            if (!subspaces[next].solved) {
                solve(next, k - trees.count());
                continue;
            }
            add_tree(next, trees);
            allowed = spent + options.max_nodes * node_work(n);
            // As long as it is not proved that the tree has its best labels, better ones are left over: the
            // division of the subspace does not look at the tree again.
            if (labelling != nullptr && subspaces[next].upper > subspaces[next].weight)
                rest = std::max(rest, subspaces[next].upper);
            if (listed) continue;
            if (trees.count() < k) {
                divide(next);
            } else {
                // What the subspace holds besides is left over.
                rest = std::max(rest, subspaces[next].upper);
            }
        }
        if (stopped()) add_known(k, trees);
        trees.complete = trees.count() == k || (queue.empty() && !lost);
        certify(trees);
    }

private:
    // Search nodes of the first attempt at a subspace, and how many times more the next one has.
    static constexpr int32_t kFirstEffort = 4, kMoreEffort = 4, kMostEffort = std::numeric_limits<int32_t>::max();

    struct Subspace {
        double upper;    // no tree of the subspace weighs more
        double weight;   // of the best tree known, -inf if none is
        double score;    // of that tree with its labels, where there are any
        int32_t broken;  // hard rules by that tree
        int64_t tree;    // its place in `subspace_trees` and `labels`
        int32_t parent;  // subspace whose best tree gives the heads before `word`; -1: none
        int32_t word;
        int32_t effort;  // nodes of its next search
        bool solved;     // the tree known is the answer for this subspace
        double key() const { return solved ? weight : upper; }
    };

    struct Change {
        int32_t m, h;
        double gain;
    };

    int32_t n = 0;
    int64_t width = 0;
    Constraints constraints{};
    const PartTables* parts = nullptr;
    Labelling* labelling = nullptr;
    Options options{};
    SearchWorkspace* work = nullptr;
    int32_t iterations = 0, nodes = 0;
    double spent = 0.0, allowed = 0.0;  // on searches, in nanoseconds by rule of thumb: the same on every machine
    double rest = 0.0;                  // upper bound of the subspaces that are no longer in the queue
    bool listed = false;                // all trees of interest are subspaces of their own
    bool lost = false;                  // a subspace that may hold trees was left over without one
    const Problem* problem_ = nullptr;
    Objective objective;
    std::vector<double> theta;     // [n + 1][width] the same within a subspace
    std::vector<int32_t> heads;    // [n + 1]
    std::vector<Change> changes;   // of one head, from the best to the worst
    std::vector<int32_t> choices;  // [n + 1] of labels
    LabelSearch label_search;
    FewTrees few;
    std::vector<int32_t> subspace_trees;  // [][n + 1] trees of subspaces
    std::vector<int32_t> labels;          // [][n + 1] theirs, where there is a labelling
    std::vector<double> known;            // weights of the trees known
    std::vector<Subspace> subspaces;
    std::vector<int32_t> queue;  // a heap of subspaces

    void begin(const Problem& problem, const Options& given, const FirstOfRanking& first,
               SearchWorkspace& workspace) {
        problem_ = &problem;
        objective.load(problem);
        n = objective.words();
        width = objective.width();
        constraints = problem.constraints;
        parts = problem.parts;
        labelling = problem.labelling;
        options = given;
        work = &workspace;
        if (labelling != nullptr) {
            work->rows.start(*labelling);
            label_search.start(*labelling);
        }
        iterations = nodes = 0;
        spent = 0.0;
        allowed = options.max_nodes * node_work(n);
        rest = minus_infinity<double>();
        listed = lost = false;
        heads.assign(first.heads, first.heads + n + 1);
        subspace_trees.clear();
        labels.clear();
        subspaces.clear();
        queue.clear();
        // The whole space, with its best tree as it was found, and as good as that is known to be.
        const Result& result = first.result;
        Subspace& all = subspaces[add_subspace(std::numeric_limits<double>::infinity(), -1, 1)];
        const double weight =
            labelling != nullptr ? result.score - labels_shift(result) : objective.value(first.heads);
        keep(all, weight, result, first.labels);
        all.upper = weight + std::max(0.0, result.upper_bound - result.score);
        all.solved = true;
        push(0);
    }

    int32_t add_subspace(double upper, int32_t parent, int32_t word) {
        subspaces.push_back(
            {upper, minus_infinity<double>(), 0.0, 0, -1, parent, word, chaos::count(1, kFirstEffort), false});
        return static_cast<int32_t>(subspaces.size()) - 1;
    }

    bool stopped() const { return options.stopped(); }
    const int32_t* tree_of(int32_t subspace) const { return subspace_trees.data() + subspaces[subspace].tree; }

    // A solved subspace goes before a bound of the same weight.
    bool less(int32_t first, int32_t second) const {
        const double a = subspaces[first].key(), b = subspaces[second].key();
        return a < b || (a == b && !subspaces[first].solved && subspaces[second].solved);
    }

    void push(int32_t subspace) {
        queue.push_back(subspace);
        std::push_heap(queue.begin(), queue.end(), [this](int32_t a, int32_t b) { return less(a, b); });
    }

    int32_t pop() {
        std::pop_heap(queue.begin(), queue.end(), [this](int32_t a, int32_t b) { return less(a, b); });
        const int32_t subspace = queue.back();
        queue.pop_back();
        return subspace;
    }

    void force(int32_t m, int32_t h) {
        double* row = theta.data() + m * width;
        std::fill_n(row, width, minus_infinity<double>());
        row[h] = objective.weight({h, m});
    }

    void forbid(int32_t m, int32_t h) { theta[m * width + h] = minus_infinity<double>(); }

    // Theta of a subspace.  Heads forbidden to its word in the subspaces above are still so where that word is the
    // same.
    void load(int32_t subspace) {
        theta.assign(objective.rows(), objective.rows() + (n + 1) * width);
        const int32_t word = subspaces[subspace].word;
        for (int32_t m = 1; m < word; ++m) force(m, tree_of(subspaces[subspace].parent)[m]);
        if (word > n) return;
        for (int32_t at = subspace; subspaces[at].parent >= 0 && subspaces[at].word == word;
             at = subspaces[at].parent)
            forbid(word, tree_of(subspaces[at].parent)[word]);
    }

    // The tree in `heads` is the best known of a subspace.
    void keep(Subspace& subspace, double weight, const Result& result, const int32_t* tree_labels) {
        subspace.tree = static_cast<int64_t>(subspace_trees.size());
        subspace.weight = weight;
        subspace.score = result.score;
        subspace.broken = result.broken;
        subspace_trees.insert(subspace_trees.end(), heads.begin(), heads.end());
        if (labelling != nullptr) labels.insert(labels.end(), tree_labels, tree_labels + n + 1);
    }

    // The same for a tree without labels; its score is summed once it is part of the ranking.
    void keep_plain(Subspace& subspace) { keep(subspace, objective.value(heads.data()), Result{}, nullptr); }

    bool is_valid(const int32_t* tree) {
        return wnparse::is_valid(tree, n, constraints, *work) &&
               (!constraints.single_root || n == 0 || has_single_root(tree, n));
    }

    ScoreMatrix theta_matrix() const { return {theta.data(), width, n, true}; }

    // Queue a subspace, whose theta is loaded, with the bound of its best arborescence, unless it is empty.
    void bound(int32_t subspace) {
        ++iterations;
        if (!best_arborescence(theta_matrix(), constraints.single_root, heads.data(), work->direct)) return;
        const double most = objective.value(heads.data());
        // With parts of higher order an arborescence bounds nothing: the subspace keeps the bound of its parent.
        if (parts == nullptr) subspaces[subspace].upper = std::min(subspaces[subspace].upper, most);
        // What a tree is worth with labels only a search tells.
        if (labelling == nullptr && is_valid(heads.data())) {
            keep_plain(subspaces[subspace]);
            subspaces[subspace].solved = parts == nullptr;
        } else {
            find_neighbour(subspace);
        }
        push(subspace);
    }

    // The parent's tree with the best head at `word` that makes a valid tree of this subspace.
    void find_neighbour(int32_t subspace) {
        const int32_t word = subspaces[subspace].word;
        const int32_t* tree = tree_of(subspaces[subspace].parent);
        heads.assign(tree, tree + n + 1);
        changes.clear();
        list_changes(word);
        sort_changes();
        for (const Change& change : changes) {
            heads[word] = change.h;
            if (is_valid(heads.data())) {
                keep_labelled(subspaces[subspace]);
                return;
            }
        }
    }

    // What the tree in `heads` becomes if word m gets another head.
    void list_changes(int32_t m) {
        const double* row = theta.data() + m * width;
        for (int32_t h = 0; h <= n; ++h)
            if (h != heads[m] && row[h] > minus_infinity<double>() && !descends(h, m))
                changes.push_back({m, h, objective.gain(heads.data(), m, h)});
    }
    void sort_changes() {
        std::sort(changes.begin(), changes.end(),
                  [](const Change& a, const Change& b) { return a.gain > b.gain; });
    }

    // The tree in `heads` is the best known of a subspace, with good labels.  A bound of what it is worth with
    // any.
    double keep_labelled(Subspace& subspace) {
        const double value = objective.value(heads.data());
        if (labelling == nullptr) {
            keep_plain(subspace);
            return value;
        }
        int32_t broken = 0;
        double weight = value, upper = value;
        if (!work->rows.kept_by_first(heads.data(), choices, broken)) {
            upper -= work->rows.certain_cost();
            label_search.run(heads.data(), choices);
            weight += label_search.value();
            broken = label_search.broken();
            work->rows.check(heads.data(), choices.data());
        }
        Result result{};
        result.score = work->rows.score(heads.data(), choices.data(), parts);
        result.broken = broken;
        labelling->choose(choices.data(), broken);
        keep_searched(subspace, weight, result);
        return std::max(upper, weight);
    }

    // With parts: the trees that may be among the k best, each in a subspace of its own.
    void list_trees(int64_t k) {
        known.assign(1, subspaces[0].weight);
        load(0);
        list_neighbours(k);
        const std::vector<int32_t> best(tree_of(0), tree_of(0) + n + 1);  // others are added to the trees
        Options limited = options;
        limited.cutoff = least_known(k);
        limited.known = best.data();
        const auto visit = [&](const int32_t* tree, double value) {
            list(tree, value, k);
            return least_known(k);
        };
        int32_t taken = 0;
        listed = work->of_words(n).list_trees({theta_matrix(), constraints, parts, labelling}, limited, few, visit,
                                              taken);
        iterations += taken;
        if (!listed) return subspaces.resize(1);
        rest = std::max(rest, least_known(k));
        for (int32_t i = 1; i < static_cast<int32_t>(subspaces.size()); ++i) push(i);
    }

    // The k-th best weight known; -inf if there are not as many.
    double least_known(int64_t k) const {
        return static_cast<int64_t>(known.size()) < k ? minus_infinity<double>() : known.back();
    }

    // Up to k - 1 trees with another head of one word.
    void list_neighbours(int64_t k) {
        heads.assign(tree_of(0), tree_of(0) + n + 1);
        changes.clear();
        for (int32_t m = 1; m <= n; ++m) list_changes(m);
        sort_changes();
        std::vector<int32_t> tree = heads;
        for (size_t i = 0; i < changes.size() && static_cast<int64_t>(known.size()) < k && !stopped(); ++i) {
            const int32_t m = changes[i].m, before = tree[m];
            tree[m] = changes[i].h;
            list(tree.data(), objective.value(tree.data()), k);
            tree[m] = before;
        }
    }

    // Make a subspace of a tree alone, unless it is invalid, has one already, or is not among the k best.
    void list(const int32_t* tree, double value, int64_t k) {
        const auto same = [&](const Subspace& subspace) {
            return std::equal(tree + 1, tree + n + 1, subspace_trees.data() + subspace.tree + 1);
        };
        if (!is_valid(tree) || std::any_of(subspaces.begin(), subspaces.end(), same)) return;
        heads.assign(tree, tree + n + 1);
        // All heads are its own: they stand before its word.
        Subspace& subspace = subspaces[add_subspace(value, static_cast<int32_t>(subspaces.size()), n + 1)];
        subspace.upper = keep_labelled(subspace);
        subspace.solved = subspace.upper <= objective.above(subspace.weight);
        if (subspace.upper <= least_known(k)) return subspaces.pop_back();
        known.insert(std::upper_bound(known.begin(), known.end(), subspace.weight, std::greater<double>()),
                     subspace.weight);
        if (static_cast<int64_t>(known.size()) > k) known.pop_back();
    }

    // Whether h is `word` or lies below it in `heads`.
    bool descends(int32_t h, int32_t word) const {
        while (h > 0 && h != word) h = heads[h];
        return h == word;
    }

    // The weight of the j-th best tree known in the queue and in `subspace`; -inf if there are not as many.
    double cutoff(int32_t subspace, int64_t j) {
        known.assign(1, subspaces[subspace].weight);
        for (const int32_t other : queue) known.push_back(subspaces[other].weight);
        if (static_cast<int64_t>(known.size()) < j) return minus_infinity<double>();
        std::nth_element(known.begin(), known.begin() + (j - 1), known.end(), std::greater<double>());
        return known[j - 1];
    }

    // Branch-and-bound within a subspace, as far as its effort goes; `wanted` trees are still to come.
    void solve(int32_t subspace, int64_t wanted) {
        if (spent >= allowed) return settle(subspace);
        load(subspace);
        Options limited = options;
        limited.max_nodes = std::min(options.max_nodes, subspaces[subspace].effort);
        limited.cutoff = cutoff(subspace, wanted);
        limited.known = subspaces[subspace].tree >= 0 ? tree_of(subspace) : nullptr;
        limited.first_turns =
            std::max(1, std::min(options.first_turns, subspaces[subspace].effort / kFirstEffort));
        const Result result =
            search({theta_matrix(), constraints, parts, labelling}, limited, true, heads.data(), *work);
        iterations += result.iterations;
        nodes += result.nodes;
        spent += node_work(n) * result.iterations / node_iterations;
        if (result.score == minus_infinity<double>()) spent += first_turn_work(n) * limited.first_turns;
        const bool last = limited.max_nodes == options.max_nodes || stopped();
        Subspace& tried = subspaces[subspace];
        const double shift = labelling != nullptr && result.has_tree() ? labels_shift(result) : 0.0;
        const double best = result.feasible ? result.score - shift : minus_infinity<double>();
        if (best > tried.weight) keep_searched(tried, best, result);
        const bool searched = !result.feasible || result.upper_bound - shift <= best;
        const double reached = std::max(searched ? limited.cutoff : result.upper_bound - shift, tried.weight);
        tried.upper = std::min(tried.upper, reached);
        if (searched && tried.weight < limited.cutoff) {
            rest = std::max(rest, tried.upper);
            return;
        }
        tried.solved = tried.weight > minus_infinity<double>() && (searched || last);
        tried.effort = tried.effort > kMostEffort / kMoreEffort ? kMostEffort : tried.effort * kMoreEffort;
        if (tried.solved || !searched) push(subspace);
    }

    void keep_searched(Subspace& subspace, double weight, const Result& result) {
        if (labelling == nullptr) return keep_plain(subspace);
        std::vector<int32_t> chosen(n + 1, -1);
        for (int32_t m = 1; m <= n; ++m) chosen[m] = labelling->label(m);
        keep(subspace, weight, result, chosen.data());
    }

    // From the score of a labelled tree to its weight: scores leave out what broken rules cost.
    double labels_shift(const Result& result) const {
        return objective.offset() + labelling->broken_weight() * result.broken;
    }

    void add_tree(int32_t subspace, RankedTrees& trees) const {
        const Subspace& from = subspaces[subspace];
        const double score = labelling != nullptr ? from.score : tree_score(*problem_, tree_of(subspace));
        trees.add(tree_of(subspace), labelling != nullptr ? labels.data() + from.tree : nullptr,
                  Result{score, from.weight, iterations, nodes, true, 0.0, from.broken});
    }

    // Nothing more is spent on a subspace.
    void settle(int32_t subspace) {
        subspaces[subspace].solved = subspaces[subspace].weight > minus_infinity<double>();
        if (subspaces[subspace].solved) return push(subspace);
        lost = true;
        rest = std::max(rest, subspaces[subspace].upper);
    }

    // At the end of the time: the best trees that are known of subspaces, which share none.
    void add_known(int64_t k, RankedTrees& trees) {
        std::vector<int32_t> left;
        for (const int32_t subspace : queue)
            if (subspaces[subspace].tree >= 0) left.push_back(subspace);
        std::stable_sort(left.begin(), left.end(),
                         [this](int32_t a, int32_t b) { return subspaces[a].weight > subspaces[b].weight; });
        for (size_t i = 0; i < left.size() && trees.count() < k; ++i) add_tree(left[i], trees);
    }

    // The subspace without its best tree.
    void divide(int32_t subspace) {
        load(subspace);
        for (int32_t word = subspaces[subspace].word; word <= n; ++word) {
            const int32_t h = tree_of(subspace)[word];
            forbid(word, h);
            bound(add_subspace(subspaces[subspace].upper, subspace, word));
            force(word, h);
        }
    }

    // Turn the weights that the trees carry as their bounds into upper bounds on the j-th best score.
    void certify(RankedTrees& trees) const {
        double most = rest;
        for (const int32_t subspace : queue) most = std::max(most, subspaces[subspace].upper);
        for (Result& result : trees.results) {
            const double gap = most - result.upper_bound;
            result.upper_bound = gap > 0.0 ? result.score + gap : result.score;
        }
    }
};

}  // namespace wnparse
