// The multipliers of rules over labelled arcs: a family of the Lagrangian (subgradient.hpp).
//
// An arc pays what its best label pays: with u the multipliers of the rows that a choice c of arc a occurs in
// (rule_rows.hpp), and g its gain over the arc's first choice,
//
//     theta_a = w_a + max over choices c of (g_ac - sum over rows of u coefficient)   (+ what others charge),
//
// so that labels need no agreement of their own.  A hard rule's multiplier is capped at the weight of a broken
// rule, a soft one's at its penalty: for 0 <= u <= cap and any amount v of violation u v <= cap max(0, v), and the
// bound holds for every labelled tree with what it breaks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/chaos.hpp"
#include "base/hashing.hpp"
#include "base/row_kernels.hpp"
#include "decoders/relaxation/multipliers.hpp"
#include "decoders/rules/rule_rows.hpp"

namespace wnparse {

class RulePrices {
public:
    // What a node of the search keeps: rows with their multipliers, and choices that are fixed to zero.
    struct Priced {
        int32_t row;
        double multiplier, direction;
        int32_t violation, idle;
    };
    struct Saved {
        std::vector<Priced> rows;
        std::vector<int32_t> fixed_to_zero;
    };

    void start(const Labelling& labelling) {
        labelling_ = &labelling;
        pool_.clear();
        index_.clear();
        active_.clear();
        saved_.rows.clear();
        saved_.fixed_to_zero.clear();
        price_.assign(labelling.choices().size(), 0.0);
        fixed_.assign(labelling.choices().size(), 0);
        const size_t arcs = labelling.arcs().size();
        value_.assign(arcs, 0.0);
        best_.resize(arcs);
        for (size_t a = 0; a < arcs; ++a) best_[a] = labelling.arcs()[a].begin;
        changed_.assign(arcs, 0);
        touched_.clear();
    }

    const Saved& saved() const { return saved_; }
    // Go back to a node of the search; price() must follow.
    void restore(const Saved& saved) {
        for (const int32_t a : touched_) {
            const Labelling::LabelledArc& arc = labelling_->arcs()[a];
            std::fill(price_.begin() + arc.begin, price_.begin() + arc.end, 0.0);
            std::fill(fixed_.begin() + arc.begin, fixed_.begin() + arc.end, uint8_t{0});
            value_[a] = 0.0;
            best_[a] = arc.begin;
            changed_[a] = 0;
        }
        touched_.clear();
        saved_ = saved;
        for (const int32_t choice : saved_.fixed_to_zero) fixed_[choice] = 1;
        for (const Priced& row : saved_.rows)
            if (row.multiplier != 0.0) add(pool_[row.row], row.multiplier);
        // Choices that are fixed to zero may have no price.
        for (const int32_t choice : saved_.fixed_to_zero) settle(arc_of(choice));
        for (const int32_t a : touched_) settle(a);
    }

    // The best choice of an arc under prices; all that matters of it where several tie is that runs repeat.
    int32_t choice(int32_t h, int32_t m) const { return best_[labelling_->place(h, m)]; }
    bool is_fixed_to_zero(int32_t choice) const { return fixed_[choice] != 0; }
    // Choices of an arc that are not fixed to zero.
    int32_t left(const Labelling::LabelledArc& arc) const {
        return static_cast<int32_t>(std::count(fixed_.begin() + arc.begin, fixed_.begin() + arc.end, uint8_t{0}));
    }

    // sum of u limit
    double constant() const {
        double sum = 0.0;
        for (const Priced& row : saved_.rows) sum += row.multiplier * pool_[row.row].limit;
        return sum;
    }

    template <class Subproblem>
    void price(Subproblem& subproblem) const {
        for (const int32_t a : touched_) {
            const Labelling::LabelledArc& arc = labelling_->arcs()[a];
            if (value_[a] != 0.0 && subproblem.open(arc.m).has(arc.h))
                subproblem.charge({arc.h, arc.m}, -value_[a]);
        }
    }

    // Measure the rows on a tree with the choices that it has now, forget those idle for long, append those it
    // violates.
    void update(const int32_t* tree, const RuleRows& violated, int32_t idle_limit) {
        size_t count = 0;
        for (Priced& row : saved_.rows) {
            row.violation = measure(pool_[row.row], tree);
            row.idle = row.multiplier > 0.0 || row.violation > 0 ? 0 : row.idle + 1;
            if (row.idle <= idle_limit) saved_.rows[count++] = row;
        }
        saved_.rows.resize(count);
        active_.assign(pool_.size(), 0);
        for (const Priced& row : saved_.rows) active_[row.row] = 1;
        int32_t left = chaos::count(1, most_at_once);
        for (const Violation& violation : violated.violations()) {
            const int32_t row = find(violation, violated);
            if (active_[row]) continue;
            if (--left < 0) break;
            active_[row] = 1;
            saved_.rows.push_back({row, 0.0, 0.0, violation.amount, 0});
        }
    }

    void compare(Slopes& slopes) const {
        for (const Priced& row : saved_.rows) {
            slopes.along += subgradient(row) * row.direction;
            slopes.norm += row.direction * row.direction;
        }
    }

