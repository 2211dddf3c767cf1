// Rules over labelled arcs, hard or soft, as compiled for the labels of a model (wnparse/rules/compile.py).
//
// Riedel and Clarke (2006), section 3.1.  Labels that occur in the same rules are of one class; what a rule says
// of labels it says of classes.  What it says of tokens are predicates, worked out for each sentence beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace wnparse {

// Predicates of the nodes of a sentence.
struct NodeBits {
    const uint64_t* bits = nullptr;  // [n + 1][words]
    int32_t words = 1;

    bool has(int32_t predicate, int32_t node) const {
        return predicate < 0 || (bits[int64_t{node} * words + predicate / 64] >> (predicate % 64) & 1) != 0;
    }
};

// Which labelled arcs h -> m a rule speaks of.
struct ArcPattern {
    int32_t head = -1, dependent = -1;  // predicates; -1: any node
    int32_t direction = 0;              // 1: the head comes first, 2: the dependent does
    int32_t least = 0, most = 0;        // distance; 0: no limit
    uint64_t classes = ~uint64_t{0};

    // Whatever the label.
    bool fits(const NodeBits& nodes, int32_t h, int32_t m) const {
        if (direction != 0 && (direction == 1) != (h < m)) return false;
        const int32_t distance = std::abs(h - m);
        if (distance < least || (most > 0 && distance > most)) return false;
        return nodes.has(head, h) && nodes.has(dependent, m);
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

    // From numbers; the layout is that of wnparse/rules/compile.py.
    static TreeRule of(const int32_t* row, const uint64_t* masks, double penalty, const int32_t* classes) {
        TreeRule rule;
        rule.kind = static_cast<RuleKind>(row[0]);
        rule.node = row[1];
        rule.limit = row[2];
        rule.between = row[3];
        rule.crossing = row[4];
        rule.arc = {row[5], row[6], row[7], row[8], row[9], masks[0]};
        rule.has_other = row[10] != 0;
        rule.other = {row[11], row[12], row[13], row[14], row[15], masks[1]};
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
