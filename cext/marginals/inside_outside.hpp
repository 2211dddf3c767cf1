// Arc marginals and the partition function of projective trees: inside and outside sums of Eisner's spans. O(n^3).
//
// J. K. Baker (1979), "Trainable grammars for speech recognition"; M. A. Paskin (2001), "Cubic-time parsing and
// learning algorithms for grammatical bigram models", for these spans.  The recurrences are those of eisner.hpp
// with sums for maxima and products for sums; the automaton has one derivation a tree, so the sums count each tree
// once:
//
//   joined(d, i)           = sum over 0 <= r < d of  right_complete(r, i) * left_complete(d - 1 - r, i + r + 1)
//   right_incomplete(d, i) = joined(d, i) * w(i -> i + d)
//   left_incomplete(d, i)  = joined(d, i) * w(i + d -> i)
//   right_complete(d, i)   = sum over 0 < r <= d of  right_incomplete(r, i) * right_complete(d - r, i + r)
//   left_complete(d, i)    = sum over 0 <= r < d of  left_complete(r, i) * left_incomplete(d - r, i + r)
//
// An outside sum is the derivative of Z = right_complete(n, 0); p(i -> i + d) = inside * outside / Z of its cell.
// The span of nodes i .. i + d is cell (d, i), so that loops over i run over cells side by side.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/scaled_number.hpp"
#include "base/simd.hpp"

namespace wnparse {

namespace inside_outside_detail {

template <class Number>
struct InsideOutsideCharts {
    Number* right_complete;
    Number* left_complete;
    Number* right_incomplete;
    Number* left_incomplete;
    Number* outer_right_complete;
    Number* outer_left_complete;
    Number* outer_right_incomplete;
    Number* outer_left_incomplete;
    Number* right_weight;  // w(i -> i + d)
    Number* left_weight;   // w(i + d -> i), 0 for i = 0
    Number* joined;        // [pitch] of one diagonal, inside or outside
    int64_t pitch;         // cells from one diagonal to the next
};

// target[i] += first[i] * second[i]
template <class Number>
WNPARSE_INLINE void add_products(Number* __restrict target, const Number* __restrict first,
                                 const Number* __restrict second, int32_t count) {
    for (int32_t i = 0; i < count; ++i) target[i] += first[i] * second[i];
}

template <class Number>
WNPARSE_INLINE void fill_inside(const InsideOutsideCharts<Number>& c, int32_t n, bool single_root) {
    const int64_t pitch = c.pitch;
    for (int32_t i = 0; i <= n; ++i) c.right_complete[i] = c.left_complete[i] = Number(1.0);
    for (int64_t d = 1; d <= n; ++d) {
        const int32_t count = n + 1 - d;
        const int64_t cell = d * pitch;
        for (int32_t i = 0; i < count; ++i)
            c.joined[i] = c.right_complete[cell + i] = c.left_complete[cell + i] = Number(0.0);
        for (int64_t r = 0; r < d; ++r) {
            add_products(c.joined, c.right_complete + r * pitch, c.left_complete + (d - 1 - r) * pitch + r + 1,
                         count);
        }
        for (int32_t i = 0; i < count; ++i) {
            c.right_incomplete[cell + i] = c.joined[i] * c.right_weight[cell + i];
            c.left_incomplete[cell + i] = c.joined[i] * c.left_weight[cell + i];
        }
        for (int64_t r = 0; r < d; ++r) {
            add_products(c.left_complete + cell, c.left_complete + r * pitch,
                         c.left_incomplete + (d - r) * pitch + r, count);
            add_products(c.right_complete + cell, c.right_incomplete + (r + 1) * pitch,
                         c.right_complete + (d - r - 1) * pitch + r + 1, count);
        }
        // With a single root, a node 0 that has a child cannot be joined with another one.
        if (single_root && d < n) c.right_complete[cell] = Number(0.0);
    }
}

// From the longest spans to the shortest; complete ones before the incomplete ones that they hold.
template <class Number>
WNPARSE_INLINE void fill_outside(const InsideOutsideCharts<Number>& c, int32_t n, bool single_root) {
    const int64_t pitch = c.pitch;
    for (Number* chart :
         {c.outer_right_complete, c.outer_left_complete, c.outer_right_incomplete, c.outer_left_incomplete}) {
        for (int64_t i = 0; i < (n + 1) * pitch; ++i) chart[i] = Number(0.0);
    }
    c.outer_right_complete[n * pitch] = Number(1.0);
    for (int64_t d = n; d >= 1; --d) {
        const int32_t count = n + 1 - d;
        Number* right = c.outer_right_complete + d * pitch;
        Number* left = c.outer_left_complete + d * pitch;
        if (single_root && d < n) right[0] = Number(0.0);
        for (int64_t r = 0; r < d; ++r) {
            const int64_t arc = (r + 1) * pitch, beyond = (d - r - 1) * pitch + r + 1;
            add_products(c.outer_right_incomplete + arc, right, c.right_complete + beyond, count);
            add_products(c.outer_right_complete + beyond, right, c.right_incomplete + arc, count);
            const int64_t ahead = r * pitch, behind = (d - r) * pitch + r;
            add_products(c.outer_left_incomplete + behind, left, c.left_complete + ahead, count);
            add_products(c.outer_left_complete + ahead, left, c.left_incomplete + behind, count);
        }
        for (int32_t i = 0; i < count; ++i) {
            const int64_t cell = d * pitch + i;
            c.joined[i] = c.outer_right_incomplete[cell] * c.right_weight[cell] +
                          c.outer_left_incomplete[cell] * c.left_weight[cell];
        }
        for (int64_t r = 0; r < d; ++r) {
            const int64_t ahead = r * pitch, beyond = (d - 1 - r) * pitch + r + 1;
            add_products(c.outer_right_complete + ahead, c.joined, c.left_complete + beyond, count);
            add_products(c.outer_left_complete + beyond, c.joined, c.right_complete + ahead, count);
        }
    }
}

#if WNPARSE_AVX2
WNPARSE_TARGET_AVX2 inline void fill_wide(const InsideOutsideCharts<double>& c, int32_t n, bool single_root,
                                          bool outside) {
    fill_inside(c, n, single_root);
    if (outside) fill_outside(c, n, single_root);
}
#endif

}  // namespace inside_outside_detail

template <class Number>
class InsideOutside {
public:
    inside_outside_detail::InsideOutsideCharts<Number> charts{};

