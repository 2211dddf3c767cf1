// A labelled tree as rules see it: which arcs match a pattern, and which words or arcs break a rule.
//
// Decoders (rule_rows.hpp) and reports (occasions.hpp) use these definitions, so that they count the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decoders/rules/tree_shape.hpp"
#include "problem/rules.hpp"

namespace wnparse {

// The kind of the crossing pair h -> m, i -> j (Crossing), 0 if they do not cross.
inline int32_t crossing_kind(int32_t h, int32_t m, int32_t i, int32_t j) {
    const auto inside = [](int32_t v, int32_t a, int32_t b) { return (v > a && v < b) || (v > b && v < a); };
    const bool enters = inside(j, h, m);
    if (enters == inside(i, h, m) || i == h || i == m || j == h || j == m) return 0;
    return (enters ? other_enters : other_leaves) | (inside(m, i, j) ? dependent_inside : head_inside);
}

class RuledTree {
public:
    // Forget the last tree.
    void start(int32_t words) {
        n_ = words;
        shape_.start(words);
    }

    // Begin with a tree, [n + 1]; class_of(m) is the class of the label of word m.
    template <class ClassOf>
    void look_at(const NodeBits& nodes, const int32_t* heads, ClassOf&& class_of) {
        nodes_ = nodes;
        heads_ = heads;
        classes_.resize(n_ + 1);
        for (int32_t m = 1; m <= n_; ++m) classes_[m] = class_of(m);
        sort_by_class();
        shape_.look_at(heads);
    }

    int32_t words() const { return n_; }
    const NodeBits& nodes() const { return nodes_; }
    int32_t head(int32_t m) const { return heads_[m]; }
    int32_t label_class(int32_t m) const { return classes_[m]; }
    TreeShape& shape() { return shape_; }

    // Whether a label of the tree is of one of these classes.
    bool uses(uint64_t classes) const { return (classes & used_) != 0; }

    // Whether the arc to m matches; node 0 has none.
    bool matches(const ArcPattern& pattern, int32_t m) const {
        return m > 0 && pattern.takes(classes_[m]) && pattern.fits(nodes_, heads_[m], m);
    }
    // Call visit(m) for the words whose arcs match, those with labels of one class together.
    template <class Visit>
    void each_match(const ArcPattern& pattern, Visit&& visit) const {
        for (uint64_t left = pattern.classes & used_; left != 0; left &= left - 1) {
            const int32_t label_class = __builtin_ctzll(left);
            for (int32_t i = class_begin_[label_class]; i < class_begin_[label_class + 1]; ++i)
                if (pattern.fits(nodes_, heads_[by_class_[i]], by_class_[i])) visit(by_class_[i]);
        }
    }

    // Most, least: whether the rule holds for the children of h.  Node 0 needs children only where the rule names
    // it.
    bool counts_children(const TreeRule& rule, int32_t h) const {
        if (rule.kind == RuleKind::least && rule.node < 0 && h == 0) return false;
        return nodes_.has(rule.node, h) && (!rule.has_other || matches(rule.other, h));
    }
    // Between: whether j, which stands between a word and its head h, must not.
    bool intrudes(const TreeRule& rule, int32_t h, int32_t j) const {
        return nodes_.has(rule.between, j) && !(heads_[j] == h && matches(rule.other, j));
    }
    // Projective: call visit(j) for the arcs that must not cross the one to m; shape().list_children() and
    // shape().projective() must have been called before.
    template <class Visit>
    void each_crossing(const TreeRule& rule, int32_t m, Visit&& visit) const {
        if (!shape_.crossed(m)) return;
        const int32_t h = heads_[m], low = std::min(h, m), high = std::max(h, m);
        const auto look = [&](int32_t j) {
            const int32_t kind = crossing_kind(h, m, heads_[j], j);
            if ((kind & rule.crossing) != 0 && (!rule.has_other || matches(rule.other, j))) visit(j);
        };
        // An arc that crosses has one end inside: its dependent, or its head.
        for (int32_t v = low + 1; v < high; ++v) {
            look(v);
            for (int32_t k = shape_.first_child(v); k < shape_.last_child(v); ++k)
                if (shape_.child(k) < low || shape_.child(k) > high) look(shape_.child(k));
        }
    }

private:
    void sort_by_class();

    int32_t n_ = 0;
    NodeBits nodes_;
    const int32_t* heads_ = nullptr;
    TreeShape shape_;
    std::vector<int32_t> classes_;   // [n + 1] of the labels
    std::vector<int32_t> by_class_;  // words, those of a class together
    int32_t class_begin_[Rules::most_classes + 1] = {};
    uint64_t used_ = 0;  // classes of the tree's labels
};

}  // namespace wnparse
