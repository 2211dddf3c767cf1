// Non-delayed relax-and-cut: the subgradient loop on the multipliers of lazily separated cuts.
//
// Corro et al. (2016), sections 5.1 and 5.2; A. Lucena (2005), "Non delayed relax-and-cut algorithms".  One
// iteration solves the relaxed problem (O(n^2)), separates cuts that its arborescence violates, strikes out arcs
// by reduced costs and moves the multipliers; only cuts violated at some time exist.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/relaxation/arborescence.hpp"
#include "decoders/relaxation/local_search.hpp"
#include "decoders/relaxation/paper_reduction.hpp"
#include "problem/settings.hpp"

namespace wnparse {

// Constants of the loop, found by experiment (scripts/bench_decoders.py).
struct Rule {
    double agility = 2.0;            // alpha of the step rule (10) at the start of every loop
    double shrink = 0.5;             // factor on alpha where the bound stalls
    double least_agility = 0.02;     // end of the loop
    double branching_agility = 0.6;  // the same where branching comes next and trees are found without the loop
    int32_t patience = 4;            // iterations without a better bound until alpha shrinks
    int32_t node_iterations = 10;    // limit of the loop below the root
    int32_t second_iterations = 20;  // limit of the loop after a reduction
    int32_t cuts_at_once = 8;        // separated in one iteration at most
    int32_t idle_limit = 10;         // iterations after which a cut without a price is forgotten
    int32_t repairs = 2;             // iterations of a loop that repair their tree
    int32_t early = 4;               // iterations on a repaired arborescence before Eisner is asked
};

// Everything that one search owns; buffers live on between sentences.
template <int W>
struct Search {
    static constexpr int32_t kRecent = 16;
    static constexpr double kLongestGap = 64.0, kLongestCameriniGap = 4.0;

    Relaxation<W> problem;
    LocalSearch<W> primal;
    Separation<W> separation;
    PaperReduction<W> reduction;
    std::vector<int32_t> incumbent;      // [n + 1] best valid tree so far
    std::vector<int32_t> unpriced;       // [n + 1] best arborescence of the problem without prices
    std::vector<int32_t> last_repaired;  // [n + 1] tree that was repaired last
    std::vector<int32_t> recent;         // [kRecent][n + 1] trees of the last iterations, a ring
    int32_t recent_count = 0;            // iterations of the last loop
    double lower = 0.0;                  // weight of the incumbent; -inf: none yet
    double cutoff = 0.0;                 // weight that a tree of interest exceeds
    int32_t iterations = 0;              // of all loops
    Options options{};
    Rule rule;

    // Two weights this close are equal: rounding, in units of the differences of scores.
    static double above(double value) {
        return value == minus_infinity<double>() ? value : value + 1e-11 * std::fabs(value);
    }
    double floor() const { return above(std::max(lower, cutoff)); }
    bool has_tree() const { return lower > minus_infinity<double>(); }
    bool stopped() const { return options.stop != nullptr && *options.stop != 0; }

    // `arborescence` is the best one, found invalid.
    void begin(const Options& wanted, const int32_t* arborescence) {
        options = wanted;
        iterations = 0;
        lower = minus_infinity<double>();
        cutoff = options.cutoff - problem.offset;
        unpriced.assign(arborescence, arborescence + problem.n + 1);
        incumbent.assign(problem.n + 1, -1);
        last_repaired.assign(problem.n + 1, -1);
        if (options.known != nullptr) accept(options.known);
        separation.block_degree = problem.constraints.block_degree;
        separation.well_nested = problem.constraints.well_nested;
        separation.paper = options.paper_cuts;
        separation.most = rule.cuts_at_once;
    }

    // A valid tree; kept, after local search, if it is better than the incumbent.
    void offer(const int32_t* heads) {
        primal.start(problem, heads);
        if (options.local_search) primal.climb(problem);
        keep();
    }

    // A valid tree as it is.
    void accept(const int32_t* heads) {
        const double found = problem.weight_of(heads);
        if (found > lower) {
            incumbent.assign(heads, heads + problem.n + 1);
            lower = found;
        }
    }

    // Repair an arborescence that violates one cut alone; true if that gave an incumbent.
    bool repair_one(const int32_t* heads) {
        separate(heads);
        if (separation.found.size() == 1) repair(heads);
        return has_tree();
    }

    // Move the multipliers until the bound falls to the incumbent, stalls or the limit is reached.  The best
    // bound of this node; at most floor() if it holds nothing better than the incumbent.
    double relax(int32_t limit, double inherited) {
        const double best = descend(limit, inherited);
        if (options.paper_fixing && best > floor() && has_tree())
            reduction.run(problem, unpriced.data(), floor(), 2 * problem.n, options.stop);
        return best;
    }

