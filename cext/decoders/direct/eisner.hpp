// The best projective tree: the span automaton of Eisner (2000), "Bilexical grammars and their cubic-time
// parsing algorithms", §4, with one score an arc. Time O(n³), space O(n²).
//
// The span of nodes i..i+d is cell (d, i) of each chart, so that all spans of one length lie side by side. Filling
// a diagonal is then a vertical maximum over many spans at once, with no reduction inside a register:
//
//   joined(d, i)           = max over 0 <= r < d of  right_complete(r, i) + left_complete(d - 1 - r, i + r + 1)
//   right_incomplete(d, i) = joined(d, i) + score(i -> i + d)
//   left_incomplete(d, i)  = joined(d, i) + score(i + d -> i)
//   right_complete(d, i)   = max over 0 < r <= d of  right_incomplete(r, i) + right_complete(d - r, i + r)
//   left_complete(d, i)    = max over 0 <= r < d of  left_complete(r, i) + left_incomplete(d - r, i + r)
//
// No back pointer is kept: the tree has about 3n cells, and their split points are found again on the way down.
// Ties go to the smallest split point, whatever the vector width.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/simd.hpp"
#include "base/stop.hpp"

namespace wnparse {

namespace eisner_detail {

struct Span {
    int32_t start, end;
    enum Kind : int32_t { right_complete, left_complete, incomplete } kind;
};

}  // namespace eisner_detail

template <class Score>
struct EisnerWorkspace {
    std::vector<Score> cells;                // four charts of n + 2 diagonals and one row of scores
    std::vector<eisner_detail::Span> spans;  // those still to be expanded
};

namespace eisner_detail {

// A diagonal is computed in whole vectors; the surplus cells at its end hold numbers that no tree looks at.
constexpr int32_t padding = 8;

// Sentences of this many words take long enough for a look at the clock now and then.
constexpr int32_t watched_length = 200;

template <class Score>
struct EisnerCharts {
    Score* right_complete;
    Score* left_complete;
    Score* right_incomplete;  // score(i -> i + d) until diagonal d is filled
    Score* left_incomplete;   // score(i + d -> i) until diagonal d is filled
    Score* row;               // Score[pitch]: the scores of a modifier, later maxima put off
    int64_t pitch;            // cells from one diagonal to the next

    EisnerCharts(std::vector<Score>& cells, int32_t n) : pitch(n + 1 + padding) {
        const int64_t chart = (n + 2) * pitch;
        if (int64_t(cells.size()) < 4 * chart + pitch) cells.resize(4 * chart + pitch);
        right_complete = cells.data();
        left_complete = right_complete + chart;
        right_incomplete = left_complete + chart;
        left_incomplete = right_incomplete + chart;
        row = left_incomplete + chart;
    }
};

// Spread the scores over the diagonals, each row less its maximum. Every tree takes one arc of each row, so the
// best tree stays the best, and sums are as precise as the spread of the scores allows, however large the scores
// are.
template <class Pack, class Score>
WNPARSE_INLINE bool load_scores(const EisnerCharts<Score>& charts, const Score* scores, int32_t n,
                                int64_t stride) {
    constexpr Score forbidden = -std::numeric_limits<Score>::infinity();
    constexpr int32_t lanes = sizeof(Pack) / sizeof(Score);
    const int64_t pitch = charts.pitch;
    Score* row = charts.row;
    for (int32_t d = 0; d <= n; ++d) charts.left_incomplete[d * pitch] = forbidden;  // nothing governs node 0
    for (int32_t h = n + 1; h < pitch; ++h) row[h] = forbidden;
    for (int32_t m = 1; m <= n; ++m) {
        const Score* source = scores + m * stride;
        for (int32_t h = 0; h <= n; ++h) row[h] = source[h];
        row[m] = forbidden;
        Pack maxima = pack_at<Pack>(row);
        for (int32_t h = lanes; h <= n; h += lanes) {
            const Pack next = pack_at<Pack>(row + h);
            maxima = next > maxima ? next : maxima;
        }
        Score lane[lanes];
        pack_at<Pack>(lane) = maxima;
        for (int32_t half = lanes / 2; half > 0; half /= 2)
            for (int32_t i = 0; i < half; ++i) lane[i] = lane[i + half] > lane[i] ? lane[i + half] : lane[i];
        const Score best = lane[0];
        if (best == forbidden) return false;
        for (int32_t h = 0; h < m; ++h) charts.right_incomplete[(m - h) * pitch + h] = row[h] - best;
        for (int32_t h = m + 1; h <= n; ++h) charts.left_incomplete[(h - m) * pitch + m] = row[h] - best;
    }
    return true;
}

// best = max(best, left + right), lane by lane.
template <class Pack, class Score>
WNPARSE_INLINE void raise(Pack& best, const Score* left, const Score* right) {
    const Pack sum = pack_at<Pack>(left) + pack_at<Pack>(right);
    best = sum > best ? sum : best;
}

// The maxima over the split points of a span of each lane.
template <class Pack, int Packs, class Score>
struct Maxima {
    static constexpr int32_t lanes = sizeof(Pack) / sizeof(Score);
    Pack joined[Packs], right[Packs], left[Packs];

