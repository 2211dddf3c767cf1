// Which arcs problem reduction leaves open at the root of the search.
//
// Corro et al. (2016), section 7.2: "the importance of problem reduction as a pre-processing step".  The root is
// run as branch_and_bound.hpp runs it, but the search does not branch on the arcs that are left.  O(n^2) in
// addition to the relaxation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decoders/decoder.hpp"
#include "laboratory/search_root.hpp"

namespace wnparse {

// Set open[m * (n + 1) + h] to 1 if the arc from h to m may still be part of a better tree.  No arc is open if the
// root solves the sentence.  False: there is nothing to search, because the best arborescence is valid or there is
// none.
inline bool reduce_root(const ScoreMatrix& scores, const Settings& settings, uint8_t* open) {
    const Problem problem{scores, settings.constraints};
    const int32_t n = scores.n;
    const int64_t width = n + 1;
    std::fill_n(open, width * width, uint8_t(0));
    SearchWorkspace& work = own_workspace();
    std::vector<int32_t> heads(width);
    if (!best_arborescence(scores, settings.constraints.single_root, heads.data(), work.direct)) return false;
    if (is_valid(heads.data(), n, settings.constraints, work)) return false;
    with_search_state(n, [&](auto& state) {
        const double upper =
            relax_root(problem, settings.options, step_rule_of(problem), heads.data(), state, work.direct);
        if (upper <= state.floor()) return;
        for (int32_t m = 1; m <= n; ++m) state.open(m).each([&](int32_t h) { open[m * width + h] = 1; });
    });
    return true;
}

}  // namespace wnparse
