// From a decoder's name to its k best trees: one call per sentence.
//
// `msa`, `eisner` and `bnb` rank trees; as for the best tree, `bnb` leaves the cases that need no search to the
// others.  The first tree is that of decoder.hpp, ties included, and is there whatever limit ends the ranking.
#pragma once

#include <cstdint>

#include "decoders/decoder.hpp"
#include "decoders/kbest/ranked_trees.hpp"

namespace wnparse {

// The k best trees of scores that were checked, fewer if there are not as many or a limit came first, none if no
// tree is valid.  They are distinct, each with its best labels where there is a labelling, those that break fewer
// hard rules first, then by falling score.  A result's upper bound is one on the score of its rank: no tree of
// that rank scores more.
void rank(const ScoreMatrix& scores, const Settings& settings, int64_t k, RankedTrees& trees,
          const PartTables* parts = nullptr, Labelling* labelling = nullptr);

// The same where the first tree was found before: its heads, its labels if it has any, and what came of it.
void rank_after(const ScoreMatrix& scores, const Settings& settings, int64_t k, const int32_t* first,
                const int32_t* first_labels, const Result& result, RankedTrees& trees,
                const PartTables* parts = nullptr, Labelling* labelling = nullptr);

}  // namespace wnparse
