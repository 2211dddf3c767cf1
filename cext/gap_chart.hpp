// Best well-nested tree of block degree at most 2 by dynamic programming, O(n^7): the end of a search that would not.
//
// C. Gomez-Rodriguez, D. Weir and J. Carroll (2009), "Parsing mildly non-projective dependency structures", algorithm
// WG1, for arc-factored scores.  A span is a set of words of one or two blocks, written by its borders:
// (a, b] or (a, b] + (c, d], 0 <= a < b < c < d <= n.  For every span S and head h,
//
//     X[S][h] = best weight of subtrees whose yields tile S, all attached to h; if h is in S, h itself is one tile.
//
// For h in S, X[S][h] is a finished subtree of h with yield S; for h outside S, S may be one subtree,
//
//     X[S][h] >= X[S][m] + w(h, m),      m in S,
//
// and in either case S may be split in two spans P + Q that do not interleave: X[S][h] >= X[P][h] + X[Q][h].  The
// tiles of a well-nested tree can be joined one by one so that no union has more than two blocks, which is that
// paper's theorem.  The best tree is X[(0, n]][0]; with a single root the last step is an attachment, not a split.
//
// All h of a span are neighbours in memory: a split is one vectorised pass.  There are C(n + 1, 4) spans of two blocks
// and of the order of C(n + 1, 6) splits, so that the power of n hides a small constant: 15 words take half a
// millisecond, 20 three, 40 half a second and 34 MB.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows.hpp"

namespace wnparse {

struct GapChart {
    static constexpr int32_t kMostWords = 40;

    std::vector<double> one_block;   // [n][n + 1 choose 2] X of spans (a, b]
    std::vector<double> two_blocks;  // [n + 1 choose 4][width] X of spans (a, b] + (c, d]
    std::vector<double> attached;    // [width] best subtree over the span, for each head
    std::vector<int64_t> choose2, choose3, choose4;
    const double* weight = nullptr;  // [n + 1][width] w(h, m) at m * width + h; -inf: forbidden
    int64_t width = 0;
    int32_t n = 0;
    int32_t* heads = nullptr;

    struct Span {
        int32_t a, b, c, d;  // (a, b] + (c, d]; c == d == b: one block
        bool one() const { return c == d; }
        bool has(int32_t v) const { return (v > a && v <= b) || (v > c && v <= d); }
    };

    enum class Outcome { found, infeasible, stopped };

    // The best tree into heads[0..n].
    Outcome run(const double* weights, int64_t row_width, int32_t words, bool single_root, const volatile int* stop,
                int32_t* tree) {
        prepare(weights, row_width, words, tree);
        for (int32_t length = 1; length <= n; ++length) {
            for (int32_t a = 0; a + length <= n; ++a) {
                if (stop != nullptr && *stop != 0) {
                    return Outcome::stopped;
                }
                fill_hull(a, a + length);
            }
        }
        const Span all = block(0, n);
        double best = row(all)[0];
        if (single_root) {
            attach(all);
            best = attached[0];
        }
        heads[0] = -1;
        if (!(best > minus_infinity<double>())) {
            return Outcome::infeasible;
        }
        if (single_root) {
            trace_attached(all, 0, best);
        } else {
            trace(all, 0);
        }
        return Outcome::found;
    }

    // Numbers that run() adds, roughly; one takes about a nanosecond.
    static double work(int32_t n) {
        const double m = n + 1;
        const double five = m * (m - 1) * (m - 2) * (m - 3) * (m - 4) / 120.0;
        return m * five * (5.0 + (m - 5) / 6.0);
    }

private:
    static Span block(int32_t a, int32_t b) { return Span{a, b, b, b}; }
    static Span blocks(int32_t a, int32_t b, int32_t c, int32_t d) { return Span{a, b, c, d}; }

    // Rank of the borders among all increasing quadruples (or pairs) of numbers 0..n.
    double* row(const Span& s) {
        return s.one() ? one_block.data() + (choose2[s.b] + s.a) * width
                       : two_blocks.data() + (choose4[s.d] + choose3[s.c] + choose2[s.b] + s.a) * width;
    }

