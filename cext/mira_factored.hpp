// Factored MIRA (McDonald, Pereira, Ribarov & Hajic 2005, "Non-projective dependency parsing using spanning tree
// algorithms", section 3.2): one margin for each wrong incoming arc instead of one for each tree,
//     min |w' - w|  with  s(l -> m) - s(k -> m) >= 1  for each word m, its gold head l and every other head k,
// solved by Hildreth's method.  Where all hold, any tree loses by its loss: arcs that are right cancel out, each wrong one
// loses by 1 at least.
//
// With labels, s(l -> m) is that of the gold label, s(k -> m) that of the best one, and the best wrong label of the gold arc
// is to lose by 1/2.  Only candidates compete: an arc that was dropped scores less than all of them.  Of these only arcs
// whose margin is missed become constraints, a few a word: O(n^2) of them at worst.
#pragma once

#include <cstdint>

#include "margin_constraints.hpp"

namespace wnparse {

// The margins that one word misses; scores have costs added.
inline void add_missed_margins(Learning& state, const GoldTree& gold, int32_t m, MarginConstraints& constraints) {
    const int32_t right = gold.heads[m], label = gold.labels[m];
    const float* row = state.scorer.scores.data() + static_cast<size_t>(m) * (state.words() + 1);
    const bool labelled = state.tables.labelled();
    const int32_t rival = labelled ? state.scorer.label(right, m) : label;
    double least = row[right];
    if (rival != label) {
        least = constraints.score(right, m, label);
        constraints.add(right, m, label, 1, false);
        constraints.add(right, m, rival, -1, false);
        constraints.finish(state.margin / 2);
    }
    for (int32_t k = state.scorer.candidates.begin[m]; k < state.scorer.candidates.begin[m + 1]; ++k) {
        const int32_t h = state.scorer.candidates.heads[k];
        if (h == right || row[h] <= least) continue;
        constraints.add(right, m, label, 1, true);
        constraints.add(h, m, labelled ? state.scorer.label(h, m) : 0, -1, true);
        constraints.finish(state.margin);
    }
}

// One step from a sentence that was scored with the margin as cost; false if all margins hold.
inline bool factored_mira_step(Learning& state, const GoldTree& gold, double limit, MarginConstraints& constraints) {
    constraints.start(state);
    for (int32_t m = 1; m <= state.words(); ++m) add_missed_margins(state, gold, m, constraints);
    return constraints.step(limit);
}

}  // namespace wnparse
