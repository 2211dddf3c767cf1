// The decoders that need no search, for scores of either type; compiled once (direct.cpp).
#pragma once

#include <cstdint>

#include "base/stop.hpp"
#include "decoders/direct/eisner.hpp"
#include "decoders/direct/msa.hpp"
#include "problem/score_matrix.hpp"

namespace wnparse {

struct DirectWorkspace {
    MsaWorkspace<float> msa_float;
    MsaWorkspace<double> msa_double;
    EisnerWorkspace<float> eisner_float;
    EisnerWorkspace<double> eisner_double;
};

// The best tree (msa.hpp); false if the finite arcs hold none.
bool best_arborescence(const ScoreMatrix& scores, bool single_root, int32_t* heads, DirectWorkspace& work);

// The best projective tree (eisner.hpp); false if the finite arcs hold none, or `stop` came first.
bool best_projective_tree(const ScoreMatrix& scores, bool single_root, int32_t* heads, DirectWorkspace& work,
                          const Stop& stop);

}  // namespace wnparse
