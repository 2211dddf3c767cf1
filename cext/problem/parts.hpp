// The parts of a tree: what scores and features are given for, and how a tree is taken apart into them.
//
// First order: one part a word, the arc from its head.  Higher order (Koo et al. 2010, section 3; Carreras 2007):
// parts of two or three arcs around one head.  Whatever adds up over a tree, its value, its features or what two
// trees do not share, goes through the functions here, so that a new kind of part is one more visit.
#pragma once

#include <cstdint>
#include <vector>

namespace wnparse {

struct Arc {
    int32_t h, m;  // from head h to modifier m
};

// Consecutive children of one side of a head, going outwards.  m == h: s is the innermost child (START); s == h: m
// is the outermost (STOP); both: there is none on this side.
struct Sibling {
    int32_t h, m, s;
    bool right;  // the side
};

struct Grandparent {
    int32_t g, h, m;  // g is the head of h, and h of m
};

// A sibling part together with the head of its head.
struct GrandSibling {
    int32_t g;
    Sibling sibling;
};

// Three consecutive children of one side; m may be START, t may be STOP.
struct TriSibling {
    int32_t h, m, s, t;
    bool right;
};

// Call visit(part) for every arc of a tree, in the order of its words.
template <class Visit>
void for_each_part(const int32_t* heads, int32_t n, Visit&& visit) {
    for (int32_t m = 1; m <= n; ++m) visit(Arc{heads[m], m});
}

// The children of each node of a tree on one side, going outwards.
class Children {
public:
    void collect(const int32_t* heads, int32_t n) {
        n_ = n;
        begin_.assign(2 * n + 4, 0);
        for (int32_t m = 1; m <= n; ++m) ++begin_[slot(heads[m], heads[m] < m) + 1];
        for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
        words_.resize(n);
        next_ = begin_;
        for (int32_t m = n; m >= 1; --m)
            if (m < heads[m]) words_[next_[slot(heads[m], false)]++] = m;
        for (int32_t m = 1; m <= n; ++m)
            if (m > heads[m]) words_[next_[slot(heads[m], true)]++] = m;
    }
    int32_t count(int32_t h, bool right) const { return begin_[slot(h, right) + 1] - begin_[slot(h, right)]; }
    const int32_t* of(int32_t h, bool right) const { return words_.data() + begin_[slot(h, right)]; }

private:
    static size_t slot(int32_t h, bool right) { return 2 * static_cast<size_t>(h) + right; }

    int32_t n_ = 0;
    std::vector<int32_t> begin_, next_;  // [2 (n + 1) + 1]
    std::vector<int32_t> words_;         // [n]
};

// Call visit(part) for every sibling, grandparent and, from order 3 on, grand-sibling and tri-sibling part of the
// automaton of head h: the parts whose middle node it is.  Node 0 has no head, and so no grandparent parts.
template <class Lists, class Visit>
void for_each_part_around(const int32_t* heads, const Lists& children, int32_t h, int32_t order, Visit&& visit) {
    const int32_t g = heads[h];
    for (int32_t right = 0; right < 2; ++right) {
        const int32_t count = children.count(h, right);
        const int32_t* child = children.of(h, right);
        for (int32_t k = 0; k <= count; ++k) {
            const Sibling sibling{h, k > 0 ? child[k - 1] : h, k < count ? child[k] : h, right != 0};
            visit(sibling);
            if (h > 0 && k < count) visit(Grandparent{g, h, child[k]});
            if (order < 3) continue;
            if (h > 0) visit(GrandSibling{g, sibling});
            if (k > 0) visit(TriSibling{h, k > 1 ? child[k - 2] : h, sibling.m, sibling.s, right != 0});
        }
    }
}

}  // namespace wnparse
