// Cycle contraction for maximum spanning arborescences, with the dual solution it leaves behind.
//
// R. E. Tarjan (1977), "Finding optimum branchings", the dense variant; P. M. Camerini, L. Fratta and
// F. Maffioli (1979), "A note on finding optimum branchings", for the expansion; H. N. Gabow and R. E. Tarjan
// (1984), "Efficient algorithms for a family of matroid intersection problems", and R. Zmigrod, T. Vieira and
// R. Cotterell (2020), "Please mind the root", for the single root.  O(n^2).
//
// Every node, word or supernode, picks its best entering arc.  Where these arcs close a cycle C, the cycle
// becomes a supernode whose row is
//
//     row_C[h] = max over v in C of (row_v[h] - value_v),      -inf for h inside C,
//
// where value_v is the score of the arc that v picked; enter_C[h] is the word at which the best arc ends.
// Rows stay indexed by words (0..n), never by supernodes: columns need no merging, and a contraction of |C|
// nodes is |C| passes over contiguous memory.  The sizes of all cycles sum to at most 2n: O(n^2).
//
// Duals.  Read value_S as the dual variable of the set S of words of a node.  value_S <= 0 for a supernode,
// since row_v[h] <= value_v, and any arborescence enters each word once and each set at least once:
//
//     score(T) <= sum over S of value_S + sum over arcs (h, m) of T of slack(h, m),
//     slack(h, m) = score(h, m) - sum of value_S over all S with m in S, h not in S,      slack <= 0,
//
// with equality for the arborescence found, whose arcs have slack 0.  Hence a tree that uses the arc (h, m)
// scores at most optimum + slack(h, m): the reduced-cost test of the search.
//
// Single root.  Node 0 is left out as a head until no node can pick an arc any more.  A node left without an
// arc must hold the word attached to 0, so there may be only one such node; the arc from 0 enters it last.  Its
// dual variable may have any sign, because a tree with a single root enters that set from 0 exactly once.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/row_kernels.hpp"

namespace wnparse {

template <class Score>
struct Contraction {
    // Indexed by node: 0..n are words, n + 1 .. count - 1 supernodes in the order of their making.
    std::vector<int32_t> head;       // [2n + 2] head of the arc that the node picked, -1 if none
    std::vector<int32_t> enter;      // [2n + 2] word at which that arc ends
    std::vector<Score> value;        // [2n + 2] its score in the node's row: the dual variable
    std::vector<int32_t> parent;     // [2n + 2] supernode that swallowed the node, -1 if none
    std::vector<int32_t> stamp;      // [2n + 2] walk that met the node first, 0 if none
    std::vector<int32_t> top;        // [n + 1] node that holds the word now
    std::vector<int32_t> next;       // [n + 1] words of one node form a ring
    std::vector<Score> rows;         // [n][width] rows of the supernodes
    std::vector<int32_t> row_enter;  // [n][width] enter of each entry
    int64_t width = 0;               // n + 1, padded
    int32_t n = 0;                   // words
    int32_t count = 0;               // nodes made so far
    int32_t source = -1;             // single root: the node that has no arc but from 0

    void reserve(int32_t words) {
        n = words;
        width = padded(n + 1);
        if (static_cast<int64_t>(top.size()) < n + 1) {
            head.resize(2 * n + 2);
            enter.resize(2 * n + 2);
            value.resize(2 * n + 2);
            parent.resize(2 * n + 2);
            stamp.resize(2 * n + 2);
            top.resize(n + 1);
            next.resize(n + 1);
        }
    }

    const Score* row_of(int32_t node) const { return rows.data() + (node - n - 1) * width; }
    const int32_t* enter_of(int32_t node) const { return row_enter.data() + (node - n - 1) * width; }

    // Every word by itself.
    void prepare() {
        for (int32_t v = 0; v <= n; ++v) {
            enter[v] = v;
            parent[v] = -1;
            stamp[v] = 0;
            top[v] = v;
            next[v] = v;
        }
        count = n + 1;
        source = -1;
    }

