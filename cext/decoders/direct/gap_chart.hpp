// Best well-nested tree of block degree at most 2 by dynamic programming, O(n^7): the end of a search that would
// not.
//
// C. Gomez-Rodriguez, D. Weir and J. Carroll (2009), "Parsing mildly non-projective dependency structures",
// algorithm WG1, for arc-factored scores.  A span is a set of words of one or two blocks, written by its borders:
// (a, b] or (a, b] + (c, d], 0 <= a < b < c < d <= n.  For every span S and head h,
//
//     X[S][h] = best weight of subtrees whose yields tile S, all attached to h; if h is in S, h itself is one
//     tile.
//
// For h in S, X[S][h] is a finished subtree of h with yield S; for h outside S, S may be one subtree,
//
//     X[S][h] >= X[S][m] + w(h, m),      m in S,
//
// and in either case S may be split in two spans P + Q that do not interleave: X[S][h] >= X[P][h] + X[Q][h].  The
// tiles of a well-nested tree can be joined one by one so that no union has more than two blocks, which is that
// paper's theorem.  The best tree is X[(0, n]][0]; with a single root the last step is an attachment, not a split.
//
// All h of a span are neighbours in memory: a split is one vectorised pass.  There are C(n + 1, 4) spans of two
// blocks and of the order of C(n + 1, 6) splits, so that the power of n hides a small constant: 15 words take half
// a millisecond, 20 three, 40 half a second and 34 MB.
//
// Whether there is a tree at all takes one bit instead of a number, and a split is one instruction for all h:
// O(n^6), 40 words take 15 ms, 63 370 ms and 5 MB.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bitset.hpp"
#include "base/row_kernels.hpp"
#include "base/stop.hpp"

namespace wnparse {

// How the search for a valid tree ended.
enum class SearchEnd { found, infeasible, stopped };

// A set of words of one or two blocks: (a, b] + (c, d]; c == d == b: one block.
struct GapSpan {
    int32_t a, b, c, d;

    static GapSpan block(int32_t a, int32_t b) { return GapSpan{a, b, b, b}; }
    static GapSpan blocks(int32_t a, int32_t b, int32_t c, int32_t d) { return GapSpan{a, b, c, d}; }
    bool one() const { return c == d; }
    bool has(int32_t v) const { return (v > a && v <= b) || (v > c && v <= d); }
};

// X as a number: the best weight, -inf if there is nothing.
struct BestWeights {
    using Cell = double;
    static constexpr int32_t kMostWords = 40;

    const double* weight = nullptr;  // [n + 1][width] w(h, m) at m * width + h; -inf: forbidden
    int64_t width = 0;               // cells of a row
    int32_t n = 0;

    static constexpr Cell nothing() { return minus_infinity<double>(); }
    static double value(const Cell* row, int32_t h) { return row[h]; }
    static bool is_something(double value) { return value > nothing(); }
    static void set_word(Cell* row, int32_t h) { row[h] = 0.0; }
    void join(Cell* target, const Cell* p, const Cell* q) const { raise_by_sum(target, p, q, width); }
    static bool is_joined(const Cell* p, const Cell* q, int32_t h, double value) { return p[h] + q[h] == value; }
    bool is_attached(const Cell* row, int32_t m, int32_t h, double value) const {
        return weight[m * width + h] + row[m] == value;
    }
    // target[h] = max over m of row[m] + w(h, m)
    void attach(Cell* target, const Cell* row, const GapSpan& span) const {
        std::fill(target, target + width, nothing());
        for (int32_t m = span.a + 1; m <= span.d; ++m)
            if (span.has(m) && row[m] > nothing()) raise_by_constant(target, weight + m * width, row[m], width);
    }
    void raise_outside(Cell* target, const Cell* row, const GapSpan& span) const {
        for (int32_t h = 0; h <= n; ++h)
            if (!span.has(h)) target[h] = std::max(target[h], row[h]);
    }
    // Nanoseconds, roughly, for so many splits.
    static double work(int32_t n, double splits) { return (n + 1) * splits; }
};

// X as a bit: whether there is anything.
struct AnyTree {
    using Cell = BitSet<1>;
    static constexpr int32_t kMostWords = 63;
    static constexpr int64_t width = 1;

