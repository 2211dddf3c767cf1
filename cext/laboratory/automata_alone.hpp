// What head automata choose if nothing makes them agree on a tree.
//
// Koo et al. (2010), section 7.6: z* = argmax over Z of f(z), where the automaton of its head gets all of an arc's
// score.  A word may have no head in z*, or several.  A constant on all arcs to a word has no effect on scores
// that were learned with trees, but it decides z*.  Balanced scores are therefore relative to the middle between
// the two best arcs of the word, so that automata without parts would choose exactly the best arc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decoders/relaxation/head_automata.hpp"
#include "problem/problem.hpp"

namespace wnparse {

class AutomataAlone {
public:
    explicit AutomataAlone(const Problem& problem) : problem_(problem) {
        automata_.start(*problem.parts, problem.constraints.single_root);
    }

    // The chosen arcs, [n + 1][n + 1], row = modifier: by the scores as they are, and by balanced scores.
    std::vector<uint8_t> choose() { return choose(std::vector<double>(problem_.words() + 1, 0.0)); }
    std::vector<uint8_t> choose_balanced() { return choose(middles()); }

private:
    // Call visit(h, m, the child's place, its score).
    template <class Visit>
    void each_arc(Visit&& visit) const {
        const PartTables& tables = *problem_.parts;
        with_scores(problem_.scores, [&](const auto* scores) {
            for (int32_t h = 0; h <= problem_.words(); ++h)
                for (const PartTables::Side& side : tables.head(h).side)
                    for (int32_t k = 0; k < side.count; ++k) {
                        const int32_t m = tables.children(side)[k];
                        visit(h, m, side.child + k, double(scores[m * problem_.scores.stride + h]));
                    }
        });
    }

    // By scores relative to a level for each word.
    std::vector<uint8_t> choose(const std::vector<double>& level) {
        const int64_t width = problem_.words() + 1;
        std::vector<uint8_t> chosen(width * width, 0);
        each_arc([&](int32_t h, int32_t m, int32_t child, double score) {
            automata_.set_child(h, child, score - level[m]);
        });
        if (!automata_.solve()) return chosen;
        each_arc([&](int32_t h, int32_t m, int32_t child, double) {
            chosen[m * width + h] = automata_.has_child(child);
        });
        return chosen;
    }

    // The middle between the two best arcs of each word; half of the best one if there is no other.
    std::vector<double> middles() const {
        std::vector<double> level(problem_.words() + 1, 0.0);
        std::vector<double> best(level.size(), minus_infinity<double>()), second = best;
        each_arc([&](int32_t, int32_t m, int32_t, double score) {
            second[m] = std::max(second[m], std::min(best[m], score));
            best[m] = std::max(best[m], score);
        });
        for (size_t m = 1; m < level.size(); ++m)
            level[m] = second[m] > minus_infinity<double>() ? (best[m] + second[m]) / 2 : best[m] / 2;
        return level;
    }

    const Problem& problem_;
    HeadAutomata automata_;
};

}  // namespace wnparse
