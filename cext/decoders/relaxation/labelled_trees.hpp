// Labelled trees under rules: what a labelled solution violates, and good labels for valid trees.
//
// The relaxation prices rules, and so suggests a label for every arc.  From these labels a search over labels
// (label_search.hpp) and a climb over arcs and labels (ruled_climb.hpp) make the incumbent.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/relaxation/incumbent.hpp"
#include "decoders/relaxation/rule_prices.hpp"
#include "decoders/relaxation/ruled_climb.hpp"
#include "decoders/rules/label_search.hpp"
#include "decoders/rules/rule_rows.hpp"

namespace wnparse {

template <int W>
class LabelledTrees {
public:
    void start(Labelling& labelling) {
        labelling_ = &labelling;
        rows_.start(labelling);
    }

    // Rules are priced from now on: improve() and check() may follow.
    void start_rules() {
        label_search_.start(*labelling_);
        climb_.start(*labelling_);
        last_heads_.assign(labelling_->words() + 1, -1);
        last_choices_.assign(labelling_->words() + 1, -1);
    }

    // Find the rows that a solution violates with the labels that prices suggest.
    void check(const int32_t* tree, const RulePrices& prices) {
        choices_.resize(labelling_->words() + 1);
        for (int32_t m = 1; m <= labelling_->words(); ++m) choices_[m] = prices.choice(tree[m], m);
        rows_.check(tree, choices_.data());
    }
    const RuleRows& rows() const { return rows_; }  // with the violations of the last check
    void clear_violations() { rows_.clear(); }

    // The value of the tree that was checked last.  One that breaks soft rules may still be the best.
    double value(const Objective& objective, const int32_t* tree) const {
        double sum = objective.value(tree) - rows_.cost();
        for (int32_t m = 1; m <= labelling_->words(); ++m) sum += labelling_->choice(choices_[m]).gain;
        return sum;
    }

    // Label a valid tree, and keep it if it is better than the incumbent.  `climb`: then try trees nearby.
    void improve(const SearchSpace<W>& space, const int32_t* tree, const RulePrices& prices, bool climb,
                 Incumbent& incumbent) {
        const int32_t n = labelling_->words();
        heads_.assign(tree, tree + n + 1);
        choices_.resize(n + 1);
        for (int32_t m = 1; m <= n; ++m) choices_[m] = usable_choice(tree[m], m, prices);
        // Prices that have moved little suggest the same again.
        if (heads_ == last_heads_ && choices_ == last_choices_) return;
        last_heads_ = heads_;
        last_choices_ = choices_;
        label_search_.run(tree, choices_);
        keep_better(space.objective, incumbent);
        if (!climb) return;
        climb_.run(space, heads_, choices_);
        label_search_.run(heads_.data(), choices_);
        keep_better(space.objective, incumbent);
    }

    // Whether a tree violates no row with the best label of each arc.
    bool best_labels_obey(const int32_t* tree) {
        int32_t broken = 0;
        return rows_.kept_by_first(tree, choices_, broken);
    }

    // Write the labels of the incumbent to the labelling; return its score, without what hard rules cost.  If
    // rules were not priced, it gets the best label of each arc.
    double publish(Incumbent& incumbent, bool rules_priced, const PartTables* parts) {
        if (!rules_priced) rows_.kept_by_first(incumbent.heads.data(), incumbent.choices, incumbent.broken);
        const int32_t *heads = incumbent.heads.data(), *choices = incumbent.choices.data();
        labelling_->choose(choices, incumbent.broken);
        rows_.check(heads, choices);
        return rows_.score(heads, choices, parts);
    }

private:
    // The best choice of an arc under prices, or any that it has.
    int32_t usable_choice(int32_t h, int32_t m, const RulePrices& prices) const {
        const int32_t best = prices.choice(h, m);
        return best >= 0 ? best : labelling_->arc(h, m).begin;
    }

    void keep_better(const Objective& objective, Incumbent& incumbent) const {
        const double unlabelled_value = objective.value(heads_.data());
        const double value = unlabelled_value + label_search_.value();
        if (!(value > incumbent.value)) return;
        incumbent.heads = heads_;
        incumbent.value = value;
        incumbent.unlabelled_value = unlabelled_value;
        incumbent.choices = choices_;
        incumbent.broken = label_search_.broken();
    }

    Labelling* labelling_ = nullptr;
    RuleRows rows_;
    LabelSearch label_search_;
    RuledClimb<W> climb_;
    std::vector<int32_t> heads_, choices_;            // [n + 1] of the tree that is looked at
    std::vector<int32_t> last_heads_, last_choices_;  // [n + 1] from which improve() started last
};

}  // namespace wnparse
