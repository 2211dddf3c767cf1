// Valid trees from invalid ones, and better trees from valid ones, by moving one word at a time.
//
// A move gives one word another head.  Yields are bit sets, so that a move and its test cost O(depth + n):
// the yields above the old and the new head change by the yield of the word (structure.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/stop.hpp"
#include "decoders/relaxation/separation.hpp"
#include "problem/objective.hpp"
#include "problem/structure.hpp"

namespace wnparse {

// The trees among which a search looks: arcs that are left, what a tree is held to, and what it is worth.
template <int W>
struct SearchSpace {
    const Objective& objective;
    const std::vector<BitSet<W>>& open;  // [n + 1] heads that a word may take
    const Constraints& constraints;
    double spread;     // of the objective: a unit of what a change may cost
    const Stop& stop;  // ends searches early

    int32_t words() const { return objective.words(); }
};

template <int W>
class LocalSearch {
public:
    using Space = SearchSpace<W>;

    void start(const Space& space, const int32_t* from) {
        structure.reserve(space.words());
        heads.assign(from, from + space.words() + 1);
        structure.build(heads.data());
        value = space.objective.value(from);
    }

    const int32_t* tree() const { return heads.data(); }

    // Climb from a valid tree: pass by falling gain over the moves that gain and take each that still does and
    // keeps the tree valid, until a pass takes none.
    void climb(const Space& space) {
        structure.find_gapped();
        BitSet<W> gaps = structure.gap_words();
        int32_t tests = kClimbTests;
        bool moved = true;
        RareStop stop(space.stop, space.words() < kLong ? 16 : 1);
        while (moved && tests > 0 && collect_gains(space)) {
            moved = false;
            for (size_t i = 0; i < moves.size() && tests > 0; ++i) {
                const Move& move = moves[i];
                if (space.objective.gain(heads.data(), move.m, move.h) <= 0.0 ||
                    structure.yield[move.m].has(move.h))
                    continue;
                --tests;
                if (stop.stopped()) return;
                if (structure.stays_valid(heads.data(), move.m, move.h, space.constraints, gaps)) {
                    apply(space, move.m, move.h);
                    structure.find_gapped();
                    gaps = structure.gap_words();
                    moved = true;
                }
            }
        }
    }

    // Make an invalid tree valid.  A tree that violates a cut must lose an arc inside one of its sets; of the
    // moves of such words take the best that leaves fewest violations.  Gives up when the weight falls to `floor`,
    // or when no move helps.
    bool repair(const Space& space, double floor) {
        separation.start(space.constraints, false, 1);
        int32_t count = structure.violations(space.constraints);
        if (count > kMostViolations && floor > minus_infinity<double>()) return false;
        while (count > 0) {
            structure.build(heads.data());
            structure.find_gapped();
            separation.run(heads.data(), structure);
            const int32_t left = best_repair(space, floor, count);
            if (left >= count || space.stop.stopped()) return false;
            count = left;
        }
        return true;
    }

private:
    // Bounds on the work for one tree; they are reached on long sentences with scores like noise.
    static constexpr int32_t kTries = 100;        // moves that one step of a repair tests
    static constexpr int32_t kClimbTests = 4000;  // moves that one climb tests
    static constexpr int32_t kLong = 256;         // words from which on one test is worth a look at the clock
    static constexpr double kCheap = 0.5;         // of the spread of a row: what a first look at a repair may cost
    static constexpr int32_t kMostViolations = 12;  // of a tree that is worth a repair where there is an incumbent

    struct Move {
        double gain;
        int32_t m, h;
    };

    Structure<W> structure;      // of `heads`
    std::vector<int32_t> heads;  // [n + 1] the tree that is being changed
    std::vector<Move> moves;
    Separation<W> separation;
    double value = 0.0;  // of `heads`

    // Equal gains are told apart, so that runs repeat.
    struct GainsLess {
        bool operator()(const Move& a, const Move& b) const {
            return a.gain != b.gain ? a.gain < b.gain : a.m != b.m ? a.m > b.m : a.h > b.h;
        }
    };

    // Moves that gain; a single root can neither leave 0 nor be joined by another by one move.
    bool collect_gains(const Space& space) {
        moves.clear();
        for (int32_t m = 1; m <= space.words(); ++m) {
            if (space.objective.is_best(heads.data(), m) || (space.constraints.single_root && heads[m] == 0))
                continue;
            const BitSet<W> others = space.open[m].without(structure.yield[m]);
            space.objective.for_each_gain(heads.data(), m, others, [&](int32_t h, double gain) {
                if (gain > 0.0 && !(space.constraints.single_root && h == 0)) moves.push_back({gain, m, h});
            });
        }
        std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return GainsLess()(b, a); });
        return !moves.empty();
    }

    void apply(const Space& space, int32_t m, int32_t h) {
        structure.move(heads.data(), m, heads[m], h);
        value += space.objective.gain(heads.data(), m, h);
        heads[m] = h;
    }

    // Apply a move of a word whose arc lies inside a set of the cut; the number of violations it leaves.  The
    // moves are tried by falling gain: the first that leaves none is the best of its kind, and most often it is
    // among those that cost little, which are far fewer.
    int32_t best_repair(const Space& space, double floor, int32_t count) {
        Move best{0.0, -1, -1};
        int32_t fewest = count, tries = kTries;
        const double least = floor - value;
        const double cheap = std::max(least, -kCheap * space.spread);
        collect_repairs(space, cheap, std::numeric_limits<double>::infinity());
        try_moves(space, tries, fewest, best);
        if (fewest > 0 && tries > 0 && cheap > least) {
            collect_repairs(space, least, cheap);
            try_moves(space, tries, fewest, best);
        }
        if (best.m >= 0) apply(space, best.m, best.h);
        return fewest;
    }

    void try_moves(const Space& space, int32_t& tries, int32_t& fewest, Move& best) {
        std::make_heap(moves.begin(), moves.end(), GainsLess());
        for (; tries > 0 && fewest > 0 && !moves.empty() && !space.stop.stopped(); --tries) {
            const Move move = moves.front();
            std::pop_heap(moves.begin(), moves.end(), GainsLess());
            moves.pop_back();
            const int32_t old = heads[move.m];
            structure.move(heads.data(), move.m, old, move.h);
            const int32_t left = structure.violations(space.constraints);
            structure.move(heads.data(), move.m, move.h, old);
            if (left < fewest) {
                fewest = left;
                best = move;
            }
        }
    }

    // Moves that gain more than `least` and at most `most`.
    void collect_repairs(const Space& space, double least, double most) {
        const bool single_root = space.constraints.single_root;
        const Cut<W>& cut = separation.cuts().front();
        BitSet<W> words = BitSet<W>::none();
        for (int32_t i = 0; i < cut.sets; ++i) {
            cut.set[i].each([&](int32_t m) {
                if (m != 0 && cut.set[i].has(heads[m]) && !(single_root && heads[m] == 0)) words.add(m);
            });
        }
        moves.clear();
        words.each([&](int32_t m) {
            const BitSet<W> better = space.objective.template gaining<W>(heads.data(), m, least);
            (better & space.open[m]).without(structure.yield[m]).each([&](int32_t h) {
                const double gain = space.objective.gain(heads.data(), m, h);
                if (h != heads[m] && !(single_root && h == 0) && gain > least && gain <= most)
                    moves.push_back({gain, m, h});
            });
        });
    }
};

}  // namespace wnparse
