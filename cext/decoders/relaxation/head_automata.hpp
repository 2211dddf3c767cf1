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
    bool solve();

    double bound() const { return bound_; }
    double value(int32_t h) const { return value_[h]; }                  // A_h
    bool has_child(int32_t place) const { return chosen_[place] != 0; }  // is the arc chosen by its head?
    // The parent that m chose.
    int32_t head(int32_t m) const { return tables_->parents(tables_->head(m))[choice_[m]]; }

    // What A_m falls by if it must take a parent: at most 0.
    double parent_slack(int32_t m, int32_t place) const { return by_parent_[place] - value_[m]; }

    // What A_h falls by if it must take each of its children, at most 0: of all places.
    const std::vector<double>& child_slacks();

    // For the laboratory: append to `runs` how many automata each solve() runs.
    void record_runs(std::vector<int32_t>* runs) { runs_ = runs; }

private:
    static constexpr double kRounding = 1e-14;

    template <class Use>
    void with_side(const PartTables::Head& head, int32_t right, Use&& use);
    template <class Use>
    void with_chains(const PartTables::Head& head, Use&& use);
    double root_value(int32_t b) const;
    void run_root();
    void run(int32_t h);
    template <class Chains>
    void take(const PartTables::Side& side, const Chains& chains, int32_t p);
    void find_slacks(int32_t h);
    template <class Chains>
    void find_slacks(const PartTables::Head& head, const PartTables::Side& side, Chains& chains,
                     const double* across, double value);

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
    std::vector<int32_t>* runs_ = nullptr;
};

}  // namespace wnparse
