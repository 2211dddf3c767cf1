// The k best arborescences, O(k n^2).
//
// P. M. Camerini, L. Fratta and F. Maffioli (1980), "The k best spanning arborescences of a network"; R. Zmigrod,
// T. Vieira and R. Cotterell (2021), "On finding the k-best non-projective dependency trees", for the single root.
//
// Partition: a set of trees is given by arcs that are forced and arcs that are forbidden.  With T its best tree,
// its second-best tree leaves out some arc e of T, so that it is the best of the set without e; T stays the best
// of the set with e forced.  A queue holds every set by the weight of its second-best tree: each tree costs two
// sets.
//
// The second-best tree, from the contraction that found T (contraction.hpp).  Let v be the node, word or
// supernode, that picked the arc e = (h, m) which T keeps.  At the moment of its making v may take another arc
// instead:
//
//     delta(e) = max over arcs f = (x, w), f != e, w in v, x not below m in T, of  row_v(f) - value_v,
//     second-best weight = weight(T) + max over e in T of delta(e).
//
// Words below m are left out because f would close a cycle; breaking that cycle elsewhere is the exchange of
// another arc, which is looked at in its own turn.  Where f has the same head as e, row_v[h] is e itself and f
// ends in another word of v: its value is the score less the duals of the sets inside v that hold w.
//
// Single root: 0 enters the last node alone (contraction.hpp), and no other node may take an arc from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bitset.hpp"
#include "base/row_kernels.hpp"
#include "decoders/direct/contraction.hpp"
#include "decoders/kbest/ranked_trees.hpp"
#include "problem/objective.hpp"
#include "problem/problem.hpp"

namespace wnparse {

class KbestMsa {
public:
    // Appends up to k trees in falling value; those found so far if `stop` ended that.
    void run(const Problem& problem, int64_t k, const Options& options, RankedTrees& trees) {
        objective.load(problem);
        begin(problem.constraints.single_root);
        const auto keep = [&] {
            const double score = tree_score(problem, tree.data());
            trees.add(tree.data(), nullptr, Result{score, score, solved, 0, true});
        };
        spaces.push_back({-1, 0, 0, false});
        if (k < 1 || !solve(0)) return;
        keep();
        seek(0, trees.count() - 1);
        while (trees.count() < k && !queue.empty()) {
            if (options.stopped()) {
                trees.complete = false;
                return;
            }
            std::pop_heap(queue.begin(), queue.end());
            const Second second = queue.back();
            queue.pop_back();
            const int32_t without = add_space(second, false), with = add_space(second, true);
            if (solve(without)) {
                keep();
                seek(without, trees.count() - 1);
            }
            if (trees.count() < k && solve(with)) seek_beside(with, second.owner, trees.tree(second.owner));
        }
    }

private:
    // A set of trees: its parent's, with one more arc forced or forbidden.
    struct Space {
        int32_t parent;  // -1: all trees
        int32_t m, h;
        bool forced;
    };
    // The second-best tree of a set, not yet made: it leaves out the arc (h, m) of the best.
    struct Second {
        double weight;
        int64_t owner;  // rank of the best tree of the set
        int32_t space;
        int32_t m, h;
        bool operator<(const Second& other) const { return weight < other.weight; }
    };

    int32_t n = 0;
    int32_t first = 0;  // lowest head of the contraction: 1 for a single root
    int64_t width = 0;
    int32_t solved = 0;  // arborescences computed
    Contraction<double> contraction;
    Objective objective;
    std::vector<double> theta;  // [n + 1][width] the same within a set of trees
    std::vector<int32_t> tree;  // [n + 1] its best tree
    std::vector<Space> spaces;
    std::vector<Second> queue;            // a heap
    std::vector<uint64_t> bits;           // [n / 64 + 1]
    std::vector<int32_t> child, sibling;  // [n + 1] first child and next sibling, 0 if none
    std::vector<int32_t> entered, left;   // [n + 1] first and last number below a word, in preorder
    std::vector<int32_t> picker;          // [n + 1] node that picked the arc of the tree into a word
    std::vector<int32_t> start, cursor;   // [2n + 2] words of a node are members[start] .. members[cursor - 1]
    std::vector<int32_t> members;         // [n] words, those of a node side by side
    std::vector<double> inner;            // [n] duals of the sets around members[i] seen so far

    void begin(bool single_root) {
        n = objective.words();
        first = single_root ? 1 : 0;
        width = objective.width();
        solved = 0;
        bits.resize(n / 64 + 1);
        for (std::vector<int32_t>* array : {&tree, &child, &sibling, &entered, &left, &picker, &members})
            array->resize(n + 1);
        start.resize(2 * n + 2);
        cursor.resize(2 * n + 2);
        inner.resize(n + 1);
        contraction.reserve(n);
        spaces.clear();
        queue.clear();
    }

    int32_t add_space(const Second& second, bool forced) {
        spaces.push_back({second.space, second.m, second.h, forced});
        return static_cast<int32_t>(spaces.size()) - 1;
    }

