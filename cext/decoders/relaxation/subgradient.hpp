// Non-delayed relax-and-cut: the subgradient loop on the multipliers of a Lagrangian.
//
// Corro et al. (2016), sections 5.1 and 5.2; A. Lucena (2005), "Non delayed relax-and-cut algorithms".  One
// iteration maximises the subproblems under the prices, looks at the solution, fixes arcs to zero and moves the
// multipliers.
//
// The loop knows neither what is maximised nor what is priced.  It runs on a state with
//
//     solve()       maximise under the prices; false: nothing is left
//     look(round)   separate constraints that the solution violates, and try to make a tree of it
//     look_away()   do neither
//     bound()       L(u) of the last solution
//     reached()     value of the incumbent, -inf without one;  floor(): what a bound must exceed to be of interest
//     fix()         fix arcs to zero that the last solution's duals exclude
//     unit()        length of a step where there is no incumbent to measure the gap by
//     each_family(visit)  calls visit with every family of multipliers (multipliers.hpp)
//     subproblem()  what they lay their prices on
//     stopped()     whether to end at once
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/chaos.hpp"
#include "base/row_kernels.hpp"
#include "decoders/relaxation/multipliers.hpp"
#include "problem/work.hpp"

namespace wnparse {

// Constants of the loop, found by experiment (scripts/bench/decoders.py).
struct StepRule {
    double agility = 2.0;            // alpha of the step rule (10) at the start of every loop
    double shrink = 0.5;             // factor on alpha where the bound stalls
    double least_agility = 0.02;     // end of the loop
    double branching_agility = 0.6;  // the same where branching comes next and trees are found without the loop
    int32_t patience = 4;            // iterations without a better bound until alpha shrinks
    int32_t below_root = node_iterations;  // limit of the loop in a node of the search
    int32_t second_iterations = 20;        // limit of the loop after a reduction
    int32_t cuts_at_once = 8;              // separated in one iteration at most
    int32_t idle_limit = 10;               // iterations after which a cut without a price is forgotten
    int32_t repairs = 2;                   // iterations of a loop that repair their tree
    int32_t early = 4;                     // iterations on a repaired arborescence before Eisner is asked
    int32_t fix_parts_every = 2;           // iterations, where arcs are fixed to zero by the slacks of automata
};

// Agreement takes longer to reach than cuts, and a node of it more than an iteration.
inline StepRule parts_step_rule() {
    StepRule rule;
    rule.shrink = 0.7;
    rule.branching_agility = 0.2;
    rule.patience = 8;
    rule.below_root = 40;
    return rule;
}

// From where the loop without rules has ended there is less to be patient for.
inline StepRule under_rules(StepRule rule) {
    rule.patience = 5;
    rule.least_agility *= 2.0;
    return rule;
}

// Labels that tie under prices hold the bound up for longer than arcs do.
inline StepRule labels_step_rule() {
    StepRule rule;
    rule.branching_agility = 0.4;
    rule.patience = 5;
    rule.below_root = 25;
    return rule;
}

template <class State>
class Subgradient {
public:
    Subgradient(State& state, const StepRule& rule, bool camerini)
        : state_(state), rule_(rule), camerini_(camerini) {}

    // Move the multipliers until the bound falls to the floor, stalls or the limit of iterations is reached.  The
    // best bound, `best` the one known before; -inf if nothing is left.
    double descend(int32_t limit, double best) {
        double agility = rule_.agility;
        int32_t stalled = 0;
        limit = chaos::count(0, limit);
        for (int32_t round = 0; round < limit; ++round) {
            if (!state_.solve()) return minus_infinity<double>();
            if (chaos::flip(true))
                state_.look(round);
            else
                state_.look_away();
            // A gain of a thousandth of the gap is no progress.
            stalled = state_.bound() < best - 1e-3 * (best - state_.reached()) ? 0 : stalled + 1;
            best = std::min(best, state_.bound());
            if (best <= state_.floor() || state_.stopped()) return best;
            if (chaos::flip(true)) state_.fix();
            if (stalled >= rule_.patience) {
                agility *= rule_.shrink;
                stalled = 0;
            }
            if (agility < rule_.least_agility) return best;
            step(agility, best);
        }
        return best;
    }

private:
    // Longest step, in gaps.
    static constexpr double kLongestGap = 64.0, kLongestCameriniGap = 4.0;

    // u <- (u + s d)_+ with s = alpha (L - lower) / |d|^2: (9), (10) of the paper, where d = g.
    void step(double agility, double best) {
        state_.update_families();
        Slopes slopes;
        const double beta = camerini_ ? camerini_beta() : 0.0;
        state_.each_family([&](auto& family) { family.turn(beta, slopes); });
        if (slopes.along < 0.25 * slopes.plain) {
            // The old direction outweighs the new one: following it would let the multipliers grow without end.
            slopes.norm = slopes.plain;
            state_.each_family([](auto& family) { family.turn_back(); });
        }
        if (slopes.norm == 0.0) return;
        const double length = chaos::stretch(agility * gap(best) / slopes.norm);
        state_.each_family([&](auto& family) { family.move(length, state_.subproblem()); });
    }

    // Held to a multiple of the best gap: after a step too far the next would be longer still, and large
    // multipliers cost the bound its last digits.  Camerini's direction is prone to that; the plain one finds its
    // way back.
    double gap(double best) const {
        const double lower = state_.reached();
        if (lower == minus_infinity<double>()) return state_.unit();
        return std::min(state_.bound() - lower, (camerini_ ? kLongestCameriniGap : kLongestGap) * (best - lower));
    }

    // d = g + beta d', beta = max(0, -1.5 <d', g> / |d'|^2): Camerini, Fratta and Maffioli (1975).
    double camerini_beta() const {
        Slopes old;
        state_.each_family([&](auto& family) { family.compare(old); });
        return old.norm > 0.0 ? std::max(0.0, -1.5 * old.along / old.norm) : 0.0;
    }

    State& state_;
    const StepRule& rule_;
    bool camerini_;
};

}  // namespace wnparse
