// What all learners share: weights, the scores of a sentence under them, and the features of its parts.
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

// What features are made of: an arc, or the label of an arc.
struct FeaturePart {
    int32_t h, m;
    int32_t label;  // -1: the arc itself

    static FeaturePart of_arc(int32_t h, int32_t m) { return {h, m, -1}; }
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

    int32_t words() const { return scorer.words(); }

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
        if (!decode_checked(scorer.matrix(), settings, tree.heads.data()).result.has_tree()) return false;
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

    // Call f with the key of each feature of a part.
    template <class Function>
    void for_each_feature(const FeaturePart& part, Function f) const {
        const SentenceFeatures& sentence = scorer.sentence();
        if (part.label < 0) {
            for (int32_t t : tables.arcs) sentence.for_each(t, part.h, part.m, f);
            return;
        }
        for (int32_t t = 0; t < static_cast<int32_t>(tables.templates.all.size()); ++t)
            if (sentence.of(t).label) sentence.for_each(t, part.h, part.m, f);
    }

    // The weight of a feature of an arc (label -1) or of a label, and a change of it.
    float weight(uint64_t key, int32_t label) const { return label < 0 ? weights(key) : rows(key, label); }
    void change(uint64_t key, int32_t label, float delta) {
        if (label < 0)
            weights.add(key, delta, step);
        else
            rows.add(key, label, delta, step);
    }
};

}  // namespace wnparse
