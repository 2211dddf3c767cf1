// Yields of a tree as bit sets; block degree and well-nestedness.
//
// Definitions of C. Corro, J. Le Roux, M. Lacroix, A. Rozenknop and R. Wolfler Calvo (2016), "Dependency parsing
// with bounded block degree and well-nestedness via Lagrangian relaxation and branch-and-bound", section 3.
// Yields in O(n W), the tests in O(n W) and O(g^2 W) for g words whose yield has a gap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bitset.hpp"
#include "problem/settings.hpp"

namespace wnparse {

// Whether the heads, of nodes 0 .. n, lead every word to 0.  O(n).
inline bool is_tree(const int32_t* heads, int32_t n) {
    std::vector<int32_t> seen(n + 1, 0);  // the word from which a node was first reached
    for (int32_t word = 1; word <= n; ++word) {
        int32_t v = word;
        for (; v != 0 && seen[v] == 0; v = heads[v]) seen[v] = word;
        if (v != 0 && seen[v] == word) return false;
    }
    return true;
}

// Disjoint sets interleave iff there are i < k < j < l, i and j in one, k and l in the other.
//
// Equivalent: each meets the hull of the other.  Suppose both do, and the smallest member lo1 of the first lies
// before lo2; the first has a member j with lo2 < j < hi2, so lo1 < lo2 < j < hi2.  The converse is plain: j lies
// within the hull of the second, k within that of the first.
template <int W>
inline bool interleave(const BitSet<W>& first, const BitSet<W>& second) {
    return first.meets(second.hull()) && second.meets(first.hull());
}

template <int W>
struct Structure {
    std::vector<BitSet<W>> yield;  // [n + 1] words reached from each node, itself included
    std::vector<int32_t> order;    // [n] words, every word before its head
    std::vector<int32_t> pending;  // [n + 1] children not yet in order
    std::vector<int32_t> changed;  // words with a gap above either end of a move
    std::vector<int32_t> gapped;   // words whose yield has more than one block, bottom-up
    int32_t n = 0;

    void reserve(int32_t words) {
        n = words;
        if (static_cast<int64_t>(yield.size()) < n + 1) {
            yield.resize(n + 1);
            order.resize(n + 1);
            pending.resize(n + 1);
            gapped.reserve(n + 1);
            changed.reserve(2 * n + 2);
        }
    }

    // heads must be a tree.
    void build(const int32_t* heads) {
        for (int32_t v = 0; v <= n; ++v) {
            pending[v] = 0;
            yield[v] = BitSet<W>::only(v);
        }
        for (int32_t m = 1; m <= n; ++m) ++pending[heads[m]];
        int32_t count = 0;
        for (int32_t leaf = 1; leaf <= n; ++leaf) {
            // Climb as long as the last child of a node has just been taken; a head met before its turn in
            // this loop is taken here, and its counter is spoilt so that it is not taken again.
            for (int32_t v = leaf; v != 0 && pending[v] == 0; v = heads[v]) {
                pending[v] = -1;
                order[count++] = v;
                yield[heads[v]] |= yield[v];
                --pending[heads[v]];
                if (heads[v] > leaf) break;
            }
        }
    }

    // Yields alone, without an order.  Round i jumps 2^i heads at once: log(depth) rounds over all words without a
    // branch that depends on the tree, where a walk mispredicts one or two a word.  A yield may take in words
    // early, never wrong ones, so that one array is enough for them; the jumps need two.
    void close(const int32_t* heads) {
        int32_t* jump = pending.data();
        int32_t* next = order.data();
        int32_t left = 0;
        yield[0].clear();
        jump[0] = next[0] = 0;
        for (int32_t v = 1; v <= n; ++v) {
            yield[v] = BitSet<W>::only(v);
            jump[v] = heads[v];
            left |= heads[v];
        }
        while (left != 0) {
            left = 0;
            for (int32_t v = 1; v <= n; ++v) {
                yield[jump[v]] |= yield[v];
                next[v] = jump[jump[v]];
                left |= next[v];
            }
            std::swap(jump, next);
        }
    }

