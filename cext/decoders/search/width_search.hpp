// The searches for one width of bit sets, behind a door without templates: each width is compiled by itself and
// once (width_1.cpp and its like), and nothing else of the core has to be compiled for all of them.
#pragma once

#include <cstdint>
#include <memory>

#include "decoders/direct/direct.hpp"
#include "decoders/search/few_trees.hpp"
#include "problem/problem.hpp"
#include "problem/result.hpp"

namespace wnparse {

class WidthSearch {
public:
    virtual ~WidthSearch() = default;

    // Block degree and nesting of a tree.
    virtual bool is_valid(const int32_t* heads, int32_t n, const Constraints& constraints) = 0;

    // The relaxation, and the exact search; `heads` holds the best arborescence, which is not valid.
    virtual Result lagrangian(const Problem& problem, const Options& options, int32_t* heads,
                              DirectWorkspace& direct) = 0;
    virtual Result branch_and_bound(const Problem& problem, const Options& options, int32_t* heads,
                                    DirectWorkspace& direct) = 0;

    // All trees above a cutoff (tree_listing.hpp).
    virtual bool list_trees(const Problem& problem, const Options& options, FewTrees& few,
                            const ListVisitor& visit, int32_t& iterations) = 0;
};

// For sentences of up to 64 W - 1 words.
template <int W>
std::unique_ptr<WidthSearch> make_width_search();

}  // namespace wnparse
