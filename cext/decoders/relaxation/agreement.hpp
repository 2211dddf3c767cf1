// The head automata, and the multipliers that make them agree with the tree: a family of the Lagrangian
// (subgradient.hpp).
//
// Koo et al. (2010), section 5.  Every arc a is chosen three times: by the tree, by the automaton of its head (as
// a child) and by that of its modifier (as the parent).  The weight of an arc is shared out,
//
//     theta_a = w_a - x_a - y_a  in the tree,   x_a  in the automaton of its head,   y_a  in that of its modifier,
//
// so that for any x, y the maxima add up to a bound on every tree with its parts.  A bound falls along
//
//     d x_a = tree(a) - child(a),      d y_a = tree(a) - parent(a).
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/relaxation/head_automata.hpp"
#include "decoders/relaxation/multipliers.hpp"
#include "problem/objective.hpp"

namespace wnparse {

class Agreement {
public:
    // Shares of an arc's weight that the automata have at the start.
    static constexpr double kChildShare = 0.4, kParentShare = 0.4;

    void start(const PartTables& tables, const Objective& objective, bool single_root) {
        tables_ = &tables;
        automata_.start(tables, single_root);
        heads_.assign(tables.words() + 1, -1);
        links_.clear();
        for (int32_t h = 0; h <= tables.words(); ++h) {
            for (const PartTables::Side& side : tables.head(h).side) {
                for (int32_t k = 0; k < side.count; ++k) {
                    const int32_t m = tables.children(side)[k];
                    if (objective.weight({h, m}) == minus_infinity<double>()) {
                        automata_.set_child(h, side.child + k, minus_infinity<double>());
                        automata_.set_parent(m, tables.head(m).parent + tables.parent_place(h, m),
                                             minus_infinity<double>());
                        continue;
                    }
                    links_.push_back({{h, m}, side.child + k, tables.head(m).parent + tables.parent_place(h, m)});
                }
            }
        }
        multiplier_.resize(2 * links_.size());
        gradient_.assign(multiplier_.size(), 0.0);
        direction_.assign(multiplier_.size(), 0.0);
        for (size_t i = 0; i < links_.size(); ++i) {
            multiplier_[2 * i] = kChildShare * objective.weight(links_[i].arc);
            multiplier_[2 * i + 1] = kParentShare * objective.weight(links_[i].arc);
        }
    }

    const std::vector<double>& multipliers() const { return multiplier_; }
    void restore(const std::vector<double>& multipliers) { multiplier_ = multipliers; }

    double constant() const { return 0.0; }

    // Lay all prices on a tree side that has none, and on the automata.
    template <class Subproblem>
    void price(Subproblem& arcs) {
        live_.clear();
        for (size_t i = 0; i < links_.size(); ++i) {
            const Link& link = links_[i];
            const bool open = arcs.open(link.arc.m).has(link.arc.h);
            if (open) arcs.charge(link.arc, multiplier_[2 * i] + multiplier_[2 * i + 1]);
            if (open) live_.push_back(static_cast<int32_t>(i));
            automata_.set_child(link.arc.h, link.child, open ? multiplier_[2 * i] : minus_infinity<double>());
            automata_.set_parent(link.arc.m, link.parent,
                                 open ? multiplier_[2 * i + 1] : minus_infinity<double>());
        }
    }

    // Run the automata on the arcs that are open on the tree side; false if one of them has no parent left.
    template <class Subproblem>
    bool solve(const Subproblem& arcs) {
        fix_to_zero(arcs);
        if (!automata_.solve()) return false;
        for (int32_t m = 1; m <= tables_->words(); ++m) heads_[m] = automata_.head(m);
        return true;
    }
    double bound() const { return automata_.bound(); }
    const std::vector<int32_t>& heads() const { return heads_; }  // [n + 1] the parents that the automata chose
    HeadAutomata& automata() { return automata_; }

    // What the bound falls by if the automata of both ends must take an arc, each at most 0.
    struct Slack {
        double of_head, of_modifier;
        double sum() const { return of_head + of_modifier; }
    };
    // A function slack(arc).
    auto slacks() {
        return [&tables = *tables_, &automata = automata_, &child_slacks = automata_.child_slacks()](Arc arc) {
            const PartTables::Side& side = tables.head(arc.h).side[arc.m > arc.h];
            const int32_t child = side.child + tables.position(arc.h, arc.m) - 1;
            const int32_t parent = tables.head(arc.m).parent + tables.parent_place(arc.h, arc.m);
            return Slack{child_slacks[child], automata.parent_slack(arc.m, parent)};
        };
    }

    // The subgradient at a tree and what the automata chose.
    void update(const int32_t* tree) {
        for (const int32_t i : live_) {
            const Link& link = links_[i];
            const double in = tree[link.arc.m] == link.arc.h;
            gradient_[2 * i] = in - automata_.has_child(link.child);
            gradient_[2 * i + 1] = in - (automata_.head(link.arc.m) == link.arc.h);
        }
    }

    void compare(Slopes& slopes) const {
        each([&](size_t i) {
            slopes.along += gradient_[i] * direction_[i];
            slopes.norm += direction_[i] * direction_[i];
        });
    }

    void turn(double beta, Slopes& slopes) {
        each([&](size_t i) {
            direction_[i] = gradient_[i] + beta * direction_[i];
            slopes.norm += direction_[i] * direction_[i];
            slopes.plain += gradient_[i] * gradient_[i];
            slopes.along += direction_[i] * gradient_[i];
        });
    }

    void turn_back() {
        each([&](size_t i) { direction_[i] = gradient_[i]; });
    }

    template <class Subproblem>
    void move(double length, Subproblem& arcs) {
        for (const int32_t i : live_) {
            const Link& link = links_[i];
            const double x = length * direction_[2 * i], y = length * direction_[2 * i + 1];
            if ((x == 0.0 && y == 0.0) || !arcs.open(link.arc.m).has(link.arc.h)) continue;
            multiplier_[2 * i] += x;
            multiplier_[2 * i + 1] += y;
            arcs.charge(link.arc, x + y);
            if (x != 0.0) automata_.set_child(link.arc.h, link.child, multiplier_[2 * i]);
            if (y != 0.0) automata_.set_parent(link.arc.m, link.parent, multiplier_[2 * i + 1]);
        }
    }

private:
    struct Link {
        Arc arc;
        int32_t child;   // its place among the children of the automata
        int32_t parent;  // and among the parents
    };

    // Take the arcs that were fixed to zero on the tree side out of the automata.
    template <class Subproblem>
    void fix_to_zero(const Subproblem& arcs) {
        size_t count = 0;
        for (const int32_t i : live_) {
            const Link& link = links_[i];
            if (arcs.open(link.arc.m).has(link.arc.h)) {
                live_[count++] = i;
                continue;
            }
            automata_.set_child(link.arc.h, link.child, minus_infinity<double>());
            automata_.set_parent(link.arc.m, link.parent, minus_infinity<double>());
        }
        live_.resize(count);
    }

    // Call visit with the places of both multipliers of every arc that is still open.
    template <class Visit>
    void each(Visit&& visit) const {
        for (const int32_t i : live_) {
            visit(size_t(2) * i);
            visit(size_t(2) * i + 1);
        }
    }

    const PartTables* tables_ = nullptr;
    HeadAutomata automata_;
    std::vector<int32_t> heads_;
    std::vector<Link> links_;
    std::vector<int32_t> live_;                              // links whose arc is still open
    std::vector<double> multiplier_, gradient_, direction_;  // x, y of every link
};

}  // namespace wnparse
