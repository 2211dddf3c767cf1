// What the relaxation of a sentence with parts of higher order does.
//
// Koo et al. (2010), sections 7.4 and 7.6.  The trace is written by a decoder outside of the core (`External`), so
// that it sees the problem as a model scores it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "decoders/decoder.hpp"
#include "laboratory/automata_alone.hpp"
#include "laboratory/search_root.hpp"

namespace wnparse {

struct SearchTrace {
    std::vector<int32_t> heads;  // [n + 1] the tree of the relaxation; empty: none was found
    std::vector<int32_t> runs;   // how many automata each iteration of the first loop ran
    // [n + 1][n + 1], row = modifier: arcs that the automata choose without a tree (automata_alone.hpp), by the
    // scores as they are and by balanced scores.
    std::vector<uint8_t> alone, balanced;
};

// Decode as `lr` does.  `context` is the SearchTrace to write.
inline Result trace_search(void* context, const Problem& problem, const Options& options, int32_t* heads) {
    if (problem.parts == nullptr) throw std::invalid_argument("the trace needs a model of higher order");
    SearchTrace& trace = *static_cast<SearchTrace*>(context);
    SearchWorkspace& work = own_workspace();
    const int32_t n = problem.words();
    const Result result = search(problem, options, false, heads, work);
    if (!result.has_tree()) return result;
    trace.heads.assign(heads, heads + n + 1);
    trace.alone = trace.balanced = {0};
    if (n == 0) return result;
    AutomataAlone alone(problem);
    trace.alone = alone.choose();
    trace.balanced = alone.choose_balanced();
    std::vector<int32_t> arborescence(n + 1);
    best_arborescence(problem.scores, problem.constraints.single_root, arborescence.data(), work.direct);
    with_search_state(n, [&](auto& state) {
        state.agreement().automata().record_runs(&trace.runs);
        relax_root(problem, options, step_rule_of(problem), arborescence.data(), state, work.direct);
    });
    return result;
}

}  // namespace wnparse
