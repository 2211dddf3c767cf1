// What problem reduction leaves open at the root of the search, for reports.
//
// Corro et al. (2016), section 7.2: "the importance of problem reduction as a pre-processing step".  The root is
// run as branch_and_bound.hpp runs it; the arcs are then looked at instead of branched on.  O(n^2) beside the
// relaxation.
#pragma once

#include <algorithm>
#include <cstdint>

#include "decoders/decoder.hpp"
#include "decoders/search/root.hpp"

namespace wnparse {

// False: there is nothing to search, the best arborescence is valid.  Else open[m * (n + 1) + h] tells whether the
// arc from h to m may still be part of a better tree; none is where the root settles the sentence.
template <class Score>
bool reduce_root(const Score* scores, int32_t n, int64_t stride, const Settings& settings, uint8_t* open) {
    SearchWorkspace& work = own_workspace<Score>().search;
    std::vector<int32_t> heads(n + 1);
    std::fill_n(open, static_cast<int64_t>(n + 1) * (n + 1), uint8_t(0));
    bool searched = false;
    with_width(n, [&](auto width) {
        constexpr int W = decltype(width)::value;
        Result result{};
        if (without_search<Score, W>(scores, n, stride, settings.constraints, heads.data(), work, result))
            return result;
        searched = true;
        const double upper = relax_root<Score, W>(scores, n, stride, settings.constraints, settings.options,
                                                  heads.data(), work, work.rule);
        const Search<W>& search = work.tree<W>().search;
        for (int32_t m = 1; m <= n && upper > search.floor(); ++m)
            search.problem.open[m].each([&](int32_t h) { open[static_cast<int64_t>(m) * (n + 1) + h] = 1; });
        return result;
    });
    return searched;
}

inline bool reduce_root(const ScoreMatrix& matrix, const Settings& settings, uint8_t* open) {
    if (matrix.wide)
        return reduce_root(static_cast<const double*>(matrix.scores), matrix.n, matrix.stride, settings, open);
    return reduce_root(static_cast<const float*>(matrix.scores), matrix.n, matrix.stride, settings, open);
}

}  // namespace wnparse
