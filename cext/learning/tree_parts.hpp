// The parts of higher order that one tree has and another has not; O(words).
#pragma once

#include <cstdint>
#include <vector>

#include "problem/parts.hpp"

namespace wnparse {

class TreeParts {
public:
    TreeParts(const int32_t* heads, int32_t n) : heads_(heads), n_(n), next_(n + 1), first_(2 * (n + 1)) {
        children_.collect(heads, n);
        for (int32_t h = 0; h <= n; ++h) {
            for (int32_t right = 0; right < 2; ++right) {
                const int32_t count = children_.count(h, right);
                const int32_t* child = children_.of(h, right);
                first_[2 * h + right] = count > 0 ? child[0] : h;
                for (int32_t k = 0; k < count; ++k) next_[child[k]] = k + 1 < count ? child[k + 1] : h;
            }
        }
    }

    int32_t words() const { return n_; }

    template <class Visit>
    void for_each_around(int32_t h, int32_t order, Visit&& visit) const {
        for_each_part_around(heads_, children_, h, order, visit);
    }

    bool has(const Sibling& part) const {
        if (part.m == part.h) return first_[2 * part.h + part.right] == part.s;
        return heads_[part.m] == part.h && next_[part.m] == part.s;
    }
    bool has(const Grandparent& part) const { return heads_[part.h] == part.g && heads_[part.m] == part.h; }
    bool has(const GrandSibling& part) const { return heads_[part.sibling.h] == part.g && has(part.sibling); }
    bool has(const TriSibling& part) const {
        return has(Sibling{part.h, part.m, part.s, part.right}) &&
               has(Sibling{part.h, part.s, part.t, part.right});
    }

private:
    const int32_t* heads_;  // [n + 1]
    int32_t n_;
    Children children_;
    std::vector<int32_t> next_;   // [n + 1]: the next child outwards of the same head, or the head itself
    std::vector<int32_t> first_;  // [n + 1][left, right]: the innermost child, or the node itself
};

// Call visit(part) for each part of the first tree that the second has not.
template <class Visit>
void for_each_missing(const TreeParts& first, const TreeParts& second, int32_t order, Visit&& visit) {
    for (int32_t h = 0; h <= first.words(); ++h) {
        first.for_each_around(h, order, [&](const auto& part) {
            if (!second.has(part)) visit(part);
        });
    }
}

}  // namespace wnparse
