// The relaxed problem: an arborescence on scores that the multipliers of the cuts have changed.
//
// Corro et al. (2016), section 5.1.  With u >= 0 the multipliers of cuts sum_S z(inside(S)) <= limit (cuts.hpp),
//
//     L(u) = max over arborescences z of  sum_a theta_a z_a + sum_cuts u limit,
//     theta_a = w_a - sum of u over the sets S of all cuts with a inside S,
//
// is an upper bound on every valid tree.  The scores are kept relative to the best head of each word,
// w[m][h] - max_h w[m][h]: a constant a row changes no comparison of trees, and the arithmetic then works on
// differences of scores, whatever their magnitude.
//
// Fixing: the contraction duals bound every tree that uses an arc (contraction.hpp); an arc that cannot be part of
// a tree better than the incumbent is struck out, theta = -inf, for the rest of this node of the search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "decoders/direct/contraction.hpp"
#include "decoders/direct/msa.hpp"
#include "decoders/relaxation/cuts.hpp"
#include "problem/structure.hpp"

namespace wnparse {

template <int W>
struct Relaxation {
    static constexpr double kRounding = 1e-14;

    int32_t n = 0;
    int64_t width = 0;  // of a row, padded
    Constraints constraints{};
    std::vector<double> weight;      // [n + 1][width] w, relative to the best of the row
    std::vector<double> theta;       // [n + 1][width] priced, -inf where the arc is out
    std::vector<BitSet<W>> open;     // [n + 1] heads that a word may still take
    std::vector<BitSet<W>> finite;   // [n + 1] heads with a finite weight
    std::vector<int32_t> best_head;  // [n + 1] argmax of the rows of theta
    std::vector<double> best_value;  // [n + 1] max of the rows of theta
    BitSet<W> stale{};               // rows whose argmax must be found again
    std::vector<Cut<W>> cuts;        // active cuts with their multipliers
    Contraction<double> contraction;
    std::vector<BitSet<W>> members;  // [2n + 2] words of each node of the contraction
    std::vector<int32_t> hung_from;  // [n + 1] word with a choice that a settled one hangs from
    BitSet<W> settled{};             // words with one head left, not 0
    std::vector<int32_t> tree;       // [n + 1] the arborescence found last
    Structure<W> structure;          // of `tree`
    double bound = 0.0;              // L(u) found last
    double spread = 1.0;             // mean distance from the best of a row to its worst open arc
    double offset = 0.0;             // sum of the best of the rows: weight + offset is a score

    template <class Score>
    void load(const Score* scores, int32_t words, int64_t stride, const Constraints& wanted) {
        n = words;
        width = padded(n + 1);
        constraints = wanted;
        weight.resize((n + 1) * width);
        theta.resize((n + 1) * width);
        open.resize(n + 1);
        finite.resize(n + 1);
        best_head.resize(n + 1);
        best_value.resize(n + 1);
        members.resize(2 * n + 2);
        hung_from.resize(n + 1);
        tree.resize(n + 1);
        structure.reserve(n);
        contraction.reserve(n);
        cuts.clear();
        offset = spread = 0.0;
        std::fill(weight.begin(), weight.begin() + width, minus_infinity<double>());
        for (int32_t m = 1; m <= n; ++m) load_row(scores + m * stride, m);
        open[0].clear();
        spread = spread > 0.0 ? spread / n : 1.0;
        price_all();
    }

    // Theta from the weights, the open arcs and the multipliers.
    void price_all() {
        std::copy(weight.begin(), weight.begin() + (n + 1) * width, theta.begin());
        for (int32_t m = 1; m <= n; ++m) {
            double* row = theta.data() + m * width;
            finite[m].without(open[m]).each([&](int32_t h) { row[h] = minus_infinity<double>(); });
        }
        for (const Cut<W>& cut : cuts) price(cut, cut.multiplier);
        stale = BitSet<W>::range(1, n);
    }

    // theta_a -= change for every open arc inside a set of the cut.
    void price(const Cut<W>& cut, double change) {
        if (change == 0.0) return;
        for (int32_t i = 0; i < cut.sets; ++i) {
            const BitSet<W>& set = cut.set[i];
            set.each([&](int32_t m) {
                double* row = theta.data() + m * width;
                (open[m] & set).each([&](int32_t h) { row[h] -= change; });
            });
            stale |= set;
        }
    }

    // Best arborescence for the current theta; false if there is none.  Sets tree and bound.
    bool solve() {
        if (!settle()) return false;
        refresh();
        std::copy(best_head.begin(), best_head.begin() + n + 1, contraction.head.begin());
        std::copy(best_value.begin(), best_value.begin() + n + 1, contraction.value.begin());
        if (!contract(0)) return false;
        if (constraints.single_root && !has_single_root(tree.data(), n) && !solve_single_root()) return false;
        // L(u) = sum of the duals + sum of u limit
        const double prices = constant();
        double size = prices;
        bound = prices;
        for (int32_t node = 1; node < contraction.count; ++node) {
            bound += contraction.value[node];
            size += std::fabs(contraction.value[node]);
        }
        // Large multipliers cancel in this sum: what rounding may have taken is given back.
        bound += kRounding * size;
        return true;
    }

    // sum of u limit
    double constant() const {
        double sum = 0.0;
        for (const Cut<W>& cut : cuts) sum += cut.multiplier * cut.limit;
        return sum;
    }

    void strike(int32_t m, int32_t h) {
        theta[m * width + h] = minus_infinity<double>();
        open[m].remove(h);
        stale.add(m);
    }