    // A second chance for a loop that has stalled at the bound `best`: the paper's reduction, for no more than the
    // loop has cost, and the loop again on what is left.
    double reduce_and_relax(double best) {
        const int32_t limit = std::min(rule.second_iterations, options.max_iterations - iterations);
        if (limit <= 0 || options.paper_fixing || !has_tree() || best <= floor() || stopped()) return best;
        reduction.run(problem, unpriced.data(), floor(), iterations, options.stop);
        return relax(limit, best);
    }

private:
    double descend(int32_t limit, double best) {
        double agility = rule.agility;
        int32_t stalled = 0;
        recent_count = 0;
        recent.resize(kRecent * (problem.n + 1));
        for (int32_t round = 0; round < limit; ++round) {
            ++iterations;
            if (!problem.solve()) return minus_infinity<double>();
            std::copy(problem.tree.begin(), problem.tree.end(),
                      recent.begin() + (recent_count++ % kRecent) * (problem.n + 1));
            look(round);
            // A gain of a thousandth of the gap is no progress.
            stalled = problem.bound < best - 1e-3 * (best - lower) ? 0 : stalled + 1;
            best = std::min(best, problem.bound);
            if (best <= floor() || stopped()) return best;
            if (!options.paper_fixing) problem.fix_by_reduced_cost(floor());
            if (stalled >= rule.patience) {
                agility *= rule.shrink;
                stalled = 0;
            }
            if (agility < rule.least_agility) return best;
            step(agility, best);
        }
        return best;
    }

    // Structure of the current arborescence: the cuts it violates, and what the primal side makes of it.
    void look(int32_t round) {
        separate(problem.tree.data());
        if (separation.found.empty()) {
            if (problem.weight_of(problem.tree.data()) > lower || options.local_search) offer(problem.tree.data());
        } else if (options.local_search && (round < rule.repairs || !has_tree())) {
            repair(problem.tree.data());
        }
    }

    void separate(const int32_t* heads) {
        problem.structure.build(heads);
        problem.structure.find_gapped();
        separation.heads = heads;
        separation.structure = &problem.structure;
        separation.run();
    }

    void repair(const int32_t* heads) {
        if (std::equal(last_repaired.begin(), last_repaired.end(), heads)) return;
        std::copy(heads, heads + problem.n + 1, last_repaired.begin());
        primal.start(problem, heads);
        if (primal.repair(problem, lower)) {
            primal.climb(problem);
            keep();
        }
    }

    void keep() { accept(primal.heads.data()); }

    // u <- (u + s g)_+ with g = sum - limit, s = alpha (L - lower) / |g|^2: (9), (10) of the paper.  Cuts that
    // are slack and have no price are left out of g, as the projection would leave them where they are.
    void step(double agility, double best) {
        add_found();
        const double beta = options.camerini ? camerini_beta() : 0.0;
        double norm = 0.0, plain = 0.0, along = 0.0;
        for (Cut<W>& cut : problem.cuts) {
            const double g = subgradient(cut);
            cut.direction = g + beta * cut.direction;
            norm += cut.direction * cut.direction;
            plain += g * g;
            along += cut.direction * g;
        }
        if (along < 0.25 * plain) {
            // The old direction outweighs the new one: following it would let the multipliers grow without end.
            norm = plain;
            for (Cut<W>& cut : problem.cuts) cut.direction = subgradient(cut);
        }
        if (norm == 0.0) return;
        // Held to a multiple of the best gap: after a step too far the next would be longer still, and large
        // multipliers cost the bound its last digits.  Camerini's direction is prone to that; the plain one finds
        // its way back.
        const double longest = options.camerini ? kLongestCameriniGap : kLongestGap;
        const double gap = has_tree() ? std::min(problem.bound - lower, longest * (best - lower)) : problem.spread;
        const double length = agility * gap / norm;
        for (Cut<W>& cut : problem.cuts) {
            const double moved = std::max(0.0, cut.multiplier + length * cut.direction);
            problem.price(cut, moved - cut.multiplier);
            cut.multiplier = moved;
        }
    }

    static double subgradient(const Cut<W>& cut) {
        return cut.violation < 0 && cut.multiplier == 0.0 ? 0.0 : cut.violation;
    }

    // d = g + beta d', beta = max(0, -1.5 <d', g> / |d'|^2): Camerini, Fratta and Maffioli (1975).
    double camerini_beta() const {
        double product = 0.0, norm = 0.0;
        for (const Cut<W>& cut : problem.cuts) {
            product += subgradient(cut) * cut.direction;
            norm += cut.direction * cut.direction;
        }
        return norm > 0.0 ? std::max(0.0, -1.5 * product / norm) : 0.0;
    }

    // Measure the old cuts, forget those long without a price, append the new ones.
    void add_found() {
        std::vector<Cut<W>>& cuts = problem.cuts;
        size_t kept = 0;
        for (size_t i = 0; i < cuts.size(); ++i) {
            cuts[i].violation = cuts[i].measure(problem.tree.data());
            cuts[i].idle = cuts[i].multiplier > 0.0 || cuts[i].violation > 0 ? 0 : cuts[i].idle + 1;
            if (cuts[i].idle <= rule.idle_limit) {
                if (kept != i) cuts[kept] = cuts[i];
                ++kept;
            }
        }
        cuts.resize(kept);
        for (const Cut<W>& cut : separation.found) {
            bool known = false;
            for (size_t i = 0; i < kept && !known; ++i) known = cuts[i].same(cut);
            if (!known) cuts.push_back(cut);
        }
    }
};

}  // namespace wnparse
