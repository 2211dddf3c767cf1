// Maximum spanning arborescence of a dense score matrix, O(n^2).
//
// J. Edmonds (1967), "Optimum branchings"; contraction.hpp gives the method and its sources.  One vectorised
// pass picks the best head of every word.  On the scores of a parser that is almost always a tree, or has a
// cycle or two: the matrix is read in place and only cycles are copied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/row_kernels.hpp"
#include "decoders/direct/contraction.hpp"

namespace wnparse {

template <class Score>
struct MsaWorkspace {
    Contraction<Score> contraction;
    std::vector<int32_t> jump, next;  // [n + 1]
};

// Do the heads lead every word to 0?  Round i jumps 2^i heads at once: log(depth) rounds over all words, without a
// branch that depends on the tree.  Trees are what is expected; cycles are left to the contraction.
inline bool reach_root(const int32_t* heads, int32_t n, std::vector<int32_t>& jumps, std::vector<int32_t>& spare) {
    if (static_cast<int64_t>(jumps.size()) < n + 1) {
        jumps.resize(n + 1);
        spare.resize(n + 1);
    }
    int32_t *jump = jumps.data(), *next = spare.data();
    int32_t left = 0;
    jump[0] = next[0] = 0;
    for (int32_t m = 1; m <= n; ++m) {
        jump[m] = heads[m];
        left |= heads[m];
    }
    if (left < 0) return false;
    for (int64_t reached = 1; left != 0 && reached <= n; reached *= 2) {
        left = 0;
        for (int32_t m = 1; m <= n; ++m) {
            next[m] = jump[jump[m]];
            left |= next[m];
        }
        std::swap(jump, next);
    }
    return left == 0;
}

inline bool has_single_root(const int32_t* heads, int32_t n) {
    int32_t roots = 0;
    for (int32_t m = 1; m <= n; ++m) roots += heads[m] == 0;
    return roots == 1;
}

// scores[m * stride + h]: row = modifier; row 0 and the diagonal are never used, -inf is a forbidden arc.
// heads[0..n], heads[0] == -1.  False: no arborescence within the finite arcs.  Ties go to the lowest head.
template <class Score>
bool msa(const Score* scores, int32_t n, int64_t stride, bool single_root, int32_t* heads,
         MsaWorkspace<Score>& work) {
    Contraction<Score>& contraction = work.contraction;
    contraction.reserve(n);
    best_heads(scores, n, stride, 0, contraction.head.data(), contraction.value.data());
    heads[0] = -1;
    if (reach_root(contraction.head.data(), n, work.jump, work.next))
        std::copy(contraction.head.begin() + 1, contraction.head.begin() + n + 1, heads + 1);
    else if (contraction.run(scores, stride, 0))
        contraction.expand(heads);
    else
        return false;
    if (!single_root || has_single_root(heads, n) || n == 0) return true;
    // The best of all arborescences has several roots, as is rare: look for the best one with a single root.
    best_heads(scores, n, stride, 1, contraction.head.data(), contraction.value.data());
    if (!contraction.run(scores, stride, 1)) return false;
    contraction.expand(heads);
    return true;
}

}  // namespace wnparse
