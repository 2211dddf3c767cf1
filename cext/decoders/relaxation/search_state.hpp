// The state of a search: the relaxation with its multipliers, the incumbent, and what makes trees of solutions.
//
// Corro et al. (2016), sections 5 and 6.  Values are relative, as the objective has them (objective.hpp).  Buffers
// are kept between sentences.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/relaxation/agreement.hpp"
#include "decoders/relaxation/arborescence.hpp"
#include "decoders/relaxation/incumbent.hpp"
#include "decoders/relaxation/labelled_trees.hpp"
#include "decoders/relaxation/local_search.hpp"
#include "decoders/relaxation/paper_reduction.hpp"
#include "decoders/relaxation/recent_trees.hpp"
#include "decoders/relaxation/reduced_costs.hpp"
#include "decoders/relaxation/rule_prices.hpp"
#include "decoders/relaxation/separation.hpp"
#include "decoders/relaxation/shape_cuts.hpp"
#include "decoders/relaxation/subgradient.hpp"
#include "problem/problem.hpp"
#include "problem/structure.hpp"

namespace wnparse {

template <int W>
class SearchState {
public:
    // `arborescence` is the best one of the problem, which is not valid.
    void start(const Problem& problem, const Options& options, const StepRule& step_rule,
               const int32_t* arborescence) {
        options_ = options;
        ranks_ = false;
        step_rule_ = step_rule;
        constraints_ = problem.constraints;
        objective_.load(problem);
        spread_ = objective_.spread();
        labelling_ = problem.labelling;
        arcs_.start(objective_, constraints_.single_root, !problem.plain() && constraints_.projective());
        cuts_.clear();
        if (has_parts()) {
            agreement_.start(*problem.parts, objective_, constraints_.single_root);
            agreement_.price(arcs_);
        }
        structure_.reserve(words());
        iterations_ = 0;
        incumbent_.clear(words());
        rules_priced_ = labelling_ != nullptr && chaos::flip(!has_parts());
        if (has_labels()) labelled_.start(*labelling_);
        if (rules_priced_) start_rules();
        cutoff_ = options_.cutoff - objective_.offset();
        options_.local_search = chaos::flip(options.local_search);
        unpriced_.assign(arborescence, arborescence + words() + 1);
        last_repaired_.assign(words() + 1, -1);
        if (options_.known != nullptr) accept(options_.known);
        separation_.start(constraints_, options_.paper_cuts, step_rule_.cuts_at_once);
    }

    int32_t words() const { return objective_.words(); }
    bool has_parts() const { return objective_.parts() != nullptr; }
    bool has_labels() const { return labelling_ != nullptr; }
    bool has_rules() const { return rules_priced_; }
    // Whether rules are not priced yet: with parts of higher order most sentences are solved before labels matter.
    bool rules_wait() const { return has_labels() && !rules_priced_; }
    const Labelling& labelling() const { return *labelling_; }
    const Constraints& constraints() const { return constraints_; }
    const Options& options() const { return options_; }
    const StepRule& step_rule() const { return step_rule_; }
    const Objective& objective() const { return objective_; }
    int32_t iterations() const { return iterations_; }  // of all loops
    bool stopped() const { return options_.stopped(); }

    const Incumbent& incumbent() const { return incumbent_; }
    bool has_tree() const { return lower() > minus_infinity<double>(); }
    double lower() const { return incumbent_.value; }
    // What a gap is measured from.  A tree that breaks hard rules is far below all others and is left out, unless
    // there seems to be no other.
    double reached() const {
        constexpr int32_t in_vain = 400;
        const double value = ranks_ ? std::max(lower(), cutoff_) : lower();
        return incumbent_.broken > 0 && ruled_iterations() < in_vain ? minus_infinity<double>() : value;
    }
    // What a bound must exceed to be of interest, rounding aside.
    double floor() const { return objective_.above(std::max(lower(), cutoff_)); }

    // Accept the one tree that the open arcs leave, with the labels that are left; there may be none, or an
    // invalid one.
    void accept_only_tree() {
        only_.assign(words() + 1, -1);
        for (int32_t m = 1; m <= words(); ++m) {
            if (open(m).empty()) return;
            only_[m] = open(m).lowest();
        }
        const bool rooted = !constraints_.single_root || has_single_root(only_.data(), words());
        if (rooted && is_tree(only_.data(), words()) && separate(only_.data()).empty()) accept(only_.data());
    }

    // Where rules wait: whether the incumbent violates none with the best label of each arc.  If no tree is
    // better, no labelled tree is.
    bool keeps_rules() { return has_tree() && labelled_.best_labels_obey(incumbent_.heads.data()); }

    // Price rules from now on.  Arcs that could not beat the incumbent without them are open again.
    void begin_rules() {
        step_rule_ = under_rules(step_rule_);
        rules_priced_ = true;
        start_rules();
        arcs_.open_all();
        price_all();
        if (!has_tree()) return;
        incumbent_.value = minus_infinity<double>();
        accept(std::vector<int32_t>(incumbent_.heads).data());
    }

