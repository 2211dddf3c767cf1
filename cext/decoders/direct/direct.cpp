#include "decoders/direct/direct.hpp"

namespace wnparse {

bool best_arborescence(const ScoreMatrix& scores, bool single_root, int32_t* heads, DirectWorkspace& work) {
    if (scores.wide) {
        const auto* values = static_cast<const double*>(scores.scores);
        return msa(values, scores.n, scores.stride, single_root, heads, work.msa_double);
    }
    const auto* values = static_cast<const float*>(scores.scores);
    return msa(values, scores.n, scores.stride, single_root, heads, work.msa_float);
}

bool best_projective_tree(const ScoreMatrix& scores, bool single_root, int32_t* heads, DirectWorkspace& work,
                          const Stop& stop) {
    if (scores.wide) {
        const auto* values = static_cast<const double*>(scores.scores);
        return eisner(values, scores.n, scores.stride, single_root, heads, work.eisner_double, stop);
    }
    const auto* values = static_cast<const float*>(scores.scores);
    return eisner(values, scores.n, scores.stride, single_root, heads, work.eisner_float, stop);
}

}  // namespace wnparse