    void find_gapped() {
        gapped.clear();
        for (int32_t i = 0; i < n; ++i)
            if (yield[order[i]].block_starts().more_than(1)) gapped.push_back(order[i]);
    }

    bool exceeds(int32_t v, int32_t block_degree) const { return yield[v].block_starts().more_than(block_degree); }

    // Yields that contain one another do not interleave: only disjoint ones are compared.
    bool interleaved(int32_t u, int32_t v) const {
        return !yield[u].meets(yield[v]) && interleave(yield[u], yield[v]);
    }

    // The same in the order of the sentence, where no order from the bottom up is at hand or needed.
    void find_gapped_by_position() {
        gapped.resize(n);
        size_t count = 0;
        for (int32_t v = 1; v <= n; ++v) {
            gapped[count] = v;
            count += yield[v].block_starts().more_than(1);
        }
        gapped.resize(count);
    }

    // Block degree and nesting of the tree last built or closed; leaves `gapped`.
    bool is_valid(const Constraints& constraints) {
        find_gapped_by_position();
        if (constraints.block_degree > 0) {
            for (const int32_t v : gapped)
                if (exceeds(v, constraints.block_degree)) return false;
        }
        return !constraints.well_nested || is_well_nested();
    }

    // A yield of one block cannot interleave: the words with gaps are few.
    bool is_well_nested() const {
        for (size_t i = 0; i < gapped.size(); ++i) {
            for (size_t j = 0; j < i; ++j)
                if (interleaved(gapped[i], gapped[j])) return false;
        }
        return true;
    }

    // How far the tree is from valid: words of too many blocks plus interleaving pairs.
    int32_t violations(const Constraints& constraints) {
        find_gapped_by_position();
        int32_t count = 0;
        for (size_t i = 0; i < gapped.size(); ++i) {
            count += constraints.block_degree > 0 && exceeds(gapped[i], constraints.block_degree);
            for (size_t j = 0; constraints.well_nested && j < i; ++j) count += interleaved(gapped[i], gapped[j]);
        }
        return count;
    }

    // Yields after word m moves from one head to another; the words above both lose and regain its yield.
    // `order` is not kept.
    void move(const int32_t* heads, int32_t m, int32_t from, int32_t to) {
        const BitSet<W> moved = yield[m];
        for (int32_t v = from; v > 0; v = heads[v]) yield[v] ^= moved;
        for (int32_t v = to; v > 0; v = heads[v]) yield[v] ^= moved;
    }

    BitSet<W> gap_words() const {
        BitSet<W> gaps = BitSet<W>::none();
        for (const int32_t v : gapped) gaps.add(v);
        return gaps;
    }

    // Would a valid tree stay valid if word m moved?  Only yields above the old and the new head change, so only
    // they are tested, against one another and against `gaps`, the words that had a gap before.
    bool stays_valid(const int32_t* heads, int32_t m, int32_t to, const Constraints& constraints,
                     const BitSet<W>& gaps) {
        const int32_t from = heads[m];
        move(heads, m, from, to);
        const bool valid = collect_changed(heads, from, to, constraints.block_degree) &&
                           (!constraints.well_nested || changed_are_nested(gaps));
        move(heads, m, to, from);
        return valid;
    }

private:
    bool collect_changed(const int32_t* heads, int32_t from, int32_t to, int32_t block_degree) {
        changed.clear();
        for (const int32_t end : {from, to}) {
            for (int32_t v = end; v > 0; v = heads[v]) {
                const BitSet<W> starts = yield[v].block_starts();
                if (block_degree > 0 && starts.more_than(block_degree)) return false;
                if (starts.more_than(1)) changed.push_back(v);
            }
        }
        return true;
    }

    // A word of `gaps` that has lost its gap interleaves with nothing.
    bool changed_are_nested(const BitSet<W>& gaps) const {
        for (size_t i = 0; i < changed.size(); ++i) {
            for (size_t j = 0; j < i; ++j)
                if (interleaved(changed[i], changed[j])) return false;
            bool nested = true;
            gaps.each([&](int32_t v) { nested = nested && !interleaved(changed[i], v); });
            if (!nested) return false;
        }
        return true;
    }
};

}  // namespace wnparse
