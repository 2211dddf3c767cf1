// Maximum spanning arborescence of a dense score matrix, O(n^2).
//
// J. Edmonds (1967), "Optimum branchings"; contraction.hpp gives the method and its sources.  One vectorised
// pass picks the best head of every word.  On the scores of a parser that is almost always a tree, or has a
// cycle or two: the matrix is read in place and only cycles are copied.
#pragma once

#include <cstdint>

#include "contraction.hpp"
#include "rows.hpp"

namespace wnparse {

template <class Score>
struct MsaWorkspace {
    Contraction<Score> contraction;
};

inline bool has_single_root(const int32_t* heads, int32_t n) {
    int32_t roots = 0;
    for (int32_t m = 1; m <= n; ++m) {
        roots += heads[m] == 0;
    }
    return roots == 1;
}

// scores[m * stride + h]: row = modifier; row 0 and the diagonal are never used, -inf is a forbidden arc.
// heads[0..n], heads[0] == -1.  False: no arborescence within the finite arcs.  Ties go to the lowest head.
template <class Score>
bool msa(const Score* scores, int32_t n, int64_t stride, bool single_root, int32_t* heads, MsaWorkspace<Score>& work) {
    Contraction<Score>& contraction = work.contraction;
    contraction.reserve(n);
    best_heads(scores, n, stride, 0, contraction.head.data(), contraction.value.data());
    if (!contraction.run(scores, stride, 0)) {
        return false;
    }
    contraction.expand(heads);
    if (!single_root || has_single_root(heads, n) || n == 0) {
        return true;
    }
    // The best of all arborescences has several roots: look for the best one with a single root.
    best_heads(scores, n, stride, 1, contraction.head.data(), contraction.value.data());
    if (!contraction.run(scores, stride, 1)) {
        return false;
    }
    contraction.expand(heads);
    return true;
}

}  // namespace wnparse
