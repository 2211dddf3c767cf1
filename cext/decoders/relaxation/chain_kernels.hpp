// The inner loops of head automata: chains of children for all parents of a head side by side.
//
// Positions that are still in are numbered 0 (START) to last (STOP); tables of results are [number][lanes], a lane
// for each parent, a multiple of four.  The vectors and the plain loops give the same bits.  O(lanes last^2).
#pragma once

#include <cstdint>
#include <vector>

#include "base/row_kernels.hpp"

namespace wnparse {

// One side of a head (part_tables.hpp).
struct Chain {
    const double* sibling;       // [a][b], by positions
    int64_t row;                 // from one a to the next
    const double* grandparent;   // [b][lanes]
    const double* grandsibling;  // [a][b][lanes], nullptr: none
    const double* pay;           // [b]
    const int32_t* live;         // [last + 1] positions that are in
    int32_t last;
    int32_t lanes;

    double step(int32_t i, int32_t j) const { return sibling[live[i] * row + live[j]]; }
    const double* grand(int32_t i, int32_t j) const { return grandsibling + (live[i] * row + live[j]) * lanes; }
    const double* of_child(int32_t j) const { return grandparent + int64_t{live[j]} * lanes; }
};

// The positions that are in: START, the children that pay more than -inf, STOP; pay[b - 1] is what child b pays.
inline void find_live(const double* pay, int32_t children, std::vector<int32_t>& live) {
    live.assign(1, 0);
    for (int32_t b = 1; b <= children; ++b)
        if (pay[b - 1] > minus_infinity<double>()) live.push_back(b);
    live.push_back(children + 1);
}

// best[j] = max over i < j of best[i] + step(i, j), and what child j brings.
inline void plain_forward(const Chain& chain, double* best) {
    for (int32_t p = 0; p < chain.lanes; ++p) {
        best[p] = 0.0;
        for (int32_t j = 1; j <= chain.last; ++j) {
            double top = minus_infinity<double>();
            for (int32_t i = 0; i < j; ++i) {
                double value = best[i * chain.lanes + p] + chain.step(i, j);
                if (chain.grandsibling != nullptr) value += chain.grand(i, j)[p];
                top = value > top ? value : top;
            }
            if (j < chain.last) top += chain.pay[chain.live[j]] + chain.of_child(j)[p];
            best[j * chain.lanes + p] = top;
        }
    }
}

// best[i] = max over j > i of step(i, j) + what child j brings + best[j]; `onward` is room for one table.
inline void plain_backward(const Chain& chain, double* best, double* onward) {
    for (int32_t p = 0; p < chain.lanes; ++p) {
        best[chain.last * chain.lanes + p] = onward[chain.last * chain.lanes + p] = 0.0;
        for (int32_t i = chain.last - 1; i >= 0; --i) {
            double top = minus_infinity<double>();
            for (int32_t j = chain.last; j > i; --j) {
                double value = onward[j * chain.lanes + p] + chain.step(i, j);
                if (chain.grandsibling != nullptr) value += chain.grand(i, j)[p];
                top = value > top ? value : top;
            }
            best[i * chain.lanes + p] = top;
            if (i > 0) onward[i * chain.lanes + p] = top + (chain.pay[chain.live[i]] + chain.of_child(i)[p]);
        }
    }
}

// ends[j] = max(ends[j], from + steps[live[j]]) for j from first to last.
inline void plain_raise_ends(double* ends, const double* from, const double* steps, const int32_t* live,
                             int32_t first, int32_t last, int32_t lanes) {
    for (int32_t j = first; j <= last; ++j) {
        double* end = ends + int64_t{j} * lanes;
        for (int32_t p = 0; p < lanes; ++p) {
            const double value = from[p] + steps[live[j]];
            end[p] = value > end[p] ? value : end[p];
        }
    }
}

// begin = max of ends[j] + steps[live[j]] over j from first to last.
inline void plain_find_begin(double* begin, const double* ends, const double* steps, const int32_t* live,
                             int32_t first, int32_t last, int32_t lanes) {
    for (int32_t p = 0; p < lanes; ++p) begin[p] = minus_infinity<double>();
    for (int32_t j = first; j <= last; ++j) {
        const double* end = ends + int64_t{j} * lanes;
        for (int32_t p = 0; p < lanes; ++p) {
            const double value = end[p] + steps[live[j]];
            begin[p] = value > begin[p] ? value : begin[p];
        }
    }
}

#if WNPARSE_AVX2
WNPARSE_TARGET_AVX2 inline void avx2_raise_ends(double* ends, const double* from, const double* steps,
                                                const int32_t* live, int32_t first, int32_t last, int64_t lanes) {
    for (int64_t p = 0; p < lanes; p += 4) {
        const __m256d own = _mm256_loadu_pd(from + p);
        for (int32_t j = first; j <= last; ++j) {
            double* end = ends + j * lanes + p;
            const __m256d value = _mm256_add_pd(own, _mm256_set1_pd(steps[live[j]]));
            _mm256_storeu_pd(end, _mm256_max_pd(value, _mm256_loadu_pd(end)));
        }
    }
}

WNPARSE_TARGET_AVX2 inline void avx2_find_begin(double* begin, const double* ends, const double* steps,
                                                const int32_t* live, int32_t first, int32_t last, int64_t lanes) {
    for (int64_t p = 0; p < lanes; p += 4) {
        __m256d top = _mm256_set1_pd(minus_infinity<double>());
        for (int32_t j = first; j <= last; ++j) {
            const __m256d end = _mm256_loadu_pd(ends + j * lanes + p);
            top = _mm256_max_pd(_mm256_add_pd(end, _mm256_set1_pd(steps[live[j]])), top);
        }
        _mm256_storeu_pd(begin + p, top);
    }
}

WNPARSE_TARGET_AVX2 inline void avx2_forward(const Chain& chain, double* best) {
    const int64_t lanes = chain.lanes;
    for (int64_t p = 0; p < lanes; p += 4) {
        double* own = best + p;
        _mm256_storeu_pd(own, _mm256_setzero_pd());
        for (int32_t j = 1; j <= chain.last; ++j) {
            const double* column = chain.sibling + chain.live[j];
            __m256d top = _mm256_set1_pd(minus_infinity<double>());
            for (int32_t i = 0; i < j; ++i) {
                const __m256d step = _mm256_set1_pd(column[chain.live[i] * chain.row]);
                __m256d value = _mm256_add_pd(_mm256_loadu_pd(own + i * lanes), step);
                if (chain.grandsibling != nullptr)
                    value = _mm256_add_pd(value, _mm256_loadu_pd(chain.grand(i, j) + p));
                top = _mm256_max_pd(value, top);
            }
            if (j < chain.last) {
                const __m256d pay = _mm256_set1_pd(chain.pay[chain.live[j]]);
                top = _mm256_add_pd(top, _mm256_add_pd(pay, _mm256_loadu_pd(chain.of_child(j) + p)));
            }
            _mm256_storeu_pd(own + j * lanes, top);
        }
    }
}

WNPARSE_TARGET_AVX2 inline void avx2_backward(const Chain& chain, double* best, double* onward) {
    const int64_t lanes = chain.lanes;
    for (int64_t p = 0; p < lanes; p += 4) {
        double *own = best + p, *from = onward + p;
        _mm256_storeu_pd(own + chain.last * lanes, _mm256_setzero_pd());
        _mm256_storeu_pd(from + chain.last * lanes, _mm256_setzero_pd());
        for (int32_t i = chain.last - 1; i >= 0; --i) {
            const double* row = chain.sibling + chain.live[i] * chain.row;
            __m256d top = _mm256_set1_pd(minus_infinity<double>());
            for (int32_t j = chain.last; j > i; --j) {
                __m256d value =
                    _mm256_add_pd(_mm256_loadu_pd(from + j * lanes), _mm256_set1_pd(row[chain.live[j]]));
                if (chain.grandsibling != nullptr)
                    value = _mm256_add_pd(value, _mm256_loadu_pd(chain.grand(i, j) + p));
                top = _mm256_max_pd(value, top);
            }
            _mm256_storeu_pd(own + i * lanes, top);
            if (i == 0) continue;
            const __m256d pay = _mm256_set1_pd(chain.pay[chain.live[i]]);
            _mm256_storeu_pd(from + i * lanes,
                             _mm256_add_pd(top, _mm256_add_pd(pay, _mm256_loadu_pd(chain.of_child(i) + p))));
        }
    }
}
#endif

inline void forward(const Chain& chain, double* best) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_forward(chain, best);
        return;
    }
#endif
    plain_forward(chain, best);
}

inline void backward(const Chain& chain, double* best, double* onward) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_backward(chain, best, onward);
        return;
    }
#endif
    plain_backward(chain, best, onward);
}

inline void raise_ends(double* ends, const double* from, const double* steps, const int32_t* live, int32_t first,
                       int32_t last, int32_t lanes) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_raise_ends(ends, from, steps, live, first, last, lanes);
        return;
    }
#endif
    plain_raise_ends(ends, from, steps, live, first, last, lanes);
}

inline void find_begin(double* begin, const double* ends, const double* steps, const int32_t* live, int32_t first,
                       int32_t last, int32_t lanes) {
#if WNPARSE_AVX2
    if (has_avx2()) {
        avx2_find_begin(begin, ends, steps, live, first, last, lanes);
        return;
    }
#endif
    plain_find_begin(begin, ends, steps, live, first, last, lanes);
}

}  // namespace wnparse
