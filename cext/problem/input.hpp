// A sentence as it comes from outside, and the problem that decoders are given.
//
// Scores of arcs and labels add up.  Where no rule tells which labels go together, each arc of the best trees has
// its best label: the problem is one of arcs alone, with the scores of these labels.  Where rules do, the
// labelling (labelling.hpp) has the labels.  O(n² L).
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/row_kernels.hpp"
#include "problem/label_tensor.hpp"
#include "problem/labelling.hpp"
#include "problem/part_lists.hpp"
#include "problem/result.hpp"
#include "problem/rules.hpp"
#include "problem/score_matrix.hpp"

namespace wnparse {

struct Input {
    ScoreMatrix scores;
    const PartLists* parts = nullptr;     // nullptr: none
    const LabelTensor* labels = nullptr;  // nullptr: none
    const Rules* rules = nullptr;         // over the labels; nullptr: none
    NodeBits nodes;                       // what the rules read of the words

    // Whether the scores of arcs are all there is.
    bool plain() const { return parts == nullptr && labels == nullptr; }
    bool ruled() const { return labels != nullptr && rules != nullptr && !rules->empty(); }
};

class InputProblem {
public:
    // Read the scores: each arc has its best label.  state_invalid: NaN or +inf among them, or among the sums of
    // arcs and labels; else state_open.  The input must stay as long as the problem is used.
    SentenceState load(const Input& input) {
        input_ = &input;
        ruled_ = false;
        scores_ = input.scores;
        if (find_invalid(input.scores) >= 0) return state_invalid;
        if (input.labels != nullptr && !load_best_labels()) return state_invalid;
        if (input.parts != nullptr && !input.ruled()) load_parts(*input.parts, scores_, tables_);
        return state_open;
    }

    // Add the labels and rules of a ruled input.  `floors`, [n + 1]: labelled arcs to a word that score less are
    // left out; nullptr: none.  state_overpriced: the penalties of soft rules are too large for the scores
    // (Labelling::penalties_fit); else state_open.
    SentenceState add_rules(const double* floors) {
        const int32_t n = scores_.n;
        ruled_ = true;
        start_labelling(labelling_);
        ruled_cells_.assign(cells_.size(), minus_infinity<double>());
        each_row([&](int32_t m, const auto* arcs, const auto* labels) {
            for (int32_t h = 0; h <= n; ++h)
                if (cells_[cell(h, m)] > minus_infinity<double>())
                    add_arc(labelling_, h, m, arcs[h], labels, floors != nullptr ? floors[m] : no_floor);
            return true;
        });
        // The labelling needs the tables of parts, which need to know the arcs.
        for (const Labelling::LabelledArc& arc : labelling_.arcs()) ruled_cells_[cell(arc.h, arc.m)] = 0.0;
        scores_ = {ruled_cells_.data(), n + 1, n, true};
        if (input_->parts != nullptr) load_parts(*input_->parts, scores_, tables_);
        labelling_.finish(input_->parts != nullptr ? 2.0 * tables_.size() : 0.0);
        for (const Labelling::LabelledArc& arc : labelling_.arcs())
            ruled_cells_[cell(arc.h, arc.m)] = labelling_.score(arc);
        return labelling_.penalties_fit() ? state_open : state_overpriced;
    }

    // The labelling of the arcs of one tree alone.
    void label_arcs(const int32_t* heads, Labelling& labelling) {
        start_labelling(labelling);
        each_row([&](int32_t m, const auto* arcs, const auto* labels) {
            add_arc(labelling, heads[m], m, arcs[heads[m]], labels, no_floor);
            return true;
        });
        labelling.finish(0.0);
    }

    const ScoreMatrix& scores() const { return scores_; }
    const PartTables* parts() const { return input_->parts != nullptr ? &tables_ : nullptr; }
    Labelling* labelling() { return ruled_ ? &labelling_ : nullptr; }

    // The labels of a tree, [n + 1], -1 for node 0: those that rules have chosen, or the best ones.
    void write_labels(const int32_t* heads, int32_t* labels) const {
        labels[0] = -1;
        for (int32_t m = 1; m <= scores_.n; ++m)
            labels[m] = ruled_ ? labelling_.label(m) : best_label(heads[m], m);
    }

private:
    static constexpr double no_floor = -std::numeric_limits<double>::infinity();

    size_t cell(int32_t h, int32_t m) const { return static_cast<size_t>(m) * (scores_.n + 1) + h; }

    bool load_best_labels() {
        const int32_t n = scores_.n, count = input_->labels->count;
        cells_.assign(static_cast<size_t>(n + 1) * (n + 1), minus_infinity<double>());
        const bool valid = each_row([&](int32_t m, const auto* arcs, const auto* labels) {
            if (!are_valid(labels, n, count, m)) return false;
            for (int32_t h = 0; h <= n; ++h) {
                auto best = *labels;
                if (h == m || best_in_row(labels + int64_t{h} * count, count, -1, best) < 0) continue;
                cells_[cell(h, m)] = static_cast<double>(arcs[h]) + static_cast<double>(best);
            }
            return true;
        });
        scores_ = {cells_.data(), n + 1, n, true};
        return valid && find_invalid(scores_) < 0;
    }

    int32_t best_label(int32_t h, int32_t m) const {
        const LabelTensor& labels = *input_->labels;
        return with_scores(labels, [&](const auto* scores) {
            const auto* arc = scores + m * labels.modifier + h * labels.head;
            int32_t best = 0;
            for (int32_t l = 1; l < labels.count; ++l)
                if (arc[l * labels.label] > arc[best * labels.label]) best = l;
            return best;
        });
    }

    void start_labelling(Labelling& labelling) const { labelling.start(*input_->rules, input_->nodes, scores_.n); }

    template <class Score, class LabelScore>
    void add_arc(Labelling& labelling, int32_t h, int32_t m, Score score, const LabelScore* labels, double floor) {
        const int32_t count = input_->labels->count;
        const LabelScore* of_arc = labels + int64_t{h} * count;
        if (cells_[cell(h, m)] < floor) return labelling.leave_out(m, score, of_arc, count);
        labelling.begin_arc(h, m);
        labelling.offer_all(score, of_arc, count, floor);
        labelling.end_arc(true);
    }

    // Call visit(m, scores of its arcs, scores of their labels) for each word until it returns false; whether it
    // never did.
    template <class Visit>
    bool each_row(Visit&& visit) {
        const ScoreMatrix& matrix = input_->scores;
        return with_scores(matrix, [&](const auto* arcs) {
            return with_scores(*input_->labels, [&](const auto* labels) {
                using Score = std::remove_cv_t<std::remove_reference_t<decltype(*labels)>>;
                LabelRows<Score> rows(*input_->labels, matrix.n, row_cells(labels));
                for (int32_t m = 1; m <= matrix.n; ++m)
                    if (!visit(m, arcs + m * matrix.stride, rows.row(m))) return false;
                return true;
            });
        });
    }
    std::vector<float>& row_cells(const float*) { return narrow_row_; }
    std::vector<double>& row_cells(const double*) { return wide_row_; }

    const Input* input_ = nullptr;
    ScoreMatrix scores_{};
    bool ruled_ = false;               // the labelling is part of the problem
    std::vector<double> cells_;        // [n + 1][n + 1] arcs with their best labels
    std::vector<double> ruled_cells_;  // the same, with what rules take off, of the arcs of the labelling
    PartTables tables_;
    Labelling labelling_;
    std::vector<float> narrow_row_;
    std::vector<double> wide_row_;
};

}  // namespace wnparse
