// A perceptron step from head automata alone, without a tree (scripts/studies/inference.py).
//
// Koo et al. (2010), section 6: z* = argmax over Z of f(z) + loss, one run of each automaton, and w <- w + f(gold)
// - f(z*).  A word may have no head in z*, or several: the loss counts a wrong arc that is chosen, and a gold arc
// that is not.  The time per sentence is that of one run of each automaton.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "decoders/relaxation/head_automata.hpp"
#include "learning/learners.hpp"
#include "learning/tree_parts.hpp"

namespace wnparse {

class AutomataStep {
public:
    // One update of the weights of a learner.  `counts`: gold heads that are chosen, and those with their gold
    // labels.
    void learn(OnlineLearner& learner, const Tokens& tokens, const GoldTree& gold, const KeptArcs& kept,
               bool single_root, OnlineLearner::Counts* counts) {
        LearnerState& state = learner.state;
        state.score(tokens, gold, state.margin, &kept);
        choose(state, gold, single_root);
        changed_ = false;
        *counts = step_arcs(state, gold);
        if (changed_) step_parts(state, gold);
        state.step += 1;
        learner.changed = changed_;
    }

    // The children that the automata chose, going outwards: the interface of Children.
    int32_t count(int32_t h, bool right) const { return begin_[2 * h + right + 1] - begin_[2 * h + right]; }
    const int32_t* of(int32_t h, bool right) const { return children_.data() + begin_[2 * h + right]; }

private:
    using PartName = std::array<int32_t, 6>;

    void choose(const LearnerState& state, const GoldTree& gold, bool single_root) {
        const PartTables& tables = state.parts();
        automata_.start(tables, single_root);
        for_each_child(tables, [&](int32_t h, int32_t m, int32_t place) {
            const double spared = gold.heads[m] == h ? state.margin : 0.0;
            automata_.set_child(h, place, state.scorer.row(m)[h] - spared);
        });
        automata_.solve();
        begin_.assign(1, 0);
        children_.clear();
        heads_.assign(tables.words() + 1, -1);
        for (int32_t h = 0; h <= tables.words(); ++h) {
            if (h > 0) heads_[h] = automata_.head(h);
            for (const PartTables::Side& side : tables.head(h).side) {
                for (int32_t k = 0; k < side.count; ++k)
                    if (automata_.has_child(side.child + k)) children_.push_back(tables.children(side)[k]);
                begin_.push_back(static_cast<int32_t>(children_.size()));
            }
        }
    }

    template <class Visit>
    static void for_each_child(const PartTables& tables, Visit&& visit) {
        for (int32_t h = 0; h <= tables.words(); ++h)
            for (const PartTables::Side& side : tables.head(h).side)
                for (int32_t k = 0; k < side.count; ++k) visit(h, tables.children(side)[k], side.child + k);
    }

    void change(LearnerState& state, const FeaturePart& part, float delta) {
        changed_ = true;
        state.for_each_feature(part, [&](uint64_t key) { state.change(key, part.label, delta); });
    }

    OnlineLearner::Counts step_arcs(LearnerState& state, const GoldTree& gold) {
        const bool labelled = state.tables.labelled();
        OnlineLearner::Counts counts{0, 0};
        const auto add = [&](int32_t h, int32_t m, int32_t label, float delta) {
            change(state, FeaturePart::of_arc(h, m), delta);
            if (labelled) change(state, FeaturePart{h, m, label}, delta);
        };
        for_each_child(state.parts(), [&](int32_t h, int32_t m, int32_t place) {
            const bool right = gold.heads[m] == h;
            if (!automata_.has_child(place)) {
                if (right) add(h, m, gold.labels[m], 1);
                return;
            }
            const int32_t label = labelled ? state.scorer.label(h, m) : 0;
            if (!right) return add(h, m, label, -1);
            ++counts.heads;
            if (!labelled || label == gold.labels[m]) {
                ++counts.labels;
                return;
            }
            change(state, FeaturePart{h, m, gold.labels[m]}, 1);
            change(state, FeaturePart{h, m, label}, -1);
        });
        return counts;
    }

    // Parts that both have are left out, so that no weights are made for them.
    void step_parts(LearnerState& state, const GoldTree& gold) {
        const TreeParts right(gold.heads, state.words());
        const int32_t order = state.tables.order;
        shared_.clear();
        for (int32_t h = 0; h <= state.words(); ++h) {
            for_each_part_around(heads_.data(), *this, h, order, [&](const auto& part) {
                if (right.has(part))
                    shared_.push_back(name(part));
                else
                    change(state, FeaturePart(part), -1);
            });
        }
        std::sort(shared_.begin(), shared_.end());
        for (int32_t h = 0; h <= state.words(); ++h) {
            right.for_each_around(h, order, [&](const auto& part) {
                if (!std::binary_search(shared_.begin(), shared_.end(), name(part)))
                    change(state, FeaturePart(part), 1);
            });
        }
    }

    static PartName name(const Sibling& part) { return {0, part.h, part.m, part.s, part.right, 0}; }
    static PartName name(const Grandparent& part) { return {1, part.g, part.h, part.m, 0, 0}; }
    static PartName name(const GrandSibling& part) {
        return {2, part.g, part.sibling.h, part.sibling.m, part.sibling.s, part.sibling.right};
    }
    static PartName name(const TriSibling& part) { return {3, part.h, part.m, part.s, part.t, part.right}; }

    HeadAutomata automata_;
    std::vector<int32_t> heads_;     // [n + 1] by each node's own automaton
    std::vector<int32_t> children_;  // of all heads, left ones first
    std::vector<int32_t> begin_;     // [2 (n + 1) + 1]
    std::vector<PartName> shared_;
    bool changed_ = false;  // a weight was changed
};

}  // namespace wnparse
