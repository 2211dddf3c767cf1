// Rules as rows of linear constraints over labelled arcs: which ones a labelled tree violates, and their terms.
//
// Riedel and Clarke (2006), section 3.1.  Write x(h, m, L) for the arcs h -> m with a label of a set L in the
// tree. A row is sum of coefficient x <= limit, and there is one
//
//     most        for each node h:           sum over m of x(h, m, L) <= k
//       if h's own arc is of Q, k = 0:       x(., h, Q) + x(h, m, L) <= 1                      for each m
//                               k > 0:       sum over m of x(h, m, L) + M x(., h, Q) <= k + M
//     least       for each node h:           k - sum over m of x(h, m, L) <= 0
//       if h's own arc is of Q:              k x(., h, Q) - sum over m of x(h, m, L) <= 0
//     siblings    for each h, m < m':        x(h, m, L) + x(h, m', L') <= 1
//       if L' = L:                           one row
//       else also, disjoint from the first:  x(h, m, L' \ L) + x(h, m', L) <= 1
//                                            x(h, m, L & L') + x(h, m', L \ L') <= 1
//     parent      for each h, m:             x(h, m, L) - x(., h, Q) <= 0
//     between     for each h, m, j between:  x(h, m, L) - x(h, j, Q) <= 0
//     projective  for each h, m, j:          x(h, m, L) + sum over i of x(i, j, .) <= 1,    i -> j crosses h -> m
//     contiguous  for each W, r in W:        x(outside W, r, L) - z(in(W)) - z(out(W)) <= -1,    W has a gap
//
// The last: z(in(W)) >= 1 in any tree, and if nothing else enters or leaves W, W is the yield of r.  Two siblings
// that match both descriptions either way round are one violation, so that no two rows may be violated by one
// pair. Rows exist once a tree has violated them; there are too many to write them all down.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/rules/ruled_tree.hpp"
#include "problem/labelling.hpp"
#include "problem/part_tables.hpp"

namespace wnparse {

// A row that a tree violates, by the nodes that name it.
struct Violation {
    int32_t rule;
    int32_t a, b, c;  // nodes, -1 where there are fewer
    int32_t set;  // contiguous: place of W among the sets of the check; siblings: which row of the pair; else -1
    int32_t amount;  // units of violation
};

struct RuleRow {
    struct Term {
        int32_t arc;       // place among the arcs of the labelling
        int32_t factor;    // its coefficient
        uint64_t classes;  // for choices of these classes
    };

    int32_t rule, a, b, c;
    int32_t place;             // as of the violation
    std::vector<int32_t> set;  // contiguous: W
    std::vector<Term> terms;
    int32_t limit;
    double cap;     // of the multiplier: what a unit of violation costs
    bool hopeless;  // no choice of arcs satisfies it

    bool same(const Violation& other, const std::vector<std::vector<int32_t>>& sets) const {
        return rule == other.rule && a == other.a && b == other.b && c == other.c &&
               (set.empty() ? place == other.set : set == sets[other.set]);
    }
};

class RuleRows {
public:
    void start(const Labelling& labelling) {
        labelling_ = &labelling;
        tree_.start(labelling.words());
    }

    // The rows that a tree with a choice for each word violates.
    const std::vector<Violation>& check(const int32_t* heads, const int32_t* choices);
    const std::vector<Violation>& violations() const { return violations_; }  // found last
    const std::vector<std::vector<int32_t>>& sets() const { return sets_; }
    void clear() {
        violations_.clear();
        sets_.clear();
    }
    // Whether a tree violates none with the first choice of each arc; these choices, [n + 1], and the forbidden
    // labels among them.
    bool kept_by_first(const int32_t* heads, std::vector<int32_t>& choices, int32_t& broken);
    // What they cost.
    double cost() const {
        double sum = 0.0;
        for (const Violation& violation : violations_)
            sum += violation.amount * labelling_->penalty(labelling_->rules().all[violation.rule]);
        return sum;
    }

    // What they cost whatever the labels.
    double certain_cost() const {
        double sum = 0.0;
        for (const Violation& violation : violations_) {
            const TreeRule& rule = labelling_->rules().all[violation.rule];
            if (rule.any_label()) sum += violation.amount * labelling_->penalty(rule);
        }
        return sum;
    }

    // The score of the tree that was checked last: its labelled arcs and parts less what soft rules cost.
    double score(const int32_t* heads, const int32_t* choices, const PartTables* parts) const;

    // The row of a violation that was found last, or in a check with these sets.
    RuleRow make_row(const Violation& violation) const { return make_row(violation, sets_); }
    RuleRow make_row(const Violation& violation, const std::vector<std::vector<int32_t>>& sets) const;

private:
    void add(int32_t rule, int32_t amount, int32_t a, int32_t b = -1, int32_t c = -1, int32_t set = -1) {
        violations_.push_back({rule, a, b, c, set, amount});
    }
    void check_most(const TreeRule& rule, int32_t number);
    void check_least(const TreeRule& rule, int32_t number);
    void check_siblings(const TreeRule& rule, int32_t number);
    void check_between(const TreeRule& rule, int32_t number);
    void check_projective(const TreeRule& rule, int32_t number);
    void check_contiguous(const TreeRule& rule, int32_t number);
    // A row of siblings m < s: classes of the labels that they must not both have.
    struct PairRow {
        uint64_t m, s;
    };
    int32_t pair_rows(const TreeRule& rule, int32_t h, int32_t m, int32_t s, PairRow* rows) const;

    int32_t least_sum(const RuleRow& row) const;
    void add_arc(RuleRow& row, const ArcPattern& pattern, int32_t h, int32_t m, int32_t factor) const;
    void add_own(RuleRow& row, const ArcPattern& pattern, int32_t h, int32_t factor) const;
    void add_term(RuleRow& row, int32_t h, int32_t m, uint64_t classes, int32_t factor) const;
    void make_counts(const TreeRule& rule, RuleRow& row) const;
    void make_contiguous(const TreeRule& rule, RuleRow& row) const;

    const Labelling* labelling_ = nullptr;
    RuledTree tree_;
    std::vector<int32_t> counts_;  // [n + 1]
    std::vector<int32_t> yield_;   // of one node
    std::vector<Violation> violations_;
    std::vector<std::vector<int32_t>> sets_;
};

}  // namespace wnparse
