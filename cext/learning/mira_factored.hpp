// Factored MIRA (McDonald, Pereira, Ribarov & Hajic 2005, "Non-projective dependency parsing using spanning tree
// algorithms", section 3.2): one margin for each wrong incoming arc instead of one for each tree,
//     min |w' - w|  with  s(l -> m) - s(k -> m) >= 1  for each word m, its gold head l and every other head k,
// solved by Hildreth's method.  Where all hold, any tree loses by its loss: arcs that are right cancel out, each
// wrong one loses by 1 at least.
//
// With labels, s(l -> m) is that of the gold label, s(k -> m) that of the best one, and the best wrong label of
// the gold arc is to lose by 1/2.  Only candidates compete: an arc that was dropped scores less than all of them.
// Of these only arcs whose margin is missed become constraints, the highest of a word first: at most twelve, and
// fewer in a sentence of more than 166 words, for the program takes memory and time that grow with the square of
// their number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "learning/margin_constraints.hpp"

namespace wnparse {

class FactoredMira {
public:
    // One step from a sentence that was scored with the margin as cost; false if all margins hold.
    bool step(LearnerState& state, const GoldTree& gold, double limit, MarginConstraints& constraints) {
        constraints.start(state);
        for (int32_t m = 1; m <= state.words(); ++m) add_word(state, gold, m, constraints);
        return constraints.step(limit);
    }

private:
    static constexpr int32_t most_rivals = 12, most_constraints = 2000;

    // The margins that one word misses.
    void add_word(LearnerState& state, const GoldTree& gold, int32_t m, MarginConstraints& constraints) {
        const int32_t right = gold.heads[m];
        if (right < 0) return;  // not annotated
        const float* row = state.scorer.row(m);
        const bool labelled = state.tables.labelled();
        const int32_t wrong_label = labelled ? state.scorer.label(right, m) : gold.labels[m];
        const int32_t label = gold.labels[m] < 0 ? wrong_label : gold.labels[m];
        double least = row[right];
        if (wrong_label != label) {
            least = constraints.score(right, m, label);
            constraints.add({right, m, label}, 1);
            constraints.add({right, m, wrong_label}, -1);
            constraints.finish(state.margin / 2);
        }
        find_rivals(state, right, m, row, least);
        for (const int32_t h : rivals_) {
            constraints.add(right, m, label, 1);
            constraints.add(h, m, labelled ? state.scorer.label(h, m) : 0, -1);
            constraints.finish(state.margin);
        }
    }

    // The heads whose scores, costs added, are higher than that of the gold arc.
    void find_rivals(const LearnerState& state, int32_t right, int32_t m, const float* row, double least) {
        rivals_.clear();
        const Candidates& candidates = state.scorer.scored_arcs();
        for (int32_t k = candidates.begin[m]; k < candidates.begin[m + 1]; ++k) {
            const int32_t h = candidates.heads[k];
            if (h != right && row[h] > least) rivals_.push_back(h);
        }
        const size_t most = std::clamp(most_constraints / state.words(), 1, most_rivals);
        if (rivals_.size() <= most) return;
        std::stable_sort(rivals_.begin(), rivals_.end(), [&](int32_t g, int32_t h) { return row[g] > row[h]; });
        rivals_.resize(most);
    }

    std::vector<int32_t> rivals_;
};

}  // namespace wnparse
