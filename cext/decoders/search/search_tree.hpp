// The nodes of a branch-and-bound search that are still open, and what visiting them takes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "decoders/direct/gap_chart.hpp"
#include "decoders/feasibility/first_tree.hpp"
#include "decoders/relaxation/search_state.hpp"

namespace wnparse {

template <int W>
struct Node {
    std::vector<BitSet<W>> open;  // [n + 1]
    std::vector<Cut<W>> cuts;     // with the multipliers to start from
    std::vector<double> shares;   // multipliers of agreement
    RulePrices::Saved rules;      // multipliers of rules, and labels that are fixed to zero
    double bound = 0.0;           // of every tree of this node
};

// A depth-first stack; entries above its height keep their buffers.
template <int W>
class NodeStack {
public:
    void clear() { height_ = 0; }
    bool empty() const { return height_ == 0; }
    int32_t height() const { return height_; }

    // A node with the arcs and cuts that the search has now.
    Node<W>& push(const SearchState<W>& state, double bound) {
        if (static_cast<int32_t>(nodes_.size()) <= height_) nodes_.emplace_back();
        Node<W>& node = nodes_[height_++];
        node.open = state.open();
        node.cuts = state.cuts();
        if (state.has_parts()) node.shares = state.agreement().multipliers();
        if (state.has_rules()) node.rules = state.rule_prices().saved();
        node.bound = bound;
        return node;
    }
    // Have this node popped next.
    void raise(int32_t place) { std::swap(nodes_[place], nodes_[height_ - 1]); }
    // Where a node of the highest bound is.
    int32_t highest_place() const {
        int32_t best = height_ - 1;
        for (int32_t i = height_ - 1; i >= 0; --i)
            if (nodes_[i].bound > nodes_[best].bound) best = i;
        return best;
    }
    // Valid until the next push.
    const Node<W>& pop() { return nodes_[--height_]; }

    // The largest bound of a node, or `least`.
    double highest(double least) const {
        for (int32_t i = 0; i < height_; ++i) least = std::max(least, nodes_[i].bound);
        return least;
    }

private:
    std::vector<Node<W>> nodes_;
    int32_t height_ = 0;
};

// Everything that the searches of one width of bit sets own; buffers live on between sentences.
template <int W>
struct SearchTree {
    SearchState<W> state;
    FirstTree<W> first;
    GapChart<BestWeights> chart;
    NodeStack<W> nodes;
};

}  // namespace wnparse
