// What a search owns: the relaxation with its multipliers, the best tree so far, and what makes trees of
// solutions.
//
// Corro et al. (2016), sections 5 and 6.  Values are relative, as the objective has them (objective.hpp).  Buffers
// live on between sentences.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/relaxation/agreement.hpp"
#include "decoders/relaxation/arborescence.hpp"
#include "decoders/relaxation/head_automata.hpp"
#include "decoders/relaxation/local_search.hpp"
#include "decoders/relaxation/paper_reduction.hpp"
#include "decoders/relaxation/reduced_costs.hpp"
#include "decoders/relaxation/rule_prices.hpp"
#include "decoders/relaxation/ruled_climb.hpp"
#include "decoders/relaxation/separation.hpp"
#include "decoders/relaxation/shape_cuts.hpp"
#include "decoders/relaxation/subgradient.hpp"
#include "decoders/rules/label_search.hpp"
#include "problem/problem.hpp"
#include "problem/structure.hpp"

namespace wnparse {

template <int W>
class SearchState {
public:
    static constexpr int32_t kRecent = 16;  // trees that are remembered for branching

    // `arborescence` is the best one of the problem, found invalid.
    void start(const Problem& problem, const Options& options, const Rule& rule, const int32_t* arborescence) {
        options_ = options;
        rule_ = rule;
        constraints_ = problem.constraints;
        objective_.load(problem);
        spread_ = objective_.spread();
        labelling_ = problem.labelling;
        arcs_.start(objective_, constraints_.single_root, !problem.plain() && constraints_.projective());
        cuts_.clear();
        if (has_parts()) {
            automata_.start(*problem.parts, constraints_.single_root);
            agreement_.start(*problem.parts, objective_, automata_);
            agreement_.price(arcs_);
        }
        structure_.reserve(words());
        iterations_ = 0;
        broken_ = 0;
        ruled_ = labelling_ != nullptr && chaos::flip(!has_parts());
        if (labelling_ != nullptr) rows_.start(*labelling_);
        if (ruled_) start_rules();
        repaired_above_ = minus_infinity<double>();
        lower_ = minus_infinity<double>();
        cutoff_ = options_.cutoff - objective_.offset();
        options_.local_search = chaos::flip(options.local_search);
        unpriced_.assign(arborescence, arborescence + words() + 1);
        incumbent_.assign(words() + 1, -1);
        last_repaired_.assign(words() + 1, -1);
        if (options_.known != nullptr) accept(options_.known);
        separation_.start(constraints_, options_.paper_cuts, rule_.cuts_at_once);
    }

    int32_t words() const { return objective_.words(); }
    bool has_parts() const { return objective_.parts() != nullptr; }
    bool has_labels() const { return labelling_ != nullptr; }
    bool has_rules() const { return ruled_; }  // that are priced
    // Whether rules wait: with parts of higher order most sentences are settled without a look at labels.
    bool rules_wait() const { return has_labels() && !ruled_; }
    const Labelling& labelling() const { return *labelling_; }
    const Constraints& constraints() const { return constraints_; }
    const Options& options() const { return options_; }
    const Rule& rule() const { return rule_; }
    const Objective& objective() const { return objective_; }
    int32_t iterations() const { return iterations_; }  // of all loops
    bool stopped() const { return options_.stopped(); }

    // The incumbent: the best valid tree so far.
    bool has_tree() const { return lower_ > minus_infinity<double>(); }
    double lower() const { return lower_; }  // its value; -inf: none yet
    // What a gap is measured from: a tree that breaks hard rules is far below all others, and tells nothing,
    // unless there seems to be no other.
    double reached() const {
        constexpr int32_t in_vain = 400;
        return broken_ > 0 && iterations_ - ruled_since_ < in_vain ? minus_infinity<double>() : lower_;
    }
    const std::vector<int32_t>& incumbent() const { return incumbent_; }
    const std::vector<int32_t>& incumbent_choices() const { return incumbent_choices_; }  // of its labels
    int32_t broken() const { return broken_; }                                            // hard rules by them
    // What a bound must exceed to be of interest, rounding aside.
    double floor() const {
        const double value = std::max(lower_, cutoff_);
        return value == minus_infinity<double>() ? value : value + objective_.tolerance(value);
    }

    // The one tree that the open arcs leave, with the labels that are left; there may be none, or an invalid one.
    void accept_only_tree() {
        only_.assign(words() + 1, -1);
        for (int32_t m = 1; m <= words(); ++m) {
            if (open(m).empty()) return;
            only_[m] = open(m).lowest();
        }
        const bool rooted = !constraints_.single_root || has_single_root(only_.data(), words());
        if (rooted && is_tree(only_.data(), words()) && separate(only_.data()).empty()) accept(only_.data());
    }

