#include "decoders/ranking.hpp"

#include <limits>
#include <vector>

#include "base/interrupt.hpp"
#include "decoders/kbest/kbest_eisner.hpp"
#include "decoders/kbest/kbest_msa.hpp"
#include "decoders/kbest/kbest_search.hpp"

namespace wnparse {

namespace {

struct KbestWorkspace {
    KbestMsa msa;
    KbestEisner eisner;
    KbestSearch search;
};

bool rank_several(const ScoreMatrix& scores, const Settings& settings, int64_t k, RankedTrees& trees,
                  KbestWorkspace& work) {
    const Problem problem{scores, settings.constraints};
    const Options& options = settings.options;
    const bool projective = settings.decoder == Decoder::eisner || problem.constraints.projective();
    bool finished = true;
    if (projective)
        finished = work.eisner.run(problem, k, options, trees);
    else if (!problem.constraints.structural())
        finished = work.msa.run(problem, k, options, trees);
    else
        finished = work.search.run(problem, k, options, own_workspace(), trees);
    trees.sort();
    // Of projective trees alone nothing follows for others.
    if (projective && !problem.constraints.projective())
        for (Result& result : trees.results) result.upper_bound = std::numeric_limits<double>::infinity();
    return finished;
}

}  // namespace

bool rank(const ScoreMatrix& scores, const Settings& settings, int64_t k, RankedTrees& trees) {
    static thread_local KbestWorkspace work;
    trees.begin(scores.n);
    if (k == 1) {
        std::vector<int32_t> heads(scores.n + 1);
        const Result result = decode(scores, settings, heads.data());
        if (result.feasible) trees.add(heads.data(), result);
        return !settings.options.stopped();
    }
    const bool finished = rank_several(scores, settings, k, trees, work);
    if (scores.n > kept_length || k > kept_length) work = KbestWorkspace();
    return finished;
}

bool rank_guarded(const ScoreMatrix& scores, Settings settings, int64_t k, bool main_thread, RankedTrees& trees) {
    const InterruptGuard guard(main_thread);
    settings.options.stop = guard.flag();
    rank(scores, settings, k, trees);
    return !guard.interrupted();
}

}  // namespace wnparse
