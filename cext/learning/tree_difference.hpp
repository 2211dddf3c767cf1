// The difference of two trees in features: what learners step along, f(gold) - f(guess).
//
// Features factor over parts, an arc and its label being one each, so that the parts that both trees have cancel
// out. The loss counts `margin` for each wrong head and half of it for each wrong label at a right head, of the
// words that are annotated.
#pragma once

#include <cstdint>

#include "learning/learner_state.hpp"
#include "learning/tree_parts.hpp"

namespace wnparse {

struct Difference {
    bool differs = false;
    double loss = 0;
};

// Call visit(part, sign) for each part that only one of the trees has: 1 for those of gold, -1 for those of the
// guess.
template <class Visit>
Difference for_each_difference(const LearnerState& state, const GoldTree& gold, const LabelledTree& guess,
                               Visit&& visit) {
    Difference difference;
    const bool labelled = state.tables.labelled();
    for (int32_t m = 1; m <= state.words(); ++m) {
        if (state.is_right(guess, gold, m)) continue;
        const bool wrong_head = guess.heads[m] != gold.heads[m];
        if (wrong_head) visit(FeaturePart::of_arc(gold.heads[m], m), 1);
        if (labelled) visit(FeaturePart{gold.heads[m], m, gold.labels[m]}, 1);
        if (wrong_head) visit(FeaturePart::of_arc(guess.heads[m], m), -1);
        if (labelled) visit(FeaturePart{guess.heads[m], m, guess.labels[m]}, -1);
        difference.differs = true;
        if (gold.given_heads[m] < 0) continue;
        if (wrong_head)
            difference.loss += state.margin;
        else if (gold.given_labels[m] >= 0)
            difference.loss += state.margin / 2;
    }
    if (difference.differs && state.tables.order > 1) {
        const TreeParts right(gold.heads, state.words()), wrong(guess.heads.data(), state.words());
        for_each_missing(right, wrong, state.tables.order, [&](const auto& part) { visit(FeaturePart(part), 1); });
        for_each_missing(wrong, right, state.tables.order,
                         [&](const auto& part) { visit(FeaturePart(part), -1); });
    }
    return difference;
}

}  // namespace wnparse
