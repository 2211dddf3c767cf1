// What a decoder is asked and what it answers; shared by all kernels of the search.
#pragma once

#include <cstdint>
#include <limits>

namespace wnparse {

struct Constraints {
    int32_t block_degree;  // largest number of blocks of a yield; 0: unbounded
    bool well_nested;      // no two disjoint yields interleave
    bool single_root;      // exactly one word is attached to node 0
};

struct Options {
    int32_t max_iterations;    // subgradient iterations of one relaxation
    int32_t max_nodes;         // search nodes, counted from the first valid tree on
    bool paper_cuts;           // cuts (4), (5) of the paper instead of the stronger ones
    bool paper_fixing;         // problem reduction 6.2, 6.3 of the paper instead of reduced costs
    bool camerini;             // Camerini's direction instead of the plain subgradient
    bool local_search;         // one-arc moves from every valid or repaired tree
    const volatile int* stop;  // non-null and non-zero: end early with an honest bound
    // For parts of a ranking (kbest_search.hpp); a single tree is found without them.
    double cutoff = -std::numeric_limits<double>::infinity();  // trees that score no more are not looked for
    const int32_t* known = nullptr;                            // [n + 1] a valid tree to begin with
    int32_t first_turns = 0;  // turns of the search for a first valid tree; 0: until there is one or none is left
};

struct Result {
    double score;        // of the tree, summed in double from the original matrix
    double upper_bound;  // no valid tree scores more; equal to score when that is proved
    int32_t iterations;  // arborescences computed
    int32_t nodes;       // search nodes visited; 1: the root alone
    bool feasible;       // false: proved that no valid tree exists
};

}  // namespace wnparse
