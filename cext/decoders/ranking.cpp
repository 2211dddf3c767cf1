#include "decoders/ranking.hpp"

#include <chrono>
#include <limits>
#include <vector>

#include "decoders/kbest/kbest_eisner.hpp"
#include "decoders/kbest/kbest_msa.hpp"
#include "decoders/kbest/kbest_search.hpp"

namespace wnparse {

namespace {

using Clock = std::chrono::steady_clock;

struct KbestWorkspace {
    KbestMsa msa;
    KbestEisner eisner;
    KbestSearch search;
};

void rank_several(Problem problem, const Settings& settings, int64_t k, const FirstOfRanking& first,
                  RankedTrees& trees, KbestWorkspace& work) {
    const Options options = settings.options.limited(problem.words(), problem.order());
    const bool projective = settings.decoder == Decoder::eisner || problem.constraints.projective();
    if (projective && !problem.plain()) problem.constraints.block_degree = 1;
    if (problem.plain() && projective)
        work.eisner.run(problem, k, options, trees);
    else if (problem.plain() && !problem.constraints.structural())
        work.msa.run(problem, k, options, trees);
    else
        work.search.run(problem, k, options, first, own_workspace(), trees);
    trees.finish(first.heads, first.labels, first.result, k);
    // Of projective trees alone nothing follows for others.
    if (projective && !settings.constraints.projective())
        for (Result& result : trees.results) result.upper_bound = std::numeric_limits<double>::infinity();
}

}  // namespace

void rank_after(const ScoreMatrix& scores, const Settings& settings, int64_t k, const int32_t* first,
                const int32_t* first_labels, const Result& result, RankedTrees& trees, const PartTables* parts,
                Labelling* labelling) {
    static thread_local KbestWorkspace work;
    const chaos::Scope scope(settings.options.seeds);
    trees.begin(scores.n);
    if (k == 1) {
        trees.add(first, first_labels, result);
        return;
    }
    rank_several(Problem{scores, settings.constraints, parts, labelling}, settings, k,
                 {first, first_labels, result}, trees, work);
    if (scores.n > kept_length || k > kept_length) work = KbestWorkspace();
}

void rank(const ScoreMatrix& scores, const Settings& settings, int64_t k, RankedTrees& trees,
          const PartTables* parts, Labelling* labelling) {
    const auto start = Clock::now();
    std::vector<int32_t> heads(scores.n + 1), labels(labelling != nullptr ? scores.n + 1 : 0, -1);
    const Result result = decode(scores, settings, heads.data(), parts, labelling);
    if (!result.has_tree()) {
        trees.begin(scores.n);
        trees.unsettled = result.feasible;
        trees.bound = result.upper_bound;
        return;
    }
    for (int32_t m = 1; labelling != nullptr && m <= scores.n; ++m) labels[m] = labelling->label(m);
    Settings left = settings;
    left.options = settings.options.after(std::chrono::duration<double>(Clock::now() - start).count());
    rank_after(scores, left, k, heads.data(), labelling != nullptr ? labels.data() : nullptr, result, trees, parts,
               labelling);
}

}  // namespace wnparse
