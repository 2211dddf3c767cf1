// Margin constraints of one sentence: w.d_i >= L_i, each d_i a difference of the features of gold arcs and wrong
// ones.
//
// The constraints of a sentence share arcs and features, and features that two arcs of a word have in common
// cancel out.  So features are numbered within the sentence and looked up among the weights once, those of an arc
// are collected once, and every d_i is summed up exactly: then |d_i|^2 is exact, and a step of the length that a
// margin needs makes it hold. O(features of the arcs), and for the gram matrix the sum over features of their
// constraints, squared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "learning/hildreth.hpp"
#include "learning/learner_state.hpp"
#include "learning/tree_difference.hpp"

namespace wnparse {

class MarginConstraints {
public:
    // Forget the sentence before.
    void start(LearnerState& state) {
        state_ = &state;
        parts_.clear();
        part_begin_.assign(1, 0);
        part_features_.clear();
        for (const Feature& feature : features_) places_[feature.place] = -1;
        features_.clear();
        begin_.assign(1, 0);
        terms_.clear();
        violations_.clear();
    }

    int32_t count() const { return static_cast<int32_t>(violations_.size()); }

    // Add sign times the features of a part to the difference that is being made.
    void add(const FeaturePart& part, int32_t sign) {
        const int32_t index = collected(part);
        for (int32_t i = part_begin_[index]; i < part_begin_[index + 1]; ++i) {
            Feature& feature = features_[part_features_[i]];
            if (feature.sum == 0) touched_.push_back(part_features_[i]);
            feature.sum += sign;
        }
    }

    // The same for an arc with its label.
    void add(int32_t h, int32_t m, int32_t label, int32_t sign) {
        add(FeaturePart::of_arc(h, m), sign);
        if (state_->tables.labelled()) add({h, m, label}, sign);
    }

    // End the difference: it is to win by a loss.  Constraints that hold already are kept, for other steps may
    // break them.
    void finish(double loss) {
        double margin = 0;
        for (int32_t id : touched_) {
            Feature& feature = features_[id];
            if (feature.sum != 0) {
                terms_.push_back({id, feature.sum});
                margin += static_cast<double>(feature.sum) * feature.weight;
            }
            feature.sum = 0;
        }
        touched_.clear();
        begin_.push_back(static_cast<int32_t>(terms_.size()));
        violations_.push_back(loss - margin);
    }

    // The constraint that a guessed tree makes: s(gold) - s(guess) >= its loss.  None if the guess is right.
    void add_tree(const GoldTree& gold, const LabelledTree& guess) {
        const auto add_one = [&](const FeaturePart& part, int32_t sign) { add(part, sign); };
        const Difference difference = for_each_difference(*state_, gold, guess, add_one);
        if (difference.loss > 0) finish(difference.loss);
    }

    // The score of an arc with its label, from the weights themselves.
    double score(int32_t h, int32_t m, int32_t label) {
        double sum = 0;
        for (const int32_t kind : {-1, label}) {
            if (kind == label && !state_->tables.labelled()) continue;
            const int32_t index = collected({h, m, kind});
            for (int32_t i = part_begin_[index]; i < part_begin_[index + 1]; ++i)
                sum += features_[part_features_[i]].weight;
        }
        return sum;
    }

    // Move the weights as little as the margins need, no multiplier beyond `limit`; false if nothing had to
    // change.
    bool step(double limit) {
        fill_gram();
        const double size = std::max(count(), 1);
        const int32_t passes = static_cast<int32_t>(std::clamp(work / (size * size), 10.0, 1000.0));
        solver_.solve(gram_.data(), violations_.data(), count(), limit, tolerance, passes);
        for (int32_t i = 0; i < count(); ++i)
            for (int32_t k = begin_[i]; k < begin_[i + 1]; ++k)
                features_[terms_[k].feature].change += solver_.alpha[i] * terms_[k].coefficient;
        bool changed = false;
        for (const Feature& feature : features_) {
            const float change = static_cast<float>(feature.change);
            if (change == 0) continue;
            changed = true;
            state_->change(feature.key, feature.label, change);
        }
        return changed;
    }

private:
    struct Feature {
        uint64_t key;
        int32_t label;  // -1: of the arc
        float weight;
        size_t place;   // in the hash table
        int32_t sum;    // its coefficient in the difference that is being made
        double change;  // by the step
    };
    struct Term {
        int32_t feature;
        int32_t coefficient;
    };

    // The index of a part, whose features are collected when they are first needed.
    int32_t collected(const FeaturePart& part) {
        const auto [found, missing] = parts_.try_emplace(name_of(part), static_cast<int32_t>(parts_.size()));
        if (!missing) return found->second;
        state_->for_each_feature(part, [&](uint64_t key) { part_features_.push_back(number(key, part.label)); });
        part_begin_.push_back(static_cast<int32_t>(part_features_.size()));
        return found->second;
    }