    // Write the labels of the incumbent to the labelling; return its score, without what hard rules cost.
    double publish_labels() { return labelled_.publish(incumbent_, rules_priced_, objective_.parts()); }

    // Keep a valid tree as it is if it is better than the incumbent.
    void accept(const int32_t* heads) {
        const double value = objective_.value(heads);
        if (!(value > lower())) return;  // labels only cost
        if (!has_rules()) return incumbent_.replace(heads, value);
        // Prices solve most sentences in an iteration or two, which cost less than a climb.
        const bool climb = options_.local_search && ruled_iterations() >= (has_parts() ? 1 : 3);
        labelled_.improve(space(), heads, rule_prices_, climb, incumbent_);
    }

    // Keep a valid tree, after local search, if it is better than the incumbent.
    void offer(const int32_t* heads) {
        if (has_rules()) return accept(heads);
        local_search_.start(space(), heads);
        if (options_.local_search) local_search_.climb(space());
        accept(local_search_.tree());
    }

    // Offer a tree that may be invalid: as it is, or repaired.
    void consider(const int32_t* heads) {
        if (separate(heads).empty())
            offer(heads);
        else if (options_.local_search)
            repair(heads);
    }

    // Repair an arborescence that violates one cut alone; true if that gave an incumbent.
    bool repair_one(const int32_t* heads) {
        if (separate(heads).size() == 1) repair(heads);
        return has_tree();
    }

    // Move the multipliers until the bound falls to the incumbent, stalls or the limit is reached.  The best
    // bound of this node; at most floor() if it holds nothing better than the incumbent.
    double relax(int32_t limit, double inherited) {
        recent_.start(words(), has_rules());
        const double best = Subgradient(*this, step_rule_, options_.camerini).descend(limit, inherited);
        if (options_.paper_fixing && plain() && best > floor() && has_tree()) reduce(2 * words());
        return best;
    }

    // A second attempt after a loop that has stalled at the bound `best`: the paper's reduction, for no more than
    // the loop has cost, and the loop again on what is left.
    double reduce_and_relax(double best) {
        const int32_t limit = std::min(step_rule_.second_iterations, options_.max_iterations - iterations_);
        if (limit <= 0 || options_.paper_fixing || !plain() || !has_tree() || best <= floor() || stopped())
            return best;
        reduce(iterations_);
        return relax(limit, best);
    }

    // A node of the search: the arcs that are left, and the multipliers to start from.
    const std::vector<BitSet<W>>& open() const { return arcs_.open(); }
    const BitSet<W>& open(int32_t m) const { return arcs_.open(m); }
    const std::vector<Cut<W>>& cuts() const { return cuts_.cuts(); }
    const Agreement& agreement() const { return agreement_; }
    Agreement& agreement() { return agreement_; }  // for the laboratory
    const RulePrices& rule_prices() const { return rule_prices_; }
    void enter(const std::vector<BitSet<W>>& open, const std::vector<Cut<W>>& cuts,
               const std::vector<double>& shares, const RulePrices::Saved& rules) {
        cuts_.restore(cuts);
        if (has_rules()) rule_prices_.restore(rules);
        if (has_parts()) agreement_.restore(shares);
        narrow(open);
    }
    void narrow(const std::vector<BitSet<W>>& open) {
        arcs_.reopen(open);
        price_all();
    }

    const RecentTrees& recent() const { return recent_; }  // of the last loop
    double price(Arc arc) const { return arcs_.price(arc); }
    SearchSpace<W> space() const { return {objective_, arcs_.open(), constraints_, spread_, options_.stop}; }

    // For the subgradient loop.
    bool solve() {
        ++iterations_;
        double constant = 0.0;
        each_family([&](const auto& family) { constant += family.constant(); });
        if (!arcs_.solve(constant)) return false;
        const int32_t* tree = arcs_.tree().data();
        recent_.add(tree, [&](int32_t m) { return rule_prices_.choice(tree[m], m); });
        if (!has_parts()) return true;
        if (!agreement_.solve(arcs_)) return false;
        recent_.add(agreement_.heads().data(), [](int32_t) { return -1; });  // the automata choose no labels
        return true;
    }
    double bound() const { return has_parts() ? arcs_.bound() + agreement_.bound() : arcs_.bound(); }
    double unit() const { return spread_; }
    template <class Visit>
    void each_family(Visit&& visit) {
        visit(cuts_);
        if (has_parts()) visit(agreement_);
        if (has_rules()) visit(rule_prices_);
    }
    Arborescence<W>& subproblem() { return arcs_; }
    void update_families() {
        const int32_t* tree = arcs_.tree().data();
        const int32_t idle_limit = chaos::count(0, step_rule_.idle_limit);
        cuts_.update(tree, separation_.cuts(), idle_limit);
        if (has_parts()) agreement_.update(tree);
        if (has_rules()) rule_prices_.update(tree, labelled_.rows(), idle_limit);
    }

