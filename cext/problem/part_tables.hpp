// The scores of parts of higher order of one sentence, laid out as the automata of its heads read them.
//
// Koo et al. (2010), section 3 and 4.3.  A head has candidate parents, and on each side candidate children, which
// go outwards: position 0 is START, 1 .. k are the children, k + 1 is STOP.  Tables are dense over candidates,
//
//     sibling[a][b]               (a, b) consecutive on this side
//     grandparent[b][p]           child b, parent p; -inf where both are the same word
//     grandsibling[a][b][p]       only for heads that have any
//     trisibling[a][b][c]         the same
//
// with the parents innermost, so that all parents of a head are looked at side by side.  Node 0 has one parent,
// which is nothing.  Arcs that are no candidates are forbidden.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "problem/parts.hpp"

namespace wnparse {

class PartTables {
public:
    // One side of a head.
    struct Side {
        int32_t count;    // k
        int32_t child;    // of children(): the first
        int64_t sibling;  // where the tables begin; -1: there is none
        int64_t grandparent;
        int64_t grandsibling;
        int64_t trisibling;

        int32_t stop() const { return count + 1; }
        int64_t row_width() const { return count + 2; }  // of a table of siblings
    };
    struct Head {
        int32_t parent;   // of parents(): the first
        int32_t parents;  // how many; padded() in the tables
        Side side[2];     // left, right
    };

    static int32_t padded(int32_t parents) { return (parents + 3) / 4 * 4; }

    // The candidates are the arcs for which open(h, m) holds, m a word and h a node other than m; all parts score
    // 0. `order` 3 makes room for grand-siblings and tri-siblings, but for sides with so many children that these
    // would be millions.
    template <class Open>
    void start(int32_t n, int32_t order, Open&& open) {
        n_ = n;
        order_ = order;
        heads_.resize(n + 1);
        children_.clear();
        parents_.clear();
        values_.clear();
        const int64_t width = n + 1;
        place_.assign(width * width, 0);
        parent_place_.assign(width * width, -1);
        for (int32_t h = 0; h <= n; ++h) add_head(h, open);
    }

    int32_t words() const { return n_; }
    int32_t order() const { return order_; }
    const Head& head(int32_t h) const { return heads_[h]; }
    const int32_t* children(const Side& side) const { return children_.data() + side.child; }  // [k], position - 1
    const int32_t* parents(const Head& head) const { return parents_.data() + head.parent; }
    int32_t child_count() const { return static_cast<int32_t>(children_.size()); }
    int32_t parent_count() const { return static_cast<int32_t>(parents_.size()); }

    // The position of m among the children of h on its side; 0: not a candidate.
    int32_t position(int32_t h, int32_t m) const { return place_[cell(h, m)]; }
    // The place of g among the parents of h; -1: not a candidate.  Node 0 has one, whatever g is.
    int32_t parent_place(int32_t g, int32_t h) const { return h == 0 ? 0 : parent_place_[cell(h, g)]; }
    bool has_arc(int32_t h, int32_t m) const { return place_[cell(h, m)] > 0; }

    // The tables.
    double* sibling(const Side& side, int32_t a) { return values_.data() + side.sibling + a * side.row_width(); }
    const double* sibling(const Side& side, int32_t a) const {
        return values_.data() + side.sibling + a * side.row_width();
    }
    double* grandparent(const Head& head, const Side& side, int32_t b) {
        return values_.data() + side.grandparent + int64_t{b} * padded(head.parents);
    }
    const double* grandparent(const Head& head, const Side& side, int32_t b) const {
        return values_.data() + side.grandparent + int64_t{b} * padded(head.parents);
    }
    double* grandsibling(const Head& head, const Side& side, int32_t a, int32_t b) {
        return values_.data() + side.grandsibling + (a * side.row_width() + b) * padded(head.parents);
    }
    const double* grandsibling(const Head& head, const Side& side, int32_t a, int32_t b) const {
        return values_.data() + side.grandsibling + (a * side.row_width() + b) * padded(head.parents);
    }
    double* trisibling(const Side& side, int32_t a, int32_t b) {
        return values_.data() + side.trisibling + (a * side.row_width() + b) * side.row_width();
    }
    const double* trisibling(const Side& side, int32_t a, int32_t b) const {
        return values_.data() + side.trisibling + (a * side.row_width() + b) * side.row_width();
    }

