// Best projective tree, O(n^3): J. Eisner (1996), "Three new probabilistic models for dependency parsing".
#pragma once

#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace wnparse {

template <class Score>
struct EisnerWorkspace {
    // [n + 1][n + 1] each; chart[i][j] spans words i..j, stored by row i and mirrored by row j.
    std::vector<double> open_right, open_left, closed_right, closed_left, closed_left_mirror, open_left_mirror;
    std::vector<double> open_right_mirror, closed_right_mirror;
};

namespace eisner_detail {

template <class Score>
struct Chart {
    const Score* scores;
    int32_t n;
    int64_t stride;
    EisnerWorkspace<Score>& work;
    int32_t* heads;

    int64_t at(int32_t i, int32_t j) const { return static_cast<int64_t>(i) * (n + 1) + j; }
    double arc(int32_t m, int32_t h) const { return static_cast<double>(scores[m * stride + h]); }

    void fill(int32_t first) {
        for (int32_t i = first; i <= n; ++i) {
            work.closed_right[at(i, i)] = work.closed_left[at(i, i)] = 0.0;
            work.closed_left_mirror[at(i, i)] = work.closed_right_mirror[at(i, i)] = 0.0;
        }
        for (int32_t length = 1; length <= n - first; ++length) {
            for (int32_t i = first; i + length <= n; ++i) {
                const int32_t j = i + length;
                const double base = best(&work.closed_right[at(i, i)], &work.closed_left_mirror[at(j, i + 1)], length);
                const double left = i == 0 ? minus_infinity<double>() : base + arc(i, j);
                work.open_right[at(i, j)] = base + arc(j, i);
                work.open_right_mirror[at(j, i)] = base + arc(j, i);
                work.open_left[at(i, j)] = left;
                work.open_left_mirror[at(j, i)] = left;
                const double right = best(&work.open_right[at(i, i + 1)], &work.closed_right_mirror[at(j, i + 1)], length);
                work.closed_right[at(i, j)] = right;
                work.closed_right_mirror[at(j, i)] = right;
                const double closed = best(&work.closed_left[at(i, i)], &work.open_left_mirror[at(j, i)], length);
                work.closed_left[at(i, j)] = closed;
                work.closed_left_mirror[at(j, i)] = closed;
            }
        }
    }

    static double best(const double* a, const double* b, int32_t count) {
        double top[4];
        for (double& value : top) {
            value = minus_infinity<double>();
        }
        int32_t s = 0;
        for (; s + 4 <= count; s += 4) {
            for (int32_t lane = 0; lane < 4; ++lane) {
                const double sum = a[s + lane] + b[s + lane];
                top[lane] = sum > top[lane] ? sum : top[lane];
            }
        }
        for (; s < count; ++s) {
            const double sum = a[s] + b[s];
            top[0] = sum > top[0] ? sum : top[0];
        }
        const double low = top[0] > top[1] ? top[0] : top[1];
        const double high = top[2] > top[3] ? top[2] : top[3];
        return low > high ? low : high;
    }

    static int32_t where(const double* a, const double* b, int32_t count, double value) {
        for (int32_t s = 0; s < count; ++s) {
            if (a[s] + b[s] == value) {
                return s;
            }
        }
        return 0;
    }

    void trace_open(int32_t i, int32_t j, bool right) {
        const int32_t length = j - i;
        heads[right ? j : i] = right ? i : j;
        const double* a = &work.closed_right[at(i, i)];
        const double* b = &work.closed_left_mirror[at(j, i + 1)];
        const int32_t s = i + where(a, b, length, best(a, b, length));
        trace_closed(i, s, true);
        trace_closed(s + 1, j, false);
    }

    void trace_closed(int32_t i, int32_t j, bool right) {
        if (i == j) {
            return;
        }
        if (right) {
            const int32_t s = i + 1 + where(&work.open_right[at(i, i + 1)], &work.closed_right_mirror[at(j, i + 1)], j - i,
                                            work.closed_right[at(i, j)]);
            trace_open(i, s, true);
            trace_closed(s, j, true);
        } else {
            const int32_t s =
                i + where(&work.closed_left[at(i, i)], &work.open_left_mirror[at(j, i)], j - i, work.closed_left[at(i, j)]);
            trace_closed(i, s, false);
            trace_open(s, j, false);
        }
    }
};

}  // namespace eisner_detail

template <class Score>
bool eisner(const Score* scores, int32_t n, int64_t stride, bool single_root, int32_t* heads,
            EisnerWorkspace<Score>& work) {
    const size_t cells = static_cast<size_t>(n + 1) * (n + 1);
    for (auto* chart : {&work.open_right, &work.open_left, &work.closed_right, &work.closed_left, &work.closed_left_mirror,
                        &work.open_left_mirror, &work.open_right_mirror, &work.closed_right_mirror}) {
        if (chart->size() < cells) {
            chart->resize(cells);
        }
    }
    eisner_detail::Chart<Score> chart{scores, n, stride, work, heads};
    heads[0] = -1;
    if (!single_root || n == 0) {
        chart.fill(0);
        if (n > 0 && !(work.closed_right[chart.at(0, n)] > minus_infinity<double>())) {
            return false;
        }
        chart.trace_closed(0, n, true);
        return true;
    }
    chart.fill(1);
    double top = minus_infinity<double>();
    int32_t root = -1;
    for (int32_t m = 1; m <= n; ++m) {
        const double total = work.closed_left[chart.at(1, m)] + work.closed_right[chart.at(m, n)] + chart.arc(m, 0);
        if (total > top) {
            top = total;
            root = m;
        }
    }
    if (root < 0) {
        return false;
    }
    heads[root] = 0;
    chart.trace_closed(1, root, false);
    chart.trace_closed(root, n, true);
    return true;
}

}  // namespace wnparse
