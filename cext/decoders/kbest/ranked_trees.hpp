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
    std::vector<Result> results;  // [count]
    int32_t n = 0;
    bool unsettled = false;  // a limit came before it was known whether there is a tree

    void begin(int32_t words) {
        n = words;
        heads.clear();
        results.clear();
        unsettled = false;
    }

    int64_t count() const { return static_cast<int64_t>(results.size()); }
    const int32_t* tree(int64_t rank) const { return heads.data() + rank * (n + 1); }

    void add(const int32_t* tree, const Result& result) {
        heads.insert(heads.end(), tree, tree + n + 1);
        results.push_back(result);
    }

    // Rankers compare weights, whose rounding is not that of the scores that are shown: put what is shown in
    // order.
    void sort() {
        const auto falls = [](const Result& first, const Result& second) { return first.score > second.score; };
        if (std::is_sorted(results.begin(), results.end(), falls)) return;
        std::vector<int64_t> order(results.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](int64_t a, int64_t b) { return falls(results[a], results[b]); });
        RankedTrees sorted;
        sorted.begin(n);
        for (const int64_t rank : order) sorted.add(tree(rank), results[rank]);
        heads.swap(sorted.heads);
        results.swap(sorted.results);
    }
};

}  // namespace wnparse
