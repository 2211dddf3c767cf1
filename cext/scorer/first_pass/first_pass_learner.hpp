// Learning the first pass: each word picks its head by itself (Zhang, Cheng & Lapata 2017, "Dependency parsing as
// head selection").  As a log-linear model it tells which heads are worth a closer look (cf. Rush & Petrov 2012).
//
// p(h | m) = exp s(h, m) / sum over h' of exp s(h', m);  the gradient of log p(gold | m) by s(h, m) is [h = gold]
// - p(h | m). Stochastic gradient; the weights of all steps are averaged (Polyak & Juditsky 1992).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scorer/first_pass/first_pass_scores.hpp"

namespace wnparse {

class FirstPassLearner {
public:
    FirstPassLearner() = default;
    FirstPassLearner(std::vector<uint64_t> tags, std::vector<uint64_t> types)
        : tags_(std::move(tags)), types_(std::move(types)) {
        layout_.tags = first_tag + static_cast<int32_t>(tags_.size());
        layout_.types = first_tag + static_cast<int32_t>(types_.size());
        weights_.assign(layout_.size(), 0);
        sums_.assign(layout_.size(), 0);
    }

    // One step for each annotated word of a sentence; -1: it has no head.
    void learn(const Tokens& tokens, const int32_t* gold, float rate) {
        const int32_t n = tokens.n;
        rate_ = rate;
        numbers_.number(tokens, {tags_.data(), types_.data()}, layout_);
        scorer_.start(tokens, numbers_, layout_, weights_.data());
        rows_.resize(static_cast<size_t>(n) * n);
        for (int32_t m = 1; m <= n; ++m) scorer_.score(m, rows_.data() + static_cast<size_t>(m - 1) * n);
        for (int32_t m = 1; m <= n; ++m)
            if (gold[m] >= 0) update(tokens, m, rows_.data() + static_cast<size_t>(m - 1) * n, gold[m]);
        step_ += 1;
    }

    size_t size() const { return weights_.size(); }
    // The average over all steps, w - u / T (see learned_weights.hpp).
    double averaged(size_t i) const { return weights_[i] - sums_[i] / step_; }

private:
    void update(const Tokens& tokens, int32_t m, float* row, int32_t gold) {
        const int32_t n = tokens.n;
        const float best = *std::max_element(row, row + n);
        float total = 0;
        for (int32_t k = 0; k < n; ++k) total += row[k] = std::exp(row[k] - best);
        for (int32_t k = 0; k < n; ++k) {
            const int32_t h = k + (k >= m);
            const float gradient = (h == gold) - row[k] / total;
            // Most heads are out of the question: leave their weights alone.
            if (std::fabs(gradient) > 0.003f) step(tokens, h, m, rate_ * gradient);
        }
    }

    void step(const Tokens& tokens, int32_t h, int32_t m, float delta) {
        const bool right = h < m;
        const int32_t low = std::min(h, m), high = std::max(h, m), th = numbers_.tag(h), tm = numbers_.tag(m);
        const size_t pair = layout_.pair(right, tm, th);
        add(layout_.type(right, numbers_.type(m), numbers_.type(h)), delta);
        add(layout_.distance(pair) + distance_bin(high - low), delta);
        for (int32_t kind = 0; kind < class_count; ++kind) {
            const int32_t count = tokens.class_counts[high * class_count + kind] -
                                  tokens.class_counts[(low + 1) * class_count + kind];
            add(layout_.counts(pair) + kind * (most_counted + 1) + std::min(count, most_counted), delta);
        }
        for (int32_t b = low + 1; b < high; ++b) add(layout_.between(pair) + numbers_.tag(b), delta);
        add(layout_.head(false, layout_.pair(right, th, numbers_.before(h))) + tm, delta);
        add(layout_.head(true, layout_.pair(right, th, numbers_.behind(h))) + tm, delta);
        add(layout_.modifier(false, layout_.pair(right, tm, numbers_.before(m))) + th, delta);
        add(layout_.modifier(true, layout_.pair(right, tm, numbers_.behind(m))) + th, delta);
    }

    void add(size_t i, float delta) {
        weights_[i] += delta;
        sums_[i] += step_ * delta;
    }

    std::vector<uint64_t> tags_, types_;
    float rate_ = 0;
    double step_ = 1;  // sentences seen, plus one
    FirstPassLayout layout_;
    std::vector<float> weights_;
    std::vector<double> sums_;
    SymbolNumbers numbers_;
    FirstPassScorer<float, float> scorer_;
    std::vector<float> rows_;  // [n][n]
};

}  // namespace wnparse