    // Where rules wait: whether the incumbent keeps all of them with the best label of each arc.  If no tree is
    // better, no labelled tree is.
    bool keeps_rules() {
        int32_t broken = 0;
        return has_tree() && rows_.kept_by_first(incumbent_.data(), choices_, broken);
    }

    // Hold trees to the rules from now on.  Arcs that could not beat the incumbent without them are back.
    void begin_rules() {
        rule_ = under_rules(rule_);
        ruled_ = true;
        start_rules();
        arcs_.open_all();
        price_all();
        if (!has_tree()) return;
        lower_ = minus_infinity<double>();
        accept(std::vector<int32_t>(incumbent_).data());
    }

    // Tell the labelling the incumbent's labels; its score, what it breaks left out.
    double publish_labels() {
        if (rules_wait()) rows_.kept_by_first(incumbent_.data(), incumbent_choices_, broken_);
        labelling_->choose(incumbent_choices_.data(), broken_);
        rows_.check(incumbent_.data(), incumbent_choices_.data());
        return rows_.score(incumbent_.data(), incumbent_choices_.data(), objective_.parts());
    }

    // A valid tree as it is; kept if it is better than the incumbent.
    void accept(const int32_t* heads) {
        const double found = objective_.value(heads);
        if (has_rules()) {
            // Labels only cost.
            if (found > lower_) accept_labelled(heads);
            return;
        }
        if (found > lower_) {
            incumbent_.assign(heads, heads + words() + 1);
            lower_ = found;
        }
    }

    // A valid tree; kept, after local search, if it is better than the incumbent.
    void offer(const int32_t* heads) {
        if (has_rules()) {
            accept(heads);
            return;
        }
        primal_.start(space(), heads);
        if (options_.local_search) primal_.climb(space());
        accept(primal_.tree());
    }

    // A tree that may be invalid: as it is, or repaired.
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
        recent_count_ = 0;
        recent_.resize(kRecent * (words() + 1));
        if (has_rules()) recent_choices_.resize(kRecent * (words() + 1));
        const double best = Subgradient(*this, rule_, options_.camerini).descend(limit, inherited);
        if (options_.paper_fixing && plain() && best > floor() && has_tree()) reduce(2 * words());
        return best;
    }

    // A second chance for a loop that has stalled at the bound `best`: the paper's reduction, for no more than the
    // loop has cost, and the loop again on what is left.
    double reduce_and_relax(double best) {
        const int32_t limit = std::min(rule_.second_iterations, options_.max_iterations - iterations_);
        if (limit <= 0 || options_.paper_fixing || !plain() || !has_tree() || best <= floor() || stopped())
            return best;
        reduce(iterations_);
        return relax(limit, best);
    }

    // A node of the search: the arcs that are left, and the cuts with the multipliers to start from.
    const std::vector<BitSet<W>>& open() const { return arcs_.open(); }
    const BitSet<W>& open(int32_t m) const { return arcs_.open(m); }
    const std::vector<Cut<W>>& cuts() const { return cuts_.cuts(); }
    const std::vector<double>& shares() const { return agreement_.multipliers(); }
    const RulePrices& rules() const { return rules_; }
    void enter(const std::vector<BitSet<W>>& open, const std::vector<Cut<W>>& cuts,
               const std::vector<double>& shares, const RulePrices::Saved& rules) {
        cuts_.restore(cuts);
        if (has_rules()) rules_.restore(rules);
        if (has_parts()) agreement_.restore(shares);
        narrow(open);
    }
    void narrow(const std::vector<BitSet<W>>& open) {
        arcs_.reopen(open);
        price_all();
    }

    // The heads that the last trees of the loop gave a word, and what an arc pays.
    int32_t recent_trees() const { return std::min(recent_count_, kRecent); }
    int32_t recent_head(int32_t tree, int32_t m) const { return recent_[tree * (words() + 1) + m]; }
    double price(Arc arc) const { return arcs_.price(arc); }
    int32_t recent_choice(int32_t tree, int32_t m) const { return recent_choices_[tree * (words() + 1) + m]; }

    SearchSpace<W> space() const { return {objective_, arcs_.open(), constraints_, spread_, options_.stop}; }

