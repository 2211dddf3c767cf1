// The labels that arcs may have, for rules over labelled arcs (rules.hpp).
//
// Labels of one class are interchangeable for every rule, so that an arc keeps the best label of each class: its
// choices.  A rule that forbids labelled arcs one by one is settled here: a soft one lowers the score of a choice,
// a hard one is counted as broken.  Broken rules, here and in rows (rule_rows.hpp), cost a weight beyond all
// differences of scores, so that fewest are broken, and among those trees the best one wins.  The weight is as
// small as that allows: what it adds to a value is lost to the precision of scores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "problem/rules.hpp"

namespace wnparse {

struct LabelChoice {
    double gain;          // over the first choice of the arc, <= 0
    double score;         // of the labelled arc, what broken rules cost left out
    int32_t label;        //
    int32_t label_class;  //
    int32_t broken;       // hard rules
};

class Labelling {
public:
    struct LabelledArc {
        int32_t h, m;
        int32_t begin, end;  // of its choices, best first
        uint64_t classes;    // of its choices
    };

    // Begin with a sentence; all must stay until the next start.
    void start(const Rules& rules, const NodeBits& nodes, int32_t words) {
        rules_ = &rules;
        nodes_ = nodes;
        n_ = words;
        place_.assign(static_cast<size_t>(n_ + 1) * (n_ + 1), -1);
        arcs_.clear();
        choices_.clear();
        chosen_.assign(n_ + 1, -1);
        uncharged_.start(n_);
        sort_forbidding();
        classes_ = 0;
        for (const int32_t label_class : rules.label_class) classes_ = std::max(classes_, label_class + 1);
        soft_ = std::any_of(rules.all.begin(), rules.all.end(), [](const TreeRule& rule) { return !rule.hard(); });
    }

    const Rules& rules() const { return *rules_; }
    const NodeBits& nodes() const { return nodes_; }
    int32_t words() const { return n_; }

    // Add an arc: candidates between begin_arc and end_arc.  The score of its best choice; -inf if it has none,
    // and is no arc: with `broken` false choices that break a hard rule are left out.
    void begin_arc(int32_t h, int32_t m) {
        arc_ = {h, m, static_cast<int32_t>(choices_.size()), 0, 0};
        const uint64_t any = forbidden(h, m);
        forbidden_ = any;
    }
    void offer(int32_t label, double score) {
        const int32_t label_class = rules_->label_class[label];
        if ((arc_.classes >> label_class & 1) == 0) {
            arc_.classes |= uint64_t{1} << label_class;
            of_class_[label_class] = static_cast<int32_t>(choices_.size());
            choices_.push_back({0.0, score, label, label_class, 0});
            return;
        }
        LabelChoice& choice = choices_[of_class_[label_class]];
        if (score > choice.score) {
            choice.score = score;
            choice.label = label;
        }
    }
    // All labels of an arc at once, with what each adds to the score of the arc; those below a floor are left out.
    template <class Score>
    void offer_all(double arc_score, const Score* label_scores, int32_t count, double floor) {
        each_best_of_class(label_scores, count, [&](int32_t label_class, int32_t label) {
            const double score = arc_score + static_cast<double>(label_scores[label]);
            if (score < floor) return uncharged_.add(arc_.m, score);
            arc_.classes |= uint64_t{1} << label_class;
            choices_.push_back({0.0, score, label, label_class, 0});
        });
    }
    // Leave an arc out, but for the range of scores, which only soft rules need.
    template <class Score>
    void leave_out(int32_t m, double arc_score, const Score* label_scores, int32_t count) {
        if (!soft_) return;
        each_best_of_class(label_scores, count, [&](int32_t, int32_t label) {
            uncharged_.add(m, arc_score + static_cast<double>(label_scores[label]));
        });
    }
    // Of a class that no label has.
    void offer_unlabelled(double score) {
        arc_.classes |= uint64_t{1} << (Rules::most_classes - 1);
        choices_.push_back({0.0, score, -1, Rules::most_classes - 1, 0});
    }
    double end_arc(bool broken) {
        for (size_t i = arc_.begin; i < choices_.size(); ++i) uncharged_.add(arc_.m, choices_[i].score);
        if ((arc_.classes & forbidden_) != 0) charge_forbidden(broken);
        arc_.end = static_cast<int32_t>(choices_.size());
        if (arc_.end == arc_.begin) return -std::numeric_limits<double>::infinity();
        std::sort(choices_.begin() + arc_.begin, choices_.end(), [](const LabelChoice& a, const LabelChoice& b) {
            if (a.broken != b.broken) return a.broken < b.broken;
            return a.score != b.score ? a.score > b.score : a.label < b.label;
        });
        place_[cell(arc_.h, arc_.m)] = static_cast<int32_t>(arcs_.size());
        arcs_.push_back(arc_);
        return choices_[arc_.begin].score;
    }