    // The caller fills in the weights.
    void reserve(int32_t words) {
        n = words;
        const int64_t pitch = n + 1, chart = (n + 1) * pitch;
        cells.resize(10 * chart + pitch);
        Number* next = cells.data();
        for (Number** chart_start :
             {&charts.right_complete, &charts.left_complete, &charts.right_incomplete, &charts.left_incomplete,
              &charts.outer_right_complete, &charts.outer_left_complete, &charts.outer_right_incomplete,
              &charts.outer_left_incomplete, &charts.right_weight, &charts.left_weight}) {
            *chart_start = next;
            next += chart;
        }
        charts.joined = next;
        charts.pitch = pitch;
    }

    Number& weight(int32_t h, int32_t m) {
        return h < m ? charts.right_weight[at(h, m)] : charts.left_weight[at(m, h)];
    }

    void run(bool single_root, bool outside) {
        for (int32_t d = 0; d <= n; ++d) charts.left_weight[d * charts.pitch] = Number(0.0);
        if constexpr (std::is_same_v<Number, double>) {
#if WNPARSE_AVX2
            if (has_avx2()) {
                inside_outside_detail::fill_wide(charts, n, single_root, outside);
                return;
            }
#endif
        }
        inside_outside_detail::fill_inside(charts, n, single_root);
        if (outside) inside_outside_detail::fill_outside(charts, n, single_root);
    }

    Number partition() const { return charts.right_complete[n * charts.pitch]; }

    // Z p(h -> m)
    Number mass(int32_t h, int32_t m) const {
        return h < m ? charts.right_incomplete[at(h, m)] * charts.outer_right_incomplete[at(h, m)]
                     : charts.left_incomplete[at(m, h)] * charts.outer_left_incomplete[at(m, h)];
    }

private:
    int32_t n = 0;
    std::vector<Number> cells;

    int64_t at(int32_t from, int32_t to) const { return (to - from) * charts.pitch + from; }
};

}  // namespace wnparse
