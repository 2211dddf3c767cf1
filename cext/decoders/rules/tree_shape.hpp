// What rules need of the shape of a tree, whatever its labels: children, arcs that cross, and yields with a gap.
//
// Each is computed when it is first needed, and kept while the tree stays the same: searches for labels look at
// one tree many times.  O(n) for children and gaps; O(sum of the lengths of arcs) for crossings.
#pragma once

#include <cstdint>
#include <vector>

namespace wnparse {

class TreeShape {
public:
    // Forget the last tree.
    void start(int32_t words) {
        n_ = words;
        heads_.clear();
    }

    // Begin with a tree, [n + 1].
    void look_at(const int32_t* heads);

    // The children of a node, in order: [first, last) of child().
    int32_t first_child(int32_t h) const { return child_begin_[h]; }
    int32_t last_child(int32_t h) const { return child_begin_[h + 1]; }
    int32_t child(int32_t i) const { return children_[i]; }
    void list_children();  // must have been called before

    // No arcs of the tree cross, and so no yield has a gap: most trees need not be looked at any closer.
    bool projective() {
        find_crossed();
        return projective_;
    }
    // Whether the arc to m crosses any; projective() must have been called before.
    bool crossed(int32_t m) const { return crossed_[m] != 0; }

    // Whether the words below m, and m, do not stand in one piece.
    bool has_gap(int32_t m) {
        find_yields();
        return last_[m] - first_[m] + 1 != size_[m];
    }
    // The words below m, and m, in order.
    void list_yield(int32_t m, std::vector<int32_t>& yield);

private:
    void find_crossed();
    void find_yields();

    int32_t n_ = 0;
    std::vector<int32_t> heads_;                   // [n + 1]; empty: no tree yet
    std::vector<int32_t> children_, child_begin_;  // of each node
    std::vector<int32_t> filled_;                  // [n + 1]
    std::vector<int32_t> furthest_, nearest_;      // [n + 1] right, left ends of the arcs that begin, end there
    std::vector<char> crossed_;                    // [n + 1]
    std::vector<int32_t> first_, last_, size_;     // [n + 1] first and last word of each yield, and how many words
    bool children_known_ = false, crossed_known_ = false, yields_known_ = false;
    bool projective_ = true;
};

}  // namespace wnparse
