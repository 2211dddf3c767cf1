// The multipliers of block degree and nesting: a family of the Lagrangian (subgradient.hpp).
//
// Only cuts that some tree of the loop has violated exist; one that has long had no price and is not violated is
// forgotten.  A cut prices the arcs inside its sets (cuts.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "decoders/relaxation/cuts.hpp"
#include "decoders/relaxation/multipliers.hpp"

namespace wnparse {

template <int W>
class ShapeCuts {
public:
    void clear() { cuts_.clear(); }
    const std::vector<Cut<W>>& cuts() const { return cuts_; }
    void restore(const std::vector<Cut<W>>& cuts) { cuts_ = cuts; }

    // sum of u limit
    double constant() const {
        double sum = 0.0;
        for (const Cut<W>& cut : cuts_) sum += cut.multiplier * cut.limit;
        return sum;
    }

    // Lay all prices on a subproblem that has none.
    template <class Subproblem>
    void price(Subproblem& subproblem) const {
        for (const Cut<W>& cut : cuts_) charge(cut, cut.multiplier, subproblem);
    }

    // Measure the cuts on a tree, forget those idle for more than `idle_limit` iterations, append those it
    // violates.
    void update(const int32_t* tree, const std::vector<Cut<W>>& violated, int32_t idle_limit) {
        size_t count = 0;
        for (size_t i = 0; i < cuts_.size(); ++i) {
            cuts_[i].violation = cuts_[i].measure(tree);
            cuts_[i].idle = cuts_[i].multiplier > 0.0 || cuts_[i].violation > 0 ? 0 : cuts_[i].idle + 1;
            if (cuts_[i].idle <= idle_limit) {
                if (count != i) cuts_[count] = cuts_[i];
                ++count;
            }
        }
        cuts_.resize(count);
        for (const Cut<W>& cut : violated) {
            bool known = false;
            for (size_t i = 0; i < count && !known; ++i) known = cuts_[i].same(cut);
            if (!known) cuts_.push_back(cut);
        }
    }

    // What the old direction and the new subgradient have in common, for Camerini's rule.
    void compare(Slopes& slopes) const {
        for (const Cut<W>& cut : cuts_) {
            slopes.along += subgradient(cut) * cut.direction;
            slopes.norm += cut.direction * cut.direction;
        }
    }

    // d = g + beta d'
    void turn(double beta, Slopes& slopes) {
        for (Cut<W>& cut : cuts_) {
            const double g = subgradient(cut);
            cut.direction = g + beta * cut.direction;
            slopes.norm += cut.direction * cut.direction;
            slopes.plain += g * g;
            slopes.along += cut.direction * g;
        }
    }

    // d = g
    void turn_back() {
        for (Cut<W>& cut : cuts_) cut.direction = subgradient(cut);
    }

    // u <- (u + length d)_+, and the prices with it.
    template <class Subproblem>
    void move(double length, Subproblem& subproblem) {
        for (Cut<W>& cut : cuts_) {
            const double moved = std::max(0.0, cut.multiplier + length * cut.direction);
            charge(cut, moved - cut.multiplier, subproblem);
            cut.multiplier = moved;
        }
    }

private:
    template <class Subproblem>
    static void charge(const Cut<W>& cut, double change, Subproblem& subproblem) {
        if (change == 0.0) return;
        for (int32_t i = 0; i < cut.sets; ++i) subproblem.charge_inside(cut.set[i], change);
    }

    // g = sum - limit.  Cuts that are slack and have no price are left out, as the projection would leave them
    // where they are.
    static double subgradient(const Cut<W>& cut) {
        return cut.violation < 0 && cut.multiplier == 0.0 ? 0.0 : cut.violation;
    }

    std::vector<Cut<W>> cuts_;  // active, with their multipliers
};

}  // namespace wnparse