    void turn(double beta, Slopes& slopes) {
        for (Priced& row : saved_.rows) {
            const double g = subgradient(row);
            row.direction = g + beta * row.direction;
            slopes.norm += row.direction * row.direction;
            slopes.plain += g * g;
            slopes.along += row.direction * g;
        }
    }

    void turn_back() {
        for (Priced& row : saved_.rows) row.direction = subgradient(row);
    }

    // u <- u + length d, held to 0 .. cap.
    template <class Subproblem>
    void move(double length, Subproblem& subproblem) {
        moved_.clear();
        for (Priced& row : saved_.rows) {
            const RuleRow& terms = pool_[row.row];
            // What no tree satisfies costs all it can at once.
            const double to = terms.hopeless
                                  ? terms.cap
                                  : std::min(terms.cap, std::max(0.0, row.multiplier + length * row.direction));
            if (to == row.multiplier) continue;
            add(terms, to - row.multiplier);
            row.multiplier = to;
        }
        for (const int32_t a : moved_) {
            const Labelling::LabelledArc& arc = labelling_->arcs()[a];
            const double before = value_[a];
            settle(a);
            if (value_[a] != before && subproblem.open(arc.m).has(arc.h))
                subproblem.charge({arc.h, arc.m}, before - value_[a]);
        }
    }

    int32_t arc_of(int32_t choice) const {
        const auto& arcs = labelling_->arcs();
        const auto after =
            std::upper_bound(arcs.begin(), arcs.end(), choice,
                             [](int32_t i, const Labelling::LabelledArc& arc) { return i < arc.begin; });
        return static_cast<int32_t>(after - arcs.begin()) - 1;
    }

private:
    // Price the terms of a row; settle() must follow for the arcs in moved_.
    void add(const RuleRow& row, double change) {
        for (const RuleRow::Term& term : row.terms) {
            const Labelling::LabelledArc& arc = labelling_->arcs()[term.arc];
            for (int32_t i = arc.begin; i < arc.end; ++i)
                if ((term.classes >> labelling_->choice(i).label_class & 1) != 0)
                    price_[i] += change * term.factor;
            touch(term.arc);
            moved_.push_back(term.arc);
        }
    }

    void touch(int32_t a) {
        if (changed_[a]) return;
        changed_[a] = 1;
        touched_.push_back(a);
    }

    void settle(int32_t a) {
        const Labelling::LabelledArc& arc = labelling_->arcs()[a];
        touch(a);
        best_[a] = -1;
        value_[a] = minus_infinity<double>();
        for (int32_t i = arc.begin; i < arc.end; ++i) {
            const double value = labelling_->choice(i).gain - price_[i];
            if (!fixed_[i] && (best_[a] < 0 || value > value_[a])) {
                value_[a] = value;
                best_[a] = i;
            }
        }
    }

    int32_t measure(const RuleRow& row, const int32_t* tree) const {
        int32_t sum = -row.limit;
        for (const RuleRow::Term& term : row.terms) {
            const Labelling::LabelledArc& arc = labelling_->arcs()[term.arc];
            if (tree[arc.m] == arc.h && (term.classes >> labelling_->choice(best_[term.arc]).label_class & 1) != 0)
                sum += term.factor;
        }
        return sum;
    }

    int32_t find(const Violation& violation, const RuleRows& violated) {
        const uint64_t key = mix(mix(mix(uint64_t(violation.rule) << 32 | uint32_t(violation.a)) +
                                     (uint64_t(uint32_t(violation.b)) << 32)) +
                                 uint32_t(violation.c));
        std::vector<int32_t>& alike = index_[key];
        for (const int32_t i : alike)
            if (pool_[i].same(violation, violated.sets())) return i;
        alike.push_back(static_cast<int32_t>(pool_.size()));
        active_.push_back(0);
        pool_.push_back(violated.make_row(violation));
        return alike.back();
    }

    // Rows that the projection would leave where they are, at 0 or at their caps, would only shorten the step.
    double subgradient(const Priced& row) const {
        if (row.violation < 0 && row.multiplier == 0.0) return 0.0;
        return row.violation > 0 && row.multiplier >= pool_[row.row].cap ? 0.0 : row.violation;
    }

    const Labelling* labelling_ = nullptr;
    static constexpr int32_t most_at_once =
        64;  // rows that one tree adds: of a long sentence there may be thousands

    std::vector<RuleRow> pool_;                                 // all rows that the search has met
    std::unordered_map<uint64_t, std::vector<int32_t>> index_;  // of the pool, by what names a row
    std::vector<uint8_t> active_;                               // rows of the pool that have a multiplier
    Saved saved_;
    std::vector<double> price_;     // of each choice
    std::vector<uint8_t> fixed_;    // 1: the choice is fixed to zero
    std::vector<double> value_;     // of each arc: what its best choice adds to its weight
    std::vector<int32_t> best_;     // of each arc: that choice
    std::vector<uint8_t> changed_;  // arcs that are in touched_
    std::vector<int32_t> touched_;  // arcs whose value may not be 0
    std::vector<int32_t> moved_;    // by the last step
};

}  // namespace wnparse
