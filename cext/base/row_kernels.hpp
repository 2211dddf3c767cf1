// Loops over one row of scores: the only code of the arborescence kernel that touches O(n^2) numbers.
//
// Each loop exists twice: plain C++, which any compiler and machine runs, and AVX2, chosen at run time.  Both
// give the same bits: they only compare and subtract, and ties go to the lowest index in either.
//
// A row is scores[m][0..n]; the scores of one row are heads of one modifier, so that the greedy choice of a
// head reads contiguous memory in the public layout, and no transposed copy is made.
#pragma once

#include <cstdint>
#include <limits>

#include "base/simd.hpp"

#if WNPARSE_AVX2
#include <immintrin.h>
#endif

namespace wnparse {

// Rows in workspaces are padded to this many scores, so that whole vectors may be written.
constexpr int64_t kRowAlign = 8;

inline int64_t padded(int64_t count) { return (count + kRowAlign - 1) / kRowAlign * kRowAlign; }

template <class Score>
constexpr Score minus_infinity() {
    return -std::numeric_limits<Score>::infinity();
}

// Index in [0, count) of the largest score, `skip` left out whatever it holds; -1 if all are -inf.
template <class Score>
inline int32_t plain_best_in_row(const Score* row, int32_t count, int32_t skip, Score& value) {
    int32_t best = -1;
    Score top = minus_infinity<Score>();
    for (int32_t h = 0; h < count; ++h) {
        if (h != skip && row[h] > top) {
            top = row[h];
            best = h;
        }
    }
    value = top;
    return best;
}

// row[h] = max(row[h], source[h] - shift); enter[h] follows the winner.  `start` overwrites instead.
template <class Score>
inline void plain_merge_row(Score* row, int32_t* enter, const Score* source, const int32_t* source_enter,
                            int32_t source_node, Score shift, int32_t count, bool start) {
    for (int32_t h = 0; h < count; ++h) {
        const Score candidate = source[h] - shift;
        if (start || candidate > row[h]) {
            row[h] = candidate;
            enter[h] = source_enter != nullptr ? source_enter[h] : source_node;
        }
    }
}

// bits: the indices of scores above the limit, 64 a word.
inline void plain_bits_above(const double* row, int32_t count, double limit, uint64_t* bits) {
    for (int32_t base = 0; base < count; base += 64) {
        uint64_t word = 0;
        for (int32_t h = base; h < count && h < base + 64; ++h)
            word |= static_cast<uint64_t>(row[h] > limit) << (h - base);
        bits[base / 64] = word;
    }
}

// target[h] = max(target[h], first[h] + second[h])
inline void plain_raise_by_sum(double* target, const double* first, const double* second, int64_t count) {
    for (int64_t h = 0; h < count; ++h) {
        const double sum = first[h] + second[h];
        target[h] = sum > target[h] ? sum : target[h];
    }
}

#if WNPARSE_AVX2

// The few vector operations by which float and double differ.
struct FloatLanes {
    static constexpr int32_t width = 8;
    using Vector = __m256;
    WNPARSE_TARGET_AVX2 static inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
    WNPARSE_TARGET_AVX2 static inline void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
    WNPARSE_TARGET_AVX2 static inline Vector all(float x) { return _mm256_set1_ps(x); }
    WNPARSE_TARGET_AVX2 static inline Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
    WNPARSE_TARGET_AVX2 static inline Vector minus(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
    WNPARSE_TARGET_AVX2 static inline Vector greater(Vector a, Vector b) {
        return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
    }
    WNPARSE_TARGET_AVX2 static inline Vector choose(Vector a, Vector b, Vector second) {
        return _mm256_blendv_ps(a, b, second);
    }
    WNPARSE_TARGET_AVX2 static inline uint32_t equal_bits(Vector a, Vector b) {
        return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)));
    }
    // All ones in lane `lane`; no lane at all where it lies outside 0..width-1.
    WNPARSE_TARGET_AVX2 static inline Vector lane_mask(int32_t lane) {
        const __m256i index = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        return _mm256_castsi256_ps(_mm256_cmpeq_epi32(index, _mm256_set1_epi32(lane)));
    }
    // All ones in the lanes below `count`.
    WNPARSE_TARGET_AVX2 static inline __m256i below(int32_t count) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
    WNPARSE_TARGET_AVX2 static inline Vector load_below(const float* p, __m256i mask, Vector otherwise) {
        return _mm256_blendv_ps(otherwise, _mm256_maskload_ps(p, mask), _mm256_castsi256_ps(mask));
    }
    WNPARSE_TARGET_AVX2 static inline float largest(Vector v) {
        __m128 x = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        x = _mm_max_ps(x, _mm_movehl_ps(x, x));
        return _mm_cvtss_f32(_mm_max_ss(x, _mm_shuffle_ps(x, x, 1)));
    }
    WNPARSE_TARGET_AVX2 static inline void store_enter(int32_t* enter, __m256i node, Vector mask) {
        _mm256_maskstore_epi32(enter, _mm256_castps_si256(mask), node);
    }
    WNPARSE_TARGET_AVX2 static inline __m256i load_enter(const int32_t* enter) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(enter));
    }
};