    // Make room for the grand-siblings or tri-siblings of a head that has none yet.
    void make_grandsiblings(int32_t h, bool right) {
        const Head& head = heads_[h];
        Side& side = heads_[h].side[right];
        if (side.grandsibling < 0)
            side.grandsibling = add_table((side.count + 1) * side.row_width() * padded(head.parents));
    }
    void make_trisiblings(int32_t h, bool right) {
        Side& side = heads_[h].side[right];
        if (side.trisibling < 0)
            side.trisibling = add_table((side.count + 1) * side.row_width() * side.row_width());
    }

    // The place of a part's score; nullptr if it lies over arcs that are no candidates.
    double* find(const Sibling& part) {
        const Side& side = heads_[part.h].side[part.right];
        const int32_t a = from(part.h, part.m), b = to(part.h, part.s, side);
        return a < 0 || b <= a ? nullptr : sibling(side, a) + b;
    }
    double* find(const Grandparent& part) {
        const int32_t p = parent_place(part.g, part.h), b = position(part.h, part.m);
        if (p < 0 || b == 0 || part.g == part.m) return nullptr;
        return grandparent(heads_[part.h], heads_[part.h].side[part.m > part.h], b) + p;
    }
    double* find(const GrandSibling& part) {
        const Sibling& sibling = part.sibling;
        const Head& head = heads_[sibling.h];
        const Side& side = head.side[sibling.right];
        const int32_t p = parent_place(part.g, sibling.h);
        const int32_t a = from(sibling.h, sibling.m), b = to(sibling.h, sibling.s, side);
        if (p < 0 || a < 0 || b <= a) return nullptr;
        make_grandsiblings(sibling.h, sibling.right);
        return grandsibling(head, side, a, b) + p;
    }
    double* find(const TriSibling& part) {
        const Side& side = heads_[part.h].side[part.right];
        const int32_t a = from(part.h, part.m), b = position(part.h, part.s), c = to(part.h, part.t, side);
        if (a < 0 || b <= a || c <= b) return nullptr;
        make_trisiblings(part.h, part.right);
        return trisibling(side, a, b) + c;
    }

    // What the parts around node h score in a tree, head(m) being the head of word m: O(children that it could
    // have).
    template <class HeadOf>
    double value_around(int32_t h, HeadOf&& head_of) const {
        const Head& head = heads_[h];
        const int32_t p = h == 0 ? 0 : parent_place(head_of(h), h);
        double sum = 0.0;
        for (const Side& side : head.side) {
            const int32_t* child = children(side);
            int32_t before = 0, last = 0;
            for (int32_t b = 1; b <= side.stop(); ++b) {
                if (b <= side.count && head_of(child[b - 1]) != h) continue;
                sum += sibling(side, last)[b];
                if (p >= 0 && h > 0 && b <= side.count) sum += grandparent(head, side, b)[p];
                if (p >= 0 && side.grandsibling >= 0) sum += grandsibling(head, side, last, b)[p];
                if (side.trisibling >= 0 && last > 0) sum += trisibling(side, before, last)[b];
                before = last;
                last = b;
            }
        }
        return sum;
    }

    // What all parts of a tree score.
    double value(const int32_t* heads) const {
        double sum = 0.0;
        for (int32_t h = 0; h <= n_; ++h) sum += value_around(h, [&](int32_t m) { return heads[m]; });
        return sum;
    }

