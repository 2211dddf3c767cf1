// Separation: the cuts that a tree violates (cuts.hpp), found in its yields.  O(g^2 W) for g words with a gap, and
// O(n W) a cut.
#pragma once

#include <cstdint>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/relaxation/cuts.hpp"
#include "problem/structure.hpp"

namespace wnparse {

template <int W>
class Separation {
public:
    // What trees are held to; `use_paper_cuts`: cuts (4), (5) instead of the stronger ones; cuts to find at most.
    void start(const Constraints& constraints, bool use_paper_cuts, int32_t most) {
        block_degree = constraints.block_degree;
        well_nested = constraints.well_nested;
        paper = use_paper_cuts;
        most_cuts = most;
    }

    // Find cuts that a tree violates, whose structure was built and whose gaps were found; none iff it is valid.
    // As in the paper, nesting is looked at only where no yield has too many blocks, and of yields within one
    // another only the smallest give cuts: overlapping ones would price the same arcs twice.
    const std::vector<Cut<W>>& run(const int32_t* tree, const Structure<W>& tree_structure) {
        heads = tree;
        structure = &tree_structure;
        cuts_.clear();
        taken.clear();
        const int32_t most = chaos::count(1, most_cuts);
        if (block_degree > 0) {
            for (const int32_t v : structure->gapped) {
                if (static_cast<int32_t>(cuts_.size()) < most && structure->exceeds(v, block_degree) &&
                    is_minimal(v)) {
                    taken.push_back(v);
                    add_block_cut(v);
                }
            }
        }
        if (cuts_.empty() && well_nested) {
            taken.clear();
            run_nesting(most);
        }
        return cuts_;
    }

    const std::vector<Cut<W>>& cuts() const { return cuts_; }  // of the last run
    void clear() { cuts_.clear(); }

private:
    const int32_t* heads = nullptr;  // [n + 1] the current tree
    const Structure<W>* structure = nullptr;
    int32_t block_degree = 0;  // 0: unbounded
    bool well_nested = false, paper = false;
    int32_t most_cuts = 1 << 30;
    std::vector<Cut<W>> cuts_;
    std::vector<int32_t> taken;  // words, or pairs of words, that gave a cut

    bool is_minimal(int32_t v) const {
        for (const int32_t below : taken)
            if (structure->yield[v].has(below)) return false;
        return true;
    }

    void run_nesting(int32_t most) {
        const std::vector<int32_t>& gapped = structure->gapped;
        for (size_t i = 0; i < gapped.size(); ++i) {
            for (size_t j = 0; j < i; ++j) {
                const int32_t u = gapped[j], v = gapped[i];
                if (static_cast<int32_t>(cuts_.size()) < most && structure->interleaved(u, v) &&
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

    // Does a subset touch more than `count` blocks of the whole?
    static bool touches_more(const BitSet<W>& subset, const BitSet<W>& whole, int32_t count) {
        const BitSet<W> starts = whole.block_starts();
        bool enough = false;
        int32_t block = -1, touched = 0, seen = -1;
        whole.each([&](int32_t v) {
            block += starts.has(v);
            if (subset.has(v) && block != seen) {
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
            shrink(cut.set[0], v,
                   [&](const BitSet<W>& subset) { return touches_more(subset, whole, block_degree); });
            cut.set[1] = BitSet<W>::only(0);
            add_gap_words(cut.set[1], cut.set[0], whole);
        }
        finish(cut, 2);
    }

    // k words outside the yield that lie in different gaps of A, each the one that adds fewest ancestors.
    void add_gap_words(BitSet<W>& closed, const BitSet<W>& subset, const BitSet<W>& whole) const {
        BitSet<W> outside = subset.hull().without(whole);
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
            outside = outside.without(gap_around(subset, best));
        }
    }

    // The words between the members of the subset next to g on either side.
    BitSet<W> gap_around(const BitSet<W>& subset, int32_t g) const {
        const int32_t before = (subset & BitSet<W>::range(0, g)).highest();
        const int32_t after = (subset & BitSet<W>::range(g, structure->n)).lowest();
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
            shrink(first, u, [&](const BitSet<W>& subset) { return interleave(subset, second); });
            shrink(second, v, [&](const BitSet<W>& subset) { return interleave(first, subset); });
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
        cuts_.push_back(cut);
    }
};

}  // namespace wnparse
