// MIRA with the k best trees (McDonald, Crammer & Pereira 2005, "Online large-margin training of dependency
// parsers", section 2.2): min |w' - w|  with  s(y) - s(z) >= L(y, z)  for each of the k best trees z, solved by
// Hildreth's method.
//
// Ranking takes O(k n^2) or so (kbest_msa.hpp), the program O(k^2) a pass.  Each tree has the best label of each
// arc.
#pragma once

#include <algorithm>
#include <cstdint>

#include "decoders/ranking.hpp"
#include "learning/margin_constraints.hpp"

namespace wnparse {

class KbestMira {
public:
    int64_t k = 1;

    // Rank the trees of a sentence that was scored without cost; false if no tree satisfies the constraints.
    bool decode(LearnerState& state, const Settings& settings, LabelledTree& best) {
        rank(state.scorer.matrix(), settings, k, trees_);
        if (trees_.count() == 0) return false;
        take(state, 0, best);
        return true;
    }

    // One step; false if all k margins hold.
    bool step(LearnerState& state, const GoldTree& gold, double limit, MarginConstraints& constraints) {
        constraints.start(state);
        for (int64_t rank = 0; rank < trees_.count(); ++rank) {
            if (rank > 0 && !is_scored(state, trees_.tree(rank))) continue;
            take(state, rank, tree_);
            constraints.add_tree(gold, tree_);
        }
        return constraints.step(limit);
    }

private:
    void take(LearnerState& state, int64_t rank, LabelledTree& tree) {
        tree.heads.assign(trees_.tree(rank), trees_.tree(rank) + state.words() + 1);
        state.label(tree);
    }

    // Whether all arcs were candidates.  Any other scores below all of these, whatever its features weigh: a tree
    // with one is no rival of the gold tree unless it is the very best.
    static bool is_scored(const LearnerState& state, const int32_t* heads) {
        for (int32_t m = 1; m <= state.words(); ++m) {
            const int32_t* first = state.scorer.scored_arcs().of(m);
            if (!std::binary_search(first, first + state.scorer.scored_arcs().count(m), heads[m])) return false;
        }
        return true;
    }

    RankedTrees trees_;
    LabelledTree tree_;
};

}  // namespace wnparse
