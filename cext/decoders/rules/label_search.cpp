#include "decoders/rules/label_search.hpp"

#include <limits>

#include "base/chaos.hpp"

namespace wnparse {

void LabelSearch::run(const int32_t* heads, std::vector<int32_t>& choices) {
    heads_ = heads;
    choices_ = &choices;
    // What is worse than that is another tree's business.
    constexpr int32_t most_checks = 100;
    checks_ = chaos::count(1, most_checks);
    value_ = measure();
    while (!rows_.violations().empty() && checks_ > 0 && change_one()) {
    }
    // What the last check saw may have been taken back.
    if (promote()) measure();
    broken_ = 0;
    for (const Violation& violation : rows_.violations())
        if (labelling_->rules().all[violation.rule].hard()) broken_ += violation.amount;
    for (int32_t m = 1; m <= labelling_->words(); ++m) broken_ += labelling_->choice(choices[m]).broken;
}

double LabelSearch::measure() {
    --checks_;
    double sum = 0.0;
    for (int32_t m = 1; m <= labelling_->words(); ++m) sum += labelling_->choice((*choices_)[m]).gain;
    rows_.check(heads_, choices_->data());
    return sum - rows_.cost();
}

// Take the cheapest change that lessens a violated row, the first row that has one; false if none gains.
bool LabelSearch::change_one() {
    // Each change is checked, and the check forgets what was found before.
    const std::vector<Violation> violations = rows_.violations();
    const std::vector<std::vector<int32_t>> sets = rows_.sets();
    for (const Violation& violation : violations) {
        const RuleRow row = rows_.make_row(violation, sets);
        int32_t word = -1, best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (const RuleRow::Term& term : row.terms) {
            const Labelling::LabelledArc& arc = labelling_->arcs()[term.arc];
            if (heads_[arc.m] != arc.h) continue;
            const LabelChoice& now = labelling_->choice((*choices_)[arc.m]);
            const bool counted = (term.classes >> now.label_class & 1) != 0;
            if (counted != (term.factor > 0)) continue;
            for (int32_t i = arc.begin; i < arc.end; ++i) {
                const LabelChoice& choice = labelling_->choice(i);
                if (((term.classes >> choice.label_class & 1) != 0) == counted) continue;
                if (now.gain - choice.gain < least) {
                    least = now.gain - choice.gain;
                    word = arc.m;
                    best = i;
                }
            }
        }
        if (word < 0) continue;
        if (checks_ <= 0) break;
        const int32_t before = (*choices_)[word];
        (*choices_)[word] = best;
        const double value = measure();
        if (value > value_) {
            value_ = value;
            return true;
        }
        (*choices_)[word] = before;
    }
    measure();
    return false;
}

// Give words their best labels again, where nothing speaks against it; whether any was tried.
bool LabelSearch::promote() {
    bool tried = false;
    for (int32_t m = 1; m <= labelling_->words(); ++m) {
        const int32_t first = labelling_->arc(heads_[m], m).begin, before = (*choices_)[m];
        if (before == first || checks_ <= 0) continue;
        (*choices_)[m] = first;
        tried = true;
        const double value = measure();
        if (value >= value_)
            value_ = value;
        else
            (*choices_)[m] = before;
    }
    return tried;
}

}  // namespace wnparse
