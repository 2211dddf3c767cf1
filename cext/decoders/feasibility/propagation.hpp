// What the open arcs alone say of the yields, and the arcs that no valid tree can use.
//
// For every word v two sets bound its yield in every valid tree of open arcs:
//
//     inside[v]  <=  yield(v)  <=  within[v].
//
// inside[v] starts as the words that v dominates, those that no path from 0 reaches without v; within[v] as the
// words that v reaches without a word that dominates v, which is an ancestor of v in every tree.  Then, until
// nothing changes:
//
//   a yield holds the yields of its words: w in inside[v] gives inside[w] <= inside[v]; w in within[v] needs
//   inside[w] <= within[v];
//   block degree: the yield meets every run of within[v] that meets inside[v]; more than k of them are one too
//   many, and with k of them the yield has no words elsewhere; nesting: if neither of u, v can be below the other,
//   their yields are disjoint, and that of u lies in one gap of inside[v], the outside counted as one gap; if v
//   can be below u but not u below v, and inside[u] does not fit into one gap, then v is below u.
//
// An arc is fixed to zero if the yields that it would enlarge break these bounds.  Where every word has one head
// left both sets are its yield, so that the tree is valid if nothing is broken.  O(n^2) operations on sets a
// round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bitset.hpp"
#include "base/stop.hpp"
#include "problem/settings.hpp"

namespace wnparse {

template <int W>
struct Propagation {
    using Set = BitSet<W>;
    struct Change {
        int32_t m;
        Set before;  // open[m]
    };

    std::vector<Set> open;      // [n + 1] heads that a word may take; open[0] is empty
    std::vector<Change> trail;  // what has happened to `open`, in order

    void start(const std::vector<Set>& heads, int32_t count, const Constraints& wanted) {
        n = count;
        constraints = wanted;
        words = Set::range(1, n);
        open.assign(heads.begin(), heads.begin() + n + 1);
        trail.clear();
        for (std::vector<Set>* sets : {&children, &inside, &within, &above}) sets->resize(n + 1);
    }

    void narrow(int32_t m, const Set& heads) {
        if (heads != open[m]) {
            trail.push_back({m, open[m]});
            open[m] = heads;
        }
    }

    // Take back all but the first `trail_size` changes.
    void undo(size_t trail_size) {
        for (; trail.size() > trail_size; trail.pop_back()) open[trail.back().m] = trail.back().before;
    }

    // Fix arcs to zero; false if no valid tree is left.  If it is stopped early, it fixes fewer arcs than it
    // could.
    bool run(const Stop& wanted) {
        size_t before;
        stop = &wanted;
        halted = false;
        do {
            before = trail.size();
            if (!find_bounds()) return false;
            if (!halted && !tighten()) return false;
            if (!halted && !fix_to_zero()) return false;
        } while (trail.size() > before && !halted);
        return true;
    }

private:
    int32_t n = 0;
    Constraints constraints{};
    const Stop* stop = nullptr;
    bool halted = false;        // a step was left unfinished
    Set words{};                // 1..n
    std::vector<Set> children;  // [n + 1] words that may take a head
    std::vector<Set> inside, within;
    std::vector<Set> above;  // [n + 1] words whose `inside` holds a word: its ancestors, and itself

    bool is_halted() { return halted = halted || stop->stopped(); }

    static bool is_subset(const Set& subset, const Set& whole) { return subset.without(whole).empty(); }

    Set reach(int32_t from, const Set& allowed) const {
        Set reached = Set::only(from), fresh = reached;
        while (!fresh.empty()) {
            const int32_t v = fresh.lowest();
            fresh.remove(v);
            const Set next = (children[v] & allowed).without(reached);
            reached |= next;
            fresh |= next;
        }
        return reached;
    }

    bool find_bounds() {
        for (Set& set : children) set.clear();
        for (int32_t m = 1; m <= n; ++m) open[m].each([&](int32_t h) { children[h].add(m); });
        if (!is_subset(words, reach(0, words)) || (constraints.single_root && !find_root())) return false;
        for (int32_t v = 1; v <= n && !is_halted(); ++v) {
            Set others = words;
            others.remove(v);
            inside[v] = children[v].empty() ? Set::only(v) : words.without(reach(0, others));
        }
        find_above();
        for (int32_t v = 1; v <= n && !is_halted(); ++v) within[v] = reach(v, words.without(above[v]));
        return true;
    }

    // A single root reaches all words; a word that can only be a root leaves no other.
    bool find_root() {
        Set forced = Set::none(), able = Set::none();
        children[0].each([&](int32_t r) {
            if (!open[r].more_than(1)) forced.add(r);
        });
        (forced.empty() ? children[0] : forced).each([&](int32_t r) {
            if (is_subset(words, reach(r, words))) able.add(r);
        });
        if (forced.more_than(1) || able.empty()) return false;
        children[0].without(able).each([&](int32_t m) {
            Set heads = open[m];
            heads.remove(0);
            narrow(m, heads);
        });
        children[0] = able;
        if (!able.more_than(1)) {
            const int32_t root = able.lowest();
            narrow(root, Set::only(0));
            for (int32_t h = 1; h <= n; ++h) children[h].remove(root);
        }
        return true;
    }