    void prepare(const double* weights, int64_t row_width, int32_t words, int32_t* tree) {
        weight = weights;
        width = row_width;
        n = words;
        heads = tree;
        choose2.resize(n + 2);
        choose3.resize(n + 2);
        choose4.resize(n + 2);
        for (int64_t v = 0; v <= n + 1; ++v) {
            choose2[v] = v * (v - 1) / 2;
            choose3[v] = v * (v - 1) * (v - 2) / 6;
            choose4[v] = v * (v - 1) * (v - 2) * (v - 3) / 24;
        }
        one_block.assign(choose2[n + 1] * width, minus_infinity<double>());
        two_blocks.assign(choose4[n + 1] * width, minus_infinity<double>());
        attached.resize(width);
    }

    // All spans from a to d: the widest gap first, as narrower ones are split into them.
    void fill_hull(int32_t a, int32_t d) {
        for (int32_t gap = d - a - 2; gap >= 1; --gap) {
            for (int32_t b = a + 1; b + gap < d; ++b) {
                fill(blocks(a, b, b + gap, d));
            }
        }
        if (d == a + 1) {
            row(block(a, d))[d] = 0.0;
        }
        fill(block(a, d));
    }

    void fill(const Span& span) {
        double* target = row(span);
        each_split(span, [&](const Span& p, const Span& q) {
            raise_by_sum(target, row(p), row(q), width);
            return true;
        });
        attach(span);
        for (int32_t h = 0; h <= n; ++h) {
            if (!span.has(h)) {
                target[h] = std::max(target[h], attached[h]);
            }
        }
    }

    // attached[h] = max over m of X[S][m] + w(h, m)
    void attach(const Span& span) {
        std::fill(attached.begin(), attached.end(), minus_infinity<double>());
        const double* finished = row(span);
        for (int32_t m = span.a + 1; m <= span.d; ++m) {
            if (span.has(m) && finished[m] > minus_infinity<double>()) {
                raise_by_constant(attached.data(), weight + m * width, finished[m], width);
            }
        }
    }

    // Every way to part a span into two that do not interleave; stops when `visit` returns false.
    template <class Visit>
    void each_split(const Span& s, Visit&& visit) {
        for (int32_t x = s.a + 1; x < s.b; ++x) {
            if (s.one()) {
                if (!visit(block(s.a, x), block(x, s.b))) {
                    return;
                }
                for (int32_t y = x + 1; y < s.b; ++y) {
                    if (!visit(blocks(s.a, x, y, s.b), block(x, y))) {
                        return;
                    }
                }
            } else if (!visit(block(s.a, x), blocks(x, s.b, s.c, s.d)) ||
                       !visit(block(x, s.b), blocks(s.a, x, s.c, s.d))) {
                return;
            }
        }
        if (!s.one()) {
            each_split_of_two(s, visit);
        }
    }

    template <class Visit>
    void each_split_of_two(const Span& s, Visit&& visit) {
        if (!visit(block(s.a, s.b), block(s.c, s.d))) {
            return;
        }
        for (int32_t y = s.c + 1; y < s.d; ++y) {
            if (!visit(block(s.c, y), blocks(s.a, s.b, y, s.d)) || !visit(block(y, s.d), blocks(s.a, s.b, s.c, y))) {
                return;
            }
            for (int32_t x = s.a + 1; x < s.b; ++x) {
                if (!visit(blocks(s.a, x, y, s.d), blocks(x, s.b, s.c, y))) {
                    return;
                }
            }
        }
    }

    // Find again what gave X[span][h]: no back pointers are kept, a tree has n of them to find.
    void trace(const Span& span, int32_t h) {
        const double value = row(span)[h];
        if (span.one() && span.b == span.a + 1 && span.b == h) {
            return;
        }
        bool found = false;
        Span first = span, second = span;
        each_split(span, [&](const Span& p, const Span& q) {
            found = row(p)[h] + row(q)[h] == value;
            first = p;
            second = q;
            return !found;
        });
        if (found) {
            trace(first, h);
            trace(second, h);
        } else {
            trace_attached(span, h, value);
        }
    }

    void trace_attached(const Span& span, int32_t h, double value) {
        for (int32_t m = span.a + 1; m <= span.d; ++m) {
            if (span.has(m) && weight[m * width + h] + row(span)[m] == value) {
                heads[m] = h;
                trace(span, m);
                return;
            }
        }
    }
};

}  // namespace wnparse
