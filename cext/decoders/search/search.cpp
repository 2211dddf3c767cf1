#include "decoders/search/search.hpp"

#include <algorithm>
#include <vector>

#include "base/chaos.hpp"
#include "problem/objective.hpp"

namespace wnparse {

namespace {

struct Width {
    int32_t most_words;
    std::unique_ptr<WidthSearch> (*make)();
};

constexpr Width widths[] = {
    {63, make_width_search<1>},    {127, make_width_search<2>},      {255, make_width_search<4>},
    {1023, make_width_search<16>}, {65535, make_width_search<1024>},
};

// Whether the best tree keeps all rules with the best label of each arc: it is the best labelled tree then.
bool settle_labels(const Problem& problem, const int32_t* heads, RuleRows& rows, double* score) {
    Labelling& labelling = *problem.labelling;
    std::vector<int32_t> choices;
    int32_t broken = 0;
    rows.start(labelling);
    if (!rows.kept_by_first(heads, choices, broken)) return false;
    labelling.choose(choices.data(), broken);
    *score = rows.score(heads, choices.data(), nullptr);
    return true;
}

}  // namespace

WidthSearch& SearchWorkspace::of_words(int32_t n) {
    size_t at = 0;
    while (at + 1 < widths_.size() && n > widths[at].most_words) ++at;
    if (at + 3 < widths_.size() && chaos::seldom(false, 4)) ++at;  // wider sets do as well
    if (widths_[at] == nullptr) widths_[at] = widths[at].make();
    return *widths_[at];
}

bool is_valid(const int32_t* heads, int32_t n, const Constraints& constraints, SearchWorkspace& work) {
    return work.of_words(n).is_valid(heads, n, constraints);
}

Result search(const Problem& problem, const Options& options, bool exact, int32_t* heads, SearchWorkspace& work) {
    const Constraints& constraints = problem.constraints;
    if (!best_arborescence(problem.scores, constraints.single_root, heads, work.direct))
        return infeasible_result(1, 1);
    WidthSearch& width = work.of_words(problem.words());
    const bool settled = problem.parts == nullptr || problem.words() == 0;
    if (settled && width.is_valid(heads, problem.words(), constraints)) {
        double score = tree_score(problem, heads);
        if (problem.labelling == nullptr) return {score, score, 1, 1, true};
        if (settle_labels(problem, heads, work.rows, &score))
            return {score, score, 1, 1, true, 0.0, problem.labelling->broken()};
    }
    return exact ? width.branch_and_bound(problem, options, heads, work.direct)
                 : width.lagrangian(problem, options, heads, work.direct);
}

}  // namespace wnparse
