// Problem reduction as the paper has it: in every node on demand, to reproduce its results, and where `lr` has
// stalled.
//
// Corro et al. (2016), sections 6.1 to 6.3, run after the subgradient loop.  Reduced costs (reduced_costs.hpp) do
// most of it for the price of one arborescence; an arborescence for each arc, O(n^2) a piece, decides a few more.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/relaxation/arborescence.hpp"

namespace wnparse {

template <int W>
class PaperReduction {
public:
    PaperReduction(Arborescence<W>& arcs, int32_t words, double constant, double floor)
        : arcs_(arcs), n_(words), constant_(constant), floor_(floor) {}

    // Fix arcs to zero that cannot be part of a tree above the floor, by at most `most` arborescences; `unpriced`
    // is the best one without prices.
    void run(const int32_t* unpriced, int32_t most, const Options& options) {
        fix_to_zero();
        const std::vector<int32_t> solution = arcs_.tree();
        left_ = most;
        for (int32_t m = 1; m <= n_ && !options.stopped(); ++m) {
            fix_to_one(m, solution[m]);
            fix_to_one(m, unpriced[m]);
        }
    }

private:
    // 6.3: the best graph that gives each word one head, this arc in it, is no better than the incumbent.
    void fix_to_zero() {
        const std::vector<double>& best_of_rows = arcs_.best_of_rows();
        double best = constant_;
        for (int32_t m = 1; m <= n_; ++m) best += best_of_rows[m];
        for (int32_t m = 1; m <= n_; ++m) {
            const BitSet<W> heads = arcs_.open(m);
            const double* row = arcs_.theta(m);
            heads.each([&](int32_t h) {
                if (best - best_of_rows[m] + row[h] <= floor_) arcs_.fix_to_zero(m, h);
            });
        }
    }

    // 6.2: without this arc the best arborescence is no better than the incumbent.
    void fix_to_one(int32_t m, int32_t h) {
        if (!arcs_.open(m).has(h) || !arcs_.open(m).more_than(1) || left_ == 0) return;
        --left_;
        if (arcs_.bound_without(m, h, constant_) > floor_) return;
        const BitSet<W> others = arcs_.open(m);
        others.each([&](int32_t g) {
            if (g != h) arcs_.fix_to_zero(m, g);
        });
    }

    Arborescence<W>& arcs_;
    int32_t n_;
    double constant_;  // the multipliers' own share of a bound
    double floor_;
    int32_t left_ = 0;  // arborescences that may still be made
};

}  // namespace wnparse