struct DoubleLanes {
    static constexpr int32_t width = 4;
    using Vector = __m256d;
    WNPARSE_TARGET_AVX2 static inline Vector load(const double* p) { return _mm256_loadu_pd(p); }
    WNPARSE_TARGET_AVX2 static inline void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
    WNPARSE_TARGET_AVX2 static inline Vector all(double x) { return _mm256_set1_pd(x); }
    WNPARSE_TARGET_AVX2 static inline Vector max(Vector a, Vector b) { return _mm256_max_pd(a, b); }
    WNPARSE_TARGET_AVX2 static inline Vector minus(Vector a, Vector b) { return _mm256_sub_pd(a, b); }
    WNPARSE_TARGET_AVX2 static inline Vector greater(Vector a, Vector b) {
        return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
    }
    WNPARSE_TARGET_AVX2 static inline Vector choose(Vector a, Vector b, Vector second) {
        return _mm256_blendv_pd(a, b, second);
    }
    WNPARSE_TARGET_AVX2 static inline uint32_t equal_bits(Vector a, Vector b) {
        return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ)));
    }
    WNPARSE_TARGET_AVX2 static inline Vector lane_mask(int32_t lane) {
        const __m256i index = _mm256_setr_epi64x(0, 1, 2, 3);
        return _mm256_castsi256_pd(_mm256_cmpeq_epi64(index, _mm256_set1_epi64x(lane)));
    }
    WNPARSE_TARGET_AVX2 static inline __m256i below(int32_t count) {
        return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    }
    WNPARSE_TARGET_AVX2 static inline Vector load_below(const double* p, __m256i mask, Vector otherwise) {
        return _mm256_blendv_pd(otherwise, _mm256_maskload_pd(p, mask), _mm256_castsi256_pd(mask));
    }
    WNPARSE_TARGET_AVX2 static inline double largest(Vector v) {
        const __m128d x = _mm_max_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
        return _mm_cvtsd_f64(_mm_max_sd(x, _mm_unpackhi_pd(x, x)));
    }
    WNPARSE_TARGET_AVX2 static inline void store_enter(int32_t* enter, __m256i node, Vector mask) {
        const __m256i packed =
            _mm256_permutevar8x32_epi32(_mm256_castpd_si256(mask), _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
        _mm_maskstore_epi32(enter, _mm256_castsi256_si128(packed), _mm256_castsi256_si128(node));
    }
    WNPARSE_TARGET_AVX2 static inline __m256i load_enter(const int32_t* enter) {
        return _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(enter)));
    }
};

template <class Score>
struct LanesOf {
    using type = FloatLanes;
};
template <>
struct LanesOf<double> {
    using type = DoubleLanes;
};

// Two passes, the maximum and its first index: the second finds the index without a branch for each vector,
// since where the maximum lies cannot be predicted.
template <class Score>
WNPARSE_TARGET_AVX2 inline int32_t avx2_best_in_row(const Score* row, int32_t count, int32_t skip, Score& value) {
    using Lanes = typename LanesOf<Score>::type;
    constexpr int32_t width = Lanes::width;
    const auto nothing = Lanes::all(minus_infinity<Score>());
    const int32_t whole = count / width * width;
    const __m256i tail_mask = Lanes::below(count - whole);
    const auto last = Lanes::load_below(row + whole, tail_mask, nothing);
    const auto tail = Lanes::choose(last, nothing, Lanes::lane_mask(skip - whole));
    auto top = tail;
    for (int32_t h = 0; h < whole; h += width)
        top = Lanes::max(Lanes::choose(Lanes::load(row + h), nothing, Lanes::lane_mask(skip - h)), top);
    value = Lanes::largest(top);
    if (value == minus_infinity<Score>()) return -1;
    const auto sought = Lanes::all(value);
    for (int32_t base = 0; base <= whole; base += 64) {
        uint64_t equal_bits = 0;
        const int32_t end = whole < base + 64 ? whole : base + 64;
        for (int32_t h = base; h < end; h += width)
            equal_bits |= static_cast<uint64_t>(Lanes::equal_bits(Lanes::load(row + h), sought)) << (h - base);
        if (whole < base + 64)
            equal_bits |= static_cast<uint64_t>(Lanes::equal_bits(tail, sought)) << (whole - base);
        if (skip >= base && skip < base + 64) equal_bits &= ~(uint64_t{1} << (skip - base));
        if (equal_bits != 0) return base + static_cast<int32_t>(__builtin_ctzll(equal_bits));
    }
    return -1;
}

