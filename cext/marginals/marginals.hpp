// Arc marginals of a score matrix: p[m][h], the probability that h is the head of m where trees have a probability
// proportional to exp(score).
//
// matrix_tree.hpp sums over all trees, inside_outside.hpp over projective ones.  Both add and multiply positive
// numbers alone, so that digits can only be lost to the range of double.  Doubles are tried first, with rows
// relative to their best score; where the scores are too far apart for them, the same code runs on Scaled numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/row_kernels.hpp"
#include "base/scaled_number.hpp"
#include "decoders/direct/eisner.hpp"
#include "marginals/inside_outside.hpp"
#include "marginals/matrix_tree.hpp"
#include "problem/objective.hpp"

namespace wnparse {

struct MarginalsSettings {
    bool single_root;
    bool projective;
};

class Marginals {
public:
    double log_partition = 0.0;  // log of the sum over trees of exp(score)

    // p[m * pitch + h] for 0 < m <= n, 0 <= h <= n, or the partition function alone where p is null.  False if the
    // finite arcs hold no tree.
    bool run(const ScoreMatrix& scores, const MarginalsSettings& settings, double* p, int64_t pitch) {
        objective.load(Problem{scores, Constraints{}});
        n = objective.words();
        width = objective.width();
        target = p;
        target_pitch = pitch;
        log_partition = 0.0;
        if (!measure()) return false;
        const bool has_tree =
            n == 0 || (settings.projective ? run_projective(settings.single_root) : run_all(settings.single_root));
        if (has_tree) with_scores(scores, [&](const auto* values) { add_best(values, scores.stride); });
        return has_tree;
    }

private:
    // Scores further below the best of their row are left to Scaled numbers; so are spans whose best tree is.
    static constexpr double kLowestRelative = -300.0, kLowestSpan = -500.0;
    // Root rates of a single root, all alike: smaller than any product of others.
    static constexpr int64_t kRootExponent = -(int64_t{1} << 60);
    static constexpr double kRowTolerance = 1e-9;

    int32_t n = 0;
    int64_t width = 0, target_pitch = 0;
    double* target = nullptr;
    bool sparse = false;  // some arcs are forbidden
    double lowest = 0.0;  // relative score of an arc
    Objective objective;
    MatrixTree<double> tree_sum;
    MatrixTree<Scaled> tree_sum_scaled;
    InsideOutside<double> projective_sum;
    InsideOutside<Scaled> projective_sum_scaled;
    std::vector<double> cells;

    // The best score of each row, which its weights are relative to.
    template <class Score>
    void add_best(const Score* scores, int64_t stride) {
        for (int32_t m = 1; m <= n; ++m) {
            Score best;
            best_in_row(scores + m * stride, n + 1, m, best);
            log_partition += static_cast<double>(best);
        }
    }

    // Range of the scores; false if some word has no arc at all.
    bool measure() {
        sparse = false;
        lowest = 0.0;
        for (int32_t m = 1; m <= n; ++m) {
            const double* row = objective.row(m);
            bool open = false;
            for (int32_t h = 0; h <= n; ++h) {
                const bool finite = row[h] > minus_infinity<double>();
                open |= finite;
                sparse |= !finite && h != m;
                lowest = finite && row[h] < lowest ? row[h] : lowest;
            }
            if (!open) return false;
        }
        return true;
    }

    static double number(double score, double) { return std::exp(score); }
    static Scaled number(double score, const Scaled&) {
        return score > minus_infinity<double>() ? scaled_exp(score) : Scaled();
    }
    static double plain(double value) { return value; }
    static double plain(const Scaled& value) { return value.value(); }
    static double logarithm(double value) { return std::log(value); }
    static double logarithm(const Scaled& value) { return value.logarithm(); }

    template <class Number>
    void load(MatrixTree<Number>& sum) const {
        sum.reserve(n);
        sum.sparse = sparse;
        for (int32_t m = 1; m <= n; ++m) {
            const double* row = objective.row(m);
            Number* rates = sum.rates.data() + (m - 1) * (n + 1);
            for (int32_t h = 1; h <= n; ++h) rates[h - 1] = number(row[h], Number(0.0));
            rates[n] = number(row[0], Number(0.0));
        }
    }

