// The automata side of the relaxation: for every head the best parent and children by themselves, tree or not.
//
// Koo, Rush, Collins, Jaakkola and Sontag (2010), sections 4.3 and 5.  The automaton of node i chooses one parent
// g and, on each side, a chain of children START, c_1, ..., c_k, STOP that go outwards:
//
//     A_i = max  y(g) + sum over c of x(c) + sum over the parts of i that (g, chains) has,
//
// with y and x what multipliers pay for the arcs (agreement.hpp) and parts as part_tables.hpp has them.  Both
// sides are in one automaton, so that they agree on the parent.  One Viterbi a side for all parents at once
// (sibling_chains.hpp, trisibling_chains.hpp).  An automaton is run again only if one of its arcs has changed
// (section 7.4).
//
// This is the second subproblem of the subgradient loop; bound() is the sum of all A_i.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "decoders/relaxation/sibling_chains.hpp"
#include "decoders/relaxation/trisibling_chains.hpp"

namespace wnparse {

class HeadAutomata {
public:
    // With a single root the automaton of node 0 chooses exactly one child.
    void start(const PartTables& tables, bool single_root) {
        tables_ = &tables;
        single_root_ = single_root && tables.words() > 0;
        const int32_t nodes = tables.words() + 1;
        child_.assign(tables.child_count(), 0.0);
        parent_.assign(tables.parent_count(), 0.0);
        chosen_.assign(tables.child_count(), 0);
        stale_.assign(nodes, 1);
        slack_.resize(tables.child_count());
        slack_stale_.assign(nodes, 1);
        value_.assign(nodes, 0.0);
        choice_.assign(nodes, 0);
        by_parent_.assign(tables.parent_count(), 0.0);
    }

    // What an arc pays to the automaton of its head (a place among children()) or of its modifier (among
    // parents()); -inf: it is out.
    double child(int32_t place) const { return child_[place]; }
    void set_child(int32_t h, int32_t place, double score) {
        child_[place] = score;
        stale_[h] = 1;
    }
    double parent(int32_t place) const { return parent_[place]; }
    void set_parent(int32_t m, int32_t place, double score) {
        parent_[place] = score;
        stale_[m] = 1;
    }

    // Run the automata whose arcs have changed; false if one of them has no parent left.
    bool solve() {
        bound_ = 0.0;
        double size = 0.0;
        runs_ = 0;
        for (int32_t h = 0; h <= tables_->words(); ++h) {
            if (stale_[h]) {
                run(h);
                ++runs_;
                stale_[h] = 0;
                slack_stale_[h] = 1;
            }
            bound_ += value_[h];
            size += std::fabs(value_[h]);
        }
        bound_ += kRounding * size;
        return bound_ > minus_infinity<double>();
    }

    double bound() const { return bound_; }
    double value(int32_t h) const { return value_[h]; }                  // A_h
    int32_t runs() const { return runs_; }                               // automata of the last solution
    bool has_child(int32_t place) const { return chosen_[place] != 0; }  // is the arc chosen by its head?
    // The parent that m chose.
    int32_t head(int32_t m) const { return tables_->parents(tables_->head(m))[choice_[m]]; }

    // What A_m falls by if it must take a parent: at most 0.
    double parent_slack(int32_t m, int32_t place) const { return by_parent_[place] - value_[m]; }

    // What A_h falls by if it must take each of its children, at most 0: of all places.
    const std::vector<double>& child_slacks() {
        for (int32_t h = 0; h <= tables_->words(); ++h) {
            if (slack_stale_[h]) find_slacks(h);
            slack_stale_[h] = 0;
        }
        return slack_;
    }

private:
    static constexpr double kRounding = 1e-14;

    // Call use(chains) with the chains of a side, started.
    template <class Use>
    void with_side(const PartTables::Head& head, int32_t right, Use&& use) {
        const PartTables::Side& side = head.side[right];
        const double* pay = child_.data() + side.child;
        if (side.trisibling < 0) {
            pairs_[right].start(*tables_, head, side, pay);
            use(pairs_[right]);
        } else {
            triples_[right].start(*tables_, head, side, pay);
            use(triples_[right]);
        }
    }

