// Occasions to break rules in a labelled tree, and those on which the tree breaks them.
//
// An occasion of a row of a rule is
//
//     forbid      an arc that matches `other`, which describes the occasions of the row
//     most        a node with at least one child that the row counts; limit 0: each node that the row is about
//     least       each node that the row is about; a rule with both most and least has only these occasions
//     siblings    a node with at least one child that matches either pattern
//     others      an arc that matches `arc`
//
// and each place where the rule is broken.  The units of violation are those of rule_rows.hpp, summed up for each
// occasion.  A row takes O(n), however many units there are, and O(sum of the lengths of arcs) if it is about
// crossings or about words between siblings.
//
// The trees of a treebank may have more labels than there are classes of labels in a decoder.  Therefore classes
// are those of a single row, which has two sets of labels: a label has the class 1 if `arc` takes it, plus 2 if
// `other` does.
//
// Every word has a head and a label.  Partially annotated trees, which are not supported yet, would have -1
// instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decoders/rules/ruled_tree.hpp"
#include "problem/rules.hpp"

namespace wnparse {

// A row of a rule to be counted.
struct CountedRow {
    TreeRule pattern;
    int32_t rule;                      // that it belongs to
    int32_t arc_labels, other_labels;  // sets of labels, by number; -1: all labels
    bool exact;                        // most, of a rule that has least as well
};

// Rules to be counted.
struct CountedRules {
    std::vector<CountedRow> rows;  // those of a rule together
    int32_t count = 0;             // of the rules

    // Add a row: a line of the table that decoders read, and its sets of labels.
    void add(const int32_t* line, const int32_t* classes, int32_t rule, int32_t arc_labels, int32_t other_labels) {
        constexpr uint64_t masks[2] = {0b1010, 0b1100};  // classes that `arc` takes, that `other` takes
        rows.push_back({TreeRule::of(line, masks, 0.0, classes), rule, arc_labels, other_labels, false});
        if (rows.back().pattern.kind != RuleKind::least) return;
        for (CountedRow& row : rows) row.exact |= row.rule == rule && row.pattern.kind == RuleKind::most;
    }
};

// What an occasion or a violation is about.
struct OccasionPlace {
    int32_t node;
    int32_t dependent;  // of the arc from the node; -1: the node and its children
};

struct BrokenOccasion {
    OccasionPlace place;
    int64_t units;               // of violation, as penalties count them
    std::vector<int32_t> words;  // that are involved, in order
};

// The occasions of one rule in a tree.
struct RuleOccasions {
    std::vector<OccasionPlace> all;  // each once
    std::vector<BrokenOccasion> broken;
};

// A tree with numbers of labels.
struct NumberedTree {
    const int32_t* heads;   // [n + 1]
    const int32_t* labels;  // [n + 1], that of node 0 unused
    int32_t n;
    NodeBits label_sets;  // of labels, by number: the sets that each belongs to
    NodeBits nodes;
};

class OccasionFinder {
public:
    // The occasions of each rule in a tree.
    std::vector<RuleOccasions> find(const CountedRules& rules, const NumberedTree& tree);

private:
    struct Sibling {
        int32_t word;
        bool first, second;  // which patterns match
    };
    // Siblings that are interchangeable for a row, and that no word parts from the next sibling.
    struct SiblingKind {
        Sibling example;
        std::vector<int32_t> words;
        size_t marked;  // how many of them are in words_
    };

    void find_arcs(const CountedRow& row);
    void find_counts(const CountedRow& row);
    void find_siblings(const CountedRow& row);
    void find_between(const CountedRow& row);
    int64_t count_crossings(const TreeRule& rule, int32_t m);
    int64_t count_pairs(const TreeRule& rule);

    void add_occasion(const CountedRow& row, OccasionPlace place);
    void add_arc(const CountedRow& row, int32_t m, int64_t units);
    // With the words of words_, in any order.
    void add_violation(const CountedRow& row, OccasionPlace place, int64_t units);

    RuledTree tree_;
    std::vector<RuleOccasions> found_;  // [rules]
    std::vector<int32_t> noted_;        // [n + 1] the last rule with an occasion at a node, or at the arc to it
    std::vector<Sibling> siblings_;     // of one head
    std::vector<SiblingKind> kinds_;
    std::vector<int32_t> words_;                // of a violation
    std::vector<int32_t> counted_, permitted_;  // sums up to each word, each child
};

}  // namespace wnparse
