#include "decoders/rules/tree_shape.hpp"

#include <algorithm>
#include <cstddef>

namespace wnparse {

void TreeShape::look_at(const int32_t* heads) {
    if (!heads_.empty() && std::equal(heads_.begin(), heads_.end(), heads)) return;
    heads_.assign(heads, heads + n_ + 1);
    children_known_ = crossed_known_ = yields_known_ = false;
}

void TreeShape::list_children() {
    if (children_known_) return;
    children_known_ = true;
    child_begin_.assign(n_ + 2, 0);
    children_.resize(n_);
    for (int32_t m = 1; m <= n_; ++m) ++child_begin_[heads_[m] + 1];
    for (int32_t v = 0; v <= n_; ++v) child_begin_[v + 1] += child_begin_[v];
    filled_.assign(child_begin_.begin(), child_begin_.end() - 1);
    for (int32_t m = 1; m <= n_; ++m) children_[filled_[heads_[m]]++] = m;
}

// An arc from l to r, l < r, is crossed by one that begins between them and ends beyond r, or ends between them
// and begins before l.
void TreeShape::find_crossed() {
    if (crossed_known_) return;
    crossed_known_ = true;
    furthest_.resize(n_ + 1);
    nearest_.resize(n_ + 1);
    for (int32_t v = 0; v <= n_; ++v) furthest_[v] = nearest_[v] = v;
    for (int32_t m = 1; m <= n_; ++m) {
        const int32_t l = std::min(heads_[m], m), r = std::max(heads_[m], m);
        furthest_[l] = std::max(furthest_[l], r);
        nearest_[r] = std::min(nearest_[r], l);
    }
    crossed_.assign(n_ + 1, 0);
    projective_ = true;
    for (int32_t m = 1; m <= n_; ++m) {
        const int32_t l = std::min(heads_[m], m), r = std::max(heads_[m], m);
        int32_t furthest = r, nearest = l;
        for (int32_t v = l + 1; v < r; ++v) {
            furthest = std::max(furthest, furthest_[v]);
            nearest = std::min(nearest, nearest_[v]);
        }
        if (furthest == r && nearest == l) continue;
        crossed_[m] = 1;
        projective_ = false;
    }
}

void TreeShape::list_yield(int32_t m, std::vector<int32_t>& yield) {
    list_children();
    yield.assign(1, m);
    for (size_t i = 0; i < yield.size(); ++i)
        for (int32_t k = first_child(yield[i]); k < last_child(yield[i]); ++k) yield.push_back(child(k));
    std::sort(yield.begin(), yield.end());
}

void TreeShape::find_yields() {
    if (yields_known_) return;
    yields_known_ = true;
    list_children();
    first_.resize(n_ + 1);
    last_.resize(n_ + 1);
    for (int32_t v = 0; v <= n_; ++v) first_[v] = last_[v] = v;
    size_.assign(n_ + 1, 1);
    // Every word comes after its head.
    std::vector<int32_t> order(1, 0);
    order.reserve(n_ + 1);
    for (size_t i = 0; i < order.size(); ++i)
        for (int32_t k = first_child(order[i]); k < last_child(order[i]); ++k) order.push_back(child(k));
    for (size_t i = order.size(); i-- > 1;) {
        const int32_t m = order[i], h = heads_[m];
        first_[h] = std::min(first_[h], first_[m]);
        last_[h] = std::max(last_[h], last_[m]);
        size_[h] += size_[m];
    }
}

}  // namespace wnparse