    // For the subgradient loop.
    bool solve() {
        ++iterations_;
        if (!arcs_.solve(cuts_.constant() + (has_rules() ? rules_.constant() : 0.0))) return false;
        remember(arcs_.tree().data(), true);
        return !has_parts() || run_automata();
    }
    double bound() const { return has_parts() ? arcs_.bound() + automata_.bound() : arcs_.bound(); }
    double unit() const { return spread_; }
    template <class Visit>
    void each_family(Visit&& visit) {
        visit(cuts_);
        if (has_parts()) visit(agreement_);
        if (has_rules()) visit(rules_);
    }
    Arborescence<W>& subproblem() { return arcs_; }
    HeadAutomata& automata() { return automata_; }
    void update_families() {
        const int32_t idle_limit = chaos::count(0, rule_.idle_limit);
        cuts_.update(arcs_.tree().data(), separation_.cuts(), idle_limit);
        if (has_parts()) agreement_.update(arcs_.tree().data());
        if (has_rules()) rules_.update(arcs_.tree().data(), rows_, idle_limit);
    }

    // Structure of the current arborescence: the cuts it violates, and what the primal side makes of it.
    void look(int32_t round) {
        const int32_t* tree = arcs_.tree().data();
        if (has_rules()) {
            look_at_labels(tree, round);
            return;
        }
        if (separate(tree).empty()) {
            // With parts of higher order a climb costs as much as some iterations.
            if (objective_.value(tree) > lower_ || (options_.local_search && !has_parts())) offer(tree);
        } else if (options_.local_search && (round < rule_.repairs || !has_tree())) {
            repair(tree);
        }
    }

    void look_away() {  // what was found last are cuts and rows of another tree
        separation_.clear();
        rows_.clear();
    }

    void fix() {
        if (options_.paper_fixing) return;
        if (has_parts()) {
            if (chaos::flip(iterations_ % rule_.fix_parts_every == 0)) fix_parts();
        } else if (arcs_.has_duals()) {
            ReducedCosts<W>(arcs_, words()).fix(floor());
        }
    }

private:
    bool plain() const { return !has_parts() && !has_labels(); }

    void start_rules() {
        rules_.start(*labelling_);
        labels_.start(*labelling_);
        climb_.start(*labelling_);
        incumbent_choices_.assign(words() + 1, -1);
        last_labelled_.assign(words() + 1, -1);
        last_choices_.assign(words() + 1, -1);
        ruled_since_ = iterations_;
        broken_ = 0;
    }

    void price_all() {
        arcs_.clear_prices();
        cuts_.price(arcs_);
        if (has_parts()) agreement_.price(arcs_);
        if (has_rules()) rules_.price(arcs_);
    }

    // The best choice of an arc under prices, or whatever it has.
    int32_t usable_choice(int32_t h, int32_t m) const {
        const int32_t best = rules_.choice(h, m);
        return best >= 0 ? best : labelling_->arc(h, m).begin;
    }

    // The same with labels: those of the solution tell which rows it violates.
    void look_at_labels(const int32_t* tree, int32_t round) {
        choices_.resize(words() + 1);
        for (int32_t m = 1; m <= words(); ++m) choices_[m] = rules_.choice(tree[m], m);
        rows_.check(tree, choices_.data());
        // Trees that obey are harder to come by than valid ones: more solutions are worth a repair.
        constexpr int32_t repairs = 10;
        if (!separate(tree).empty()) {
            if (options_.local_search && (round < repairs || !has_tree())) repair(tree);
        } else if (rows_.violations().empty() || round < repairs || broken_ > 0 || !has_tree() ||
                   worth(tree) > lower_) {
            accept(tree);
        }
    }

    // Of a tree with the choices that were checked last: what breaks soft rules may be the best all the same.
    double worth(const int32_t* tree) const {
        double sum = objective_.value(tree) - rows_.cost();
        for (int32_t m = 1; m <= words(); ++m) sum += labelling_->choice(choices_[m]).gain;
        return sum;
    }

    // A valid tree with the labels that prices suggest, repaired, and climbing from there.
    void accept_labelled(const int32_t* heads) {
        labelled_.assign(heads, heads + words() + 1);
        choices_.resize(words() + 1);
        for (int32_t m = 1; m <= words(); ++m) choices_[m] = usable_choice(heads[m], m);
        // Prices that have moved little suggest the same again.
        if (labelled_ == last_labelled_ && choices_ == last_choices_) return;
        last_labelled_ = labelled_;
        last_choices_ = choices_;
        labels_.run(heads, choices_);
        keep_labelled();
        // Prices settle most sentences in an iteration or two, which cost less than a climb.
        const int32_t settled_by_then = has_parts() ? 1 : 3;
        if (!options_.local_search || iterations_ - ruled_since_ < settled_by_then) return;
        climb_.run(space(), labelled_, choices_);
        labels_.run(labelled_.data(), choices_);
        keep_labelled();
    }

