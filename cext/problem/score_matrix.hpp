// A score matrix as it comes from outside, and the checks at that door. O(n²), one comparison a score.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/simd.hpp"

namespace wnparse {

struct ScoreMatrix {
    const void* scores;  // float or double [n + 1][stride], scores[m][h]
    int64_t stride;      // scores from one row to the next
    int32_t n;           // words
    bool wide;           // double, not float
};

// Call use(scores) with the scores as what they are, const float* or const double*.
template <class Use>
auto with_scores(const ScoreMatrix& matrix, Use&& use) {
    return matrix.wide ? use(static_cast<const double*>(matrix.scores))
                       : use(static_cast<const float*>(matrix.scores));
}

namespace scores_detail {

// Whether all scores are below +inf, which neither +inf nor NaN is.
template <class Score>
bool below_infinity_one_by_one(const Score* scores, int64_t count) {
    bool below = true;
    for (int64_t i = 0; i < count; ++i) below &= scores[i] < std::numeric_limits<Score>::infinity();
    return below;
}

#if WNPARSE_AVX2
// The same, by vectors; the last one may overlap the one before it, and no score is read beyond the last.
template <class Score>
WNPARSE_TARGET_AVX2 bool below_infinity_wide(const Score* scores, int64_t count) {
    using Pack = WidePack<Score>;
    constexpr Score infinity = std::numeric_limits<Score>::infinity();
    constexpr int64_t lanes = sizeof(Pack) / sizeof(Score);
    if (count < lanes) return below_infinity_one_by_one(scores, count);
    auto first = pack_at<Pack>(scores + count - lanes) < infinity;
    auto second = first, third = first, fourth = first;
    int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        first &= pack_at<Pack>(scores + i) < infinity;
        second &= pack_at<Pack>(scores + i + lanes) < infinity;
        third &= pack_at<Pack>(scores + i + 2 * lanes) < infinity;
        fourth &= pack_at<Pack>(scores + i + 3 * lanes) < infinity;
    }
    for (; i + lanes <= count; i += lanes) first &= pack_at<Pack>(scores + i) < infinity;
    first &= second & third & fourth;
    bool below = true;
    for (int64_t lane = 0; lane < lanes; ++lane) below &= first[lane] != 0;
    return below;
}
#endif

template <class Score>
bool below_infinity(const Score* scores, int64_t count) {
#if WNPARSE_AVX2
    if (has_avx2()) return below_infinity_wide(scores, count);
#endif
    return below_infinity_one_by_one(scores, count);
}

}  // namespace scores_detail

// Position m * (n + 1) + h of the first NaN or +inf outside row 0 and the diagonal; -1 if there is none.
template <class Score>
int64_t find_invalid(const Score* scores, int32_t n, int64_t stride) {
    using scores_detail::below_infinity;
    const int64_t width = n + 1;
    // One sweep answers for a tight matrix, unless something on the diagonal asks for a closer look.
    if (stride == width && below_infinity(scores + width, n * width)) return -1;
    for (int64_t m = 1; m <= n; ++m) {
        const Score* row = scores + m * stride;
        if (below_infinity(row, width)) continue;
        for (int64_t h = 0; h < width; ++h)
            if (h != m && !(row[h] < std::numeric_limits<Score>::infinity())) return m * width + h;
    }
    return -1;
}

inline int64_t find_invalid(const ScoreMatrix& matrix) {
    return with_scores(matrix, [&](const auto* scores) { return find_invalid(scores, matrix.n, matrix.stride); });
}

}  // namespace wnparse
