// Rules over labelled arcs, hard or soft, as compiled for the labels of a model (wnparse/rules/compile.py).
//
// Riedel and Clarke (2006), section 3.1.  Labels that occur in the same rules are of one class; what a rule says
// of labels it says of classes.  What it says of tokens are predicates, worked out for each sentence beforehand;
// what it says of two tokens that must agree is a comparison of the values of a feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace wnparse {

// How the values of a feature on two words compare; same: they share one.
enum Comparison : int32_t { value_missing = 1, values_same = 2, values_differ = 4 };

// Predicates of the nodes of a sentence, and the values of the features that rules compare.
struct NodeBits {
    const uint64_t* bits = nullptr;  // [n + 1][words]
    int32_t words = 1;               // those of predicates, then those of each feature
    int32_t first_value = 1;         // words of predicates
    int32_t value_words = 0;         // of each feature: a bit for each value of it in the sentence

    // Bits whose words of each feature are as many as there is room for.
    static NodeBits of(const uint64_t* bits, int32_t words, int32_t predicate_words, int32_t features) {
        return {bits, words, predicate_words, features > 0 ? (words - predicate_words) / features : 0};
    }

    bool has(int32_t predicate, int32_t node) const {
        return predicate < 0 || (bits[int64_t{node} * words + predicate / 64] >> (predicate % 64) & 1) != 0;
    }
    Comparison compare(int32_t feature, int32_t u, int32_t v) const {
        const int64_t place = first_value + int64_t{feature} * value_words;
        const uint64_t *of_u = bits + int64_t{u} * words + place, *of_v = bits + int64_t{v} * words + place;
        uint64_t any_of_u = 0, any_of_v = 0, shared = 0;
        for (int32_t i = 0; i < value_words; ++i) {
            any_of_u |= of_u[i];
            any_of_v |= of_v[i];
            shared |= of_u[i] & of_v[i];
        }
        if (any_of_u == 0 || any_of_v == 0) return value_missing;
        return shared != 0 ? values_same : values_differ;
    }
};

// Which labelled arcs h -> m a rule speaks of.
struct ArcPattern {
    int32_t head = -1, dependent = -1;  // predicates; -1: any node
    int32_t direction = 0;              // 1: the head comes first, 2: the dependent does
    int32_t least = 0, most = 0;        // distance; 0: no limit
    uint64_t classes = ~uint64_t{0};
    int32_t feature = 0;      // of both ends, whose values are compared
    int32_t comparisons = 0;  // Comparison; 0: any, and the feature does not matter

    // Whatever the label.  Node 0 has no features, and nothing to be compared with.
    bool fits(const NodeBits& nodes, int32_t h, int32_t m) const {
        if (direction != 0 && (direction == 1) != (h < m)) return false;
        const int32_t distance = std::abs(h - m);
        if (distance < least || (most > 0 && distance > most)) return false;
        if (!nodes.has(head, h) || !nodes.has(dependent, m)) return false;
        return comparisons == 0 || (h > 0 && (nodes.compare(feature, h, m) & comparisons) != 0);
    }
    // Whether one end of an arc decides, whatever the other one.
    bool one_ended() const {
        return direction == 0 && least == 0 && most == 0 && comparisons == 0 && (head < 0 || dependent < 0);
    }
    bool takes(int32_t label_class) const { return (classes >> label_class & 1) != 0; }
};

// What each forbids, and what a unit of violation is, stands in rule_rows.hpp.
enum class RuleKind : int32_t { forbid, most, least, siblings, parent, between, projective, contiguous };

// The kinds of crossing pairs of an arc and another one.
enum Crossing : int32_t { other_enters = 1, other_leaves = 2, dependent_inside = 4, head_inside = 8 };

struct TreeRule {
    RuleKind kind = RuleKind::forbid;
    int32_t node = -1;             // predicate of the node whose children are meant
    int32_t limit = 0;             // how many of them
    int32_t between = -1;          // predicate of the words between
    int32_t crossing = 0;          // kinds of crossing pairs
    bool has_other = false;        // whether the second pattern counts
    ArcPattern arc, other;         //
    std::vector<int32_t> classes;  // predicates of which two words must share one
    double penalty = 0.0;          // a unit of violation; infinite: hard

    // Siblings: whether a word that lets m < s stand together is between them.
    bool parted(const NodeBits& nodes, int32_t m, int32_t s) const {
        for (int32_t j = m + 1; j < s && between >= 0; ++j)
            if (nodes.has(between, j)) return true;
        return false;
    }
    // Siblings: whether m and s share a predicate that lets them stand together.
    bool alike(const NodeBits& nodes, int32_t m, int32_t s) const {
        for (const int32_t shared : classes)
            if (nodes.has(shared, m) && nodes.has(shared, s)) return true;
        return false;
    }
    // Siblings: whether m and s are interchangeable in `alike`.
    bool same_kind(const NodeBits& nodes, int32_t m, int32_t s) const {
        for (const int32_t shared : classes)
            if (nodes.has(shared, m) != nodes.has(shared, s)) return false;
        return true;
    }

    bool hard() const { return penalty == std::numeric_limits<double>::infinity(); }
    // Whether the heads of a tree decide what violates it, as for a penalty on crossing arcs.
    bool any_label() const {
        constexpr uint64_t all = ~uint64_t{0};
        return kind == RuleKind::projective && arc.classes == all && (!has_other || other.classes == all);
    }

    // From numbers; the layout is that of wnparse/rules/compile.py.
    static TreeRule of(const int32_t* row, const uint64_t* masks, double penalty, const int32_t* classes) {
        TreeRule rule;
        rule.kind = static_cast<RuleKind>(row[0]);
        rule.node = row[1];
        rule.limit = row[2];
        rule.between = row[3];
        rule.crossing = row[4];
        rule.arc = {row[5], row[6], row[7], row[8], row[9], masks[0], row[18] / 8, row[18] % 8};
        rule.has_other = row[10] != 0;
        rule.other = {row[11], row[12], row[13], row[14], row[15], masks[1], row[19] / 8, row[19] % 8};
        rule.classes.assign(classes + row[16], classes + row[17]);
        rule.penalty = penalty;
        return rule;
    }

    // No tree of n words violates the rule by more units.
    double most_units(int32_t n) const {
        switch (kind) {
            case RuleKind::least: return static_cast<double>(n + 1) * limit;
            case RuleKind::siblings: return 0.5 * n * n;
            case RuleKind::between:
            case RuleKind::projective: return static_cast<double>(n) * n;
            default: return n;
        }
    }
};

class Rules {
public:
    static constexpr int32_t most_classes = 64;  // the last one is that of arcs without a label

    std::vector<TreeRule> all;
    std::vector<int32_t> label_class;  // [labels]

    void add(const int32_t* row, const uint64_t* masks, double penalty, const int32_t* classes) {
        all.push_back(TreeRule::of(row, masks, penalty, classes));
    }

    // Whether there is more than labelled arcs that are forbidden one by one.
    bool empty() const { return all.empty(); }
};

}  // namespace wnparse
