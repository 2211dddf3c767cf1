// What each head of a word would score if the rest of a tree stayed as it is: how sure a model of higher order is.
//
//     local(h, m) = score of the arc h -> m + what the parts of the tree change by if m hangs on h,
//
// for the candidate heads of m, -inf for others.  Up to a constant of the word it is the logarithm of p(h | all
// other heads) where a tree's probability is proportional to exp(score), as of pseudolikelihood (Besag 1975),
// except that heads which would close a cycle count too: their trees differ in other arcs as well.  O(candidates
// of the word and of these), for each candidate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "problem/part_tables.hpp"

namespace wnparse {

struct CandidateHeads {
    const int32_t* first;
    int32_t count;

    template <class Visit>
    void each(Visit&& visit) const {
        std::for_each(first, first + count, visit);
    }
};

// `row(m)[h]` are scores of arcs; `local` is [n + 1][n + 1].
template <class Row>
void find_local_scores(const PartTables& parts, const int32_t* heads, Row&& row, double* local) {
    const int64_t width = parts.words() + 1;
    std::fill_n(local, width * width, -std::numeric_limits<double>::infinity());
    for (int32_t m = 1; m <= parts.words(); ++m) {
        double* of_word = local + m * width;
        const PartTables::Head& word = parts.head(m);
        of_word[heads[m]] = row(m)[heads[m]];
        parts.for_each_gain(heads, m, CandidateHeads{parts.parents(word), word.parents},
                            [&](int32_t h, double gain) { of_word[h] = row(m)[h] + gain; });
    }
}

}  // namespace wnparse