    // What they change by if word m gets another head: only the automata of m and of its two heads see it.
    double gain(const int32_t* heads, int32_t m, int32_t h) const {
        const int32_t old = heads[m];
        const auto before = [&](int32_t word) { return heads[word]; };
        const auto after = [&](int32_t word) { return word == m ? h : heads[word]; };
        double sum = 0.0;
        for (const int32_t node : {old, h, m}) sum += value_around(node, after) - value_around(node, before);
        return sum;
    }

    // The same for several new heads of one word: call visit(h, change) for each h of `heads_of_m`, a set with
    // each().
    template <class Set, class Visit>
    void for_each_gain(const int32_t* heads, int32_t m, const Set& new_heads, Visit&& visit) const {
        const int32_t old = heads[m];
        const auto now = [&](int32_t word) { return heads[word]; };
        const auto without = [&](int32_t word) { return word == m ? -1 : heads[word]; };
        const double shared = value_around(old, without) - value_around(old, now) - value_around(m, now);
        new_heads.each([&](int32_t h) {
            if (h == old) return;
            const auto after = [&](int32_t word) { return word == m ? h : heads[word]; };
            visit(h, shared + value_around(h, after) - value_around(h, now) + value_around(m, after));
        });
    }

    // The sum of the sizes of all parts of a tree: what rounding is measured by.
    double size() const { return size_; }
    // After all scores are in.
    void measure() {
        double most = 0.0;
        for (const double value : values_)
            if (value > -std::numeric_limits<double>::infinity()) most = std::max(most, std::fabs(value));
        size_ = 4.0 * most * (n_ + 1);
    }

private:
    static constexpr int32_t most_third_order = 64;  // children of a side

    size_t cell(int32_t h, int32_t m) const { return static_cast<size_t>(h) * (n_ + 1) + m; }
    int32_t from(int32_t h, int32_t m) const { return m == h ? 0 : has_arc(h, m) ? position(h, m) : -1; }
    int32_t to(int32_t h, int32_t s, const Side& side) const { return s == h ? side.stop() : position(h, s); }

    int64_t add_table(int64_t size) {
        const auto begin = static_cast<int64_t>(values_.size());
        values_.resize(begin + size, 0.0);
        return begin;
    }

    template <class Open>
    void add_head(int32_t h, Open&& open) {
        Head& head = heads_[h];
        head.parent = parent_count();
        if (h == 0) parents_.push_back(-1);
        for (int32_t g = 0; h > 0 && g <= n_; ++g) {
            if (g == h || !open(g, h)) continue;
            parent_place_[cell(h, g)] = parent_count() - head.parent;
            parents_.push_back(g);
        }
        head.parents = parent_count() - head.parent;
        for (int32_t right = 0; right < 2; ++right) {
            Side& side = head.side[right];
            side.child = child_count();
            const int32_t step = right ? 1 : -1;
            for (int32_t m = h + step; m >= 1 && m <= n_; m += step) {
                if (!open(h, m)) continue;
                children_.push_back(m);
                place_[cell(h, m)] = child_count() - side.child;
            }
            side.count = child_count() - side.child;
            side.sibling = add_table((side.count + 1) * side.row_width());
            side.grandparent = add_table(side.row_width() * padded(head.parents));
            side.grandsibling = side.trisibling = -1;
            for (int32_t b = 1; b <= side.count; ++b) {
                const int32_t p = parent_place(children(side)[b - 1], h);
                if (h > 0 && p >= 0) grandparent(head, side, b)[p] = -std::numeric_limits<double>::infinity();
            }
            if (order_ >= 3 && side.count <= most_third_order) {
                make_grandsiblings(h, right);
                make_trisiblings(h, right);
            }
        }
    }

    int32_t n_ = 0;
    int32_t order_ = 2;
    double size_ = 0.0;
    std::vector<Head> heads_;            // [n + 1]
    std::vector<int32_t> children_;      // side after side
    std::vector<int32_t> parents_;       // head after head
    std::vector<int32_t> place_;         // [h][m] positions
    std::vector<int32_t> parent_place_;  // [h][g]
    std::vector<double> values_;         // all tables
};

}  // namespace wnparse
