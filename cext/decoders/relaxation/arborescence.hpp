// The tree side of the relaxation: the best arborescence of open arcs on scores that prices have changed.
//
// Corro et al. (2016), section 5.1.  With u >= 0 the multipliers of cuts sum_S z(inside(S)) <= limit (cuts.hpp),
//
//     L(u) = max over arborescences z of  sum_a theta_a z_a + sum_cuts u limit,
//     theta_a = w_a - sum of u over the sets S of all cuts with a inside S,
//
// is an upper bound on every valid tree.  w are the relative weights of the objective (objective.hpp).
//
// This is a subproblem of the subgradient loop: a class that maximises under prices, with
//
//     solve(constant)            maximise; bound() is then L(u), with `constant` the part that is free of z
//     charge_inside(set, price)  every open arc inside a set pays more
//     charge(arc, price)         an open arc pays more
//     clear_prices()             back to the weights
//
// Arcs are fixed to zero, theta = -inf, for the rest of a node of the search.  O(n^2) per solution.  Where only
// projective trees are valid and there are parts of higher order, the tree is Eisner's, O(n^3), and there are no
// duals (Koo et al. 2010, section 7.7).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "decoders/direct/contraction.hpp"
#include "decoders/direct/direct.hpp"
#include "problem/objective.hpp"
#include "problem/settings.hpp"

namespace wnparse {

template <int W>
class Arborescence {
public:
    using Set = BitSet<W>;

    // All finite arcs are open, and no price is laid on them.
    void start(const Objective& objective, bool single_root, bool projective) {
        objective_ = &objective;
        single_root_ = single_root;
        projective_ = projective;
        n_ = objective.words();
        width_ = objective.width();
        theta_.resize((n_ + 1) * width_);
        open_.resize(n_ + 1);
        finite_.resize(n_ + 1);
        best_head_.resize(n_ + 1);
        best_value_.resize(n_ + 1);
        members_.resize(2 * n_ + 2);
        hung_from_.resize(n_ + 1);
        tree_.resize(n_ + 1);
        contraction_.reserve(n_);
        open_[0] = finite_[0] = Set::none();
        for (int32_t m = 1; m <= n_; ++m) open_[m] = finite_[m] = objective.finite<W>(m);
        clear_prices();
    }

    // The arcs that are left.
    const std::vector<Set>& open() const { return open_; }
    const Set& open(int32_t m) const { return open_[m]; }
    void reopen(const std::vector<Set>& open) { open_ = open; }  // clear_prices() must follow
    void open_all() { open_ = finite_; }                         // the same

    // The arc h -> m is in no tree of this node.
    void fix_to_zero(int32_t m, int32_t h) {
        theta_[m * width_ + h] = minus_infinity<double>();
        open_[m].remove(h);
        if (h == best_head_[m]) stale_.add(m);
    }

    void clear_prices() {
        std::copy(objective_->rows(), objective_->rows() + (n_ + 1) * width_, theta_.begin());
        for (int32_t m = 1; m <= n_; ++m) {
            double* row = theta_.data() + m * width_;
            finite_[m].without(open_[m]).each([&](int32_t h) { row[h] = minus_infinity<double>(); });
        }
        stale_ = Set::range(1, n_);
    }

    // theta_a -= price for every open arc inside the set.
    void charge_inside(const Set& set, double price) {
        set.each([&](int32_t m) {
            double* row = theta_.data() + m * width_;
            (open_[m] & set).each([&](int32_t h) { row[h] -= price; });
        });
        stale_ |= set;
    }

    // theta_a -= price for one open arc.
    void charge(Arc arc, double price) {
        theta_[arc.m * width_ + arc.h] -= price;
        stale_.add(arc.m);
    }

    bool has_duals() const { return !projective_; }

    // Best arborescence for the current prices; false if there is none.
    bool solve(double constant) {
        if (projective_) return solve_projective(constant);
        if (!settle()) return false;
        refresh();
        std::copy(best_head_.begin(), best_head_.begin() + n_ + 1, contraction_.head.begin());
        std::copy(best_value_.begin(), best_value_.begin() + n_ + 1, contraction_.value.begin());
        if (!contract(0)) return false;
        if (single_root_ && !has_single_root(tree_.data(), n_) && !solve_single_root()) return false;
        // L(u) = sum of the duals + sum of u limit
        double size = std::fabs(constant);
        bound_ = constant;
        for (int32_t node = 1; node < contraction_.count; ++node) {
            bound_ += contraction_.value[node];
            size += std::fabs(contraction_.value[node]);
        }
        // Large multipliers cancel in this sum: what rounding may have taken is given back.
        bound_ += kRounding * size;
        return true;
    }

    // The best solution without one arc: its bound, -inf if there is none.  The last solution stays what it was.
    double bound_without(int32_t m, int32_t h, double constant) {
        const double bound = bound_;
        spare_ = tree_;
        double& theta = theta_[m * width_ + h];
        const double weight = theta;
        theta = minus_infinity<double>();
        stale_.add(m);
        const double bound_without = solve(constant) ? bound_ : minus_infinity<double>();
        // Solving may have fixed the arc to zero for good.
        if (open_[m].has(h)) theta = weight;
        stale_.add(m);
        tree_.swap(spare_);
        bound_ = bound;
        return bound_without;
    }