    // A hash of all that makes a part.
    struct Name {
        uint64_t value;
        void add(int32_t node) { value = mix(value ^ static_cast<uint64_t>(node)) + odd_constant; }
        void operator()(const Arc& part) { (add(part.h), add(part.m)); }
        void operator()(const Sibling& part) { (add(part.h), add(part.m), add(part.s), add(part.right)); }
        void operator()(const Grandparent& part) { (add(part.g), add(part.h), add(part.m)); }
        void operator()(const GrandSibling& part) { (add(part.g), (*this)(part.sibling)); }
        void operator()(const TriSibling& part) {
            (add(part.h), add(part.m), add(part.s), add(part.t), add(part.right));
        }
    };
    static uint64_t name_of(const FeaturePart& part) {
        Name name{mix(static_cast<uint64_t>(part.label + 1) * 8 + part.part.index() + 1)};
        std::visit(name, part.part);
        return name.value;
    }

    // The number of a feature within the sentence, by an open hash table.
    int32_t number(uint64_t key, int32_t label) {
        if (features_.size() * 2 >= places_.size()) grow();
        const size_t at = place(key, label);
        if (places_[at] < 0) {
            places_[at] = static_cast<int32_t>(features_.size());
            const float weight = state_->weight(key, label);
            features_.push_back({key, label, weight, at, 0, 0.0});
        }
        return places_[at];
    }

    size_t place(uint64_t key, int32_t label) const {
        const size_t mask = places_.size() - 1;
        size_t at = (key + static_cast<uint64_t>(label + 1) * odd_constant) & mask;
        while (places_[at] >= 0 && (features_[places_[at]].key != key || features_[places_[at]].label != label))
            at = (at + 1) & mask;
        return at;
    }

    void grow() {
        places_.assign(places_.empty() ? size_t(1) << 12 : 2 * places_.size(), -1);
        for (size_t id = 0; id < features_.size(); ++id) {
            features_[id].place = place(features_[id].key, features_[id].label);
            places_[features_[id].place] = static_cast<int32_t>(id);
        }
    }

    // G_ij = d_i.d_j, feature by feature: most are of few constraints.
    void fill_gram() {
        const size_t size = violations_.size();
        gram_.assign(size * size, 0.0);
        of_feature_.assign(features_.size() + 1, 0);
        for (const Term& term : terms_) ++of_feature_[term.feature + 1];
        for (size_t f = 0; f < features_.size(); ++f) of_feature_[f + 1] += of_feature_[f];
        sorted_.resize(terms_.size());
        for (size_t i = size; i-- > 0;)
            for (int32_t k = begin_[i + 1]; k-- > begin_[i];)
                sorted_[--of_feature_[terms_[k].feature + 1]] = {static_cast<int32_t>(i), terms_[k].coefficient};
        // of_feature_[f + 1] now begins the constraints of feature f, and ends those of f - 1.
        for (size_t f = 0; f < features_.size(); ++f) {
            const size_t end = f + 2 < of_feature_.size() ? of_feature_[f + 2] : sorted_.size();
            for (size_t a = of_feature_[f + 1]; a < end; ++a) {
                double* row = gram_.data() + sorted_[a].feature * size;
                for (size_t b = of_feature_[f + 1]; b < end; ++b) {
                    row[sorted_[b].feature] +=
                        static_cast<double>(sorted_[a].coefficient) * sorted_[b].coefficient;
                }
            }
        }
    }

    // Short by a ten thousandth of the largest violation is near enough: weights are rounded more than that.
    static constexpr double tolerance = 1e-4;
    static constexpr double work =
        1e8;  // operations of the solver; only thousands of constraints can be left short by it

    LearnerState* state_ = nullptr;
    std::unordered_map<uint64_t, int32_t> parts_;  // from the name of a part to its index
    std::vector<int32_t> part_begin_;              // [parts + 1]
    std::vector<int32_t> part_features_;           // numbers of features
    std::vector<Feature> features_;
    std::vector<int32_t> places_;   // [2^k], numbers of features, -1 where there is none
    std::vector<int32_t> touched_;  // features of the difference that is being made
    std::vector<int32_t> begin_;    // [constraints + 1]
    std::vector<Term> terms_;
    std::vector<double> violations_;   // [constraints], L_i - w.d_i
    std::vector<double> gram_;         // [constraints][constraints]
    std::vector<int32_t> of_feature_;  // [features + 1]
    std::vector<Term> sorted_;         // by feature: constraint and coefficient
    Hildreth solver_;
};

}  // namespace wnparse