    void keep_labelled() {
        const double found = objective_.value(labelled_.data()) + labels_.value();
        if (!(found > lower_)) return;
        lower_ = found;
        repaired_above_ = objective_.value(labelled_.data());
        incumbent_ = labelled_;
        incumbent_choices_ = choices_;
        broken_ = labels_.broken();
    }

    // The automata choose no labels.
    void remember(const int32_t* heads, bool labelled) {
        int32_t* choices =
            has_rules() ? recent_choices_.data() + (recent_count_ % kRecent) * (words() + 1) : nullptr;
        for (int32_t m = 1; has_rules() && m <= words(); ++m)
            choices[m] = labelled ? rules_.choice(heads[m], m) : -1;
        std::copy_n(heads, words() + 1, recent_.begin() + (recent_count_++ % kRecent) * (words() + 1));
    }

    // Solving the tree side may have struck arcs.
    bool run_automata() {
        agreement_.strike(arcs_);
        if (!automata_.solve()) return false;
        chosen_.resize(words() + 1);
        for (int32_t m = 1; m <= words(); ++m) chosen_[m] = automata_.head(m);
        remember(chosen_.data(), false);
        return true;
    }

    // An arc in the tree is one in the automaton of its modifier and in that of its head.
    void fix_parts() {
        if (!has_tree()) return;
        const PartTables& parts = *objective_.parts();
        const std::vector<double>& slacks = automata_.child_slacks();
        ReducedCosts<W>(arcs_, words()).fix(floor(), bound(), [&](Arc arc) {
            const PartTables::Head& head = parts.head(arc.h);
            const int32_t child = head.side[arc.m > arc.h].child + parts.position(arc.h, arc.m) - 1;
            const int32_t parent = parts.head(arc.m).parent + parts.parent_place(arc.h, arc.m);
            return slacks[child] + automata_.parent_slack(arc.m, parent);
        });
    }

    const std::vector<Cut<W>>& separate(const int32_t* heads) {
        structure_.build(heads);
        structure_.find_gapped();
        return separation_.run(heads, structure_);
    }

    void repair(const int32_t* heads) {
        if (std::equal(last_repaired_.begin(), last_repaired_.end(), heads)) return;
        std::copy(heads, heads + words() + 1, last_repaired_.begin());
        primal_.start(space(), heads);
        if (primal_.repair(space(), has_rules() ? repaired_above_ : lower_)) {
            if (!has_rules()) primal_.climb(space());
            accept(primal_.tree());
        }
    }

    void reduce(int32_t most) {
        PaperReduction<W>(arcs_, words(), cuts_.constant(), floor()).run(unpriced_.data(), most, options_);
    }

    Options options_{};
    Rule rule_;
    Constraints constraints_{};
    Objective objective_;
    Arborescence<W> arcs_;
    ShapeCuts<W> cuts_;
    HeadAutomata automata_;  // where there are parts of higher order
    Agreement agreement_;
    std::vector<int32_t> chosen_;  // [n + 1] heads by the automata
    Labelling* labelling_ = nullptr;
    RulePrices rules_;  // where there are rules
    RuleRows rows_;
    LabelSearch labels_;
    RuledClimb<W> climb_;
    std::vector<int32_t> labelled_, choices_;            // [n + 1] of the tree that is being looked at
    std::vector<int32_t> last_labelled_, last_choices_;  // [n + 1] that were searched for better labels last
    std::vector<int32_t> incumbent_choices_;             // [n + 1]
    std::vector<int32_t> recent_choices_;                // [kRecent][n + 1] beside recent_
    double repaired_above_ = 0.0;  // value of the incumbent's arcs: a tree below it is not worth a repair
    int32_t broken_ = 0;           // hard rules by the incumbent
    bool ruled_ = false;           // rules are priced
    int32_t ruled_since_ = 0;      // iterations before that
    Separation<W> separation_;
    LocalSearch<W> primal_;
    Structure<W> structure_;              // of the tree that was looked at last
    std::vector<int32_t> incumbent_;      // [n + 1]
    std::vector<int32_t> only_;           // [n + 1] the tree that is left of a node
    std::vector<int32_t> unpriced_;       // [n + 1] best arborescence of the problem without prices
    std::vector<int32_t> last_repaired_;  // [n + 1] tree that was repaired last
    std::vector<int32_t> recent_;         // [kRecent][n + 1] trees of the last iterations, a ring
    int32_t recent_count_ = 0;            // iterations of the last loop
    double spread_ = 1.0;                 // of the objective
    double lower_ = 0.0;
    double cutoff_ = 0.0;  // value that a tree of interest exceeds
    int32_t iterations_ = 0;
};

}  // namespace wnparse
