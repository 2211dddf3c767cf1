// The k best trees of a sentence as the rankers (kbest_msa.hpp, kbest_eisner.hpp, kbest_search.hpp) write them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "problem/result.hpp"

namespace wnparse {

struct RankedTrees {
    std::vector<int32_t> heads;   // [count][n + 1]
    std::vector<int32_t> labels;  // [count][n + 1] of labelled trees, -1 where a word has none; else empty
    std::vector<Result> results;  // [count]
    int32_t n = 0;
    bool unsettled = false;  // a limit came before it was known whether there is a tree
    double bound = 0.0;      // where that is so, one on all trees
    bool complete = true;    // k trees, or all that there are; false: a limit came first

    void begin(int32_t words) {
        n = words;
        heads.clear();
        labels.clear();
        results.clear();
        unsettled = false;
        complete = true;
    }

    int64_t count() const { return static_cast<int64_t>(results.size()); }
    const int32_t* tree(int64_t rank) const { return heads.data() + rank * (n + 1); }

    // `tree_labels`: nullptr without labels.
    void add(const int32_t* tree, const int32_t* tree_labels, const Result& result) {
        heads.insert(heads.end(), tree, tree + n + 1);
        if (tree_labels != nullptr) labels.insert(labels.end(), tree_labels, tree_labels + n + 1);
        results.push_back(result);
    }

    // Put the trees in order: those that break fewer hard rules first, then those that score more.  The first
    // tree, as decoding finds it, comes before all that are no better; it takes the last place of the k if it is
    // not among them.
    void finish(const int32_t* first, const int32_t* first_labels, const Result& result, int64_t k) {
        const auto is_first = [&](int64_t rank) { return std::equal(tree(rank), tree(rank) + n + 1, first); };
        int64_t known = 0;
        while (known < count() && !is_first(known)) ++known;
        if (known == count()) {
            if (count() == k) remove_last();
            add(first, first_labels, result);
            known = count() - 1;
        }
        std::vector<int64_t> order(results.size());
        std::iota(order.begin(), order.end(), 0);
        // Rankers compare weights, whose rounding is not that of the scores that are shown.
        const auto before = [&](int64_t a, int64_t b) {
            const Result &one = results[a], &other = results[b];
            if (one.broken != other.broken) return one.broken < other.broken;
            if (one.score != other.score) return one.score > other.score;
            return a == known && b != known;
        };
        std::stable_sort(order.begin(), order.end(), before);
        RankedTrees sorted;
        sorted.begin(n);
        for (const int64_t rank : order)
            sorted.add(tree(rank), labels.empty() ? nullptr : labels.data() + rank * (n + 1), results[rank]);
        heads.swap(sorted.heads);
        labels.swap(sorted.labels);
        results.swap(sorted.results);
    }

private:
    void remove_last() {
        results.pop_back();
        heads.resize(heads.size() - (n + 1));
        if (!labels.empty()) labels.resize(labels.size() - (n + 1));
    }
};

}  // namespace wnparse