template <class Score>
WNPARSE_TARGET_AVX2 inline void avx2_merge_row(Score* row, int32_t* enter, const Score* source,
                                               const int32_t* source_enter, int32_t source_node, Score shift,
                                               int32_t count, bool start) {
    using Lanes = typename LanesOf<Score>::type;
    constexpr int32_t width = Lanes::width;
    const auto nothing = Lanes::all(minus_infinity<Score>());
    const auto subtract = Lanes::all(shift);
    __m256i node = _mm256_set1_epi32(source_node);
    const auto every_lane = Lanes::greater(Lanes::all(Score{1}), Lanes::all(Score{0}));
    const int32_t whole = count / width * width;
    const __m256i tail_mask = Lanes::below(count - whole);
    for (int32_t h = 0; h < count; h += width) {
        const auto read = h < whole ? Lanes::load(source + h) : Lanes::load_below(source + h, tail_mask, nothing);
        const auto candidate = Lanes::minus(read, subtract);
        if (source_enter != nullptr) node = Lanes::load_enter(source_enter + h);
        if (start) {
            Lanes::store(row + h, candidate);
            Lanes::store_enter(enter + h, node, every_lane);
            continue;
        }
        const auto current = Lanes::load(row + h);
        const auto wins = Lanes::greater(candidate, current);
        Lanes::store(row + h, Lanes::choose(current, candidate, wins));
        Lanes::store_enter(enter + h, node, wins);
    }
}

// The row is padded with -inf: whole vectors are read.
WNPARSE_TARGET_AVX2 inline void avx2_bits_above(const double* row, int32_t count, double limit, uint64_t* bits) {
    const __m256d least = _mm256_set1_pd(limit);
    for (int32_t base = 0; base < count; base += 64) {
        uint64_t word = 0;
        for (int32_t h = base; h < count && h < base + 64; h += 4) {
            const __m256d above = _mm256_cmp_pd(_mm256_loadu_pd(row + h), least, _CMP_GT_OQ);
            word |= static_cast<uint64_t>(_mm256_movemask_pd(above)) << (h - base);
        }
        bits[base / 64] = word;
    }
}

WNPARSE_TARGET_AVX2 inline void avx2_raise_by_sum(double* target, const double* first, const double* second,
                                                  int64_t count) {
    for (int64_t h = 0; h < count; h += 4) {
        const __m256d sum = _mm256_add_pd(_mm256_loadu_pd(first + h), _mm256_loadu_pd(second + h));
        _mm256_storeu_pd(target + h, _mm256_max_pd(sum, _mm256_loadu_pd(target + h)));
    }
}

template <class Score>
WNPARSE_TARGET_AVX2 inline void avx2_best_heads(const Score* scores, int32_t n, int64_t stride, int32_t first,
                                                int32_t* head, Score* value) {
    for (int32_t m = 1; m <= n; ++m) {
        const int32_t best =
            avx2_best_in_row<Score>(scores + m * stride + first, n + 1 - first, m - first, value[m]);
        head[m] = best < 0 ? -1 : best + first;
    }
}

#endif

// head[m], value[m]: the best head of every word m among first..n (first is 0, or 1 to leave the root out).
template <class Score>
inline void best_heads(const Score* scores, int32_t n, int64_t stride, int32_t first, int32_t* head,
                       Score* value) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_best_heads<Score>(scores, n, stride, first, head, value);
        return;
    }
#endif
    for (int32_t m = 1; m <= n; ++m) {
        const int32_t best = plain_best_in_row(scores + m * stride + first, n + 1 - first, m - first, value[m]);
        head[m] = best < 0 ? -1 : best + first;
    }
}

template <class Score>
inline int32_t best_in_row(const Score* row, int32_t count, int32_t skip, Score& value) {
#if WNPARSE_AVX2
    if (has_avx2()) return avx2_best_in_row<Score>(row, count, skip, value);
#endif
    return plain_best_in_row(row, count, skip, value);
}

// For rows of a workspace, padded with -inf.
inline void bits_above(const double* row, int32_t count, double limit, uint64_t* bits) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_bits_above(row, count, limit, bits);
        return;
    }
#endif
    plain_bits_above(row, count, limit, bits);
}

inline void raise_by_sum(double* target, const double* first, const double* second, int64_t count) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_raise_by_sum(target, first, second, count);
        return;
    }
#endif
    plain_raise_by_sum(target, first, second, count);
}

// target[h] = max(target[h], row[h] + constant)
inline void raise_by_constant(double* target, const double* row, double constant, int64_t count) {
    for (int64_t h = 0; h < count; ++h) {
        const double sum = row[h] + constant;
        target[h] = sum > target[h] ? sum : target[h];
    }
}

template <class Score>
inline void merge_row(Score* row, int32_t* enter, const Score* source, const int32_t* source_enter,
                      int32_t source_node, Score shift, int32_t count, bool start) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_merge_row<Score>(row, enter, source, source_enter, source_node, shift, count, start);
        return;
    }
#endif
    plain_merge_row(row, enter, source, source_enter, source_node, shift, count, start);
}

}  // namespace wnparse
