// What the relaxation of a sentence with parts of higher order tells of itself, for reports.
//
// Koo et al. (2010), sections 7.4 and 7.6.
#pragma once

#include <cstdint>
#include <vector>

namespace wnparse {

struct Trace {
    std::vector<int32_t> runs;  // automata that each iteration of the first loop ran
    // [n + 1][n + 1], row = modifier: arcs that the automata choose without a tree, by the scores as they are and
    // less a constant for each word (automata_alone.hpp).
    std::vector<uint8_t> alone, balanced;
};

}  // namespace wnparse
