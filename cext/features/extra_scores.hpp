// The scores of a second scorer, such as a neural network, for one sentence: they are added to those of the model.
//
// Natural logarithms of probabilities: of each head of a word, and of each label of an arc, a softmax over the
// products of two factors,
//
//     log p(l | h, m) = s(h, m, l) - log sum over labels k of exp s(h, m, k),  s(h, m, l) = sum_r m_rl h_r,
//
// so that labels are scored for the arcs that pruning has left alone: O(labels rank) each.  All are rounded to a
// grid, so that the last bits of a product of matrices, which differ between processors, rarely matter; then they
// are whole numbers in units of the weights of the model, and sums of them do not depend on their order.  The
// numbers may come from a model of a stranger: whatever they are, their sums are finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace wnparse {

struct ExtraScores {
    int32_t n = 0;                       // words
    const float* arcs = nullptr;         // [n + 1][n + 1] log probabilities, arcs[m][h]
    int32_t labels = 0, rank = 0;        // no labels: 0
    const float* of_modifier = nullptr;  // [n + 1][rank][labels]
    const float* of_head = nullptr;      // [n + 1][rank]
    double unit = 0;                     // what a nat is worth, in units of the weights of the model
    float likely = 0;                    // heads whose log probability is above are kept when arcs are pruned

    int32_t arc(int32_t h, int32_t m) const { return in_units(log_probability(h, m)); }
    bool is_likely(int32_t h, int32_t m) const { return log_probability(h, m) > likely; }

    // Add the score of each label of an arc to sums[width]; `scores` is memory.
    void add_labels(int32_t h, int32_t m, int32_t width, int32_t* sums, std::vector<float>& scores) const {
        if (labels == 0) return;
        scores.assign(labels, 0.0f);
        const float* factor = of_modifier + static_cast<size_t>(m) * rank * labels;
        for (int32_t r = 0; r < rank; ++r) {
            const float weight = of_head[static_cast<size_t>(h) * rank + r];
            const float* row = factor + static_cast<size_t>(r) * labels;
            for (int32_t l = 0; l < labels; ++l) scores[l] += weight * row[l];
        }
        const float best = *std::max_element(scores.begin(), scores.end());
        double total = 0;
        for (const float score : scores) total += std::exp(static_cast<double>(score - best));
        const double offset = static_cast<double>(best) + std::log(total);
        for (int32_t l = 0; l < std::min(labels, width); ++l)
            sums[l] += in_units(static_cast<double>(scores[l]) - offset);
    }

private:
    static constexpr double steps = 128;     // of the grid, per nat
    static constexpr double least = -32;     // nats: less probable is not told apart
    static constexpr double most = 1 << 28;  // units: sums of it fit into 32 bits

    float log_probability(int32_t h, int32_t m) const { return arcs[static_cast<size_t>(m) * (n + 1) + h]; }

    int32_t in_units(double nats) const {
        const double bounded = nats > least ? std::min(nats, -least) : least;  // not a number: the least
        const double units = std::nearbyint(bounded * steps) / steps * unit;
        return static_cast<int32_t>(std::nearbyint(std::clamp(units, -most, most)));
    }
};

}  // namespace wnparse
