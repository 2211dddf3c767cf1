// What searches cost, in nanoseconds by rule of thumb: the same on every machine, so that what is decided by it is
// too.
#pragma once

#include <cstdint>

namespace wnparse {

constexpr int32_t node_iterations = 10;  // limit of the subgradient loop below the root

// A node of branch-and-bound.
inline double node_work(int32_t words) { return 10000.0 + 1000.0 * words; }

// A turn of both searches for a first valid tree (first_tree.hpp).
inline double first_turn_work(int32_t words) { return 5000.0 * words * words; }

}  // namespace wnparse
