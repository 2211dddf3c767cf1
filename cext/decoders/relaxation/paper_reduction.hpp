// Problem reduction as the paper has it: in every node on demand, to reproduce its results, and where `lr` has
// stalled.
//
// Corro et al. (2016), sections 6.1 to 6.3, run after the subgradient loop.  Reduced costs (arborescence.hpp) do
// most of it for the price of one arborescence; an arborescence for each arc, O(n^2) a piece, decides a few more.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/relaxation/arborescence.hpp"

namespace wnparse {

template <int W>
struct PaperReduction {
    std::vector<int32_t> solution;  // [n + 1] the arborescence of the relaxation, put back in the end
    int32_t left = 0;               // arborescences that may still be made

    // Strike out what cannot be part of a tree above `floor`, by at most `most` arborescences; `unpriced` is the
    // best one without prices.
    void run(Relaxation<W>& problem, const int32_t* unpriced, double floor, int32_t most,
             const volatile int* stop) {
        fix_to_zero(problem, floor);
        solution = problem.tree;
        left = most;
        const double bound = problem.bound;
        for (int32_t m = 1; m <= problem.n && (stop == nullptr || *stop == 0); ++m) {
            fix_to_one(problem, m, solution[m], floor);
            fix_to_one(problem, m, unpriced[m], floor);
        }
        problem.tree = solution;
        problem.bound = bound;
    }

private:
    // 6.3: the best graph that gives each word one head, this arc in it, is no better than the incumbent.
    void fix_to_zero(Relaxation<W>& problem, double floor) {
        problem.refresh();
        double best = problem.constant();
        for (int32_t m = 1; m <= problem.n; ++m) best += problem.best_value[m];
        for (int32_t m = 1; m <= problem.n; ++m) {
            const BitSet<W> heads = problem.open[m];
            const double* row = problem.theta.data() + m * problem.width;
            heads.each([&](int32_t h) {
                if (best - problem.best_value[m] + row[h] <= floor) problem.strike(m, h);
            });
        }
    }

    // 6.2: without this arc the best arborescence is no better than the incumbent.
    void fix_to_one(Relaxation<W>& problem, int32_t m, int32_t h, double floor) {
        if (!problem.open[m].has(h) || !problem.open[m].more_than(1) || left == 0) return;
        --left;
        double& theta = problem.theta[m * problem.width + h];
        const double kept = theta;
        theta = minus_infinity<double>();
        problem.stale.add(m);
        const bool needed = !problem.solve() || problem.bound <= floor;
        theta = kept;
        problem.stale.add(m);
        if (needed) {
            const BitSet<W> others = problem.open[m];
            others.each([&](int32_t g) {
                if (g != h) problem.strike(m, g);
            });
        }
    }
};

}  // namespace wnparse
