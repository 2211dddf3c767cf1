// Arc marginals and the partition function of all trees, without a subtraction.  O(n^3).
//
// The matrix-tree theorem: T. Koo, A. Globerson, X. Carreras and M. Collins (2007), "Structured prediction models
// via the matrix-tree theorem"; D. A. Smith and N. A. Smith (2007), "Probabilistic models of nonprojective
// dependency trees".  With weights w(h, m) = exp(score), the determinant of the Laplacian is the sum over trees,
// and its inverse gives the marginals.  Both cancel: two words that prefer each other by a score of 40 make the
// Laplacian singular in doubles.
//
// Read the weights as the rates at which a random walk goes from m to h, and 0 as where it ends.  The heads of the
// walks' last exits form a tree drawn from the distribution (D. B. Wilson 1996, "Generating random spanning trees
// more quickly than the cover time"), hence
//
//     p(h -> m) ~ w(h, m) e(h, m),     e(h, m) = probability that the walk from h ends before it meets m,  e(0, m)
//     = 1.
//
// Eliminating word k from the walk is Gaussian elimination as W. K. Grassmann, M. I. Taksar and D. P. Heyman
// (1985), "Regenerative analysis and steady state distributions for Markov chains", do it: the pivot is the sum of
// the rates that leave k, never a difference,
//
//     S_k = sum_j w_kj,     P_kj = w_kj / S_k,     w_ij += w_ik P_kj,     Z = product of all S_k,
//     e(k, m) = P_k0 + sum_j P_kj e(j, m)     over the words j that were left when k went, m among them.
//
// Nothing is subtracted, so every result is right to the last digits but a few, whatever the scores (C. A.
// O'Cinneide 1993, "Entrywise perturbation theory and error analysis for Markov chains").  For e(., m) the word m
// must go last. All m at once: eliminate one half of the words and solve the other by itself, then the other way
// round: 1.3 n^3.
//
// Single root: the limit of root rates going to 0 together.  To first order the pivots are sums without the root
// and e is a multiple of it.  Where a pivot then vanishes, as forbidden arcs may cause, root rates of 2^-2^60 take
// the limit by themselves: Scaled forgets the smaller of two such summands.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/scaled_number.hpp"
#include "base/simd.hpp"

