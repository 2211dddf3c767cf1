// What all learners share: weights, the scores of a sentence under them, and the features of its arcs and labels.
//
// The loss of a tree counts `margin` for each wrong head and half of it for each wrong label at a right head.
// Features factor over arcs, so that words on which gold tree and guess agree, label included, cancel out of
// f(gold) - f(guess).
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/decoder.hpp"
#include "scorer/sentence_scorer.hpp"
#include "scorer/weights/learned_label_rows.hpp"
#include "scorer/weights/learned_weights.hpp"

namespace wnparse {

struct GoldTree {
    const int32_t* heads;   // [n + 1]
    const int32_t* labels;  // [n + 1]
};

struct LabelledTree {
    std::vector<int32_t> heads;   // [n + 1]
    std::vector<int32_t> labels;  // [n + 1], 0 without labels
};

class LearnerState {
public:
    ParserTables tables;
    FirstPass first_pass;
    LearnedWeights weights;
    LearnedLabelRows rows;
    float margin = 0;
    double step = 1;  // sentences seen, plus one
    SentenceScorer<LearnedWeights, LearnedLabelRows, float> scorer;

    int32_t words() const { return scorer.features.n(); }

    // Score a sentence; the gold heads are among the candidates, and what is wrong gains `cost`, a wrong label
    // half of it.
    void score(const Tokens& tokens, const GoldTree& gold, float cost) {
        const Lesson<float> lesson{gold.heads, gold.labels, cost};
        scorer.score_arcs(tables, tokens, weights, first_pass, &lesson);
        scorer.score_labels(tables, rows, 1.0f, first_pass, &lesson);
    }

    // The best tree of the scores; false if no tree satisfies the constraints.
    bool decode(const Settings& settings, LabelledTree& tree) {
        tree.heads.resize(words() + 1);
        const ScoreMatrix matrix{scorer.scores.data(), words() + 1, words(), false};
        if (!decode_matrix(matrix, settings, tree.heads.data()).result.feasible) return false;
        label(tree);
        return true;
    }

    // Give the heads of a tree their best labels.
    void label(LabelledTree& tree) {
        tree.labels.assign(tree.heads.size(), 0);
        for (int32_t m = 1; tables.labelled() && m <= words(); ++m)
            tree.labels[m] = scorer.label(tree.heads[m], m);
    }

    bool is_right(const LabelledTree& tree, const GoldTree& gold, int32_t m) const {
        return tree.heads[m] == gold.heads[m] && (!tables.labelled() || tree.labels[m] == gold.labels[m]);
    }

    template <class Function>
    void for_each_arc_feature(int32_t h, int32_t m, Function f) const {
        for (int32_t t : tables.arcs) scorer.features.for_each(t, h, m, f);
    }

    template <class Function>
    void for_each_label_feature(int32_t h, int32_t m, Function f) const {
        for (int32_t t = 0; t < static_cast<int32_t>(tables.templates.all.size()); ++t)
            if (scorer.features.of(t).label) scorer.features.for_each(t, h, m, f);
    }
};

}  // namespace wnparse
