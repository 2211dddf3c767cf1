// What head automata choose where nothing holds them to a tree, for reports.
//
// Koo et al. (2010), section 7.6: z* = argmax over Z of f(z), all of an arc's score being its head's to give.
// Words may have no head in it, or several.  Where scores have been learned by trees, a constant on all arcs to a
// word means nothing, but it decides z*: the balanced scores are those relative to the middle between the two best
// arcs of the word, so that automata without parts would choose exactly the best.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decoders/relaxation/head_automata.hpp"
#include "problem/problem.hpp"
#include "problem/trace.hpp"

namespace wnparse {

class AutomataAlone {
public:
    // The automata have been started, and are left with scores that are not the relaxation's.
    AutomataAlone(const Problem& problem, HeadAutomata& automata) : problem_(problem), automata_(automata) {}

    void run(Trace& trace) {
        std::vector<double> level(problem_.words() + 1, 0.0);
        run(level, trace.alone);
        find_middles(level);
        run(level, trace.balanced);
    }

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

    // chosen[m * (n + 1) + h] by scores relative to a level for each word.
    void run(const std::vector<double>& level, std::vector<uint8_t>& chosen) {
        const int64_t width = problem_.words() + 1;
        each_arc([&](int32_t h, int32_t m, int32_t child, double score) {
            automata_.set_child(h, child, score - level[m]);
        });
        chosen.assign(width * width, 0);
        if (!automata_.solve()) return;
        each_arc([&](int32_t h, int32_t m, int32_t child, double) {
            chosen[m * width + h] = automata_.has_child(child);
        });
    }

    // The middle between the two best arcs of each word; half of the best one where there is no other.
    void find_middles(std::vector<double>& level) const {
        std::vector<double> best(level.size(), minus_infinity<double>()), second = best;
        each_arc([&](int32_t, int32_t m, int32_t, double score) {
            second[m] = std::max(second[m], std::min(best[m], score));
            best[m] = std::max(best[m], score);
        });
        for (size_t m = 1; m < level.size(); ++m)
            level[m] = second[m] > minus_infinity<double>() ? (best[m] + second[m]) / 2 : best[m] / 2;
    }

    const Problem& problem_;
    HeadAutomata& automata_;
};

}  // namespace wnparse
