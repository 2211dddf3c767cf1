// A valid tree by local search on violations alone, for sparse matrices where scores lead nowhere.
//
// Tabu search (F. Glover 1989, "Tabu search, part I") over the arborescences of open arcs.  The objective is the
// number of blocks above the bound, over all yields, plus the number of interleaving pairs.  A step draws one of
// these violations and takes the best move of one word that could mend it: out of its yields, or from a gap into
// them.  An arc that was left stays away for some steps.  Every arborescence can be reached from every other with
// as many or fewer roots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/stop.hpp"
#include "problem/structure.hpp"

namespace wnparse {

template <int W>
struct ViolationSearch {
    using Set = BitSet<W>;

    std::vector<int32_t> heads;  // [n + 1] the tree

    void start(const std::vector<Set>& arcs, int32_t count, const Constraints& wanted) {
        n = count;
        constraints = wanted;
        open.assign(arcs.begin(), arcs.begin() + n + 1);
        random = 1;
        children.resize(n + 1);
        heads.resize(n + 1);
        banned.resize(static_cast<size_t>(n + 1) * (n + 1));
        structure.reserve(n);
    }

    // Search from a new arborescence; true if `heads` is valid.
    bool run(int32_t steps, const Stop& stop) {
        if (!grow()) return false;
        structure.build(heads.data());
        std::fill(banned.begin(), banned.end(), 0);
        int32_t now = violations(std::numeric_limits<int32_t>::max());
        least = now;
        for (int32_t step = 1; step <= steps && now > 0 && !stop.stopped(); ++step) {
            const Move move = best_move(step);
            if (move.m >= 0) {
                banned[index(move.m, heads[move.m])] = step + kShortestBan + draw(kShortestBan);
                apply(move.m, move.h);
                now = move.violations;
                least = std::min(least, now);
            }
        }
        return now == 0;
    }

private:
    static constexpr int32_t kShortestBan = 6;  // steps; at most twice as many

    struct Move {
        int32_t m, h, violations;
    };

    int32_t n = 0;
    Constraints constraints{};
    std::vector<Set> open;        // [n + 1] heads that a word may take
    std::vector<Set> children;    // [n + 1] words that may take a head
    std::vector<int32_t> banned;  // [n + 1][n + 1] step until which an arc stays away
    Structure<W> structure;       // of `heads`
    int32_t least = 0;            // violations of the best tree so far
    uint64_t random = 1;

    size_t index(int32_t m, int32_t h) const { return static_cast<size_t>(m) * (n + 1) + h; }

    // 0..count - 1, by a linear congruential generator: the same everywhere.
    int32_t draw(int32_t count) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        return static_cast<int32_t>((random >> 33) % static_cast<uint64_t>(count));
    }

    int32_t draw_of(const Set& set) {
        int32_t left = draw(set.size()), drawn = -1;
        set.each([&](int32_t v) { drawn = left-- == 0 ? v : drawn; });
        return drawn;
    }

    // A random arborescence: attach a random word that can be attached, until none is left.
    bool grow() {
        for (Set& set : children) set.clear();
        for (int32_t m = 1; m <= n; ++m) open[m].each([&](int32_t h) { children[h].add(m); });
        heads.assign(n + 1, -1);
        Set roots = children[0];
        if (!constraints.single_root) return grow_from(0);
        while (!roots.empty()) {
            const int32_t root = draw_of(roots);
            roots.remove(root);
            heads[root] = 0;
            if (grow_from(root)) return true;
        }
        return false;
    }

    bool grow_from(int32_t top) {
        Set reached = Set::only(top), fringe = children[top];
        fringe.remove(0);
        for (; !fringe.empty(); fringe = fringe.without(reached)) {
            const int32_t m = draw_of(fringe);
            heads[m] = draw_of(open[m] & reached);
            reached.add(m);
            fringe |= children[m];
        }
        return Set::range(1, n).without(reached).empty();
    }

    // Counts no further than beyond `most`.
    int32_t violations(int32_t most) {
        const int32_t degree = constraints.block_degree;
        structure.find_gapped_by_position();
        const std::vector<int32_t>& gapped = structure.gapped;
        int32_t count = 0;
        for (size_t i = 0; i < gapped.size() && count <= most; ++i) {
            if (degree > 0) count += std::max(0, structure.yield[gapped[i]].block_starts().size() - degree);
            for (size_t j = 0; constraints.well_nested && j < i; ++j)
                count += structure.interleaved(gapped[i], gapped[j]);
        }
        return count;
    }

    void apply(int32_t m, int32_t h) {
        structure.move(heads.data(), m, heads[m], h);
        heads[m] = h;
    }

    // Words whose yields violate something, drawn at random: one that has too many blocks, or two that interleave.
    void draw_violation(int32_t& first, int32_t& second) {
        structure.find_gapped_by_position();
        const std::vector<int32_t>& gapped = structure.gapped;
        int32_t seen = 0;
        for (size_t i = 0; i < gapped.size(); ++i) {
            if (constraints.block_degree > 0 && structure.exceeds(gapped[i], constraints.block_degree) &&
                draw(++seen) == 0) {
                first = second = gapped[i];
            }
            for (size_t j = 0; constraints.well_nested && j < i; ++j) {
                if (structure.interleaved(gapped[i], gapped[j]) && draw(++seen) == 0) {
                    first = gapped[i];
                    second = gapped[j];
                }
            }
        }
    }

    // Of the moves that change a violation, one that leaves fewest; m == -1: all are banned.
    Move best_move(int32_t step) {
        int32_t first = 0, second = 0, ties = 0;
        draw_violation(first, second);
        const Set violating = structure.yield[first] | structure.yield[second];
        Set around = structure.yield[first].hull() | structure.yield[second].hull();
        if (first == second) {
            // Its own head does not change a yield.
            around.remove(first);
        }
        Move best{-1, -1, std::numeric_limits<int32_t>::max()};
        around.each([&](int32_t m) {
            if (constraints.single_root && heads[m] == 0) return;
            Set targets = open[m].without(structure.yield[m]);
            targets.remove(heads[m]);
            if (constraints.single_root) targets.remove(0);
            if (!violating.has(m)) targets &= violating;
            targets.each([&](int32_t h) { consider(m, h, step, ties, best); });
        });
        return best;
    }

    // Ties are drawn; a ban is lifted where the move leads to the best tree so far.
    void consider(int32_t m, int32_t h, int32_t step, int32_t& ties, Move& best) {
        const int32_t old = heads[m];
        apply(m, h);
        const int32_t left = violations(best.violations);
        apply(m, old);
        if (left > best.violations || (banned[index(m, h)] > step && left >= least)) return;
        ties = left < best.violations ? 1 : ties + 1;
        if (draw(ties) == 0) best = {m, h, left};
    }
};

}  // namespace wnparse
