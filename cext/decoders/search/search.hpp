// Searching for the best valid tree of a sentence: from its length to the width of bit sets that serves it.
//
// Corro et al. (2016), section 5.3: an arborescence that is valid is the answer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "decoders/direct/direct.hpp"
#include "decoders/rules/rule_rows.hpp"
#include "decoders/search/width_search.hpp"
#include "problem/problem.hpp"
#include "problem/result.hpp"

namespace wnparse {

// Buffers of all searches of a thread; those of a width exist once it is needed.
class SearchWorkspace {
public:
    DirectWorkspace direct;
    RuleRows rows;

    // The narrowest bit sets that hold n + 1 nodes.
    WidthSearch& of_words(int32_t n);

private:
    std::array<std::unique_ptr<WidthSearch>, 5> widths_;
};

// Block degree and nesting of a tree.
bool is_valid(const int32_t* heads, int32_t n, const Constraints& constraints, SearchWorkspace& work);

// The best valid tree, by the relaxation alone (`exact` false) or by branch-and-bound.  The constraints are
// structural and allow more than projective trees.
Result search(const Problem& problem, const Options& options, bool exact, int32_t* heads, SearchWorkspace& work);

}  // namespace wnparse