    void find_above() {
        for (Set& set : above) set.clear();
        for (int32_t v = 1; v <= n; ++v) inside[v].each([&](int32_t w) { above[w].add(v); });
    }

    bool tighten() {
        bool changed = true;
        while (changed && !is_halted()) {
            changed = false;
            for (int32_t v = 1; v <= n && !is_halted(); ++v)
                if (!tighten_yield(v, changed)) return false;
            if (constraints.well_nested && !tighten_pairs(changed)) return false;
            find_above();
        }
        return true;
    }

    bool tighten_yield(int32_t v, bool& changed) {
        Set must = inside[v];
        inside[v].each([&](int32_t w) { must |= inside[w]; });
        Set may = within[v].without(above[v]);
        may.add(v);
        may.each([&](int32_t w) {
            if (!is_subset(inside[w], may)) may.remove(w);
        });
        if (!is_subset(must, may)) return false;
        if (constraints.block_degree > 0) {
            int32_t runs = 0;
            const Set covered = covering_runs(must, may, runs);
            if (runs > constraints.block_degree) return false;
            may = runs == constraints.block_degree ? covered : may;
        }
        if (may != within[v]) may = reach(v, may);
        changed = changed || must != inside[v] || may != within[v];
        inside[v] = must;
        within[v] = may;
        return is_subset(must, may);
    }

    // The runs of consecutive words of a set that meet a subset of it.
    Set covering_runs(const Set& subset, const Set& set, int32_t& runs) const {
        Set covered = Set::none(), rest = subset;
        const Set gaps = Set::range(0, n).without(set);
        for (runs = 0; !rest.empty(); ++runs) {
            const int32_t v = rest.lowest();
            const Set beyond = gaps & Set::range(v, n);
            const int32_t first = (gaps & Set::range(0, v)).highest() + 1;
            const Set run = Set::range(first, beyond.empty() ? n : beyond.lowest() - 1);
            covered |= run;
            rest = rest.without(run);
        }
        return covered;
    }

    // A set of one word has one gap: only larger ones tell.
    bool tighten_pairs(bool& changed) {
        for (int32_t v = 1; v <= n && !is_halted(); ++v) {
            if (!inside[v].more_than(1)) continue;
            for (int32_t u = 1; u <= n; ++u)
                if (!inside[v].has(u) && !inside[u].has(v) && !within[v].has(u) && !tighten_pair(u, v, changed))
                    return false;
        }
        return true;
    }

    // u is not below v.
    bool tighten_pair(int32_t u, int32_t v, bool& changed) {
        const Set gap = gap_around(inside[v], u);
        const bool fits = is_subset(inside[u], gap), disjoint = !within[u].has(v);
        if (disjoint && fits && !is_subset(within[u], gap)) {
            within[u] &= gap;
            changed = true;
        }
        if (!disjoint && !fits) {
            inside[u] |= inside[v];
            changed = true;
        }
        return fits || !disjoint;
    }

    // The words between two neighbours in the set, or outside all of it, among which u is.
    Set gap_around(const Set& set, int32_t u) const {
        const Set below = set & Set::range(0, u), beyond = set & Set::range(u, n);
        return below.empty() || beyond.empty() ? words.without(set.hull())
                                               : Set::range(below.highest() + 1, beyond.lowest() - 1);
    }

    bool fix_to_zero() {
        for (int32_t m = 1; m <= n && !is_halted(); ++m) {
            Set heads = open[m].without(inside[m]);
            above[m].each([&](int32_t v) {
                if (v != m) heads &= within[v];
            });
            heads.each([&](int32_t h) {
                if (!is_possible(h, m)) heads.remove(h);
            });
            narrow(m, heads);
            if (heads.empty()) return false;
        }
        return true;
    }

    // The arc h -> m adds inside[m] to the yields that hold h.
    bool is_possible(int32_t h, int32_t m) const {
        bool possible = true;
        above[h].without(above[m]).each([&](int32_t v) {
            const Set must = inside[v] | inside[m];
            int32_t runs = 0;
            possible = possible && is_subset(inside[m], within[v]);
            if (possible && constraints.block_degree > 0) {
                covering_runs(must, within[v], runs);
                possible = runs <= constraints.block_degree;
            }
            possible = possible && (!constraints.well_nested || is_nested(must, v));
        });
        return possible;
    }

    // Does a larger yield of v interleave with none that is disjoint from it?
    bool is_nested(const Set& must, int32_t v) const {
        bool nested = true;
        words.without(within[v]).each([&](int32_t u) {
            nested = nested &&
                     (!inside[u].more_than(1) || within[u].has(v) || is_subset(must, gap_around(inside[u], v)));
        });
        return nested;
    }
};

}  // namespace wnparse
