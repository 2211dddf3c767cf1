// What a step of the subgradient loop sums up over the multipliers of all families.
//
// A family of multipliers is a class with
//
//     compare(slopes) const    how the old direction d' goes with the new subgradient g
//     turn(beta, slopes)       d = g + beta d'
//     turn_back()              d = g
//     move(length, subproblem) u <- u + length d, projected on what the family allows, and the prices with it
//     price(subproblem) const  all prices, on a subproblem that has none
//     constant() const         sum of u times limit, its share of L(u)
#pragma once

namespace wnparse {

struct Slopes {
    double norm = 0.0;   // |d|^2
    double plain = 0.0;  // |g|^2
    double along = 0.0;  // <d, g>
};

}  // namespace wnparse
