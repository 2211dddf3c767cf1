// Hildreth's method for small quadratic programs with box constraints (Hildreth 1957, "A quadratic programming
// procedure"; Censor & Zenios 1997, "Parallel Optimization", section 6.4).
//
// The step of large-margin learners:  min over w' of 1/2 |w' - w|^2 + C sum_i xi_i  with  w'.d_i >= L_i - xi_i,
// xi_i >= 0. Its dual, with gram G_ij = d_i.d_j and violations b_i = L_i - w.d_i:
//     max over 0 <= alpha <= C of  b.alpha - 1/2 alpha.G alpha,     w' = w + sum_i alpha_i d_i,
// is climbed one multiplier at a time.  With one constraint that is alpha = min(C, max(0, b / |d|^2)), in one
// step. A step takes O(k) for k constraints, and nothing for a constraint that holds with slack.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace wnparse {

class Hildreth {
public:
    std::vector<double> alpha;  // [k], the multipliers

    // Solve for gram[k][k] and violations[k]; `limit` is C, possibly infinite.  False: the passes did not suffice,
    // and some margins are short by more than `tolerance` times the largest violation.
    bool solve(const double* gram, const double* violations, int32_t k, double limit, double tolerance,
               int32_t passes) {
        alpha.assign(k, 0.0);
        residual_.assign(violations, violations + k);
        double largest = 0;
        for (int32_t i = 0; i < k; ++i) largest = std::max(largest, std::fabs(violations[i]));
        for (int32_t pass = 0; pass < passes; ++pass) {
            double worst = 0;
            for (int32_t i = 0; i < k; ++i) worst = std::max(worst, ascend(gram, i, k, limit));
            if (worst <= tolerance * largest) return true;
        }
        return false;
    }

private:
    // alpha_i <- alpha_i + (b - G alpha)_i / G_ii, cut off at 0 and C; how far the margin was from where it should
    // be.
    double ascend(const double* gram, int32_t i, int32_t k, double limit) {
        const double* row = gram + static_cast<size_t>(i) * k;
        if (row[i] <= 0) return 0;  // no feature tells the two trees apart
        const double next = std::clamp(alpha[i] + residual_[i] / row[i], 0.0, limit);
        const double change = next - alpha[i];
        if (change == 0) return 0;
        alpha[i] = next;
        for (int32_t j = 0; j < k; ++j) residual_[j] -= change * row[j];
        return std::fabs(change) * row[i];
    }

    std::vector<double> residual_;  // [k], b - G alpha: what the margins still lack
};

}  // namespace wnparse
