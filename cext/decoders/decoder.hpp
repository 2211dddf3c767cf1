// From a decoder's name to its kernels: one call a sentence.
//
// `msa`, `eisner` and the searches are in files of their own; `msa-eisner`, the baseline of Corro et al. (2016,
// §7.2), is here. A relaxation of nothing is the arborescence, and trees of block degree 1 are Eisner's, so
// neither needs a search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/interrupt.hpp"
#include "decoders/direct/eisner.hpp"
#include "decoders/direct/msa.hpp"
#include "decoders/search/branch_and_bound.hpp"
#include "decoders/search/lagrangian.hpp"
#include "problem/score_matrix.hpp"
#include "problem/settings.hpp"
#include "problem/structure.hpp"

namespace wnparse {

enum class Decoder : int32_t { msa, eisner, msa_eisner, lr, bnb };

struct Settings {
    Decoder decoder;
    Constraints constraints;
    Options options;
};

template <class Score>
struct DecoderWorkspace {
    MsaWorkspace<Score> msa;
    EisnerWorkspace<Score> eisner;
    SearchWorkspace search;
};

inline Result infeasible_result() {
    const double none = -std::numeric_limits<double>::infinity();
    return {none, none, 0, 0, false};
}

template <class Score>
Result decode_msa(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads,
                  DecoderWorkspace<Score>& work) {
    if (!msa(scores, n, stride, settings.constraints.single_root, heads, work.msa)) return infeasible_result();
    const double score = tree_score(scores, n, stride, heads);
    return {score, score, 1, 0, true};
}

// The bound of Eisner's tree is its score where only projective trees are valid; else nothing is known.
template <class Score>
Result decode_eisner(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads,
                     DecoderWorkspace<Score>& work) {
    if (!eisner(scores, n, stride, settings.constraints.single_root, heads, work.eisner))
        return infeasible_result();
    const double score = tree_score(scores, n, stride, heads);
    const bool exact = settings.constraints.block_degree == 1;
    return {score, exact ? score : std::numeric_limits<double>::infinity(), 0, 0, true};
}

// Block degree and nesting of a tree.
inline bool is_valid(const int32_t* heads, int32_t n, const Constraints& constraints, SearchWorkspace& work) {
    bool valid = false;
    with_width(n, [&](auto width) {
        auto& structure = work.tree<decltype(width)::value>().search.problem.structure;
        structure.reserve(n);
        structure.build(heads);
        valid = structure.is_valid(constraints);
        return Result();
    });
    return valid;
}

template <class Score>
Result decode_msa_eisner(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads,
                         DecoderWorkspace<Score>& work) {
    const Result best = decode_msa(scores, n, stride, settings, heads, work);
    if (!best.feasible || is_valid(heads, n, settings.constraints, work.search)) return best;
    Result projective = decode_eisner(scores, n, stride, settings, heads, work);
    if (projective.feasible) projective.upper_bound = best.score;
    projective.iterations = best.iterations;
    return projective;
}

template <class Score>
Result decode_search(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads,
                     DecoderWorkspace<Score>& work) {
    const Constraints& constraints = settings.constraints;
    if (constraints.block_degree == 1) return decode_eisner(scores, n, stride, settings, heads, work);
    if (constraints.block_degree == 0 && !constraints.well_nested)
        return decode_msa(scores, n, stride, settings, heads, work);
    const auto search = settings.decoder == Decoder::lr ? lagrangian<Score> : branch_and_bound<Score>;
    return search(scores, n, stride, constraints, settings.options, heads, work.search);
}

// Run the decoder that the settings name; `feasible` is false if it found that there is no valid tree.
template <class Score>
Result run_decoder(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads,
                   DecoderWorkspace<Score>& work) {
    switch (settings.decoder) {
        case Decoder::msa: return decode_msa(scores, n, stride, settings, heads, work);
        case Decoder::eisner: return decode_eisner(scores, n, stride, settings, heads, work);
        case Decoder::msa_eisner: return decode_msa_eisner(scores, n, stride, settings, heads, work);
        default: return decode_search(scores, n, stride, settings, heads, work);
    }
}

// Sentences beyond this many words give their memory back at once.
constexpr int32_t kept_length = 500;

template <class Score>
DecoderWorkspace<Score>& own_workspace() {
    static thread_local DecoderWorkspace<Score> work;
    return work;
}

template <class Score>
Result run_decoder(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads) {
    DecoderWorkspace<Score>& work = own_workspace<Score>();
    const Result result = run_decoder(scores, n, stride, settings, heads, work);
    if (n > kept_length) work = DecoderWorkspace<Score>();
    return result;
}

// Whether sums of n + 1 scores can leave the range of float.
inline bool may_overflow(const float* scores, int32_t n, int64_t stride) {
    const float limit = std::numeric_limits<float>::max() / (4.0f * float(n + 1));
    for (int32_t m = 1; m <= n; ++m) {
        for (int32_t h = 0; h <= n; ++h) {
            const float size = std::fabs(scores[m * stride + h]);
            if (h != m && size > limit && size < std::numeric_limits<float>::infinity()) return true;
        }
    }
    return false;
}

inline Result decode_scores(const double* scores, int32_t n, int64_t stride, const Settings& settings,
                            int32_t* heads) {
    return run_decoder(scores, n, stride, settings, heads);
}

// Masks such as the lowest float are finite arcs whose sums are not: where they seem to leave no tree, double
// tells.
inline Result decode_scores(const float* scores, int32_t n, int64_t stride, const Settings& settings,
                            int32_t* heads) {
    const Result result = run_decoder(scores, n, stride, settings, heads);
    if (result.feasible || !may_overflow(scores, n, stride)) return result;
    std::vector<double> wide(size_t(n + 1) * (n + 1));
    for (int64_t m = 1; m <= n; ++m) std::copy_n(scores + m * stride, n + 1, wide.begin() + m * (n + 1));
    return run_decoder(wide.data(), n, n + 1, settings, heads);
}

// A gap of this part of the greedy distance is rounding.
constexpr double gap_tolerance = 1e-12;

struct Outcome {
    Result result;
    bool certified;     // the tree is proved to be the best
    bool valid_scores;  // neither NaN nor +inf among them
};

template <class Score>
Outcome decode_checked(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int32_t* heads) {
    if (find_invalid(scores, n, stride) >= 0) return {infeasible_result(), false, false};
    Result result = decode_scores(scores, n, stride, settings, heads);
    if (!result.feasible) return {result, false, true};
    result.upper_bound = std::max(result.upper_bound, result.score);
    const double gap = result.upper_bound - result.score;
    const bool certified = gap == 0 || gap <= gap_tolerance * greedy_distance(scores, n, stride, heads);
    return {result, certified, true};
}

// Check the scores, decode, and compare the bounds.
inline Outcome decode_matrix(const ScoreMatrix& matrix, const Settings& settings, int32_t* heads) {
    if (matrix.wide)
        return decode_checked(static_cast<const double*>(matrix.scores), matrix.n, matrix.stride, settings, heads);
    return decode_checked(static_cast<const float*>(matrix.scores), matrix.n, matrix.stride, settings, heads);
}

// The same for `lr` and `bnb` while Ctrl-C stops the search; `interrupted` tells that it did, and that the outcome
// counts for nothing. Most arborescences are valid, and then there is no search to guard.
inline Outcome decode_guarded(const ScoreMatrix& matrix, Settings settings, int32_t* heads, bool& interrupted) {
    interrupted = false;
    Settings relaxed = settings;
    relaxed.decoder = Decoder::msa;
    Outcome outcome = decode_matrix(matrix, relaxed, heads);
    if (!outcome.result.feasible) return outcome;
    if (is_valid(heads, matrix.n, settings.constraints, own_workspace<float>().search)) {
        outcome.result.nodes = 1;
        return outcome;
    }
    const InterruptGuard guard(true);
    settings.options.stop = guard.flag();
    outcome = decode_matrix(matrix, settings, heads);
    interrupted = guard.interrupted();
    return outcome;
}

}  // namespace wnparse