    // A word that hangs from another one, directly or not, in every tree that counts: to others they are one node,
    // entered where that word is.  Its own row must have no head that hangs from it.
    void hold(int32_t word, int32_t above) {
        top[word] = above;
        std::swap(next[word], next[above]);
    }

    // Contract until the picked arcs form an arborescence; head and value of the words are set beforehand.
    // Without the root as a head (first == 1) the arc from 0 is added here.  False: there is no arborescence.
    bool run(const Score* scores, int64_t stride, int32_t first) {
        prepare();
        return run_prepared(scores, stride, first);
    }

    bool run_prepared(const Score* scores, int64_t stride, int32_t first) {
        for (int32_t start = 1; start <= n; ++start) {
            int32_t node = top[start];
            while (node != 0 && stamp[node] == 0) {
                stamp[node] = start;
                if (head[node] < 0 && !take_source(node, first)) return false;
                node = head[node] < 0 ? 0 : top[head[node]];
                if (node != 0 && stamp[node] == start) node = contract(node, scores, stride, first);
            }
        }
        return first == 0 || enter_source(scores, stride);
    }

    // Undo the contractions from the last to the first; arborescence[0..n], arborescence[0] == -1.
    void expand(int32_t* arborescence) {
        for (int32_t node = count - 1; node > n; --node) {
            // The arc that enters the supernode replaces the one its member at that end had picked.
            int32_t member = enter[node];
            while (parent[member] != node) member = parent[member];
            head[member] = head[node];
            enter[member] = enter[node];
        }
        arborescence[0] = -1;
        for (int32_t m = 1; m <= n; ++m) arborescence[m] = head[m];
    }

private:
    bool take_source(int32_t node, int32_t first) {
        if (first == 0 || source >= 0) return false;
        source = node;
        return true;
    }

    bool enter_source(const Score* scores, int64_t stride) {
        const bool word = source <= n;
        head[source] = 0;
        enter[source] = word ? source : enter_of(source)[0];
        value[source] = word ? scores[source * stride] : row_of(source)[0];
        return value[source] > minus_infinity<Score>();
    }

    int32_t contract(int32_t node, const Score* scores, int64_t stride, int32_t first) {
        const int32_t made = count++;
        const int64_t needed = (made - n) * width;
        if (static_cast<int64_t>(rows.size()) < needed) {
            rows.resize(needed * 2);
            row_enter.resize(needed * 2);
        }
        Score* row = rows.data() + (made - n - 1) * width;
        int32_t* row_ends = row_enter.data() + (made - n - 1) * width;
        int32_t member = node;
        do {
            const bool word = member <= n;
            merge_row(row, row_ends, word ? scores + member * stride : row_of(member),
                      word ? static_cast<const int32_t*>(nullptr) : enter_of(member), member, value[member], n + 1,
                      member == node);
            parent[member] = made;
            const int32_t before = member;
            member = top[head[member]];
            join(before, member, node);
        } while (member != node);
        int32_t inside = enter[node];
        do {
            row[inside] = minus_infinity<Score>();
            top[inside] = made;
            inside = next[inside];
        } while (inside != enter[node]);
        parent[made] = -1;
        stamp[made] = 0;
        const int32_t best = best_in_row(row + first, n + 1 - first, -1, value[made]);
        head[made] = best < 0 ? -1 : best + first;
        enter[made] = best < 0 ? enter[node] : row_ends[head[made]];
        return made;
    }

    // Two rings become one when the successors of one word of each are exchanged.
    void join(int32_t before, int32_t member, int32_t node) {
        if (member != node) {
            const int32_t a = enter[before], b = enter[member];
            const int32_t after = next[a];
            next[a] = next[b];
            next[b] = after;
        }
    }
};

}  // namespace wnparse