    // Call use(left, right) with the chains of both sides, started.
    template <class Use>
    void with_chains(const PartTables::Head& head, Use&& use) {
        with_side(head, 0, [&](auto& left) { with_side(head, 1, [&](auto& right) { use(left, right); }); });
    }

    // What the single child b of node 0 is worth.
    double root_value(int32_t b) const {
        const PartTables::Side& side = tables_->head(0).side[1];
        double value = child_[side.child + b - 1] + tables_->sibling(side, 0)[b] +
                       tables_->sibling(side, b)[side.stop()] +
                       tables_->sibling(tables_->head(0).side[0], 0)[1];  // nothing stands to its left
        if (side.trisibling >= 0) value += tables_->trisibling(side, 0, b)[side.stop()];
        return value;
    }

    void run_root() {
        const PartTables::Side& side = tables_->head(0).side[1];
        std::fill_n(chosen_.begin() + side.child, side.count, uint8_t(0));
        int32_t chosen = 0;
        double best = minus_infinity<double>();
        for (int32_t b = 1; b <= side.count; ++b) {
            const double value = root_value(b);
            if (value > best) {
                best = value;
                chosen = b;
            }
        }
        value_[0] = best;
        if (chosen > 0) chosen_[side.child + chosen - 1] = 1;
    }

    void run(int32_t h) {
        if (h == 0 && single_root_) return run_root();
        const PartTables::Head& head = tables_->head(h);
        with_chains(head, [&](auto& left, auto& right) {
            const double *left_ends = left.ends(), *right_ends = right.ends();
            int32_t chosen = 0;
            double best = minus_infinity<double>();
            for (int32_t p = 0; p < head.parents; ++p) {
                const double value = parent_[head.parent + p] + left_ends[p] + right_ends[p];
                by_parent_[head.parent + p] = value;
                if (value > best) {
                    best = value;
                    chosen = p;
                }
            }
            value_[h] = best;
            choice_[h] = chosen;
            take(head.side[0], left, chosen);
            take(head.side[1], right, chosen);
        });
    }

    template <class Chains>
    void take(const PartTables::Side& side, const Chains& chains, int32_t p) {
        std::fill_n(chosen_.begin() + side.child, side.count, uint8_t(0));
        chains.trace(p, [&](int32_t b) { chosen_[side.child + b - 1] = 1; });
    }

    void find_slacks(int32_t h) {
        const PartTables::Head& head = tables_->head(h);
        for (const PartTables::Side& side : head.side)
            std::fill_n(slack_.begin() + side.child, side.count, minus_infinity<double>());
        if (h == 0 && single_root_) {
            for (int32_t b = 1; b <= head.side[1].count; ++b)
                slack_[head.side[1].child + b - 1] = root_value(b) - value_[0];
            return;
        }
        with_chains(head, [&](auto& left, auto& right) {
            find_slacks(head, head.side[0], left, right.ends(), value_[h]);
            find_slacks(head, head.side[1], right, left.ends(), value_[h]);
        });
    }

    // Of the children of one side, `across` being the best chains of the other.
    template <class Chains>
    void find_slacks(const PartTables::Head& head, const PartTables::Side& side, Chains& chains,
                     const double* across, double value) {
        chains.for_each_through(head.parents, [&](int32_t b, int32_t p, double through) {
            double& slack = slack_[side.child + b - 1];
            slack = std::max(slack, parent_[head.parent + p] + across[p] + through - value);
        });
    }

    const PartTables* tables_ = nullptr;
    bool single_root_ = false;
    std::vector<double> child_, parent_;  // what arcs pay
    std::vector<uint8_t> chosen_;         // of children()
    std::vector<uint8_t> stale_;          // [n + 1] must be run again
    std::vector<double> value_;           // [n + 1] A_i
    std::vector<int32_t> choice_;         // [n + 1]
    std::vector<double> by_parent_;       // of parents(): the best with each
    std::vector<double> slack_;           // of children()
    std::vector<uint8_t> slack_stale_;    // [n + 1] those of its children must be found again
    SiblingChains pairs_[2];
    TriSiblingChains triples_[2];
    double bound_ = 0.0;
    int32_t runs_ = 0;
};

}  // namespace wnparse
