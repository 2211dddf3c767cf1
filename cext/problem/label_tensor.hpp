// Scores of labels as they come from outside: read in place where they are laid out row by row, and checked.
// O(n² L), one comparison a score.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "problem/score_matrix.hpp"

namespace wnparse {

struct LabelTensor {
    const void* scores;             // float or double, scores[m][h][label]
    int64_t modifier, head, label;  // scores from one to the next; may be negative
    int32_t count;                  // labels
    bool wide;                      // double, not float
};

// Call use(scores) with the scores as what they are, const float* or const double*.
template <class Use>
auto with_scores(const LabelTensor& labels, Use&& use) {
    return labels.wide ? use(static_cast<const double*>(labels.scores))
                       : use(static_cast<const float*>(labels.scores));
}

// The labels of one modifier at a time, [n + 1][count], as many scores from one arc to the next as there are
// labels.
template <class Score>
class LabelRows {
public:
    LabelRows(const LabelTensor& labels, int32_t words, std::vector<Score>& cells)
        : labels_(labels), scores_(static_cast<const Score*>(labels.scores)), n_(words), cells_(cells) {}

    const Score* row(int32_t m) {
        const Score* source = scores_ + m * labels_.modifier;
        if (labels_.label == 1 && labels_.head == labels_.count) return source;
        cells_.resize(static_cast<size_t>(n_ + 1) * labels_.count);
        // Scorers often write a matrix for each label: their rows are read as they lie.
        if (labels_.label < labels_.head) {
            for (int64_t h = 0; h <= n_; ++h)
                for (int64_t l = 0; l < labels_.count; ++l) copy(source, h, l);
        } else {
            for (int64_t l = 0; l < labels_.count; ++l)
                for (int64_t h = 0; h <= n_; ++h) copy(source, h, l);
        }
        return cells_.data();
    }

private:
    void copy(const Score* source, int64_t h, int64_t l) {
        cells_[h * labels_.count + l] = source[h * labels_.head + l * labels_.label];
    }

    const LabelTensor& labels_;
    const Score* scores_;
    int32_t n_;
    std::vector<Score>& cells_;
};

// Whether no score of a row of labels is NaN or +inf; the diagonal does not count.
template <class Score>
bool are_valid(const Score* row, int32_t n, int64_t count, int32_t m) {
    using scores_detail::below_infinity;
    return below_infinity(row, (n + 1) * count) ||
           (below_infinity(row, m * count) && below_infinity(row + (m + 1) * count, (n - m) * count));
}

// Position (m * (n + 1) + h) * count + label of the first NaN or +inf outside row 0 and the diagonal; -1 if there
// is none.
inline int64_t find_invalid(const LabelTensor& labels, int32_t n) {
    return with_scores(labels, [&](const auto* scores) -> int64_t {
        using Score = std::remove_cv_t<std::remove_reference_t<decltype(*scores)>>;
        for (int64_t m = 1; m <= n; ++m)
            for (int64_t h = 0; h <= n; ++h)
                for (int64_t l = 0; l < labels.count && h != m; ++l)
                    if (!(scores[m * labels.modifier + h * labels.head + l * labels.label] <
                          std::numeric_limits<Score>::infinity()))
                        return (m * (n + 1) + h) * labels.count + l;
        return -1;
    });
}

}  // namespace wnparse