    // Find the cuts and rows that the current solution violates, and try to make a better incumbent of it.
    void look(int32_t round) {
        // Trees that satisfy rules are rarer than valid ones: more solutions are worth a repair.
        constexpr int32_t ruled_repairs = 10;
        const int32_t* tree = arcs_.tree().data();
        const bool early = round < (has_rules() ? ruled_repairs : step_rule_.repairs);
        if (has_rules()) labelled_.check(tree, rule_prices_);
        if (separate(tree).empty()) {
            if (is_promising(tree, early)) offer(tree);
        } else if (options_.local_search && (early || !has_tree())) {
            repair(tree);
        }
    }

    // Forget the cuts and rows of the last tree that was looked at.
    void look_away() {
        separation_.clear();
        labelled_.clear_violations();
    }

    void fix() {
        if (options_.paper_fixing) return;
        ReducedCosts<W> reduced_costs(arcs_, words());
        if (!has_parts()) {
            if (arcs_.has_duals()) reduced_costs.fix(floor());
        } else if (chaos::flip(iterations_ % step_rule_.fix_parts_every == 0) && (has_tree() || ranks_)) {
            reduced_costs.fix(ranks_ ? objective_.above(cutoff_) : floor(), bound(), agreement_.slacks());
        }
    }

    // For a ranking: arcs stay open if a tree above the cutoff may use them, whatever the incumbent is.
    void rank_above(double cutoff) {
        ranks_ = true;
        cutoff_ = cutoff - objective_.offset();
    }
    double cutoff() const { return cutoff_; }
    bool is_above_cutoff(double bound) const { return bound > objective_.above(cutoff_); }
    // A tree is the incumbent where its arcs are open; otherwise there is none.
    void restart(const int32_t* heads) {
        incumbent_.clear(words());
        for (int32_t m = 1; m <= words(); ++m)
            if (!open(m).has(heads[m])) return;
        accept(heads);
    }

    // With parts: solve once more, and call visit(arc, slack of the arborescence, slacks of the automata) for all
    // open arcs: what bound() loses by each.  False if nothing is left.
    template <class Visit>
    bool visit_slacks(Visit&& visit) {
        if (!solve()) return false;
        const auto slack = agreement_.slacks();
        ReducedCosts<W>(arcs_, words()).each_slack([&](Arc arc, double own) { visit(arc, own, slack(arc)); });
        return true;
    }

private:
    bool plain() const { return !has_parts() && !has_labels(); }

    void start_rules() {
        rule_prices_.start(*labelling_);
        labelled_.start_rules();
        ruled_since_ = iterations_;
        incumbent_.broken = 0;
    }
    int32_t ruled_iterations() const { return iterations_ - ruled_since_; }

    void price_all() {
        arcs_.clear_prices();
        each_family([&](auto& family) { family.price(arcs_); });
    }

    // Whether a valid solution, whose labels were checked, may give a better incumbent.
    bool is_promising(const int32_t* tree, bool early) const {
        if (has_rules())
            return labelled_.rows().violations().empty() || early || incumbent_.broken > 0 || !has_tree() ||
                   labelled_.value(objective_, tree) > lower();
        // With parts of higher order a climb costs as much as some iterations.
        return objective_.value(tree) > lower() || (options_.local_search && !has_parts());
    }

    const std::vector<Cut<W>>& separate(const int32_t* heads) {
        structure_.build(heads);
        structure_.find_gapped();
        return separation_.run(heads, structure_);
    }

    void repair(const int32_t* heads) {
        if (std::equal(last_repaired_.begin(), last_repaired_.end(), heads)) return;
        std::copy(heads, heads + words() + 1, last_repaired_.begin());
        local_search_.start(space(), heads);
        if (!local_search_.repair(space(), incumbent_.unlabelled_value)) return;
        if (!has_rules()) local_search_.climb(space());
        accept(local_search_.tree());
    }

    void reduce(int32_t most) {
        PaperReduction<W>(arcs_, words(), cuts_.constant(), floor()).run(unpriced_.data(), most, options_);
    }

    Options options_{};
    StepRule step_rule_;
    Constraints constraints_{};
    Objective objective_;
    double spread_ = 1.0;  // of the objective
    double cutoff_ = 0.0;  // value that a tree of interest exceeds
    bool ranks_ = false;   // trees between the cutoff and the incumbent are of interest as well
    int32_t iterations_ = 0;

    // The relaxation.
    Arborescence<W> arcs_;
    ShapeCuts<W> cuts_;
    Agreement agreement_;     // with parts of higher order
    RulePrices rule_prices_;  // with rules
    bool rules_priced_ = false;
    int32_t ruled_since_ = 0;  // iterations before rules were priced
    RecentTrees recent_;

    // Trees from solutions.
    Incumbent incumbent_;
    Labelling* labelling_ = nullptr;
    LabelledTrees<W> labelled_;  // with labels
    Separation<W> separation_;
    LocalSearch<W> local_search_;
    Structure<W> structure_;              // of the tree that was looked at last
    std::vector<int32_t> only_;           // [n + 1] the tree that is left of a node
    std::vector<int32_t> unpriced_;       // [n + 1] best arborescence of the problem without prices
    std::vector<int32_t> last_repaired_;  // [n + 1] tree that was repaired last
};

}  // namespace wnparse
