// What labelled arcs must score to matter: a search over labels needs only those that may be in a better tree.
//
// A tree whose labels are changed until they keep all hard rules is worth V.  With b(m) the best score of an arc
// to m, any tree with a labelled arc to m that scores s is worth at most sum of b - b(m) + s, because rules only
// cost: what scores less than
//
//     floor(m) = b(m) - (sum of b - V)
//
// is in no tree that is better.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/rules/label_search.hpp"

namespace wnparse {

template <class Score>
class LabelFloors {
public:
    // No floors: the best score of an arc to each word may be written from now on.
    void start(int32_t words) { floors_.assign(words + 1, -std::numeric_limits<Score>::infinity()); }
    Score& best(int32_t m) { return floors_[m]; }

    // Change the labels of a tree, all arcs of a labelling, and make floors of the best scores; `rounding` is how
    // far sums of scores may be off.  False, and no floors, if labels alone cannot keep all hard rules.
    bool raise(const Labelling& labelling, const int32_t* heads, std::vector<int32_t>& choices, double rounding) {
        const int32_t n = labelling.words();
        double score = 0.0, most = 0.0;
        for (int32_t m = 1; m <= n; ++m) {
            const Labelling::LabelledArc& arc = labelling.arc(heads[m], m);
            choices[m] = arc.begin;
            score += labelling.score(arc);
            most += floors_[m];
        }
        labels_.start(labelling);
        labels_.run(heads, choices);
        if (labels_.broken() > 0) {
            start(n);
            return false;
        }
        const double reach = most - (score + labels_.value()) + rounding;
        for (int32_t m = 1; m <= n; ++m) floors_[m] = static_cast<Score>(floors_[m] - reach);
        return true;
    }

    Score floor(int32_t m) const { return floors_[m]; }
    const Score* floors() const { return floors_.data(); }

private:
    std::vector<Score> floors_;  // [n + 1]
    LabelSearch labels_;
};

}  // namespace wnparse