    // After the last arc: what a broken rule costs, beyond all differences of scores; `rest` is the largest
    // difference that parts of higher order can make.
    void finish(double rest) {
        Ranges charged;
        charged.start(n_);
        for (const LabelledArc& arc : arcs_)
            for (int32_t i = arc.begin; i < arc.end; ++i) charged.add(arc.m, choices_[i].score);
        range_ = rest + uncharged_.sum();
        double most = rest + charged.sum();
        for (const TreeRule& rule : rules_->all)
            if (!rule.hard() && rule.kind != RuleKind::forbid) most += rule.penalty * rule.most_units(n_);
        weight_ = most > 0.0 ? 1.25 * most : 1.0;
        for (const LabelledArc& arc : arcs_) {
            const double first = worth(arc.begin);
            for (int32_t i = arc.begin; i < arc.end; ++i) choices_[i].gain = worth(i) - first;
        }
    }

    double broken_weight() const { return weight_; }
    // No two labelled trees differ by more, what rules cost left out.
    double range() const { return range_; }
    // Whether scores still count next to what soft rules cost: the last bit of the sum of the penalties is at most
    // 10^-11 of the range of the scores.
    bool penalties_fit() const {
        constexpr double last_bit = 0x1p-52, tolerance = 1e-11;
        double sum = 0.0;
        for (const TreeRule& rule : rules_->all)
            if (!rule.hard()) sum += rule.penalty;
        return range_ == 0.0 || sum * last_bit <= tolerance * range_;
    }
    double penalty(const TreeRule& rule) const { return rule.hard() ? weight_ : rule.penalty; }

    const std::vector<LabelledArc>& arcs() const { return arcs_; }
    const std::vector<LabelChoice>& choices() const { return choices_; }
    const LabelChoice& choice(int32_t i) const { return choices_[i]; }
    int32_t place(int32_t h, int32_t m) const { return place_[cell(h, m)]; }  // -1: not an arc
    const LabelledArc& arc(int32_t h, int32_t m) const { return arcs_[place(h, m)]; }
    // What the arc scores with its first choice, what it breaks included.
    double score(const LabelledArc& arc) const { return worth(arc.begin); }

    // The answer: a choice for each word, [n + 1], and how often hard rules are broken.
    void choose(const int32_t* choices, int32_t broken) {
        chosen_.assign(choices, choices + n_ + 1);
        broken_ = broken;
    }
    int32_t label(int32_t m) const { return chosen_[m] < 0 ? -1 : choices_[chosen_[m]].label; }
    int32_t chosen(int32_t m) const { return chosen_[m]; }
    int32_t broken() const { return broken_; }

private:
    // How far the scores of each word's labelled arcs lie apart.
    class Ranges {
    public:
        void start(int32_t words) {
            best_.assign(words + 1, -std::numeric_limits<double>::infinity());
            worst_.assign(words + 1, std::numeric_limits<double>::infinity());
        }
        void add(int32_t m, double score) {
            best_[m] = std::max(best_[m], score);
            worst_[m] = std::min(worst_[m], score);
        }
        double sum() const {
            double total = 0.0;
            for (size_t m = 1; m < best_.size(); ++m) total += std::max(0.0, best_[m] - worst_[m]);
            return total;
        }

    private:
        std::vector<double> best_, worst_;  // [n + 1]
    };

