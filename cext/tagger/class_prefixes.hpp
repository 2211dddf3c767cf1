// The classes of a tag as a tree of their atoms: classes that begin with the same atoms share their sum.
//
// score(class) is a sum over its atoms (class_choice.hpp).  With the atoms of each class ordered by how many
// classes of the tag have them, the most common first, all classes of a tag are paths of one tree, and one
// addition a node gives all sums: Turkish verbs have 608 classes with 4,886 atoms, and 1,302 nodes.  O(nodes +
// classes) a word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tagger/class_choice.hpp"
#include "tagger/lookup_table.hpp"

namespace wnparse {

class ClassPrefixes {
public:
    // Atoms of the classes of all tags that the trees of a tagger are made of, at most: 4 million take a second.
    static constexpr int64_t most_atoms = 1 << 22;

    ClassPrefixes(const ClassTables& tables, const NumberList& classes) : own_(tables.atom_count) {
        std::vector<int32_t> counts(static_cast<size_t>(tables.atom_count), 0);
        for (int32_t number : classes)
            for (int32_t atom : tables.atoms[number]) ++counts[static_cast<size_t>(atom)];
        std::unordered_map<int64_t, int32_t> known;  // parent and atom: node
        nodes_.push_back({0, 0});                    // the root, which no atom leads to
        for (int32_t number : classes) {
            const NumberList list = tables.atoms[number];
            std::vector<int32_t> atoms(list.begin(), list.end());
            std::sort(atoms.begin(), atoms.end(), [&](int32_t a, int32_t b) {
                const int32_t first = counts[static_cast<size_t>(a)], second = counts[static_cast<size_t>(b)];
                return first != second ? first > second : a < b;
            });
            int32_t node = 0;
            for (int32_t atom : atoms) {
                const int64_t key = int64_t{node} * tables.atom_count + atom;
                const auto inserted = known.emplace(key, static_cast<int32_t>(nodes_.size()));
                if (inserted.second) nodes_.push_back({node, atom});
                node = inserted.first->second;
            }
            leaves_.push_back({node, number});
        }
        order_by_depth();
    }

    // As ClassTables::best of all classes of the tag, at least one: the first of the best ones.  `values` is
    // working memory.
    int32_t best(const int32_t* sums, std::vector<int32_t>* values, int32_t* best_score) const {
        values->resize(nodes_.size());
        int32_t* value = values->data();
        value[0] = 0;
        for (size_t k = 1; k < nodes_.size(); ++k) value[k] = value[nodes_[k].parent] + sums[nodes_[k].atom];
        int32_t chosen = leaves_.front().number, most = std::numeric_limits<int32_t>::min();
        for (const Leaf& leaf : leaves_) {
            const int32_t score = value[leaf.node] + sums[own_ + leaf.number];
            chosen = score > most ? leaf.number : chosen;
            most = std::max(most, score);
        }
        *best_score = most;
        return chosen;
    }

private:
    // Level by level: no node waits for the one just before it.
    void order_by_depth() {
        std::vector<int32_t> depth(nodes_.size(), 0), order(nodes_.size()), place(nodes_.size());
        for (size_t k = 1; k < nodes_.size(); ++k) depth[k] = depth[static_cast<size_t>(nodes_[k].parent)] + 1;
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
            return depth[static_cast<size_t>(a)] < depth[static_cast<size_t>(b)];
        });
        for (size_t k = 0; k < order.size(); ++k) place[static_cast<size_t>(order[k])] = static_cast<int32_t>(k);
        std::vector<Node> nodes;
        for (int32_t k : order) {
            const Node& node = nodes_[static_cast<size_t>(k)];
            nodes.push_back({place[static_cast<size_t>(node.parent)], node.atom});
        }
        nodes_ = std::move(nodes);
        for (Leaf& leaf : leaves_) leaf.node = place[static_cast<size_t>(leaf.node)];
    }

    struct Node {
        int32_t parent, atom;  // a parent stands before its children
    };
    struct Leaf {
        int32_t node, number;
    };

    int32_t own_;  // where the sums of classes begin
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;  // in the order of the classes
};

}  // namespace wnparse
