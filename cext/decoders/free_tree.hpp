// The best tree without rules, where rules are to be obeyed: they only cost, so that it bounds all others.
//
// Most best trees are valid and keep all rules with the best label of each arc.  Such a tree is the best labelled
// one, and the other labels of other arcs need not be read.  Where it does not, the tree shows which of them
// matter (label_floors.hpp).  O(n² + n L) and some checks of all rules.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "decoders/rules/label_floors.hpp"
#include "decoders/search/search.hpp"
#include "problem/input.hpp"
#include "problem/objective.hpp"

namespace wnparse {

class FreeTree {
public:
    // Of a problem whose arcs have their best labels; false if the best arborescence is not valid.
    bool find(const InputProblem& problem, const Constraints& constraints, SearchWorkspace& work) {
        const ScoreMatrix& scores = problem.scores();
        heads_.resize(scores.n + 1);
        return best_arborescence(scores, constraints.single_root, heads_.data(), work.direct) &&
               is_valid(heads_.data(), scores.n, constraints, work);
    }

    // Whether the tree keeps all rules with its best labels.  Its score is that of the problem's matrix.
    bool keeps_rules(InputProblem& problem) {
        const int32_t n = problem.scores().n;
        problem.label_arcs(heads_.data(), labelling_);
        rows_.start(labelling_);
        int32_t broken = 0;
        const bool kept = rows_.kept_by_first(heads_.data(), choices_, broken);
        double charged = 0.0;
        score_ = 0.0;
        for (int32_t m = 1; m <= n; ++m) {
            charged += labelling_.choice(choices_[m]).score;
            score_ += static_cast<const double*>(problem.scores().scores)[m * problem.scores().stride + heads_[m]];
        }
        return kept && broken == 0 && charged == score_;
    }

    // Where it does not: the least score of a labelled arc to each word that matters, [n + 1]; nullptr if its
    // labels alone cannot keep all hard rules.
    const double* floors(const InputProblem& problem) {
        constexpr double rounding = 1e-10;
        const ScoreMatrix& matrix = problem.scores();
        double size = 0.0;
        floors_.start(matrix.n);
        for (int32_t m = 1; m <= matrix.n; ++m) {
            const double* row = static_cast<const double*>(matrix.scores) + m * matrix.stride;
            best_in_row(row, matrix.n + 1, m, floors_.best(m));
            size += std::fabs(floors_.best(m)) + std::fabs(row[heads_[m]]);
        }
        return floors_.raise(labelling_, heads_.data(), choices_, rounding * size) ? floors_.floors() : nullptr;
    }

    const int32_t* heads() const { return heads_.data(); }
    double score() const { return score_; }
    int32_t label(int32_t m) const { return labelling_.choice(choices_[m]).label; }

private:
    std::vector<int32_t> heads_, choices_;  // [n + 1]
    double score_ = 0.0;
    Labelling labelling_;  // of the arcs of the tree
    RuleRows rows_;
    LabelFloors<double> floors_;
};

}  // namespace wnparse
