// Lagrangian relaxation as a decoder: the best valid tree met and the best dual bound.
//
// Corro et al. (2016), section 5.3.  Where the loop stalls, problem reduction (6.2, 6.3) and a second loop certify
// some of the rest; with parts of higher order, probing does (probing.hpp).  Where there is still no valid tree, a
// search for the first one begins (first_tree.hpp).
#pragma once

#include <cstdint>

#include "decoders/search/probing.hpp"
#include "decoders/search/root.hpp"

namespace wnparse {

// `heads` holds the best arborescence, which is not valid.
template <int W>
Result lagrangian(const Problem& problem, const Options& options, int32_t* heads, SearchTree<W>& tree,
                  DirectWorkspace& direct) {
    int32_t nodes = 1;
    double upper = relax_root(problem, options, step_rule_of(problem), heads, tree.state, direct);
    upper = seek_first_tree(tree, upper, nodes);
    if (problem.plain())
        upper = tree.state.reduce_and_relax(upper);
    else
        do {
            if (tree.state.has_tree()) upper = Probing<W>(tree).run(upper);
        } while (relax_under_rules(tree.state, upper));
    return finish_search(tree.state, problem, upper, nodes, heads);
}

}  // namespace wnparse
