// The parts of a tree: what scores and features are given for, and how a tree is taken apart into them.
//
// First order: one part a word, the arc from its head.  Whatever adds up over a tree, its value, its features or
// what two trees do not share, goes through the functions here, so that a new kind of part is one more visit.
#pragma once

#include <cstdint>

namespace wnparse {

struct Arc {
    int32_t h, m;  // from head h to modifier m
};

// Call visit(part) for every part of a tree, in the order of its words.
template <class Visit>
void for_each_part(const int32_t* heads, int32_t n, Visit&& visit) {
    for (int32_t m = 1; m <= n; ++m) visit(Arc{heads[m], m});
}

}  // namespace wnparse
