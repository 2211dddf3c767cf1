// Lagrangian relaxation as a decoder: the best valid tree met and the best dual bound.
//
// Corro et al. (2016), section 5.3.  Where the loop stalls, problem reduction (6.2, 6.3) and a second loop certify
// some of the rest.  Where there is still no valid tree, a search for the first one begins (first_tree.hpp).
#pragma once

#include <cstdint>

#include "decoders/search/root.hpp"

namespace wnparse {

template <class Score>
Result lagrangian(const Score* scores, int32_t n, int64_t stride, const Constraints& constraints,
                  const Options& options, int32_t* heads, SearchWorkspace& work) {
    return with_width(n, [&](auto width) {
        constexpr int W = decltype(width)::value;
        Result result;
        if (without_search<Score, W>(scores, n, stride, constraints, heads, work, result)) return result;
        Search<W>& search = work.tree<W>().search;
        double upper = relax_root<Score, W>(scores, n, stride, constraints, options, heads, work, work.rule);
        int32_t nodes = 1;
        upper = seek_first_tree(work.tree<W>(), upper, nodes);
        upper = search.reduce_and_relax(upper);
        return finish_search(search, scores, stride, upper, nodes, heads);
    });
}

}  // namespace wnparse