    // p(h -> m) ~ w(h, m) e(h, m).  False where the sum is no usable number.
    template <class Number>
    bool write(const MatrixTree<Number>& sum, Number root_unit) {
        for (int32_t m = 0; target != nullptr && m < n; ++m) {
            const Number* rates = sum.rates.data() + m * (n + 1);
            double* row = target + (m + 1) * target_pitch;
            Number total = rates[n] * root_unit;
            for (int32_t h = 0; h < n; ++h) total += rates[h] * sum.escape[h * n + m];
            if (!(plain(total / total) == 1.0)) return false;
            const Number inverse = Number(1.0) / total;
            row[0] = plain(rates[n] * root_unit * inverse);
            for (int32_t h = 0; h < n; ++h) row[h + 1] = plain(rates[h] * sum.escape[h * n + m] * inverse);
        }
        for (const Number& pivot : sum.pivots) log_partition += logarithm(pivot);
        return std::isfinite(log_partition);
    }

    bool run_all(bool single_root) {
        const bool wanted = target != nullptr;
        if (lowest >= kLowestRelative) {
            load(tree_sum);
            const MatrixTreeOutcome outcome = tree_sum.run(!single_root, wanted);
            if (outcome == MatrixTreeOutcome::no_tree) return false;
            if (outcome == MatrixTreeOutcome::found && write(tree_sum, 1.0)) return true;
            log_partition = 0.0;
        }
        MatrixTree<Scaled>& sum = tree_sum_scaled;
        load(sum);
        for (int32_t m = 0; single_root && m < n; ++m) {
            Scaled& rate = sum.rates[m * (n + 1) + n];
            if (!(rate == 0.0)) rate.exponent += kRootExponent;
        }
        if (sum.run(true, wanted) != MatrixTreeOutcome::found) return false;
        if (single_root && !take_root_back(sum)) return false;
        return write(sum, Scaled(1.0));
    }

    // The powers of the root rates in Z tell how many roots a tree must have; one is taken out of it.
    static bool take_root_back(MatrixTree<Scaled>& sum) {
        int32_t roots = 0;
        for (Scaled& pivot : sum.pivots) {
            if (pivot.exponent < kRootExponent / 2) {
                ++roots;
                pivot.exponent -= kRootExponent;
            }
        }
        return roots == 1;
    }

    // Sums over projective trees.  Every inside sum is at least the best tree of its span, which Eisner's charts
    // tell, and a span without a tree is an exact 0.
    bool run_projective(bool single_root) {
        const eisner_detail::EisnerCharts<double> charts(cells, n);
        if (!eisner_detail::fill_dispatched(charts, objective.rows(), n, width, single_root, Stop())) return false;
        if (charts.right_complete[n * charts.pitch] == minus_infinity<double>()) return false;
        if (lowest_span(charts) >= kLowestSpan && sum_projective(projective_sum, single_root)) return true;
        return sum_projective(projective_sum_scaled, single_root);
    }

    double lowest_span(const eisner_detail::EisnerCharts<double>& charts) const {
        double least = 0.0;
        for (const double* chart :
             {charts.right_complete, charts.left_complete, charts.right_incomplete, charts.left_incomplete}) {
            for (int32_t d = 1; d <= n; ++d) {
                for (int32_t i = 0; i <= n - d; ++i) {
                    const double value = chart[d * charts.pitch + i];
                    least = value < least && value > minus_infinity<double>() ? value : least;
                }
            }
        }
        return least;
    }

    // False where doubles have lost a row: its sum is not 1.
    template <class Number>
    bool sum_projective(InsideOutside<Number>& sum, bool single_root) {
        sum.reserve(n);
        for (int32_t m = 1; m <= n; ++m) {
            for (int32_t h = 0; h <= n; ++h)
                if (h != m) sum.weight(h, m) = number(objective.weight({h, m}), Number(0.0));
        }
        sum.run(single_root, target != nullptr);
        const Number partition = sum.partition();
        log_partition = logarithm(partition);
        if (!std::isfinite(log_partition)) return false;
        const Number inverse = Number(1.0) / partition;
        for (int32_t m = 1; target != nullptr && m <= n; ++m) {
            double* row = target + m * target_pitch;
            double total = 0.0;
            for (int32_t h = 0; h <= n; ++h) {
                row[h] = h == m ? 0.0 : plain(sum.mass(h, m) * inverse);
                total += row[h];
            }
            if (!(std::fabs(total - 1.0) <= kRowTolerance)) return false;
            for (int32_t h = 0; h <= n; ++h) row[h] /= total;
        }
        return true;
    }
};

}  // namespace wnparse