    size_t cell(int32_t h, int32_t m) const { return static_cast<size_t>(m) * (n_ + 1) + h; }
    double worth(int32_t i) const { return choices_[i].score - weight_ * choices_[i].broken; }

    // Call visit(class, label) for the best label of each class, unless all of it are -inf.
    template <class Score, class Visit>
    void each_best_of_class(const Score* label_scores, int32_t count, Visit&& visit) const {
        const int32_t* class_of = rules_->label_class.data();
        Score best[Rules::most_classes];
        int32_t label[Rules::most_classes];
        std::fill_n(best, classes_, -std::numeric_limits<Score>::infinity());
        for (int32_t l = 0; l < count; ++l) {
            const int32_t label_class = class_of[l];
            if (!(label_scores[l] > best[label_class])) continue;
            best[label_class] = label_scores[l];
            label[label_class] = l;
        }
        for (int32_t label_class = 0; label_class < classes_; ++label_class)
            if (best[label_class] > -std::numeric_limits<Score>::infinity())
                visit(label_class, label[label_class]);
    }

    // Rules of one end alone are looked up by node; the others are tested arc by arc.
    void sort_forbidding() {
        by_head_.assign(n_ + 1, 0);
        by_dependent_.assign(n_ + 1, 0);
        pairs_.clear();
        for (const TreeRule& rule : rules_->all) {
            if (rule.kind != RuleKind::forbid) continue;
            const ArcPattern& arc = rule.arc;
            if (!arc.one_ended()) {
                pairs_.push_back(&rule);
                continue;
            }
            std::vector<uint64_t>& masks = arc.head >= 0 ? by_head_ : by_dependent_;
            const int32_t predicate = arc.head >= 0 ? arc.head : arc.dependent;
            for (int32_t v = 0; v <= n_; ++v)
                if (nodes_.has(predicate, v)) masks[v] |= arc.classes;
        }
    }

    // Classes that some rule forbids on an arc.
    uint64_t forbidden(int32_t h, int32_t m) const {
        uint64_t classes = by_head_[h] | by_dependent_[m];
        for (const TreeRule* rule : pairs_)
            if ((rule->arc.classes & ~classes) != 0 && rule->arc.fits(nodes_, h, m)) classes |= rule->arc.classes;
        return classes;
    }

    void charge_forbidden(bool broken) {
        for (const TreeRule& rule : rules_->all) {
            if (rule.kind != RuleKind::forbid || !rule.arc.fits(nodes_, arc_.h, arc_.m)) continue;
            for (size_t i = arc_.begin; i < choices_.size(); ++i) {
                if (!rule.arc.takes(choices_[i].label_class)) continue;
                if (rule.hard())
                    ++choices_[i].broken;
                else
                    choices_[i].score -= rule.penalty;
            }
        }
        if (broken) return;
        const auto end = std::remove_if(choices_.begin() + arc_.begin, choices_.end(),
                                        [](const LabelChoice& choice) { return choice.broken > 0; });
        choices_.erase(end, choices_.end());
        arc_.classes = 0;
        for (size_t i = arc_.begin; i < choices_.size(); ++i)
            arc_.classes |= uint64_t{1} << choices_[i].label_class;
    }

    const Rules* rules_ = nullptr;
    NodeBits nodes_;
    int32_t n_ = 0;
    int32_t classes_ = 0;         // of all labels
    bool soft_ = false;           // whether there are soft rules
    std::vector<int32_t> place_;  // [n + 1][n + 1] of an arc, by modifier and head
    std::vector<LabelledArc> arcs_;
    std::vector<LabelChoice> choices_;
    std::vector<uint64_t> by_head_, by_dependent_;  // [n + 1] forbidden classes
    std::vector<const TreeRule*> pairs_;            // that forbid by both ends
    LabelledArc arc_{};                             // that is being added
    int32_t of_class_[Rules::most_classes] = {};    // its choices
    uint64_t forbidden_ = 0;
    double weight_ = 1.0, range_ = 0.0;
    Ranges uncharged_;             // before soft rules that forbid arcs have lowered scores
    std::vector<int32_t> chosen_;  // [n + 1]
    int32_t broken_ = 0;
};

}  // namespace wnparse
