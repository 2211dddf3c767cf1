// The chains of children on one side of a head with parts of three consecutive siblings as well.
//
// A state is the last two children of a chain (m, s): Viterbi over them, O(P k^3) for P parents (Koo & Collins
// 2010, section 4.3; Martins et al. 2013 keep these parts in automata of their own, and need multipliers for
// that).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decoders/relaxation/chain_kernels.hpp"
#include "problem/part_tables.hpp"

namespace wnparse {

class TriSiblingChains {
public:
    // Begin with a side; pay[b - 1] is what child b pays, -inf where it is out.
    void start(const PartTables& tables, const PartTables::Head& head, const PartTables::Side& side,
               const double* pay) {
        tables_ = &tables;
        head_ = &head;
        side_ = &side;
        pay_ = pay - 1;
        lanes_ = PartTables::padded(head.parents);
        find_live(pay, side.count, live_);
        last_ = static_cast<int32_t>(live_.size()) - 1;
        grow(best_, size_t(last_ + 1) * (last_ + 1) * lanes_);
        std::fill_n(best_.data(), lanes_, 0.0);
        std::fill_n(best_.data() + at(0, last_), lanes_, minus_infinity<double>());
        for (int32_t i = 0; i < last_; ++i) extend(i);
    }

    // The best chains for each parent: they end in state (START, STOP).
    const double* ends() const { return best_.data() + at(0, last_); }

    template <class Visit>
    void trace(int32_t p, Visit&& visit) const {
        int32_t j = last_, i = best_last(p);
        while (i > 0) {
            visit(live_[i]);
            const int32_t before = best_before(i, j, p);
            j = i;
            i = before;
        }
    }

    template <class Visit>
    void for_each_through(int32_t parents, Visit&& visit) {
        grow(back_, best_.size());
        std::fill_n(back_.data() + at(0, last_), lanes_, 0.0);
        for (int32_t i = last_ - 1; i >= 0; --i) retreat(i);
        for (int32_t j = 1; j < last_; ++j)
            for (int32_t i = 0; i < j; ++i)
                for (int32_t p = 0; p < parents; ++p)
                    visit(live_[j], p, best_[at(i, j) + p] + back_[at(i, j) + p]);
    }

private:
    // Each state is written before it is read: what is left of other sides does no harm.
    static void grow(std::vector<double>& table, size_t size) {
        if (table.size() < size) table.resize(size);
    }

    size_t at(int32_t i, int32_t j) const { return (size_t(i) * (last_ + 1) + j) * lanes_; }
    // The state after child i is followed by j.
    size_t next(int32_t i, int32_t j) const { return at(j == last_ ? 0 : i, j); }
    double tri(int32_t before, int32_t i, int32_t j) const {
        return tables_->trisibling(*side_, live_[before], live_[i])[live_[j]];
    }
    double step(int32_t i, int32_t j) const { return tables_->sibling(*side_, live_[i])[live_[j]]; }
    double grand(int32_t i, int32_t j, int32_t p) const {
        return side_->grandsibling < 0 ? 0.0 : tables_->grandsibling(*head_, *side_, live_[i], live_[j])[p];
    }

    // What going from child i to each j brings whatever stood before: parts with the parent, and what j pays.
    void collect(int32_t i) {
        grow(added_, size_t(last_ + 1) * lanes_);
        for (int32_t j = i + 1; j <= last_; ++j) {
            double* added = added_.data() + size_t(j) * lanes_;
            std::fill_n(added, lanes_, step(i, j));
            if (side_->grandsibling >= 0) {
                const double* parts = tables_->grandsibling(*head_, *side_, live_[i], live_[j]);
                for (int32_t p = 0; p < lanes_; ++p) added[p] += parts[p];
            }
            if (j == last_) return;
            const double* parts = tables_->grandparent(*head_, *side_, live_[j]);
            for (int32_t p = 0; p < lanes_; ++p) added[p] += pay_[live_[j]] + parts[p];
        }
    }

    // The tri-siblings of two children, by the third; START is followed by nothing that has one.
    const double* steps(int32_t before, int32_t i) {
        if (i > 0) return tables_->trisibling(*side_, live_[before], live_[i]);
        nothing_.assign(side_->row_width(), 0.0);
        return nothing_.data();
    }

    // Chains whose last child is i, all of which are known, go on to each j.
    void extend(int32_t i) {
        collect(i);
        grow(top_, size_t(last_ + 1) * lanes_);
        std::fill_n(top_.data() + size_t(i + 1) * lanes_, size_t(last_ - i) * lanes_, minus_infinity<double>());
        for (int32_t before = 0; before < std::max(i, 1); ++before)
            raise_ends(top_.data(), best_.data() + at(before, i), steps(before, i), live_.data(), i + 1, last_,
                       lanes_);
        for (int32_t j = i + 1; j < last_; ++j) {
            const double *top = top_.data() + size_t(j) * lanes_, *added = added_.data() + size_t(j) * lanes_;
            double* state = best_.data() + at(i, j);
            for (int32_t p = 0; p < lanes_; ++p) state[p] = top[p] + added[p];
        }
        raise_by_sum(best_.data() + at(0, last_), top_.data() + size_t(last_) * lanes_,
                     added_.data() + size_t(last_) * lanes_, lanes_);
    }

    void retreat(int32_t i) {
        collect(i);
        for (int32_t j = i + 1; j <= last_; ++j) {
            const double* from = back_.data() + next(i, j);
            for (int32_t p = 0; p < lanes_; ++p) added_[size_t(j) * lanes_ + p] += from[p];
        }
        for (int32_t before = 0; before < std::max(i, 1); ++before)
            find_begin(back_.data() + at(before, i), added_.data(), steps(before, i), live_.data(), i + 1, last_,
                       lanes_);
    }

    // The last child of the best chain.
    int32_t best_last(int32_t p) const {
        int32_t best = 0;
        double top = minus_infinity<double>();
        for (int32_t i = 0; i < last_; ++i) {
            for (int32_t before = 0; before < i || before == 0; ++before) {
                const double own = i > 0 ? step(i, last_) + tri(before, i, last_) : step(i, last_);
                const double value = best_[at(before, i) + p] + own + grand(i, last_, p);
                if (value > top) {
                    top = value;
                    best = i;
                }
            }
        }
        return best;
    }

    int32_t best_before(int32_t i, int32_t j, int32_t p) const {
        int32_t best = 0;
        double top = minus_infinity<double>();
        for (int32_t before = 0; before < i; ++before) {
            const double value = best_[at(before, i) + p] + tri(before, i, j);
            if (value > top) {
                top = value;
                best = before;
            }
        }
        return best;
    }

    const PartTables* tables_ = nullptr;
    const PartTables::Head* head_ = nullptr;
    const PartTables::Side* side_ = nullptr;
    const double* pay_ = nullptr;
    int32_t lanes_ = 0, last_ = 0;
    std::vector<int32_t> live_;
    std::vector<double> best_, back_;  // [before][last child][lanes]
    std::vector<double> added_, top_;  // [child][lanes]
    std::vector<double> nothing_;      // [b]
};

}  // namespace wnparse