    // Find the best heads of the rows that have changed.
    void refresh() {
        stale.remove(0);
        stale.each(
            [&](int32_t m) { best_head[m] = best_in_row(theta.data() + m * width, n + 1, -1, best_value[m]); });
        stale.clear();
    }

    double weight_of(const int32_t* heads) const {
        double sum = 0.0;
        for (int32_t m = 1; m <= n; ++m) sum += weight[m * width + heads[m]];
        return sum;
    }

    // Strike out every arc whose trees score at most `floor`.
    // bound + slack(h, m) <= floor,  slack(h, m) = theta - sum of duals of the sets that hold m but not h
    void fix_by_reduced_cost(double floor) {
        collect_members();
        const double least = floor - bound;
        for (int32_t m = 1; m <= n; ++m) fix_row(m, least);
    }

private:
    template <class Score>
    void load_row(const Score* source, int32_t m) {
        double* row = weight.data() + m * width;
        Score top;
        if (best_in_row(source, n + 1, m, top) < 0) top = Score{0};
        offset += static_cast<double>(top);
        const double most = static_cast<double>(top);
        for (int32_t h = 0; h <= n; ++h) row[h] = static_cast<double>(source[h]) - most;
        row[m] = minus_infinity<double>();
        std::fill(row + n + 1, row + width, minus_infinity<double>());
        finite[m].clear();
        bits_above(row, n + 1, minus_infinity<double>(), finite[m].word);
        open[m] = finite[m];
        spread -= lowest_of(row);
    }

    // Four minima at a time do not wait for one another.
    double lowest_of(const double* row) const {
        double low[4] = {0.0, 0.0, 0.0, 0.0};
        for (int64_t h = 0; h < width; h += 4) {
            for (int64_t i = 0; i < 4; ++i) {
                const double value = row[h + i] > minus_infinity<double>() ? row[h + i] : 0.0;
                low[i] = value < low[i] ? value : low[i];
            }
        }
        return std::min(std::min(low[0], low[1]), std::min(low[2], low[3]));
    }

    bool solve_single_root() {
        std::copy(best_head.begin(), best_head.begin() + n + 1, contraction.head.begin());
        std::copy(best_value.begin(), best_value.begin() + n + 1, contraction.value.begin());
        for (int32_t m = 1; m <= n; ++m) {
            // A word whose best head is another word keeps it when 0 is left out.
            if (best_head[m] == 0) {
                const int32_t found = best_in_row(theta.data() + m * width + 1, n, -1, contraction.value[m]);
                contraction.head[m] = found < 0 ? -1 : found + 1;
            }
        }
        return contract(1);
    }

    // Settled words are one with the word that they hang from: on the scores of a parser most words soon have one
    // head left, and the contraction is that of the others alone.  Strikes heads that hang from the word itself;
    // false if settled words form a cycle.
    bool settle() {
        settled.clear();
        for (int32_t m = 1; m <= n; ++m) {
            members[m] = BitSet<W>::only(m);
            if (!open[m].more_than(1) && !open[m].empty() && !open[m].has(0)) settled.add(m);
        }
        BitSet<W> done = BitSet<W>::none(), tops = BitSet<W>::none();
        bool cyclic = false;
        settled.each([&](int32_t m) {
            int32_t up = open[m].lowest();
            for (int32_t steps = 0; settled.has(up) && !cyclic; ++steps) {
                cyclic = steps > n;
                up = done.has(up) ? hung_from[up] : open[up].lowest();
            }
            hung_from[m] = up;
            done.add(m);
            members[up].add(m);
            tops.add(up);
        });
        tops.each([&](int32_t m) { (open[m] & members[m]).each([&](int32_t h) { strike(m, h); }); });
        return !cyclic;
    }

    bool contract(int32_t first) {
        contraction.prepare();
        settled.each([&](int32_t m) { contraction.hold(m, hung_from[m]); });
        if (!contraction.run_prepared(theta.data(), width, first)) return false;
        contraction.expand(tree.data());
        return true;
    }

    void collect_members() {
        for (int32_t node = n + 1; node < contraction.count; ++node) members[node].clear();
        for (int32_t node = 1; node < contraction.count; ++node)
            if (contraction.parent[node] >= 0) members[contraction.parent[node]] |= members[node];
    }

    void fix_row(int32_t m, double least) {
        if (!open[m].more_than(1)) {
            // Every tree of this node uses the one arc that is left.
            return;
        }
        double* row = theta.data() + m * width;
        const int32_t parent = contraction.parent[m];
        // slack = theta - value_m - sum of the other duals, all <= 0: what lies above this passes without them.
        const double limit = least + contraction.value[m];
        BitSet<W> above = BitSet<W>::none();
        bits_above(row, n + 1, limit, above.word);
        const BitSet<W> below = open[m].without(above);
        // The least that the sum of duals comes to for any head: what lies below that fails whatever its sets.
        double sum = limit, least_rest = limit;
        for (int32_t set = parent; set >= 0; set = contraction.parent[set]) {
            sum += contraction.value[set];
            least_rest = std::min(least_rest, sum);
        }
        below.each([&](int32_t h) {
            double rest = least_rest;
            if (row[h] > least_rest) {
                rest = limit;
                for (int32_t set = parent; set >= 0 && !members[set].has(h); set = contraction.parent[set])
                    rest += contraction.value[set];
            }
            if (row[h] <= rest) {
                row[h] = minus_infinity<double>();
                open[m].remove(h);
            }
        });
        if (best_head[m] >= 0 && !open[m].has(best_head[m])) stale.add(m);
    }
};

}  // namespace wnparse
