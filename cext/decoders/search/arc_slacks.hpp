// What a bound loses by the arcs of a tree, for a ranking of trees with parts.
//
// At multipliers u, the relaxation bounds every tree by L(u).  A tree with some arcs is bounded further: by the
// reduced costs of the arborescence, which add up (reduced_costs.hpp), and by what each automaton loses at least
// (agreement.hpp), which is the largest loss by one of its arcs:
//
//     value(T) <= L(u) + sum over arcs of slack(arc) + sum over nodes i of min over arcs a of i of slack_i(a).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/row_kernels.hpp"

namespace wnparse {

struct ArcSlack {
    double of_tree, of_head, of_modifier;  // at most 0; of_tree is -inf for an arc that is closed
    double sum() const { return of_tree + of_head + of_modifier; }
};

struct ArcSlacks {
    double bound = 0.0;   // L(u)
    double cutoff = 0.0;  // trees that are not above it are of no interest
    int32_t width = 0;
    std::vector<ArcSlack> slack;  // [n + 1][width]

    const ArcSlack& of(int32_t m, int32_t h) const { return slack[m * width + h]; }
};

// Gets a tree and its weight without labels, and returns the cutoff from then on.
using ListVisitor = std::function<double(const int32_t* heads, double weight)>;

}  // namespace wnparse
