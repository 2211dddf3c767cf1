// From a decoder's name to its k best trees: one call a sentence.
//
// `msa`, `eisner` and `bnb` rank trees; as for the best tree, `bnb` leaves the cases that need no search to the
// others.  The best tree alone is that of decoder.hpp, so that k = 1 is decoding, ties included.
#pragma once

#include <cstdint>

#include "decoders/decoder.hpp"
#include "decoders/kbest/ranked_trees.hpp"

namespace wnparse {

// The k best trees of scores that were checked, fewer if there are not as many or a limit came first, none if no
// tree is valid.  A result's upper bound is one on the score of its rank: no tree of that rank scores more.
void rank(const ScoreMatrix& scores, const Settings& settings, int64_t k, RankedTrees& trees,
          const PartTables* parts = nullptr, Labelling* labelling = nullptr);

}  // namespace wnparse
