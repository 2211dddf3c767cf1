// What head automata choose where nothing holds them to a tree, for reports.
//
// Koo et al. (2010), section 7.6: z* = argmax over Z of f(z), all of an arc's score being its head's to give.
// Words may have no head in it, or several.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/relaxation/head_automata.hpp"
#include "problem/problem.hpp"

namespace wnparse {

// chosen[m * (n + 1) + h]; the automata have been started, and are left with scores that are not the relaxation's.
inline void run_alone(const Problem& problem, HeadAutomata& automata, std::vector<uint8_t>& chosen) {
    const PartTables& tables = *problem.parts;
    const ScoreMatrix& matrix = problem.scores;
    const int64_t width = problem.words() + 1;
    const auto each_arc = [&](auto&& visit) {
        for (int32_t h = 0; h < width; ++h)
            for (const PartTables::Side& side : tables.head(h).side)
                for (int32_t k = 0; k < side.count; ++k) visit(h, tables.children(side)[k], side.child + k);
    };
    with_scores(matrix, [&](const auto* scores) {
        each_arc([&](int32_t h, int32_t m, int32_t child) {
            automata.set_child(h, child, scores[m * matrix.stride + h]);
        });
    });
    chosen.assign(width * width, 0);
    if (!automata.solve()) return;
    each_arc([&](int32_t h, int32_t m, int32_t child) { chosen[m * width + h] = automata.has_child(child); });
}

}  // namespace wnparse
