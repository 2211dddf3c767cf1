// From a decoder's name to its k best trees: one call a sentence.
//
// `msa`, `eisner` and `bnb` rank trees; as for the best tree, `bnb` leaves the cases that need no search to the
// others. The best tree alone is that of decoder.hpp, so that k = 1 is decoding, ties included.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/interrupt.hpp"
#include "decoders/decoder.hpp"
#include "decoders/kbest/kbest_eisner.hpp"
#include "decoders/kbest/kbest_msa.hpp"
#include "decoders/kbest/kbest_search.hpp"
#include "decoders/kbest/ranked_trees.hpp"

namespace wnparse {

struct KbestWorkspace {
    KbestMsa msa;
    KbestEisner eisner;
    KbestSearch search;
};

inline bool ranks_trees(Decoder decoder) {
    return decoder == Decoder::msa || decoder == Decoder::eisner || decoder == Decoder::bnb;
}

// The k best trees of scores[m * stride + h], fewer if there are not as many, none if no tree is valid.  A
// result's upper bound is one on the score of its rank: no tree of that rank scores more.  False if `options.stop`
// ended that.
template <class Score>
bool run_kbest(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int64_t k,
               RankedTrees& trees, KbestWorkspace& work) {
    const Constraints& constraints = settings.constraints;
    const Options& options = settings.options;
    trees.begin(n);
    if (k == 1) {
        std::vector<int32_t> heads(n + 1);
        const Result result = decode_scores(scores, n, stride, settings, heads.data());
        if (result.feasible) trees.add(heads.data(), result);
        return options.stop == nullptr || *options.stop == 0;
    }
    bool finished = true;
    const bool projective = settings.decoder == Decoder::eisner || constraints.block_degree == 1;
    if (projective) {
        finished = work.eisner.run(scores, n, stride, constraints.single_root, k, options.stop, trees);
    } else if (constraints.block_degree == 0 && !constraints.well_nested) {
        finished = work.msa.run(scores, n, stride, constraints.single_root, k, options.stop, trees);
    } else {
        SearchWorkspace& search = own_workspace<double>().search;
        finished = work.search.run(scores, n, stride, constraints, options, k, search, trees);
    }
    trees.sort();
    // Of projective trees alone nothing follows for others.
    if (projective && constraints.block_degree != 1)
        for (Result& result : trees.results) result.upper_bound = std::numeric_limits<double>::infinity();
    return finished;
}

template <class Score>
bool run_kbest(const Score* scores, int32_t n, int64_t stride, const Settings& settings, int64_t k,
               RankedTrees& trees) {
    static thread_local KbestWorkspace work;
    const bool finished = run_kbest(scores, n, stride, settings, k, trees, work);
    if (n > kept_length || k > kept_length) work = KbestWorkspace();
    return finished;
}

inline bool kbest_matrix(const ScoreMatrix& matrix, const Settings& settings, int64_t k, RankedTrees& trees) {
    if (matrix.wide)
        return run_kbest(static_cast<const double*>(matrix.scores), matrix.n, matrix.stride, settings, k, trees);
    return run_kbest(static_cast<const float*>(matrix.scores), matrix.n, matrix.stride, settings, k, trees);
}

// Whether the bound on a rank meets the score of its tree.
inline bool is_certified(const ScoreMatrix& matrix, const RankedTrees& trees, int64_t rank) {
    const Result& result = trees.results[rank];
    const double gap = result.upper_bound - result.score;
    const double unit =
        matrix.wide
            ? greedy_distance(static_cast<const double*>(matrix.scores), matrix.n, matrix.stride, trees.tree(rank))
            : greedy_distance(static_cast<const float*>(matrix.scores), matrix.n, matrix.stride, trees.tree(rank));
    return gap <= 0 || gap <= gap_tolerance * unit;
}

// The same while Ctrl-C stops the work, if this is the thread that signals go to. False: it did, and the trees
// count for nothing.
inline bool kbest_guarded(const ScoreMatrix& matrix, Settings settings, int64_t k, bool main_thread,
                          RankedTrees& trees) {
    const InterruptGuard guard(main_thread);
    settings.options.stop = guard.flag();
    kbest_matrix(matrix, settings, k, trees);
    return !guard.interrupted();
}

}  // namespace wnparse
