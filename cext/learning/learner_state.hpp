// What all learners share: weights, the scores of a sentence under them, and the features of its parts.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

#include "decoders/decoder.hpp"
#include "problem/part_tables.hpp"
#include "problem/parts.hpp"
#include "scorer/part_scores.hpp"
#include "scorer/sentence_scorer.hpp"
#include "scorer/weights/learned_label_weights.hpp"
#include "scorer/weights/learned_weights.hpp"

namespace wnparse {

// The tree to learn.  Words without annotation have the heads and labels that completed it (learners.hpp).
struct GoldTree {
    const int32_t* heads;         // [n + 1]
    const int32_t* labels;        // [n + 1]
    const int32_t* given_heads;   // [n + 1] as annotated, -1 where a word has no head
    const int32_t* given_labels;  // [n + 1] as annotated, -1 where a word has no label
};

struct LabelledTree {
    std::vector<int32_t> heads;   // [n + 1]
    std::vector<int32_t> labels;  // [n + 1], 0 without labels
};

// What features are made of: an arc, the label of an arc, or a part of higher order.
struct FeaturePart {
    std::variant<Arc, Sibling, Grandparent, GrandSibling, TriSibling> part;
    int32_t label;  // -1: the part itself

    FeaturePart(int32_t h, int32_t m, int32_t l) : part(Arc{h, m}), label(l) {}
    template <class Part>
    explicit FeaturePart(const Part& p) : part(p), label(-1) {}
    static FeaturePart of_arc(int32_t h, int32_t m) { return {h, m, -1}; }
};

// What another model has left of a sentence to choose from, and a tree among it.
struct KeptArcs {
    Candidates candidates;
    const int32_t* tree = nullptr;  // [n + 1]
};

class LearnerState {
public:
    ParserTables tables;
    FirstPass first_pass;
    LearnedWeights weights;
    LearnedLabelWeights label_weights;
    float margin = 0;
    double step = 1;  // sentences seen, plus one
    SentenceScorer<LearnedWeights, LearnedLabelWeights, float> scorer;
    PartScorer<LearnedWeights, float> part_scorer;

    int32_t words() const { return scorer.words(); }

    // Score a sentence; the gold heads are among the candidates, and what is wrong gains `cost`, a wrong label
    // half of it.  `kept`: what another model has left, as parts of higher order need it.
    void score(const Tokens& tokens, const GoldTree& gold, float cost, const KeptArcs* kept) {
        const Lesson<float> lesson{gold.given_heads, gold.given_labels, cost};
        if (kept != nullptr)
            scorer.start(tables, tokens, kept->candidates);
        else
            scorer.start(tables, tokens, first_pass, &lesson);
        scorer.score_arcs(tables, weights);
        scorer.score_labels(tables, label_weights, 1.0f, first_pass, &lesson);
        known_ = kept != nullptr ? kept->tree : nullptr;
        if (tables.order == 1) return;
        parts_.start(tokens.n, tables.order, [&](int32_t h, int32_t m) {
            return scorer.row(m)[h] > -std::numeric_limits<float>::infinity();
        });
        part_scorer.fill(tables, scorer.sentence(), weights, 1.0f, parts_);
    }

    // The best tree of the scores; false if no tree satisfies the constraints.
    bool decode(const Settings& settings, LabelledTree& tree) {
        tree.heads.resize(words() + 1);
        Settings all = settings;
        all.options.known = known_;
        const PartTables* parts = tables.order > 1 ? &parts_ : nullptr;
        if (!decode_checked(scorer.matrix(), all, tree.heads.data(), parts).result.has_tree()) return false;
        label(tree);
        return true;
    }
    const PartTables& parts() const { return parts_; }

    // The best tree that has the annotated heads and labels, under the scores of score(); false if there is none.
    // An annotated arc scores the same in all of these trees, so that its costs do not matter.  The scores are
    // left with all other arcs of annotated words forbidden.
    bool complete(const Settings& settings, const GoldTree& given, LabelledTree& tree) {
        scorer.hold(given.given_heads);
        known_ = nullptr;
        if (!decode(settings, tree)) return false;
        for (int32_t m = 1; tables.labelled() && m <= words(); ++m)
            if (given.given_labels[m] >= 0) tree.labels[m] = given.given_labels[m];
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
    void for_each_feature(const FeaturePart& labelled_part, Function f) const {
        std::visit([&](const auto& part) { for_each_feature(part, labelled_part.label, f); }, labelled_part.part);
    }

    // The weight of a feature of an arc (label -1) or of a label, and a change of it.
    float weight(uint64_t key, int32_t label) const {
        return label < 0 ? weights(key) : label_weights(key, label);
    }
    void change(uint64_t key, int32_t label, float delta) {
        if (label < 0)
            weights.add(key, delta, step);
        else
            label_weights.add(key, label, delta, step);
    }

private:
    template <class Part, class Function>
    void for_each_feature(const Part& part, int32_t label, Function& f) const {
        const SentenceFeatures& sentence = scorer.sentence();
        const auto visit_templates = [&](const std::vector<int32_t>& templates, int32_t h, int32_t m) {
            for (int32_t t : templates) sentence.for_each(t, h, m, f);
        };
        if constexpr (std::is_same_v<Part, Arc>) {
            if (label < 0) return visit_templates(tables.arcs, part.h, part.m);
            for (int32_t t = 0; t < static_cast<int32_t>(tables.templates.all.size()); ++t)
                if (sentence.of(t).label) sentence.for_each(t, part.h, part.m, f);
        } else {
            part_scorer.keys().for_each(part, f);
            if constexpr (std::is_same_v<Part, Sibling>)
                if (part.m != part.h && part.s != part.h)
                    visit_templates(tables.parts.sibling_pairs, part.m, part.s);
            if constexpr (std::is_same_v<Part, Grandparent>)
                visit_templates(tables.parts.grandparent_pairs, part.g, part.m);
        }
    }

    const int32_t* known_ = nullptr;  // a tree to begin with
    PartTables parts_;
};

}  // namespace wnparse
