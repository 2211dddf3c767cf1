// What problem reduction leaves open at the root of the search, for reports.
//
// Corro et al. (2016), section 7.2: "the importance of problem reduction as a pre-processing step".  The root is
// run as branch_and_bound.hpp runs it; the arcs are then looked at instead of branched on.  O(n^2) beside the
// relaxation.
#pragma once

#include <cstdint>

#include "decoders/search/root.hpp"

namespace wnparse {

// open[m * (n + 1) + h] tells whether the arc from h to m may still be part of a better tree; none is where the
// root settles the sentence.  `heads` holds the best arborescence, which is not valid; all of `open` is 0
// beforehand.
template <int W>
void reduce_root(const Problem& problem, const Options& options, int32_t* heads, uint8_t* open,
                 SearchTree<W>& tree, DirectWorkspace& direct) {
    const SearchState<W>& state = tree.state;
    const double upper = relax_root(problem, options, Rule(), heads, tree.state, direct);
    const int64_t width = problem.words() + 1;
    for (int32_t m = 1; m < width && upper > state.floor(); ++m)
        state.open(m).each([&](int32_t h) { open[m * width + h] = 1; });
}

}  // namespace wnparse
