#include "decoders/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "problem/objective.hpp"

namespace wnparse {

namespace {

// A gap of this part of the greedy distance is rounding.
constexpr double gap_tolerance = 1e-12;

Result decode_msa(const Problem& problem, int32_t* heads, SearchWorkspace& work) {
    if (!best_arborescence(problem.scores, problem.constraints.single_root, heads, work.direct))
        return infeasible_result();
    const double score = tree_score(problem, heads);
    return {score, score, 1, 0, true};
}

// The bound of Eisner's tree is its score where only projective trees are valid; else nothing is known.
Result decode_eisner(const Problem& problem, const Options& options, int32_t* heads, SearchWorkspace& work) {
    if (!best_projective_tree(problem.scores, problem.constraints.single_root, heads, work.direct, options.stop))
        return options.stopped() ? limited_result() : infeasible_result();
    const double score = tree_score(problem, heads);
    const bool exact = problem.constraints.projective();
    return {score, exact ? score : std::numeric_limits<double>::infinity(), 0, 0, true};
}

Result decode_msa_eisner(const Problem& problem, const Options& options, int32_t* heads, SearchWorkspace& work) {
    const Result best = decode_msa(problem, heads, work);
    if (!best.feasible || is_valid(heads, problem.words(), problem.constraints, work)) return best;
    Result projective = decode_eisner(problem, options, heads, work);
    if (projective.feasible) projective.upper_bound = best.score;
    projective.iterations = best.iterations;
    return projective;
}

// The relaxation of projective trees, of parts of higher order or rules.
Result relax_projective(Problem problem, const Options& options, int32_t* heads, SearchWorkspace& work) {
    const bool exact = problem.constraints.projective();
    problem.constraints.block_degree = 1;
    Result result = search(problem, options, false, heads, work);
    if (!exact && result.feasible) result.upper_bound = std::numeric_limits<double>::infinity();
    return result;
}

// The relaxation of all trees; where its tree is invalid, that of projective ones.
Result relax_msa_eisner(const Problem& problem, const Options& options, int32_t* heads, SearchWorkspace& work) {
    Problem loose = problem;
    loose.constraints.block_degree = 0;
    loose.constraints.well_nested = false;
    const Result best = search(loose, options, false, heads, work);
    if (!best.has_tree() || is_valid(heads, problem.words(), problem.constraints, work)) return best;
    Result projective = relax_projective(problem, options, heads, work);
    if (projective.feasible) {
        // A bound speaks of trees that break as many hard rules as the tree that it was found with.
        const double weight = problem.labelling != nullptr ? problem.labelling->broken_weight() : 0.0;
        const double all = best.upper_bound + weight * (projective.broken - best.broken);
        projective.upper_bound = std::min(projective.upper_bound, all);
    }
    projective.iterations += best.iterations;
    return projective;
}

// `lr` and `bnb`: without parts and rules, the arborescence or Eisner's tree where that is all there is to find.
Result decode_search(const Problem& problem, const Options& options, bool exact, int32_t* heads,
                     SearchWorkspace& work) {
    if (problem.plain() && problem.constraints.projective()) return decode_eisner(problem, options, heads, work);
    if (problem.plain() && !problem.constraints.structural()) return decode_msa(problem, heads, work);
    return search(problem, options, exact, heads, work);
}

Result run_decoder(const Problem& problem, const Settings& settings, int32_t* heads, SearchWorkspace& work) {
    const bool plain = problem.plain();
    // An arborescence takes too little time for limits: even the clock is not read.
    if (plain && settings.decoder == Decoder::msa) return decode_msa(problem, heads, work);
    const Options options = settings.options.limited(problem.words(), problem.order());
    switch (settings.decoder) {
        case Decoder::msa: return search(problem, options, false, heads, work);
        case Decoder::eisner:
            return plain ? decode_eisner(problem, options, heads, work)
                         : relax_projective(problem, options, heads, work);
        case Decoder::msa_eisner:
            return plain ? decode_msa_eisner(problem, options, heads, work)
                         : relax_msa_eisner(problem, options, heads, work);
        case Decoder::lr: return decode_search(problem, options, false, heads, work);
        case Decoder::bnb: return decode_search(problem, options, true, heads, work);
        case Decoder::external: return options.external.run(options.external.context, problem, options, heads);
    }
    throw std::invalid_argument("no such decoder");
}

// Whether sums of n + 1 scores can leave the range of float.
bool may_overflow(const ScoreMatrix& scores) {
    if (scores.wide) return false;
    const auto* narrow = static_cast<const float*>(scores.scores);
    const float limit = std::numeric_limits<float>::max() / (4.0f * float(scores.n + 1));
    for (int32_t m = 1; m <= scores.n; ++m) {
        for (int32_t h = 0; h <= scores.n; ++h) {
            const float size = std::fabs(narrow[m * scores.stride + h]);
            if (h != m && size > limit && size < std::numeric_limits<float>::infinity()) return true;
        }
    }
    return false;
}

// A copy of a matrix of float, written to `cells`.
ScoreMatrix copy_in_double(const ScoreMatrix& scores, std::vector<double>& cells) {
    const auto* narrow = static_cast<const float*>(scores.scores);
    const int64_t width = scores.n + 1;
    cells.resize(width * width);
    for (int64_t m = 1; m < width; ++m) std::copy_n(narrow + m * scores.stride, width, cells.begin() + m * width);
    return {cells.data(), width, scores.n, true};
}

}  // namespace

SearchWorkspace& own_workspace() {
    static thread_local SearchWorkspace work;
    return work;
}

bool is_certified(const ScoreMatrix& scores, const int32_t* heads, const Result& result) {
    const double gap = result.upper_bound - result.score;
    return gap <= result.tolerance || gap <= gap_tolerance * greedy_distance(scores, heads);
}

Result decode(const ScoreMatrix& scores, const Settings& settings, int32_t* heads, const PartTables* parts,
              Labelling* labelling) {
    const chaos::Scope scope(settings.options.seeds);
    SearchWorkspace& work = own_workspace();
    Problem problem{scores, settings.constraints, parts, labelling};
    Result result = run_decoder(problem, settings, heads, work);
    // Masks such as the lowest float are finite arcs whose sums are not.  If they seem to leave no tree, try
    // double.
    if (!result.feasible && may_overflow(scores)) {
        std::vector<double> cells;
        problem.scores = copy_in_double(scores, cells);
        result = run_decoder(problem, settings, heads, work);
    }
    if (scores.n > kept_length) work = SearchWorkspace();
    return result;
}

Outcome decode_checked(const ScoreMatrix& scores, const Settings& settings, int32_t* heads,
                       const PartTables* parts, Labelling* labelling) {
    if (find_invalid(scores) >= 0) return {infeasible_result(), false, false};
    Result result = decode(scores, settings, heads, parts, labelling);
    if (!result.has_tree()) return {result, false, true};
    result.upper_bound = std::max(result.upper_bound, result.score);
    return {result, is_certified(scores, heads, result), true};
}

}  // namespace wnparse
