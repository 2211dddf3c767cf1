#include "decoders/ranking.hpp"

#include <limits>
#include <vector>

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

void rank_several(Problem problem, const Settings& settings, int64_t k, RankedTrees& trees, KbestWorkspace& work) {
    const Options options = settings.options.limited(problem.words(), problem.order());
    const bool projective = settings.decoder == Decoder::eisner || problem.constraints.projective();
    if (!problem.plain()) {
        if (projective) problem.constraints.block_degree = 1;
        work.search.run(problem, k, options, own_workspace(), trees);
    } else if (projective)
        work.eisner.run(problem, k, options, trees);
    else if (!problem.constraints.structural())
        work.msa.run(problem, k, options, trees);
    else
        work.search.run(problem, k, options, own_workspace(), trees);
    trees.sort();
    // Of projective trees alone nothing follows for others.
    if (projective && !settings.constraints.projective())
        for (Result& result : trees.results) result.upper_bound = std::numeric_limits<double>::infinity();
}

}  // namespace

void rank(const ScoreMatrix& scores, const Settings& settings, int64_t k, RankedTrees& trees,
          const PartTables* parts, Labelling* labelling) {
    static thread_local KbestWorkspace work;
    trees.begin(scores.n);
    if (k == 1) {
        std::vector<int32_t> heads(scores.n + 1);
        const Result result = decode(scores, settings, heads.data(), parts, labelling);
        if (result.has_tree()) trees.add(heads.data(), result);
        trees.unsettled = result.feasible && !result.has_tree();
        return;
    }
    rank_several(Problem{scores, settings.constraints, parts, labelling}, settings, k, trees, work);
    if (scores.n > kept_length || k > kept_length) work = KbestWorkspace();
}

}  // namespace wnparse