    const BitSet<1>* open = nullptr;  // [n + 1] heads that a word may take
    int32_t n = 0;

    static Cell nothing() { return Cell::none(); }
    static bool value(const Cell* row, int32_t h) { return row->has(h); }
    static bool is_something(bool value) { return value; }
    static void set_word(Cell* row, int32_t h) { row->add(h); }
    static void join(Cell* target, const Cell* p, const Cell* q) { *target |= *p & *q; }
    static bool is_joined(const Cell* p, const Cell* q, int32_t h, bool) { return p->has(h) && q->has(h); }
    bool is_attached(const Cell* row, int32_t m, int32_t h, bool) const { return row->has(m) && open[m].has(h); }
    static Cell words_of(const GapSpan& span) {
        return Cell::range(span.a + 1, span.b) | Cell::range(span.c + 1, span.d);
    }
    void attach(Cell* target, const Cell* row, const GapSpan& span) const {
        target->clear();
        (*row & words_of(span)).each([&](int32_t m) { *target |= open[m]; });
    }
    static void raise_outside(Cell* target, const Cell* row, const GapSpan& span) {
        *target |= row->without(words_of(span));
    }
    static double work(int32_t, double splits) { return 3.0 * splits; }
};

template <class Rows>
struct GapChart {
    using Cell = typename Rows::Cell;

    static constexpr int32_t kMostWords = Rows::kMostWords;

    // The best tree into heads[0..n].
    SearchEnd run(const Rows& given, bool single_root, const Stop& stop, int32_t* tree) {
        prepare(given, tree);
        for (int32_t length = 1; length <= n; ++length) {
            for (int32_t a = 0; a + length <= n; ++a) {
                if (stop.stopped()) return SearchEnd::stopped;
                fill_hull(a, a + length);
            }
        }
        const GapSpan all = GapSpan::block(0, n);
        rows.attach(attached.data(), row(all), all);
        const auto best = rows.value(single_root ? attached.data() : row(all), 0);
        heads[0] = -1;
        if (!rows.is_something(best)) return SearchEnd::infeasible;
        if (single_root)
            trace_attached(all, 0, best);
        else
            trace(all, 0);
        return SearchEnd::found;
    }

    // Time of run(), roughly, in nanoseconds.
    static double work(int32_t n) {
        const double m = n + 1;
        const double five = m * (m - 1) * (m - 2) * (m - 3) * (m - 4) / 120.0;
        return Rows::work(n, five * (5.0 + (m - 5) / 6.0));
    }

private:
    Rows rows;
    std::vector<Cell> one_block;   // [n + 1 choose 2][width] X of spans (a, b]
    std::vector<Cell> two_blocks;  // [n + 1 choose 4][width] X of spans (a, b] + (c, d]
    std::vector<Cell> attached;    // [width] best subtree over the span, for each head
    std::vector<int64_t> choose2, choose3, choose4;
    int32_t n = 0;
    int32_t* heads = nullptr;

    // Rank of the borders among all increasing quadruples (or pairs) of numbers 0..n.
    Cell* row(const GapSpan& s) {
        return s.one() ? one_block.data() + (choose2[s.b] + s.a) * rows.width
                       : two_blocks.data() + (choose4[s.d] + choose3[s.c] + choose2[s.b] + s.a) * rows.width;
    }