    // Best tree of a set; false if it is empty.
    bool solve(int32_t space) {
        theta.assign(objective.rows(), objective.rows() + (n + 1) * width);
        for (; spaces[space].parent >= 0; space = spaces[space].parent) {
            double* row = theta.data() + spaces[space].m * width;
            const int32_t h = spaces[space].h;
            if (spaces[space].forced) {
                const double score = row[h];
                std::fill_n(row, width, minus_infinity<double>());
                row[h] = score;
            } else {
                row[h] = minus_infinity<double>();
            }
        }
        ++solved;
        tree[0] = -1;
        if (n == 0) return true;
        best_heads(theta.data(), n, width, first, contraction.head.data(), contraction.value.data());
        if (!contraction.run(theta.data(), width, first)) return false;
        contraction.expand(tree.data());
        return true;
    }

    // Queue the second-best tree of the set that was solved last; `owner` is the rank of the best.
    void seek(int32_t space, int64_t owner) {
        number_tree();
        find_pickers();
        Second best{minus_infinity<double>(), owner, space, 0, 0};
        for (int32_t m = 1; m <= n; ++m) seek_in_row(m, best);
        if (contraction.count > n + 1) seek_same_head(best);
        if (best.m != 0) push(best);
    }

    // The same for a set whose best tree is out already.  Among ties, or what rounding makes of them, the tree
    // solved for may be another one: that is the second-best then.
    void seek_beside(int32_t space, int64_t owner, const int32_t* owned) {
        const auto differ = std::mismatch(tree.begin(), tree.begin() + n + 1, owned);
        if (differ.second == owned + n + 1) {
            seek(space, owner);
            return;
        }
        push({0.0, owner, space, static_cast<int32_t>(differ.second - owned), *differ.second});
    }

    // `second` weighs so much more than the tree at hand.
    void push(Second second) {
        for_each_part(tree.data(), n, [&](Arc arc) { second.weight += objective.weight(arc); });
        queue.push_back(second);
        std::push_heap(queue.begin(), queue.end());
    }

    // Preorder: x lies below m, or is m, if entered[m] <= entered[x] <= left[m].
    void number_tree() {
        std::fill_n(child.begin(), n + 1, 0);
        for (int32_t m = n; m >= 1; --m) {
            sibling[m] = child[tree[m]];
            child[tree[m]] = m;
        }
        int32_t number = 0;
        for (int32_t v = 0;;) {
            entered[v] = number++;
            if (child[v] != 0) {
                v = child[v];
                continue;
            }
            left[v] = number - 1;
            while (v != 0 && sibling[v] == 0) {
                v = tree[v];
                left[v] = number - 1;
            }
            if (v == 0) return;
            v = sibling[v];
        }
    }

    // After the expansion a member of a cycle holds the arc of its supernode iff that replaced its own, whose head
    // lies inside the cycle.
    void find_pickers() {
        for (int32_t m = 1; m <= n; ++m) {
            int32_t v = m;
            for (int32_t up = contraction.parent[v]; up >= 0; up = contraction.parent[v]) {
                if (contraction.head[up] != tree[m] || contraction.enter[up] != m) break;
                v = up;
            }
            picker[m] = v;
        }
    }

    const double* row_of(int32_t node) const {
        return node <= n ? theta.data() + node * width : contraction.row_of(node);
    }

    // Other heads for the node that picked the arc into m.
    void seek_in_row(int32_t m, Second& best) {
        const double* row = row_of(picker[m]);
        const double value = contraction.value[picker[m]];
        bits_above(row, n + 1, value + best.weight, bits.data());
        bits[0] &= ~static_cast<uint64_t>(first);
        for (int32_t base = 0; base <= n; base += 64) {
            for (uint64_t word = bits[base / 64]; word != 0; word &= word - 1) {
                const int32_t x = base + lowest_bit(word);
                const bool below = entered[m] <= entered[x] && entered[x] <= left[m];
                if (x != tree[m] && !below && row[x] - value > best.weight) {
                    best.weight = row[x] - value;
                    best.m = m;
                    best.h = tree[m];
                }
            }
        }
    }

    // The same head for another word of the supernode that picked the arc.  Nodes come in the order of their
    // making, so that `inner` holds the duals of the sets inside the node at hand.
    void seek_same_head(Second& best) {
        list_members();
        for (int32_t node = 1; node < contraction.count; ++node) {
            const int32_t m = contraction.enter[node], h = contraction.head[node];
            if (node > n && picker[m] == node) {
                for (int32_t i = start[node]; i < cursor[node]; ++i) {
                    const double delta = theta[members[i] * width + h] - inner[i] - contraction.value[node];
                    if (members[i] != m && delta > best.weight) {
                        best.weight = delta;
                        best.m = m;
                        best.h = h;
                    }
                }
            }
            for (int32_t i = start[node]; i < cursor[node]; ++i) inner[i] += contraction.value[node];
        }
    }

    void list_members() {
        // Sizes first, in cursor; a supernode comes after its members.
        for (int32_t node = 1; node < contraction.count; ++node) cursor[node] = node <= n;
        for (int32_t node = 1; node < contraction.count; ++node)
            if (contraction.parent[node] >= 0) cursor[contraction.parent[node]] += cursor[node];
        int32_t total = 0;
        for (int32_t node = contraction.count - 1; node >= 1; --node) {
            int32_t& next = contraction.parent[node] >= 0 ? cursor[contraction.parent[node]] : total;
            const int32_t size = cursor[node];
            start[node] = cursor[node] = next;
            next += size;
            if (node <= n) members[cursor[node]++] = node;
        }
        std::fill_n(inner.begin(), n, 0.0);
    }
};

}  // namespace wnparse
