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

#include "vectors.hpp"

namespace wnparse {

namespace eisner_detail {

struct Span {
    int32_t start, end;
    enum Kind : int32_t { right_complete, left_complete, incomplete } kind;
};

}  // namespace eisner_detail

template <class Score>
struct EisnerWorkspace {
    std::vector<Score> cells;                 // four charts of n + 1 diagonals and one row of scores
    std::vector<eisner_detail::Span> spans;  // those still to be expanded
};

namespace eisner_detail {

// A diagonal is computed in whole vectors; the surplus cells at its end hold numbers that no tree looks at.
constexpr int32_t padding = 8;

template <class Score>
struct Charts {
    Score* right_complete;
    Score* left_complete;
    Score* right_incomplete;  // score(i -> i + d) until diagonal d is filled
    Score* left_incomplete;   // score(i + d -> i) until diagonal d is filled
    Score* row;               // Score[pitch]: the scores of one modifier
    int64_t pitch;            // cells from one diagonal to the next

    Charts(std::vector<Score>& cells, int32_t n) : pitch(n + 1 + padding) {
        const int64_t chart = (n + 1) * pitch;
        if (int64_t(cells.size()) < 4 * chart + pitch) cells.resize(4 * chart + pitch);
        right_complete = cells.data();
        left_complete = right_complete + chart;
        right_incomplete = left_complete + chart;
        left_incomplete = right_incomplete + chart;
        row = left_incomplete + chart;
    }
};

// Spread the scores over the diagonals, each row less its maximum. Every tree takes one arc of each row, so the best
// tree stays the best, and sums are as precise as the spread of the scores allows, however large the scores are.
template <class Pack, class Score>
WNPARSE_INLINE bool load_scores(const Charts<Score>& charts, const Score* scores, int32_t n, int64_t stride) {
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
        Score best = forbidden;
        for (int32_t lane = 0; lane < lanes; ++lane) {
            const Score candidate = reinterpret_cast<const Score*>(&maxima)[lane];
            best = candidate > best ? candidate : best;
        }
        if (best == forbidden) return false;
        for (int32_t h = 0; h < m; ++h) charts.right_incomplete[(m - h) * pitch + h] = row[h] - best;
        for (int32_t h = m + 1; h <= n; ++h) charts.left_incomplete[(h - m) * pitch + m] = row[h] - best;
    }
    return true;
}

// Fill `Packs` vectors of cells, from (d, i) on, in all charts.
template <class Pack, int Packs, class Score>
WNPARSE_INLINE void fill_cells(const Charts<Score>& charts, int64_t d, int64_t i) {
    constexpr int32_t lanes = sizeof(Pack) / sizeof(Score);
    const int64_t pitch = charts.pitch;
    const int64_t cell = d * pitch + i;
    const Score* right_complete = charts.right_complete + i;
    const Score* left_complete = charts.left_complete + i;
    const Score* right_incomplete = charts.right_incomplete + i;
    const Score* left_incomplete = charts.left_incomplete + cell;
    const Score* left_beyond = charts.left_complete + cell - pitch + 1;
    const Score* right_beyond = charts.right_complete + cell;
    Pack joined[Packs], right[Packs], left[Packs];
    for (int p = 0; p < Packs; ++p) {
        joined[p] = pack_at<Pack>(right_complete + p * lanes) + pack_at<Pack>(left_beyond + p * lanes);
        right[p] = left[p] = Pack{} - std::numeric_limits<Score>::infinity();
    }
    for (int64_t r = 1; r < d; ++r) {
        right_complete += pitch;
        left_complete += pitch;
        right_incomplete += pitch;
        left_incomplete -= pitch - 1;
        left_beyond -= pitch - 1;
        right_beyond -= pitch - 1;
        for (int p = 0; p < Packs; ++p) {
            const Pack join = pack_at<Pack>(right_complete + p * lanes) + pack_at<Pack>(left_beyond + p * lanes);
            const Pack to_right = pack_at<Pack>(right_incomplete + p * lanes) + pack_at<Pack>(right_beyond + p * lanes);
            const Pack to_left = pack_at<Pack>(left_complete + p * lanes) + pack_at<Pack>(left_incomplete + p * lanes);
            joined[p] = join > joined[p] ? join : joined[p];
            right[p] = to_right > right[p] ? to_right : right[p];
            left[p] = to_left > left[p] ? to_left : left[p];
        }
    }
    for (int p = 0; p < Packs; ++p) {
        const int64_t c = cell + p * lanes;
        const Pack right_arc = pack_at<Pack>(charts.right_incomplete + c) + joined[p];
        const Pack left_arc = pack_at<Pack>(charts.left_incomplete + c) + joined[p];
        pack_at<Pack>(charts.right_incomplete + c) = right_arc;
        pack_at<Pack>(charts.left_incomplete + c) = left_arc;
        pack_at<Pack>(charts.right_complete + c) = right_arc > right[p] ? right_arc : right[p];
        pack_at<Pack>(charts.left_complete + c) = left_arc > left[p] ? left_arc : left[p];
    }
}

// Fill all charts; false if some word has no arc at all.
template <class Pack, class Score>
WNPARSE_INLINE bool fill(const Charts<Score>& charts, const Score* scores, int32_t n, int64_t stride,
                                bool single_root) {
    constexpr int32_t lanes = sizeof(Pack) / sizeof(Score);
    if (!load_scores<Pack>(charts, scores, n, stride)) return false;
    for (int32_t i = 0; i <= n; ++i) charts.right_complete[i] = charts.left_complete[i] = 0;
    for (int32_t d = 1; d <= n; ++d) {
        int32_t i = 0;
        for (; i + lanes <= n - d; i += 2 * lanes) fill_cells<Pack, 2>(charts, d, i);
        for (; i <= n - d; i += lanes) fill_cells<Pack, 1>(charts, d, i);
        // A node 0 that has a child cannot be joined with another one.
        if (single_root && d < n) charts.right_complete[d * charts.pitch] = -std::numeric_limits<Score>::infinity();
    }
    return true;
}

#if WNPARSE_WIDE_VECTORS
template <class Score>
WNPARSE_TARGET_WIDE bool fill_wide(const Charts<Score>& charts, const Score* scores, int32_t n, int64_t stride,
                                   bool single_root) {
    return fill<WidePack<Score>>(charts, scores, n, stride, single_root);
}
#endif

template <class Score>
bool fill_dispatched(const Charts<Score>& charts, const Score* scores, int32_t n, int64_t stride, bool single_root) {
#if WNPARSE_WIDE_VECTORS
    if (has_wide_vectors()) return fill_wide(charts, scores, n, stride, single_root);
#endif
    return fill<PlainPack<Score>>(charts, scores, n, stride, single_root);
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

// Read the best tree off the charts. Open spans share no arc and none is empty, so n + 1 entries of `spans` suffice.
template <class Score>
void read_tree(const Charts<Score>& charts, int32_t n, int32_t* heads, Span* spans) {
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
            const int32_t split = span.start + best_split(charts.right_complete + i, pitch,
                                                          charts.left_complete + cell - pitch + 1, 1 - pitch, 0, d);
            push(span.start, split, Span::right_complete);
            push(split + 1, span.end, Span::left_complete);
        }
    }
}

}  // namespace eisner_detail

// Find the best projective tree of scores[m * stride + h] (row 0 and the diagonal are not read as scores, -inf is a
// forbidden arc) and write heads[0..n], heads[0] = -1. False if the finite arcs hold no projective tree.
template <class Score>
bool eisner(const Score* scores, int32_t n, int64_t stride, bool single_root, int32_t* heads,
            EisnerWorkspace<Score>& work) {
    heads[0] = -1;
    if (n == 0) return true;
    const eisner_detail::Charts<Score> charts(work.cells, n);
    if (!eisner_detail::fill_dispatched(charts, scores, n, stride, single_root)) return false;
    if (charts.right_complete[n * charts.pitch] == -std::numeric_limits<Score>::infinity()) return false;
    if (int64_t(work.spans.size()) < n + 2) work.spans.resize(n + 2);
    eisner_detail::read_tree(charts, n, heads, work.spans.data());
    return true;
}
}  // namespace wnparse