namespace wnparse {

namespace matrix_tree_detail {

// Products of doubles below this may have lost digits.
constexpr double kLeast = 1e-290;

template <class Number>
struct Block {
    Number* rates;  // [size][size + 1]: from row to column, the root last; the diagonal is never read
    int32_t size;
    int32_t gone;  // the words that are eliminated come first; their rows become P
};

// Eliminate the first words of a block; false where a pivot is 0.
template <class Number>
WNPARSE_INLINE bool eliminate(const Block<Number>& block, bool root_in_pivot, Number* pivots) {
    const int32_t size = block.size, stride = size + 1;
    for (int32_t k = 0; k < block.gone; ++k) {
        Number* pivot = block.rates + k * stride;
        Number sum = root_in_pivot ? pivot[size] : Number(0.0);
        for (int32_t j = k + 1; j < size; ++j) sum += pivot[j];
        if (sum == 0.0) return false;
        pivots[k] = sum;
        const Number inverse = Number(1.0) / sum;
        for (int32_t j = k + 1; j <= size; ++j) pivot[j] = pivot[j] * inverse;
        for (int32_t i = k + 1; i < size; ++i) {
            Number* row = block.rates + i * stride;
            const Number rate = row[k];
            for (int32_t j = k + 1; j <= size; ++j) row[j] += rate * pivot[j];
        }
    }
    return true;
}

// e(k, m) of the eliminated words k for the words m that are left.  row(j) is where e(j, .) of word j of the block
// is, from the first m on.
template <class Number, class Row>
WNPARSE_INLINE void extend(const Block<Number>& block, const Row& row) {
    const int32_t size = block.size, left = size - block.gone;
    for (int32_t k = block.gone - 1; k >= 0; --k) {
        const Number* probability = block.rates + k * (size + 1);
        Number* own = row(k);
        for (int32_t m = 0; m < left; ++m) own[m] = probability[size];
        for (int32_t j = k + 1; j < size; ++j) {
            const Number factor = probability[j];
            const Number* other = row(j);
            for (int32_t m = 0; m < left; ++m) own[m] += factor * other[m];
        }
    }
}

// Whether the products of an elimination stay within the range of double where they are not 0; `block` is done.
inline bool keeps_range(const Block<double>& block) {
    const int32_t size = block.size, stride = size + 1;
    for (int32_t k = 0; k < block.gone; ++k) {
        double probability = 1.0, rate = 1.0;
        for (int32_t j = k + 1; j <= size; ++j) {
            const double value = block.rates[k * stride + j];
            if (value > 0.0 && value < probability) probability = value;
        }
        for (int32_t i = k + 1; i < size; ++i) {
            const double value = block.rates[i * stride + k];
            if (value > 0.0 && value < rate) rate = value;
        }
        if (!(probability * rate >= kLeast)) return false;
    }
    return true;
}

#if WNPARSE_AVX2
WNPARSE_TARGET_AVX2 inline bool eliminate_wide(const Block<double>& block, bool root_in_pivot, double* pivots) {
    return eliminate(block, root_in_pivot, pivots);
}
template <class Row>
WNPARSE_TARGET_AVX2 void extend_wide(const Block<double>& block, const Row& row) {
    extend(block, row);
}
#endif

}  // namespace matrix_tree_detail

enum class MatrixTreeOutcome : int32_t { found, no_tree, out_of_range };

template <class Number>
class MatrixTree {
public:
    std::vector<Number> rates;   // [n][n + 1] from word to word, the root last: filled by the caller
    std::vector<Number> escape;  // [n][n] e(h, m) of words, from 0 on
    std::vector<Number> pivots;  // [n] their product is Z; the last is the rate from the last word to the root
    bool sparse = false;         // some rates are 0: doubles must watch their range

    void reserve(int32_t words) {
        n = words;
        rates.resize(n * (n + 1));
        pivots.resize(n);
    }

    // `root_in_pivot` is false for a single root in doubles; the partition function alone needs no `escapes`.
    MatrixTreeOutcome run(bool root_in_pivot, bool escapes) {
        root_counts = root_in_pivot;
        wanted = escapes;
        outcome = MatrixTreeOutcome::found;
        if (wanted) escape.resize(static_cast<size_t>(n) * n);
        // Copies of sizes n, n / 2, ... lie one behind the other: less than twice the largest.
        stack.resize(2 * static_cast<size_t>(n) * (n + 1) + 4 * n + 64);
        if (n > 0) divide(rates.data(), n + 1, 0, n, stack.data(), pivots.data());
        return outcome;
    }

private:
    using Block = matrix_tree_detail::Block<Number>;
    static constexpr bool ranged = std::is_same_v<Number, double>;

    int32_t n = 0;
    bool root_counts = true, wanted = true;
    MatrixTreeOutcome outcome = MatrixTreeOutcome::found;
    std::vector<Number> stack;
    std::vector<Number> spare;  // [n] pivots off the main path

    // Escapes among the words from .. from + size - 1, whose rates are given.  `main_pivots` is null off the path
    // that makes the partition function.
    void divide(const Number* given, int64_t stride, int32_t from, int32_t size, Number* free,
                Number* main_pivots) {
        if (size == 1) {
            if (main_pivots != nullptr) *main_pivots = given[1];
            if (given[1] == 0.0) outcome = MatrixTreeOutcome::no_tree;
            if (wanted) escape[static_cast<size_t>(from) * n + from] = Number(0.0);
            return;
        }
        const int32_t half = size / 2;
        halve(given, stride, from, half, from + half, size - half, free, main_pivots);
        if (!wanted || outcome != MatrixTreeOutcome::found) return;
        halve(given, stride, from + half, size - half, from, half, free, nullptr);
    }

