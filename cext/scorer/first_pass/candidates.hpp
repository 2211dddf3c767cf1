// The arcs that are scored: some heads of each word, or all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace wnparse {

struct Candidates {
    std::vector<int32_t> begin;  // [n + 2]: the heads of word m are heads[begin[m]] to heads[begin[m + 1] - 1]
    std::vector<int32_t> heads;  // ascending for each word

    int32_t size() const { return static_cast<int32_t>(heads.size()); }
    int32_t count(int32_t m) const { return begin[m + 1] - begin[m]; }
    const int32_t* of(int32_t m) const { return heads.data() + begin[m]; }

    void clear() {
        begin.assign(2, 0);
        heads.clear();
    }

    // Add the heads of the next word: those whose score is at most `cutoff` below the best, the `most` best of
    // these and what ties with the last; and those for which keeps(head) is true.
    template <class Keeps>
    void add_best(const int32_t* all, const int32_t* scores, int32_t count, int32_t cutoff, int32_t most,
                  Keeps&& keeps) {
        int64_t least = int64_t{*std::max_element(scores, scores + count)} - cutoff;
        if (most < count) {
            sorted_.assign(scores, scores + count);
            std::nth_element(sorted_.begin(), sorted_.begin() + (most - 1), sorted_.end(),
                             std::greater<int32_t>());
            least = std::max(least, int64_t{sorted_[most - 1]});
        }
        for (int32_t k = 0; k < count; ++k)
            if (scores[k] >= least || keeps(all[k])) heads.push_back(all[k]);
        begin.push_back(size());
    }

    // Add all heads of the next word.
    void add_all(const int32_t* all, int32_t count) {
        heads.insert(heads.end(), all, all + count);
        begin.push_back(size());
    }

private:
    std::vector<int32_t> sorted_;
};

// All heads of word m: 0 to n but m itself.
inline void all_heads(int32_t n, int32_t m, std::vector<int32_t>& heads) {
    heads.resize(n);
    for (int32_t k = 0; k < n; ++k) heads[k] = k + (k >= m);
}

}  // namespace wnparse
