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
// Block degree.  Let W be a yield of more than k blocks, A a part of W and g_1 .. g_k words outside W such that
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
#include <vector>

#include "problem/structure.hpp"

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

template <int W>
struct Separation {
    const int32_t* heads = nullptr;  // [n + 1] the current tree
    const Structure<W>* structure = nullptr;
    int32_t block_degree = 0;  // 0: unbounded
    bool well_nested = false;
    bool paper = false;      // cuts (4), (5) instead of the stronger ones
    int32_t most = 1 << 30;  // cuts to return at most
    std::vector<Cut<W>> found;
    std::vector<int32_t> taken;  // words, or pairs of words, that gave a cut

    // Fill `found` with cuts that the current tree violates; none iff the tree is valid.  As in the paper, nesting
    // is looked at only where no yield has too many blocks, and of yields within one another only the smallest
    // give cuts: overlapping ones would price the same arcs twice.
    void run() {
        found.clear();
        taken.clear();
        if (block_degree > 0) {
            for (const int32_t v : structure->gapped) {
                if (static_cast<int32_t>(found.size()) < most && structure->exceeds(v, block_degree) &&
                    is_minimal(v)) {
                    taken.push_back(v);
                    add_block_cut(v);
                }
            }
        }
        if (found.empty() && well_nested) {
            taken.clear();
            run_nesting();
        }
    }

private:
    bool is_minimal(int32_t v) const {
        for (const int32_t below : taken)
            if (structure->yield[v].has(below)) return false;
        return true;
    }

    void run_nesting() {
        const std::vector<int32_t>& gapped = structure->gapped;
        for (size_t i = 0; i < gapped.size(); ++i) {
            for (size_t j = 0; j < i; ++j) {
                const int32_t u = gapped[j], v = gapped[i];
                if (static_cast<int32_t>(found.size()) < most && structure->interleaved(u, v) &&
                    is_minimal_pair(u, v)) {
                    taken.push_back(u);
                    taken.push_back(v);
                    add_nesting_cut(u, v);
                }
            }
        }
    }

    bool is_minimal_pair(int32_t u, int32_t v) const {
        const BitSet<W>&above = structure->yield[u], &beside = structure->yield[v];
        for (size_t i = 0; i < taken.size(); i += 2) {
            const int32_t a = taken[i], b = taken[i + 1];
            if ((above.has(a) && beside.has(b)) || (above.has(b) && beside.has(a))) return false;
        }
        return true;
    }

    // The node's own path to 0, added to a set that holds its ancestors whole or not at all.
    void add_ancestors(BitSet<W>& set, int32_t v) const {
        for (; v > 0 && !set.has(v); v = heads[v]) set.add(v);
    }

    int32_t new_ancestors(const BitSet<W>& set, int32_t v) const {
        int32_t count = 0;
        for (; v > 0 && !set.has(v); v = heads[v]) ++count;
        return count;
    }

    // Take leaves, then tops, off a connected set as long as `holds` is still true of it.  One pass is enough:
    // what cannot be spared now cannot be spared of a smaller set.
    template <class Holds>
    void shrink(BitSet<W>& set, int32_t top, Holds&& holds) const {
        const std::vector<int32_t>& order = structure->order;
        for (int32_t i = 0; order[i] != top; ++i) {
            const int32_t v = order[i];
            if (set.has(v) && !(structure->yield[v] & set).more_than(1)) {
                set.remove(v);
                if (!holds(set)) set.add(v);
            }
        }
        for (;;) {
            BitSet<W> rest = set;
            rest.remove(top);
            int32_t child = -1, children = 0;
            rest.each([&](int32_t v) {
                if (heads[v] == top) {
                    child = v;
                    ++children;
                }
            });
            if (children != 1 || !holds(rest)) return;
            set = rest;
            top = child;
        }
    }

    // Does the part touch more than `count` blocks of the whole?
    static bool touches_more(const BitSet<W>& part, const BitSet<W>& whole, int32_t count) {
        const BitSet<W> starts = whole.block_starts();
        bool enough = false;
        int32_t block = -1, touched = 0, seen = -1;
        whole.each([&](int32_t v) {
            block += starts.has(v);
            if (part.has(v) && block != seen) {
                seen = block;
                enough = ++touched > count || enough;
            }
        });
        return enough;
    }

    void add_block_cut(int32_t v) {
        Cut<W> cut = empty_cut(2);
        const BitSet<W>& whole = structure->yield[v];
        cut.set[0] = whole;
        if (paper) {
            cut.set[1] = BitSet<W>::range(0, structure->n).without(whole);
        } else {
            shrink(cut.set[0], v, [&](const BitSet<W>& part) { return touches_more(part, whole, block_degree); });
            cut.set[1] = BitSet<W>::only(0);
            add_gap_words(cut.set[1], cut.set[0], whole);
        }
        finish(cut, 2);
    }

    // k words outside the yield that lie in different gaps of A, each the one that adds fewest ancestors.
    void add_gap_words(BitSet<W>& closed, const BitSet<W>& part, const BitSet<W>& whole) const {
        BitSet<W> outside = part.hull().without(whole);
        for (int32_t taken_gaps = 0; taken_gaps < block_degree; ++taken_gaps) {
            int32_t best = -1, fewest = structure->n + 1;
            outside.each([&](int32_t g) {
                const int32_t count = new_ancestors(closed, g);
                if (count < fewest) {
                    fewest = count;
                    best = g;
                }
            });
            add_ancestors(closed, best);
            outside = outside.without(gap_around(part, best));
        }
    }

    // The words between the members of the part next to g on either side.
    BitSet<W> gap_around(const BitSet<W>& part, int32_t g) const {
        const int32_t before = (part & BitSet<W>::range(0, g)).highest();
        const int32_t after = (part & BitSet<W>::range(g, structure->n)).lowest();
        return BitSet<W>::range(before, after);
    }

    void add_nesting_cut(int32_t u, int32_t v) {
        Cut<W> cut = empty_cut(4);
        BitSet<W>&first = cut.set[0], &second = cut.set[2];
        first = structure->yield[u];
        second = structure->yield[v];
        if (paper) {
            cut.set[1] = BitSet<W>::range(0, structure->n).without(first);
            cut.set[3] = BitSet<W>::range(0, structure->n).without(second);
        } else {
            shrink(first, u, [&](const BitSet<W>& part) { return interleave(part, second); });
            shrink(second, v, [&](const BitSet<W>& part) { return interleave(first, part); });
            cut.set[1] = cut.set[3] = BitSet<W>::only(0);
            second.each([&](int32_t w) { add_ancestors(cut.set[1], w); });
            first.each([&](int32_t w) { add_ancestors(cut.set[3], w); });
        }
        finish(cut, 3);
    }

    static Cut<W> empty_cut(int32_t sets) {
        Cut<W> cut;
        for (BitSet<W>& set : cut.set) set.clear();
        cut.sets = sets;
        cut.limit = 0;
        cut.hash = 0;
        cut.multiplier = cut.direction = 0.0;
        cut.violation = 1;
        cut.idle = 0;
        return cut;
    }

    // limit = sum of |S \ 0| minus 2 (block degree) or 3 (nesting).
    void finish(Cut<W>& cut, int32_t below) {
        cut.limit = -below;
        for (int32_t i = 0; i < cut.sets; ++i) {
            cut.limit += cut.set[i].size() - cut.set[i].has(0);
            cut.hash = cut.hash * 31 + cut.set[i].hash();
        }
        found.push_back(cut);
    }
};

}  // namespace wnparse
