// Fixing by reduced costs: the duals of an arborescence bound every tree that uses an arc (contraction.hpp).
//
// An arc that cannot be part of a tree better than the incumbent is fixed to zero:
//
//     bound + slack(h, m) <= floor,    slack(h, m) = theta - sum of duals of the sets that hold m but not h.
//
// O(n) sets per arc at worst; most arcs are decided by a comparison of whole rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "decoders/relaxation/arborescence.hpp"

namespace wnparse {

// Fixes arcs to zero whose trees score at most `floor`, by the last solution of the subproblem.
template <int W>
class ReducedCosts {
public:
    explicit ReducedCosts(Arborescence<W>& arcs, int32_t words) : arcs_(arcs), n_(words) {}

    void fix(double floor) {
        collect_members();
        const double least = floor - arcs_.bound();
        for (int32_t m = 1; m <= n_; ++m) fix_row(m, least);
    }

    // The same where the bound is the sum of several subproblems: slack(arc) is what the others lose by it.
    template <class Slack>
    void fix(double floor, double bound, Slack&& slack) {
        if (arcs_.has_duals()) collect_members();
        for (int32_t m = 1; m <= n_; ++m) {
            if (!arcs_.open(m).more_than(1)) continue;
            const BitSet<W> open = arcs_.open(m);
            open.each([&](int32_t h) {
                if (bound + own_slack({h, m}) + slack(Arc{h, m}).sum() <= floor) arcs_.fix_to_zero(m, h);
            });
        }
    }

    // Call visit(arc, slack) for every open arc, with what the arborescence loses by it.
    template <class Visit>
    void each_slack(Visit&& visit) {
        if (arcs_.has_duals()) collect_members();
        for (int32_t m = 1; m <= n_; ++m)
            arcs_.open(m).each([&](int32_t h) { visit(Arc{h, m}, own_slack({h, m})); });
    }

private:
    double own_slack(Arc arc) const {
        if (!arcs_.has_duals()) return 0.0;
        const Contraction<double>& contraction = arcs_.contraction();
        double slack = arcs_.theta(arc.m)[arc.h] - contraction.value[arc.m];
        for (int32_t set = contraction.parent[arc.m]; set >= 0 && !arcs_.members()[set].has(arc.h);
             set = contraction.parent[set])
            slack -= contraction.value[set];
        return slack;
    }

    void collect_members() {
        const Contraction<double>& contraction = arcs_.contraction();
        std::vector<BitSet<W>>& members = arcs_.members();
        for (int32_t node = n_ + 1; node < contraction.count; ++node) members[node].clear();
        for (int32_t node = 1; node < contraction.count; ++node)
            if (contraction.parent[node] >= 0) members[contraction.parent[node]] |= members[node];
    }

    void fix_row(int32_t m, double least) {
        // Every tree of this node uses the one arc that is left.
        if (!arcs_.open(m).more_than(1)) return;
        const Contraction<double>& contraction = arcs_.contraction();
        const std::vector<BitSet<W>>& members = arcs_.members();
        const double* row = arcs_.theta(m);
        const int32_t parent = contraction.parent[m];
        // slack = theta - value_m - sum of the other duals, all <= 0: what lies above this passes without them.
        const double limit = least + contraction.value[m];
        BitSet<W> above = BitSet<W>::none();
        bits_above(row, n_ + 1, limit, above.word);
        const BitSet<W> below = arcs_.open(m).without(above);
        // The least that the sum of duals comes to for any head: what lies below that fails whatever its sets.
        double sum = limit, least_rest = limit;
        for (int32_t set = parent; set >= 0; set = contraction.parent[set]) {
            sum += contraction.value[set];
            least_rest = std::min(least_rest, sum);
        }
        below.each([&](int32_t h) {
            double rest = least_rest;
            if (row[h] > least_rest) {
                rest = limit;
                for (int32_t set = parent; set >= 0 && !members[set].has(h); set = contraction.parent[set])
                    rest += contraction.value[set];
            }
            if (row[h] <= rest) arcs_.fix_to_zero(m, h);
        });
    }

    Arborescence<W>& arcs_;
    int32_t n_;
};

}  // namespace wnparse