    void prepare(const Rows& given, int32_t* tree) {
        rows = given;
        n = rows.n;
        heads = tree;
        choose2.resize(n + 2);
        choose3.resize(n + 2);
        choose4.resize(n + 2);
        for (int64_t v = 0; v <= n + 1; ++v) {
            choose2[v] = v * (v - 1) / 2;
            choose3[v] = v * (v - 1) * (v - 2) / 6;
            choose4[v] = v * (v - 1) * (v - 2) * (v - 3) / 24;
        }
        one_block.assign(choose2[n + 1] * rows.width, rows.nothing());
        two_blocks.assign(choose4[n + 1] * rows.width, rows.nothing());
        attached.resize(rows.width);
    }

    // All spans from a to d: the widest gap first, as narrower ones are split into them.
    void fill_hull(int32_t a, int32_t d) {
        for (int32_t gap = d - a - 2; gap >= 1; --gap)
            for (int32_t b = a + 1; b + gap < d; ++b) fill(GapSpan::blocks(a, b, b + gap, d));
        if (d == a + 1) rows.set_word(row(GapSpan::block(a, d)), d);
        fill(GapSpan::block(a, d));
    }

    void fill(const GapSpan& span) {
        Cell* target = row(span);
        each_split(span, [&](const GapSpan& p, const GapSpan& q) {
            rows.join(target, row(p), row(q));
            return true;
        });
        rows.attach(attached.data(), target, span);
        rows.raise_outside(target, attached.data(), span);
    }

    // Every way to part a span into two that do not interleave; stops when `visit` returns false.
    template <class Visit>
    void each_split(const GapSpan& s, Visit&& visit) {
        for (int32_t x = s.a + 1; x < s.b; ++x) {
            if (s.one()) {
                if (!visit(GapSpan::block(s.a, x), GapSpan::block(x, s.b))) return;
                for (int32_t y = x + 1; y < s.b; ++y)
                    if (!visit(GapSpan::blocks(s.a, x, y, s.b), GapSpan::block(x, y))) return;
            } else if (!visit(GapSpan::block(s.a, x), GapSpan::blocks(x, s.b, s.c, s.d)) ||
                       !visit(GapSpan::block(x, s.b), GapSpan::blocks(s.a, x, s.c, s.d))) {
                return;
            }
        }
        if (!s.one()) each_split_of_two(s, visit);
    }

    template <class Visit>
    void each_split_of_two(const GapSpan& s, Visit&& visit) {
        if (!visit(GapSpan::block(s.a, s.b), GapSpan::block(s.c, s.d))) return;
        for (int32_t y = s.c + 1; y < s.d; ++y) {
            if (!visit(GapSpan::block(s.c, y), GapSpan::blocks(s.a, s.b, y, s.d)) ||
                !visit(GapSpan::block(y, s.d), GapSpan::blocks(s.a, s.b, s.c, y))) {
                return;
            }
            for (int32_t x = s.a + 1; x < s.b; ++x)
                if (!visit(GapSpan::blocks(s.a, x, y, s.d), GapSpan::blocks(x, s.b, s.c, y))) return;
        }
    }

    // Find again what gave X[span][h]: no back pointers are kept, a tree has n of them to find.
    void trace(const GapSpan& span, int32_t h) {
        const auto value = rows.value(row(span), h);
        if (span.one() && span.b == span.a + 1 && span.b == h) return;
        bool joined = false;
        GapSpan first = span, second = span;
        each_split(span, [&](const GapSpan& p, const GapSpan& q) {
            joined = rows.is_joined(row(p), row(q), h, value);
            first = p;
            second = q;
            return !joined;
        });
        if (joined) {
            trace(first, h);
            trace(second, h);
        } else {
            trace_attached(span, h, value);
        }
    }

    template <class Value>
    void trace_attached(const GapSpan& span, int32_t h, Value value) {
        for (int32_t m = span.a + 1; m <= span.d; ++m) {
            if (span.has(m) && rows.is_attached(row(span), m, h, value)) {
                heads[m] = h;
                trace(span, m);
                return;
            }
        }
    }
};

}  // namespace wnparse
