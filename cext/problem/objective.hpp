// The value of a tree and the gain of a change: the one place that knows how parts add up.
//
// Searches compare trees by weights relative to the best head of each word, w[m][h] = score[m][h] - max_h
// score[m][h]: a constant a row changes no comparison, and the arithmetic then works on differences of scores,
// whatever their magnitude.  What is shown is the score, summed anew from the matrix as it came.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/bitset.hpp"
#include "base/row_kernels.hpp"
#include "problem/parts.hpp"
#include "problem/problem.hpp"

namespace wnparse {

class Objective {
public:
    void load(const Problem& problem) {
        const ScoreMatrix& matrix = problem.scores;
        with_scores(matrix, [&](const auto* scores) { load(scores, matrix.n, matrix.stride); });
        parts_ = problem.parts;
        labelled_ = problem.labelling != nullptr;
    }

    template <class Score>
    void load(const Score* scores, int32_t words, int64_t stride) {
        parts_ = nullptr;
        labelled_ = false;
        n_ = words;
        width_ = padded(n_ + 1);
        weight_.resize((n_ + 1) * width_);
        offset_ = 0.0;
        std::fill_n(weight_.begin(), width_, minus_infinity<double>());
        for (int32_t m = 1; m <= n_; ++m) load_row(scores + m * stride, m);
    }

    int32_t words() const { return n_; }
    int64_t width() const { return width_; }  // of a row, padded with -inf
    const double* row(int32_t m) const { return weight_.data() + m * width_; }
    const double* rows() const { return weight_.data(); }  // [n + 1][width]; -inf on the diagonal and in row 0
    double weight(Arc arc) const { return row(arc.m)[arc.h]; }

    const PartTables* parts() const { return parts_; }  // nullptr: arcs are all there is

    // The sum of the weights of a tree's parts.
    double value(const int32_t* heads) const {
        double sum = 0.0;
        for_each_part(heads, n_, [&](Arc arc) { sum += weight(arc); });
        return parts_ != nullptr && sum > minus_infinity<double>() ? sum + parts_->value(heads) : sum;
    }

    // What a tree's value changes by if word m gets another head.
    double gain(const int32_t* heads, int32_t m, int32_t h) const {
        const double change = row(m)[h] - row(m)[heads[m]];
        return parts_ != nullptr ? change + parts_->gain(heads, m, h) : change;
    }

    // The same for all heads of a set: call visit(h, gain).
    template <class Set, class Visit>
    void for_each_gain(const int32_t* heads, int32_t m, const Set& new_heads, Visit&& visit) const {
        const double* weights = row(m);
        const double now = weights[heads[m]];
        if (parts_ == nullptr)
            new_heads.each([&](int32_t h) { visit(h, weights[h] - now); });
        else
            parts_->for_each_gain(heads, m, new_heads,
                                  [&](int32_t h, double change) { visit(h, weights[h] - now + change); });
    }

    // No change of this word's head gains anything, as its row alone can tell.
    bool is_best(const int32_t* heads, int32_t m) const { return parts_ == nullptr && row(m)[heads[m]] >= 0.0; }

    // The heads of word m that may gain more than `least`, rounding aside.
    template <int W>
    BitSet<W> gaining(const int32_t* heads, int32_t m, double least) const {
        if (parts_ != nullptr) return finite<W>(m);
        BitSet<W> better = BitSet<W>::none();
        bits_above(row(m), n_ + 1, least + row(m)[heads[m]], better.word);
        return better;
    }

    // The heads that word m may have at all.
    template <int W>
    BitSet<W> finite(int32_t m) const {
        BitSet<W> heads = BitSet<W>::none();
        bits_above(row(m), n_ + 1, minus_infinity<double>(), heads.word);
        return heads;
    }

    double offset() const { return offset_; }  // value + offset is a score

    // Two values this close are equal: rounding, in units of the differences of scores.  What rules cost is part
    // of a value as well, and much of it where hard ones are broken: less of that is rounding.
    double tolerance(double value) const {
        return (labelled_ ? 1e-12 : 1e-11) * std::fabs(value) + (parts_ != nullptr ? 1e-13 * parts_->size() : 0.0);
    }

    // A value and what rounding may add to it.
    double above(double value) const {
        return value == minus_infinity<double>() ? value : value + tolerance(value);
    }

    // Mean distance from the best of a row to its worst finite arc; 1 if there is none.
    double spread() const {
        double sum = 0.0;
        for (int32_t m = 1; m <= n_; ++m) sum -= lowest_of(row(m));
        return sum > 0.0 ? sum / n_ : 1.0;
    }

private:
    template <class Score>
    void load_row(const Score* source, int32_t m) {
        double* target = weight_.data() + m * width_;
        Score best;
        if (best_in_row(source, n_ + 1, m, best) < 0) best = Score{0};
        const double top = static_cast<double>(best);
        offset_ += top;
        for (int32_t h = 0; h <= n_; ++h) target[h] = static_cast<double>(source[h]) - top;
        target[m] = minus_infinity<double>();
        std::fill(target + n_ + 1, target + width_, minus_infinity<double>());
    }

    // Four minima at a time do not wait for one another.
    double lowest_of(const double* row) const {
        double low[4] = {0.0, 0.0, 0.0, 0.0};
        for (int64_t h = 0; h < width_; h += 4) {
            for (int64_t i = 0; i < 4; ++i) {
                const double value = row[h + i] > minus_infinity<double>() ? row[h + i] : 0.0;
                low[i] = value < low[i] ? value : low[i];
            }
        }
        return std::min(std::min(low[0], low[1]), std::min(low[2], low[3]));
    }

    const PartTables* parts_ = nullptr;
    bool labelled_ = false;  // values include what rules cost
    int32_t n_ = 0;
    int64_t width_ = 0;
    std::vector<double> weight_;  // [n + 1][width]
    double offset_ = 0.0;
};

// The score of a tree, summed in double in the order of its words, parts of higher order last.
inline double tree_score(const Problem& problem, const int32_t* heads) {
    const ScoreMatrix& matrix = problem.scores;
    return with_scores(matrix, [&](const auto* scores) {
        double total = 0.0;
        for_each_part(heads, matrix.n, [&](Arc arc) { total += double(scores[arc.m * matrix.stride + arc.h]); });
        return problem.parts != nullptr ? total + problem.parts->value(heads) : total;
    });
}

// How far a tree is from taking the best arc of every row: sum over m of (max over h of score[m][h]) -
// score[m][head].  No tree scores more than that above this one, so it is the natural unit of a gap: an offset on
// a row leaves it as it is, and so do forbidden arcs written as large negative numbers.
inline double greedy_distance(const ScoreMatrix& matrix, const int32_t* heads) {
    return with_scores(matrix, [&](const auto* scores) {
        double total = 0.0;
        for (int32_t m = 1; m <= matrix.n; ++m) {
            const auto* row = scores + m * matrix.stride;
            auto best = row[heads[m]];
            for (int32_t h = 0; h <= matrix.n; ++h)
                if (h != m && row[h] > best) best = row[h];
            total += double(best) - double(row[heads[m]]);
        }
        return total;
    });
}

}  // namespace wnparse
