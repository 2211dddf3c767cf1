// Valid trees from invalid ones, and better trees from valid ones, by moving one word at a time.
//
// A move gives one word another head.  Yields are bit sets, so that a move and its test cost O(depth + n):
// the yields above the old and the new head change by the yield of the word (structure.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/relaxation/arborescence.hpp"

namespace wnparse {

template <int W>
struct LocalSearch {
    struct Move {
        double gain;
        int32_t m, h;
    };

    Structure<W> structure;      // of `heads`
    std::vector<int32_t> heads;  // [n + 1] the tree that is being changed
    std::vector<Move> moves;
    Separation<W> separation;
    double weight = 0.0;  // of `heads`, relative as in Relaxation

    void start(const Relaxation<W>& problem, const int32_t* from) {
        structure.reserve(problem.n);
        heads.assign(from, from + problem.n + 1);
        structure.build(heads.data());
        weight = problem.weight_of(from);
    }

    // Climb from a valid tree: pass by falling gain over the moves that gain and take each that still does and
    // keeps the tree valid, until a pass takes none.
    void climb(const Relaxation<W>& problem) {
        structure.find_gapped();
        BitSet<W> gaps = structure.gap_words();
        int32_t tests = kClimbTests;
        bool moved = true;
        while (moved && tests > 0 && collect_gains(problem)) {
            moved = false;
            for (size_t i = 0; i < moves.size() && tests > 0; ++i) {
                const Move& move = moves[i];
                const double* row = problem.weight.data() + move.m * problem.width;
                if (row[move.h] <= row[heads[move.m]] || structure.yield[move.m].has(move.h)) continue;
                --tests;
                if (structure.stays_valid(heads.data(), move.m, move.h, problem.constraints, gaps)) {
                    apply(problem, move.m, move.h);
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
    bool repair(const Relaxation<W>& problem, double floor) {
        separation.block_degree = problem.constraints.block_degree;
        separation.well_nested = problem.constraints.well_nested;
        separation.most = 1;
        int32_t count = structure.violations(problem.constraints);
        if (count > kMostViolations && floor > minus_infinity<double>()) return false;
        while (count > 0) {
            structure.build(heads.data());
            structure.find_gapped();
            separation.heads = heads.data();
            separation.structure = &structure;
            separation.run();
            const int32_t left = best_repair(problem, floor, count);
            if (left >= count) return false;
            count = left;
        }
        return true;
    }

private:
    // Bounds on the work for one tree; they are reached on long sentences with scores like noise.
    static constexpr int32_t kTries = 100;        // moves that one step of a repair tests
    static constexpr int32_t kClimbTests = 4000;  // moves that one climb tests
    static constexpr double kCheap = 0.5;         // of the spread of a row: what a first look at a repair may cost
    static constexpr int32_t kMostViolations = 12;  // of a tree that is worth a repair where there is an incumbent

    // Equal gains are told apart, so that runs repeat.
    struct GainsLess {
        bool operator()(const Move& a, const Move& b) const {
            return a.gain != b.gain ? a.gain < b.gain : a.m != b.m ? a.m > b.m : a.h > b.h;
        }
    };

    // Moves that gain; a single root can neither leave 0 nor be joined by another by one move.
    bool collect_gains(const Relaxation<W>& problem) {
        moves.clear();
        for (int32_t m = 1; m <= problem.n; ++m) {
            const double* row = problem.weight.data() + m * problem.width;
            const double now = row[heads[m]];
            if (now >= 0.0 || (problem.constraints.single_root && heads[m] == 0)) continue;
            problem.open[m].without(structure.yield[m]).each([&](int32_t h) {
                if (row[h] > now && !(problem.constraints.single_root && h == 0))
                    moves.push_back({row[h] - now, m, h});
            });
        }
        std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return GainsLess()(b, a); });
        return !moves.empty();
    }

    void apply(const Relaxation<W>& problem, int32_t m, int32_t h) {
        const double* row = problem.weight.data() + m * problem.width;
        structure.move(heads.data(), m, heads[m], h);
        weight += row[h] - row[heads[m]];
        heads[m] = h;
    }

    // Apply a move of a word whose arc lies inside a set of the cut; the number of violations it leaves.  The
    // moves are tried by falling gain: the first that leaves none is the best of its kind, and most often it is
    // among those that cost little, which are far fewer.
    int32_t best_repair(const Relaxation<W>& problem, double floor, int32_t count) {
        Move best{0.0, -1, -1};
        int32_t fewest = count, tries = kTries;
        const double least = floor - weight;
        const double cheap = std::max(least, -kCheap * problem.spread);
        collect_repairs(problem, cheap, std::numeric_limits<double>::infinity());
        try_moves(problem, tries, fewest, best);
        if (fewest > 0 && tries > 0 && cheap > least) {
            collect_repairs(problem, least, cheap);
            try_moves(problem, tries, fewest, best);
        }
        if (best.m >= 0) apply(problem, best.m, best.h);
        return fewest;
    }

    void try_moves(const Relaxation<W>& problem, int32_t& tries, int32_t& fewest, Move& best) {
        std::make_heap(moves.begin(), moves.end(), GainsLess());
        for (; tries > 0 && fewest > 0 && !moves.empty(); --tries) {
            const Move move = moves.front();
            std::pop_heap(moves.begin(), moves.end(), GainsLess());
            moves.pop_back();
            const int32_t old = heads[move.m];
            structure.move(heads.data(), move.m, old, move.h);
            const int32_t left = structure.violations(problem.constraints);
            structure.move(heads.data(), move.m, move.h, old);
            if (left < fewest) {
                fewest = left;
                best = move;
            }
        }
    }

    // Moves that gain more than `least` and at most `most`.
    void collect_repairs(const Relaxation<W>& problem, double least, double most) {
        const bool single_root = problem.constraints.single_root;
        const Cut<W>& cut = separation.found.front();
        BitSet<W> words = BitSet<W>::none();
        for (int32_t i = 0; i < cut.sets; ++i) {
            cut.set[i].each([&](int32_t m) {
                if (m != 0 && cut.set[i].has(heads[m]) && !(single_root && heads[m] == 0)) words.add(m);
            });
        }
        moves.clear();
        words.each([&](int32_t m) {
            const double* row = problem.weight.data() + m * problem.width;
            BitSet<W> better = BitSet<W>::none();
            bits_above(row, problem.n + 1, least + row[heads[m]], better.word);
            (better & problem.open[m]).without(structure.yield[m]).each([&](int32_t h) {
                const double gain = row[h] - row[heads[m]];
                if (h != heads[m] && !(single_root && h == 0) && gain > least && gain <= most)
                    moves.push_back({gain, m, h});
            });
        });
    }
};

}  // namespace wnparse