    // Eliminate the words gone .. gone + count - 1 and solve the others.
    void halve(const Number* given, int64_t stride, int32_t gone, int32_t count, int32_t kept, int32_t left,
               Number* free, Number* main_pivots) {
        const int32_t size = count + left, first = gone < kept ? gone : kept;
        const Block block{free, size, count};
        copy(given, stride, gone - first, count, kept - first, left, free);
        spare.resize(n);
        if (!run_eliminate(block, main_pivots != nullptr ? main_pivots : spare.data())) return;
        Number* rest = free + static_cast<int64_t>(count) * (size + 1) + count;
        divide(rest, size + 1, kept, left, free + static_cast<int64_t>(size) * (size + 1),
               main_pivots != nullptr ? main_pivots + count : nullptr);
        if (wanted && outcome == MatrixTreeOutcome::found) run_extend(block, gone, kept);
    }

    // The rates with the words that go first.
    static void copy(const Number* given, int64_t stride, int32_t gone, int32_t count, int32_t kept, int32_t left,
                     Number* target) {
        const int32_t size = count + left;
        for (int32_t i = 0; i < size; ++i, target += size + 1) {
            const Number* source = given + (i < count ? gone + i : kept + i - count) * stride;
            for (int32_t j = 0; j < count; ++j) target[j] = source[gone + j];
            for (int32_t j = 0; j < left; ++j) target[count + j] = source[kept + j];
            target[size] = source[size];
        }
    }

    bool run_eliminate(const Block& block, Number* pivots) {
        bool positive;
        if constexpr (ranged) {
#if WNPARSE_AVX2
            positive = has_avx2() ? matrix_tree_detail::eliminate_wide(block, root_counts, pivots)
                                  : matrix_tree_detail::eliminate(block, root_counts, pivots);
#else
            positive = matrix_tree_detail::eliminate(block, root_counts, pivots);
#endif
            if (sparse && !matrix_tree_detail::keeps_range(block)) {
                outcome = MatrixTreeOutcome::out_of_range;
                return false;
            }
        } else {
            positive = matrix_tree_detail::eliminate(block, root_counts, pivots);
        }
        if (!positive) outcome = root_counts ? MatrixTreeOutcome::no_tree : MatrixTreeOutcome::out_of_range;
        return positive;
    }

    void run_extend(const Block& block, int32_t gone, int32_t kept) {
        Number* const cells = escape.data() + kept;
        const int64_t words = n;
        const auto row = [=](int32_t j) {
            return cells + (j < block.gone ? gone + j : kept + j - block.gone) * words;
        };
        if constexpr (ranged) {
#if WNPARSE_AVX2
            if (has_avx2())
                matrix_tree_detail::extend_wide(block, row);
            else
                matrix_tree_detail::extend(block, row);
#else
            matrix_tree_detail::extend(block, row);
#endif
            if (sparse && !escapes_keep_range(block, row)) outcome = MatrixTreeOutcome::out_of_range;
        } else {
            matrix_tree_detail::extend(block, row);
        }
    }

    template <class Row>
    bool escapes_keep_range(const Block& block, const Row& row) const {
        double least = 1.0, probability = 1.0;
        for (int32_t j = 0; j < block.size; ++j) {
            for (int32_t m = 0; m < block.size - block.gone; ++m) {
                const double value = row(j)[m];
                if (value > 0.0 && value < least) least = value;
            }
        }
        for (int32_t k = 0; k < block.gone; ++k) {
            for (int32_t j = k + 1; j <= block.size; ++j) {
                const double value = block.rates[k * (block.size + 1) + j];
                if (value > 0.0 && value < probability) probability = value;
            }
        }
        return least * probability >= matrix_tree_detail::kLeast;
    }
};

}  // namespace wnparse
