// From a decoder's name to its kernels: one call per sentence.
//
// `msa`, `eisner` and the searches are in folders of their own; `msa-eisner`, the baseline of Corro et al. (2016,
// §7.2), is in decoder.cpp.  A relaxation of nothing is the arborescence, and trees of block degree 1 are
// Eisner's, so neither needs a search.  With parts of higher order all of them are searches: `msa` is the
// relaxation without block degree and nesting, `eisner` that of projective trees.
#pragma once

#include <cstdint>

#include "decoders/search/search.hpp"
#include "problem/part_tables.hpp"
#include "problem/problem.hpp"
#include "problem/result.hpp"
#include "problem/settings.hpp"

namespace wnparse {

// The buffers of longer sentences are freed at once.
constexpr int32_t kept_length = 500;

// The buffers of this thread.
SearchWorkspace& own_workspace();

struct Outcome {
    Result result;
    bool certified;     // the tree is proved to be the best
    bool valid_scores;  // neither NaN nor +inf among them
};

// Whether the upper bound of a tree meets its score: a gap of a tiny part of the greedy distance is rounding.
bool is_certified(const ScoreMatrix& scores, const int32_t* heads, const Result& result);

// Run the decoder that the settings name, on scores that were checked.  `feasible` is false if there is no valid
// tree.  `parts`: scores of higher order, or nullptr.  `labelling`: labels and the rules over them, or nullptr; it
// takes the labels of the tree.
Result decode(const ScoreMatrix& scores, const Settings& settings, int32_t* heads,
              const PartTables* parts = nullptr, Labelling* labelling = nullptr);

// Check the scores, decode, and compare the bounds.
Outcome decode_checked(const ScoreMatrix& scores, const Settings& settings, int32_t* heads,
                       const PartTables* parts = nullptr, Labelling* labelling = nullptr);

}  // namespace wnparse
