// Cuts that separate an invalid tree from all valid ones.
//
// Corro et al. (2016), section 4, inequalities (4) and (5), and a stronger form of both.  Write z(in(S)) for the
// arcs of a tree that enter S and z(inside(S)) for those with both ends in S.  Each word has one head, so that
//
//     z(in(A)) = |A| - z(inside(A)),        z(out(Q)) = |P \ 0| - z(inside(P)),   P = complement of Q, 0 in P:
//
// every cut below is a sum of z(inside(S)) over two or four sets S that must stay below a right-hand side.  Kept
// in that form a cut prices only the arcs within small sets, and a tree violates it by exactly one.
//
// Block degree.  Let W be a yield of more than k blocks, A a subset of W and g_1 .. g_k words outside W such that
// a_1 < g_1 < a_2 < ... < g_k < a_{k+1} for some words a_i of A; let P hold the g_i and 0, and A and P be
// disjoint.
//
//     z(in(A)) + z(out(Q)) >= 2      <=>      z(inside(A)) + z(inside(P)) <= |A| + |P \ 0| - 2.
//
// Proof.  Any tree has z(in(A)) >= 1 since 0 is not in A.  If the sum were 1, then z(in(A)) = 1: all words of A
// hang from one of them, the top t, and A lies in the yield of t; and z(out(Q)) = 0: the heads of the words of P
// are in P, so every ancestor of every g_i is in P, t is none of them, and the yield of t misses all g_i.  It has
// more than k blocks, and the tree is not valid.
//
// Separation takes A connected in the current tree, minimal such that it still touches k + 1 blocks of W, and P
// the g_i with all their ancestors: the current tree has z(in(A)) = 1 and z(out(Q)) = 0, it is cut off, and few
// arcs are priced.  A = W, P = V \ W is the paper's (4).
//
// Nesting.  Let A_1, A_2 be disjoint and interleaving, P_1 a superset of A_2 and 0 disjoint from A_1, and P_2 a
// superset of A_1 and 0 disjoint from A_2.
//
//     z(in(A_1)) + z(out(Q_1)) + z(in(A_2)) + z(out(Q_2)) >= 3,
//
// an arc counted as often as it lies in one of the four sets (as a union of sets the cut would be invalid).
// Proof.  Both z(in(A_i)) >= 1.  If the sum were 2, then A_1 and A_2 have single tops t_1, t_2, and P_1 and P_2
// are closed under heads.  The ancestors of A_2 lie in P_1, so the yield of t_1 contains A_1 and misses A_2;
// likewise the yield of t_2 contains A_2 and misses A_1.  Neither top is an ancestor of the other, the two yields
// are disjoint, and they interleave because A_1 and A_2 do.  P_1 = V \ A_1 and P_2 = V \ A_2 for whole yields is
// the paper's (5).
//
// A single root is a condition on the arborescence, not a cut.
#pragma once

#include <cstdint>

#include "base/bitset.hpp"

namespace wnparse {

template <int W>
struct Cut {
    BitSet<W> set[4];   // sum over the sets of z(inside(set)) <= limit
    int32_t sets;       // 2: block degree, 4: nesting
    int32_t limit;      // right-hand side
    uint64_t hash;      // of the sets
    double multiplier;  // u >= 0
    double direction;   // of the last step; for Camerini's rule
    int32_t violation;  // sum - limit for the current tree: 1 violated, 0 tight, < 0 slack
    int32_t idle;       // iterations since the cut was last violated or priced

    bool same(const Cut& other) const {
        if (hash != other.hash || sets != other.sets) return false;
        for (int32_t i = 0; i < sets; ++i)
            if (set[i] != other.set[i]) return false;
        return true;
    }

    int32_t measure(const int32_t* heads) const {
        int32_t sum = -limit;
        for (int32_t i = 0; i < sets; ++i) {
            const BitSet<W>& inside = set[i];
            inside.each([&](int32_t m) { sum += m != 0 && inside.has(heads[m]); });
        }
        return sum;
    }
};

}  // namespace wnparse