    const std::vector<int32_t>& tree() const { return tree_; }  // [n + 1] found last
    double bound() const { return bound_; }                     // L(u) found last
    const double* theta(int32_t m) const { return theta_.data() + m * width_; }
    // What an open arc pays.
    double price(Arc arc) const { return objective_->weight(arc) - theta_[arc.m * width_ + arc.h]; }

    // The score of the best open arc of each word.
    const std::vector<double>& best_of_rows() {
        refresh();
        return best_value_;
    }

    // The duals of the last solution (contraction.hpp), and the words of each node: the settled ones, which were
    // held together, belong to the word they hang from; supernodes are still to be collected.
    const Contraction<double>& contraction() const { return contraction_; }
    std::vector<Set>& members() { return members_; }

private:
    static constexpr double kRounding = 1e-14;

    // Find the best heads of the rows that have changed.
    void refresh() {
        stale_.remove(0);
        stale_.each([&](int32_t m) {
            best_head_[m] = best_in_row(theta_.data() + m * width_, n_ + 1, -1, best_value_[m]);
        });
        stale_.clear();
    }

    bool solve_projective(double constant) {
        const ScoreMatrix matrix{theta_.data(), width_, n_, true};
        if (!best_projective_tree(matrix, single_root_, tree_.data(), direct_, Stop())) return false;
        double size = std::fabs(constant);
        bound_ = constant;
        for_each_part(tree_.data(), n_, [&](Arc arc) {
            const double theta = theta_[arc.m * width_ + arc.h];
            bound_ += theta;
            size += std::fabs(theta);
        });
        bound_ += kRounding * size;
        return true;
    }

    bool solve_single_root() {
        std::copy(best_head_.begin(), best_head_.begin() + n_ + 1, contraction_.head.begin());
        std::copy(best_value_.begin(), best_value_.begin() + n_ + 1, contraction_.value.begin());
        for (int32_t m = 1; m <= n_; ++m) {
            // A word whose best head is another word keeps it when 0 is left out.
            if (best_head_[m] == 0) {
                const int32_t best = best_in_row(theta_.data() + m * width_ + 1, n_, -1, contraction_.value[m]);
                contraction_.head[m] = best < 0 ? -1 : best + 1;
            }
        }
        return contract(1);
    }

    // Settled words are one with the word that they hang from: on the scores of a parser most words soon have one
    // head left, and the contraction is that of the others alone.  Fixes arcs to zero
    // whose heads hang from the word itself; false if settled words form a cycle.
    bool settle() {
        settled_.clear();
        for (int32_t m = 1; m <= n_; ++m) {
            members_[m] = Set::only(m);
            if (!open_[m].more_than(1) && !open_[m].empty() && !open_[m].has(0)) settled_.add(m);
        }
        Set done = Set::none(), tops = Set::none();
        bool cyclic = false;
        settled_.each([&](int32_t m) {
            int32_t up = open_[m].lowest();
            for (int32_t steps = 0; settled_.has(up) && !cyclic; ++steps) {
                cyclic = steps > n_;
                up = done.has(up) ? hung_from_[up] : open_[up].lowest();
            }
            hung_from_[m] = up;
            done.add(m);
            members_[up].add(m);
            tops.add(up);
        });
        tops.each([&](int32_t m) { (open_[m] & members_[m]).each([&](int32_t h) { fix_to_zero(m, h); }); });
        return !cyclic;
    }

    bool contract(int32_t first) {
        contraction_.prepare();
        settled_.each([&](int32_t m) { contraction_.hold(m, hung_from_[m]); });
        if (!contraction_.run_prepared(theta_.data(), width_, first)) return false;
        contraction_.expand(tree_.data());
        return true;
    }

    const Objective* objective_ = nullptr;
    bool single_root_ = false;
    bool projective_ = false;
    int32_t n_ = 0;
    int64_t width_ = 0;               // of a row, padded
    std::vector<double> theta_;       // [n + 1][width] priced, -inf where the arc is out
    std::vector<Set> open_;           // [n + 1] heads that a word may still take
    std::vector<Set> finite_;         // [n + 1] heads with a finite weight
    std::vector<int32_t> best_head_;  // [n + 1] argmax of the rows of theta
    std::vector<double> best_value_;  // [n + 1] max of the rows of theta
    Set stale_{};                     // rows whose argmax must be found again
    Contraction<double> contraction_;
    DirectWorkspace direct_;          // of Eisner's trees
    std::vector<Set> members_;        // [2n + 2] words of each node of the contraction
    std::vector<int32_t> hung_from_;  // [n + 1] word with a choice that a settled one hangs from
    Set settled_{};                   // words with one head left, not 0
    std::vector<int32_t> tree_;       // [n + 1]
    std::vector<int32_t> spare_;      // [n + 1]
    double bound_ = 0.0;
};

}  // namespace wnparse