    WNPARSE_INLINE Maxima() {
        for (int p = 0; p < Packs; ++p)
            joined[p] = right[p] = left[p] = Pack{} - std::numeric_limits<Score>::infinity();
    }

    // Split r of the recurrences: cell `ahead` is (r, i), cell `beyond` is (d - r, i + r).
    WNPARSE_INLINE void join(const EisnerCharts<Score>& charts, int64_t ahead, int64_t beyond) {
        const Score* left_complete = charts.left_complete + 1 - charts.pitch;
        for (int p = 0; p < Packs; ++p)
            raise(joined[p], charts.right_complete + ahead + p * lanes, left_complete + beyond + p * lanes);
    }
    WNPARSE_INLINE void complete(const EisnerCharts<Score>& charts, int64_t ahead, int64_t beyond) {
        for (int p = 0; p < Packs; ++p) {
            raise(right[p], charts.right_incomplete + ahead + p * lanes,
                  charts.right_complete + beyond + p * lanes);
            raise(left[p], charts.left_complete + ahead + p * lanes, charts.left_incomplete + beyond + p * lanes);
        }
    }

    // Splits done: write the cells of all charts.
    WNPARSE_INLINE void finish(const EisnerCharts<Score>& charts, int64_t cell) const {
        for (int p = 0; p < Packs; ++p, cell += lanes) {
            const Pack right_arc = pack_at<Pack>(charts.right_incomplete + cell) + joined[p];
            const Pack left_arc = pack_at<Pack>(charts.left_incomplete + cell) + joined[p];
            pack_at<Pack>(charts.right_incomplete + cell) = right_arc;
            pack_at<Pack>(charts.left_incomplete + cell) = left_arc;
            pack_at<Pack>(charts.right_complete + cell) = right_arc > right[p] ? right_arc : right[p];
            pack_at<Pack>(charts.left_complete + cell) = left_arc > left[p] ? left_arc : left[p];
        }
    }
    WNPARSE_INLINE void put_off(const EisnerCharts<Score>& charts, int64_t cell, Score* pending) const {
        for (int p = 0; p < Packs; ++p, cell += lanes, pending += lanes) {
            pack_at<Pack>(pending) = joined[p];
            pack_at<Pack>(charts.right_complete + cell) = right[p];
            pack_at<Pack>(charts.left_complete + cell) = left[p];
        }
    }
    WNPARSE_INLINE void take_up(const EisnerCharts<Score>& charts, int64_t cell, const Score* pending) {
        for (int p = 0; p < Packs; ++p, cell += lanes, pending += lanes) {
            joined[p] = pack_at<Pack>(pending);
            right[p] = pack_at<Pack>(charts.right_complete + cell);
            left[p] = pack_at<Pack>(charts.left_complete + cell);
        }
    }
};

// Fill the cells from (d, i) on, and in the same sweep over shorter spans, which is what costs, take the maxima of
// the cells from (d + 1, i) on as far as they do not depend on diagonal d.
template <class Pack, int Packs, class Score>
WNPARSE_INLINE void fill_cells(const EisnerCharts<Score>& charts, int64_t d, int64_t i) {
    const int64_t pitch = charts.pitch;
    const int64_t cell = d * pitch + i;
    Maxima<Pack, Packs, Score> here, next;
    here.join(charts, i, cell);
    for (int64_t r = 1, ahead = i + pitch, beyond = cell - pitch + 1; r < d;
         ++r, ahead += pitch, beyond -= pitch - 1) {
        here.join(charts, ahead, beyond);
        here.complete(charts, ahead, beyond);
        next.join(charts, ahead, beyond + pitch);
        if (r > 1) next.complete(charts, ahead, beyond + pitch);
    }
    here.finish(charts, cell);
    next.put_off(charts, cell + pitch, charts.row + i);
}

// The splits of diagonal d + 1 that depend on diagonal d, then its cells from (d + 1, i) on.
template <class Pack, int Packs, class Score>
WNPARSE_INLINE void finish_cells(const EisnerCharts<Score>& charts, int64_t d, int64_t i) {
    const int64_t pitch = charts.pitch;
    const int64_t cell = (d + 1) * pitch + i;
    Maxima<Pack, Packs, Score> next;
    next.take_up(charts, cell, charts.row + i);
    next.join(charts, i, cell);
    next.join(charts, d * pitch + i, pitch + i + d);
    next.complete(charts, pitch + i, cell - pitch + 1);
    next.complete(charts, d * pitch + i, pitch + i + d);
    next.finish(charts, cell);
}

// Fill all charts; false if some word has no arc at all, or the work was stopped.
template <class Pack, class Score>
WNPARSE_INLINE bool fill(const EisnerCharts<Score>& charts, const Score* scores, int32_t n, int64_t stride,
                         bool single_root, const Stop& stop) {
    constexpr int32_t lanes = sizeof(Pack) / sizeof(Score);
    if (!load_scores<Pack>(charts, scores, n, stride)) return false;
    for (int32_t i = 0; i <= n; ++i) charts.right_complete[i] = charts.left_complete[i] = 0;
    // With a single root, a node 0 that has a child cannot be joined with another one.
    const auto close_root = [&](int32_t d) {
        if (single_root && d < n)
            charts.right_complete[d * charts.pitch] = -std::numeric_limits<Score>::infinity();
    };
    for (int32_t d = 1; d <= n; d += 2) {
        if (n >= watched_length && stop.stopped()) return false;
        int32_t i = 0;
        for (; i + lanes <= n - d; i += 2 * lanes) fill_cells<Pack, 2>(charts, d, i);
        for (; i <= n - d; i += lanes) fill_cells<Pack, 1>(charts, d, i);
        close_root(d);
        for (i = 0; i <= n - d - 1; i += lanes) finish_cells<Pack, 1>(charts, d, i);
        close_root(d + 1);
    }
    return true;
}

#if WNPARSE_AVX2
template <class Score>
WNPARSE_TARGET_AVX2 bool fill_wide(const EisnerCharts<Score>& charts, const Score* scores, int32_t n,
                                   int64_t stride, bool single_root, const Stop& stop) {
    return fill<WidePack<Score>>(charts, scores, n, stride, single_root, stop);
}
#endif

template <class Score>
bool fill_dispatched(const EisnerCharts<Score>& charts, const Score* scores, int32_t n, int64_t stride,
                     bool single_root, const Stop& stop) {
#if WNPARSE_AVX2
    if (has_avx2()) return fill_wide(charts, scores, n, stride, single_root, stop);
#endif
    return fill<PlainPack<Score>>(charts, scores, n, stride, single_root, stop);
}

// The smallest r in [first, last) with the largest left[r * left_step] + right[r * right_step].
template <class Score>
int32_t best_split(const Score* left, int64_t left_step, const Score* right, int64_t right_step, int64_t first,
                   int64_t last) {
    int64_t best = first;
    Score best_sum = left[first * left_step] + right[first * right_step];
    for (int64_t r = first + 1; r < last; ++r) {
        const Score sum = left[r * left_step] + right[r * right_step];
        if (sum > best_sum) {
            best_sum = sum;
            best = r;
        }
    }
    return int32_t(best);
}

// Read the best tree off the charts. Open spans share no arc and none is empty, so n + 1 entries of `spans`
// suffice.
template <class Score>
void read_tree(const EisnerCharts<Score>& charts, int32_t n, int32_t* heads, Span* spans) {
    const int64_t pitch = charts.pitch;
    int32_t open = 0;
    const auto push = [&](int32_t start, int32_t end, Span::Kind kind) {
        spans[open] = {start, end, kind};
        open += start < end;
    };
    push(0, n, Span::right_complete);
    while (open > 0) {
        const Span span = spans[--open];
        const int64_t d = span.end - span.start, i = span.start, cell = d * pitch + i;
        if (span.kind == Span::right_complete) {
            const int32_t split = span.start + best_split(charts.right_incomplete + i, pitch,
                                                          charts.right_complete + cell, 1 - pitch, 1, d + 1);
            heads[split] = span.start;
            push(split, span.end, Span::right_complete);
            push(span.start, split, Span::incomplete);
        } else if (span.kind == Span::left_complete) {
            const int32_t split = span.start + best_split(charts.left_complete + i, pitch,
                                                          charts.left_incomplete + cell, 1 - pitch, 0, d);
            heads[split] = span.end;
            push(span.start, split, Span::left_complete);
            push(split, span.end, Span::incomplete);
        } else {
            const int32_t split =
                span.start + best_split(charts.right_complete + i, pitch, charts.left_complete + cell - pitch + 1,
                                        1 - pitch, 0, d);
            push(span.start, split, Span::right_complete);
            push(split + 1, span.end, Span::left_complete);
        }
    }
}

}  // namespace eisner_detail

// Find the best projective tree of scores[m * stride + h] (row 0 and the diagonal are not read as scores, -inf is
// a forbidden arc) and write heads[0..n], heads[0] = -1. False if the finite arcs hold no projective tree, or
// the work was stopped.
template <class Score>
bool eisner(const Score* scores, int32_t n, int64_t stride, bool single_root, int32_t* heads,
            EisnerWorkspace<Score>& work, const Stop& stop) {
    heads[0] = -1;
    if (n == 0) return true;
    const eisner_detail::EisnerCharts<Score> charts(work.cells, n);
    if (!eisner_detail::fill_dispatched(charts, scores, n, stride, single_root, stop)) return false;
    if (charts.right_complete[n * charts.pitch] == -std::numeric_limits<Score>::infinity()) return false;
    if (int64_t(work.spans.size()) < n + 2) work.spans.resize(n + 2);
    eisner_detail::read_tree(charts, n, heads, work.spans.data());
    return true;
}
}  // namespace wnparse
