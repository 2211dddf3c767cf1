// The automata side of the relaxation: for every head the best parent and children by themselves, tree or not.
//
// Koo, Rush, Collins, Jaakkola and Sontag (2010), sections 4.3 and 5.  The automaton of node i chooses one parent
// g and, on each side, a chain of children START, c_1, ..., c_k, STOP that go outwards:
//
//     A_i = max  y(g) + sum over c of x(c) + sum over the parts of i that (g, chains) has,
//
// with y and x what multipliers pay for the arcs (agreement.hpp) and parts as part_tables.hpp has them.  Both
// sides are in one automaton, so that they agree on the parent.  One Viterbi a side for all parents at once, O(P
// k^2), or O(P k^3) with tri-siblings.  An automaton is run again only if one of its arcs has changed
// (section 7.4).
//
// This is the second subproblem of the subgradient loop; bound() is the sum of all A_i.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/row_kernels.hpp"
#include "problem/part_tables.hpp"

namespace wnparse {

class HeadAutomata {
public:
    using Head = PartTables::Head;
    using Side = PartTables::Side;

    void start(const PartTables& tables) {
        tables_ = &tables;
        const int32_t nodes = tables.words() + 1;
        child_.assign(tables.child_count(), 0.0);
        parent_.assign(tables.parent_count(), 0.0);
        chosen_.assign(tables.child_count(), 0);
        stale_.assign(nodes, 1);
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
    int32_t choice(int32_t m) const { return choice_[m]; }               // place of the parent that m chose
    int32_t head(int32_t m) const { return tables_->parents(tables_->head(m))[choice_[m]]; }

    // What A_m falls by if it must take a parent: at most 0.
    double parent_slack(int32_t m, int32_t place) const { return by_parent_[place] - value_[m]; }

    // What A_h falls by if it must take each of its children, at most 0: by_child[place] for all of its places.
    void child_slacks(int32_t h, double* by_child) {
        const Head& head = tables_->head(h);
        const int32_t lanes = PartTables::padded(head.parents);
        for (int32_t right = 0; right < 2; ++right) forward(head, head.side[right], forward_[right]);
        for (int32_t right = 0; right < 2; ++right) {
            const Side& side = head.side[right];
            const Side& other = head.side[1 - right];
            const double* across = end(other, forward_[1 - right], lanes);
            backward(head, side);
            for (int32_t b = 1; b <= side.count; ++b) {
                double best = minus_infinity<double>();
                for (int32_t p = 0; p < head.parents; ++p)
                    best =
                        std::max(best, parent_[head.parent + p] + across[p] + through(side, right, lanes, b, p));
                by_child[side.child + b - 1] = best - value_[h];
            }
        }
    }

private:
    static constexpr double kRounding = 1e-14;
#if defined(__GNUC__)
    typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
#endif

    // to = max(to, from + step + extra) for all parents; `extra` may be nullptr.
    static void relax(double* to, const double* from, double step, const double* extra, int32_t lanes) {
#if defined(__GNUC__)
        for (int32_t p = 0; p < lanes; p += 4) {
            Four value = *reinterpret_cast<const Four*>(from + p) + step;
            if (extra != nullptr) value += *reinterpret_cast<const Four*>(extra + p);
            Four& best = *reinterpret_cast<Four*>(to + p);
            best = value > best ? value : best;
        }
#else
        for (int32_t p = 0; p < lanes; ++p)
            to[p] = std::max(to[p], from[p] + step + (extra != nullptr ? extra[p] : 0.0));
#endif
    }
    static void add(double* to, double step, const double* extra, int32_t lanes) {
        for (int32_t p = 0; p < lanes; ++p) to[p] += step + extra[p];
    }

    const double* grand(const Head& head, const Side& side, int32_t a, int32_t b) const {
        return side.grandsibling < 0 ? nullptr : tables_->grandsibling(head, side, a, b);
    }
    double pay(const Side& side, int32_t b) const { return child_[side.child + b - 1]; }
    bool is_out(const Side& side, int32_t b) const {
        return b >= 1 && b <= side.count && pay(side, b) == minus_infinity<double>();
    }

    // States of a chain: its last child, or its last two with tri-siblings, [before][last].
    static int64_t states(const Side& side) {
        return side.trisibling < 0 ? side.row() : (side.count + 1) * side.row();
    }
    static int64_t state(const Side& side, int32_t before, int32_t last) {
        return side.trisibling < 0 ? last : before * side.row() + last;
    }
    // With tri-siblings the end of all chains is kept in state (0, STOP).
    static double* end(const Side& side, std::vector<double>& table, int32_t lanes) {
        return table.data() + state(side, 0, side.stop()) * lanes;
    }

    // table[state][p] = the best chain up to a state, what its children pay included.
    void forward(const Head& head, const Side& side, std::vector<double>& table) const {
        const int32_t lanes = PartTables::padded(head.parents);
        table.assign(states(side) * lanes, minus_infinity<double>());
        double* best = table.data();
        std::fill_n(best, lanes, 0.0);  // START
        for (int32_t b = 1; b <= side.stop(); ++b) {
            if (is_out(side, b)) continue;
            for (int32_t a = 0; a < b && a <= side.count; ++a) {
                if (is_out(side, a)) continue;
                extend(head, side, best, a, b, lanes);
                if (b <= side.count && side.trisibling >= 0) collect(head, side, best, a, b, lanes);
            }
            if (b <= side.count && side.trisibling < 0) collect(head, side, best, 0, b, lanes);
        }
    }

    // Chains that end in a go on to b.
    void extend(const Head& head, const Side& side, double* best, int32_t a, int32_t b, int32_t lanes) const {
        const double step = tables_->sibling(side, a)[b];
        const double* extra = grand(head, side, a, b);
        if (side.trisibling < 0) {
            relax(best + b * lanes, best + a * lanes, step, extra, lanes);
            return;
        }
        const int32_t kept = b == side.stop() ? 0 : a;  // the state that follows is (a, b)
        double* to = best + state(side, kept, b) * lanes;
        if (a == 0) {
            relax(to, best, step, extra, lanes);
            return;
        }
        for (int32_t before = 0; before < a; ++before) {
            if (is_out(side, before)) continue;
            relax(to, best + state(side, before, a) * lanes, step + tables_->trisibling(side, before, a)[b], extra,
                  lanes);
        }
    }

    // What child b pays, and its grandparent parts.
    void collect(const Head& head, const Side& side, double* best, int32_t a, int32_t b, int32_t lanes) const {
        add(best + state(side, a, b) * lanes, pay(side, b), tables_->grandparent(head, side, b), lanes);
    }

    // back_[state][p] = the best way from a state to STOP.
    void backward(const Head& head, const Side& side) {
        const int32_t lanes = PartTables::padded(head.parents);
        back_.assign(states(side) * lanes, minus_infinity<double>());
        std::fill_n(end(side, back_, lanes), lanes, 0.0);
        onward_.resize(lanes);
        for (int32_t b = side.stop(); b >= 1; --b) {
            if (is_out(side, b)) continue;
            for (int32_t a = std::min(b - 1, side.count); a >= 0; --a) {
                if (is_out(side, a)) continue;
                const bool stop = b == side.stop();
                const double* from = back_.data() + state(side, stop ? 0 : a, b) * lanes;
                std::copy_n(from, lanes, onward_.begin());
                if (!stop) add(onward_.data(), pay(side, b), tables_->grandparent(head, side, b), lanes);
                retreat(head, side, a, b, lanes);
            }
        }
    }

    void retreat(const Head& head, const Side& side, int32_t a, int32_t b, int32_t lanes) {
        const double step = tables_->sibling(side, a)[b];
        const double* extra = grand(head, side, a, b);
        if (side.trisibling < 0 || a == 0) {
            relax(back_.data() + state(side, 0, a) * lanes, onward_.data(), step, extra, lanes);
            return;
        }
        for (int32_t before = 0; before < a; ++before) {
            if (is_out(side, before)) continue;
            relax(back_.data() + state(side, before, a) * lanes, onward_.data(),
                  step + tables_->trisibling(side, before, a)[b], extra, lanes);
        }
    }

    // The best chain of a side through child b.
    double through(const Side& side, int32_t right, int32_t lanes, int32_t b, int32_t p) const {
        if (side.trisibling < 0) return forward_[right][b * lanes + p] + back_[b * lanes + p];
        double best = minus_infinity<double>();
        for (int32_t a = 0; a < b; ++a) {
            const int64_t at = state(side, a, b) * lanes + p;
            best = std::max(best, forward_[right][at] + back_[at]);
        }
        return best;
    }

    void run(int32_t h) {
        const Head& head = tables_->head(h);
        const int32_t lanes = PartTables::padded(head.parents);
        for (int32_t right = 0; right < 2; ++right) forward(head, head.side[right], forward_[right]);
        const double* left = end(head.side[0], forward_[0], lanes);
        const double* right = end(head.side[1], forward_[1], lanes);
        int32_t chosen = 0;
        double best = minus_infinity<double>();
        for (int32_t p = 0; p < head.parents; ++p) {
            const double value = parent_[head.parent + p] + left[p] + right[p];
            by_parent_[head.parent + p] = value;
            if (value > best) {
                best = value;
                chosen = p;
            }
        }
        value_[h] = best;
        choice_[h] = chosen;
        for (int32_t side = 0; side < 2; ++side) trace(head, head.side[side], forward_[side], chosen, lanes);
    }

    // Find again the chain that the table's end stands for: no back pointers are kept.
    void trace(const Head& head, const Side& side, const std::vector<double>& table, int32_t p, int32_t lanes) {
        std::fill_n(chosen_.begin() + side.child, side.count, uint8_t(0));
        int32_t b = side.stop(), last = -1;  // `last` is known with tri-siblings, once two children are
        while (b > 0) {
            const int32_t a = last >= 0 ? last : best_before(head, side, table, b, p, lanes);
            if (a <= 0) return;
            chosen_[side.child + a - 1] = 1;
            last = side.trisibling < 0 ? -1 : best_second(side, table, a, b, p, lanes);
            b = a;
        }
    }

    int32_t best_before(const Head& head, const Side& side, const std::vector<double>& table, int32_t b, int32_t p,
                        int32_t lanes) const {
        int32_t found = 0;
        double best = minus_infinity<double>();
        for (int32_t a = 0; a < b && a <= side.count; ++a) {
            const double* extra = grand(head, side, a, b);
            const double step = tables_->sibling(side, a)[b] + (extra != nullptr ? extra[p] : 0.0);
            const auto consider = [&](double value) {
                if (value + step > best) {
                    best = value + step;
                    found = a;
                }
            };
            if (side.trisibling < 0 || a == 0)
                consider(table[a * lanes + p]);
            else
                for (int32_t before = 0; before < a; ++before)
                    consider(table[state(side, before, a) * lanes + p] + tables_->trisibling(side, before, a)[b]);
        }
        return found;
    }

    int32_t best_second(const Side& side, const std::vector<double>& table, int32_t a, int32_t b, int32_t p,
                        int32_t lanes) const {
        int32_t found = 0;
        double best = minus_infinity<double>();
        for (int32_t before = 0; before < a; ++before) {
            const double value =
                table[state(side, before, a) * lanes + p] + tables_->trisibling(side, before, a)[b];
            if (value > best) {
                best = value;
                found = before;
            }
        }
        return found;
    }

    const PartTables* tables_ = nullptr;
    std::vector<double> child_, parent_;  // what arcs pay
    std::vector<uint8_t> chosen_;         // of children()
    std::vector<uint8_t> stale_;          // [n + 1] must be run again
    std::vector<double> value_;           // [n + 1] A_i
    std::vector<int32_t> choice_;         // [n + 1]
    std::vector<double> by_parent_;       // of parents(): the best with each
    std::vector<double> forward_[2], back_, onward_;
    double bound_ = 0.0;
    int32_t runs_ = 0;
};

}  // namespace wnparse
