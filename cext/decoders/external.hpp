// What a decoder outside of the core has found, scored and labelled by the core: its score is that of its tree.
#pragma once

#include <cstdint>

#include "decoders/rules/rule_rows.hpp"
#include "problem/objective.hpp"
#include "problem/problem.hpp"

namespace wnparse {

// The score of a tree; `choices`, [n + 1], with rules: places of the labelling's choices, which it is told.
inline double settle_external(const Problem& problem, const int32_t* heads, const int32_t* choices) {
    if (problem.labelling == nullptr) return tree_score(problem, heads);
    Labelling& labelling = *problem.labelling;
    RuleRows rows;
    rows.start(labelling);
    int32_t broken = 0;
    for (int32_t m = 1; m <= problem.words(); ++m) broken += labelling.choice(choices[m]).broken;
    for (const Violation& violation : rows.check(heads, choices))
        if (labelling.rules().all[violation.rule].hard()) broken += violation.amount;
    labelling.choose(choices, broken);
    return rows.score(heads, choices, problem.parts);
}

}  // namespace wnparse
