// The k best projective trees, lazily.
//
// L. Huang and D. Chiang (2005), "Better k-best parsing", Algorithm 3, on the span automaton of eisner.hpp. O(n^3)
// for the charts of the best tree and O(n + log k) a further tree and span that it opens.
//
// Items are the complete spans and `joined`, a pair of complete spans side by side that an arc is laid over in
// either direction.  The automaton has one derivation a tree: the outermost child of a complete span and the place
// where two spans meet under an arc are properties of the tree.  So derivations that differ are trees that differ.
//
// The j-th derivation of an item is a split point and the ranks of both pieces.  The best one of each split is
// read off the charts; after (a, b) come (a + 1, b) and, for a = 0 alone, (a, b + 1), so that no pair is met
// twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "decoders/direct/eisner.hpp"
#include "decoders/kbest/ranked_trees.hpp"
#include "problem/objective.hpp"
#include "problem/problem.hpp"

namespace wnparse {

class KbestEisner {
public:
    // Appends up to k projective trees in falling value; those found so far if `stop` ended that.
    void run(const Problem& problem, int64_t k, const Options& options, RankedTrees& trees) {
        objective.load(problem);
        n = problem.words();
        tree.resize(n + 1);
        tree[0] = -1;
        const Charts filled(cells, n);
        charts = &filled;
        if (n > 0 && !eisner_detail::fill_dispatched(filled, objective.rows(), n, objective.width(),
                                                     problem.constraints.single_root, options.stop)) {
            trees.complete = !options.stopped();
            return;
        }
        used = 0;
        item_of.assign(3 * (n + 1) * (n + 1), -1);
        for (int64_t rank = 0; trees.count() < k && has(Kind::right, n, 0, rank); ++rank) {
            if (options.stopped()) {
                trees.complete = false;
                return;
            }
            write_tree(rank);
            const double score = tree_score(problem, tree.data());
            trees.add(tree.data(), nullptr, Result{score, score, 0, 0, true});
        }
    }

private:
    using Charts = eisner_detail::EisnerCharts<double>;
    enum class Kind : int32_t {
        right,
        left,
        joined
    };  // complete spans headed at their left or right end; no head

    struct Derivation {
        double value;
        int64_t first_rank, second_rank;  // of the pieces before and after the split
        int32_t split;
        bool operator<(const Derivation& other) const { return value < other.value; }
    };
    struct Item {
        Kind kind;
        int32_t length, from;                 // the nodes from .. from + length
        std::vector<Derivation> derivations;  // in falling value
        std::vector<Derivation> candidates;   // a heap
        int64_t followed;                     // those whose successors are candidates
    };
    struct Piece {
        Kind kind;
        int32_t length, from;
        int64_t rank;
    };

    int32_t n = 0;
    const Charts* charts = nullptr;
    Objective objective;
    std::vector<double> cells;     // charts of the best tree
    std::vector<int32_t> tree;     // [n + 1]
    std::vector<int32_t> item_of;  // [3][n + 1][n + 1] by kind, length and start; -1: not opened
    std::deque<Item> items;        // the first `used`; references survive growth
    int64_t used = 0;
    std::vector<Piece> pieces;  // those of a tree still to be written

    double arc(int32_t h, int32_t m) const { return objective.weight({h, m}); }

    // The best value of an item, from the charts.
    double best(Kind kind, int64_t length, int64_t from) const {
        const int64_t cell = length * charts->pitch + from;
        return kind == Kind::right ? charts->right_complete[cell] : charts->left_complete[cell];
    }

    // Whether the item has a derivation of that rank; found as far as needed.
    bool has(Kind kind, int32_t length, int32_t from, int64_t rank) {
        if (length == 0) return rank == 0;
        Item& item = open(kind, length, from);
        while (static_cast<int64_t>(item.derivations.size()) <= rank) {
            if (item.followed < static_cast<int64_t>(item.derivations.size()))
                follow(item, item.derivations[item.followed++]);
            if (item.candidates.empty()) return false;
            std::pop_heap(item.candidates.begin(), item.candidates.end());
            item.derivations.push_back(item.candidates.back());
            item.candidates.pop_back();
        }
        return true;
    }

    double value(Kind kind, int32_t length, int32_t from, int64_t rank) {
        return length == 0 ? 0.0 : open(kind, length, from).derivations[rank].value;
    }

    Item& open(Kind kind, int32_t length, int32_t from) {
        int32_t& known = item_of[(static_cast<int64_t>(kind) * (n + 1) + length) * (n + 1) + from];
        if (known >= 0) return items[known];
        known = static_cast<int32_t>(used);
        if (static_cast<int64_t>(items.size()) <= used) items.emplace_back();
        Item& item = items[used++];
        item.kind = kind;
        item.length = length;
        item.from = from;
        item.followed = 0;
        item.derivations.clear();
        item.candidates.clear();
        for (int32_t split = 0; split <= length; ++split) {
            const double value = best_of_split(item, split);
            if (value > minus_infinity<double>()) item.candidates.push_back({value, 0, 0, split});
        }
        std::make_heap(item.candidates.begin(), item.candidates.end());
        return item;
    }

    // The recurrences of eisner.hpp for one split; -inf where there is none.
    double best_of_split(const Item& item, int64_t split) const {
        const int64_t d = item.length, i = item.from, pitch = charts->pitch;
        if (item.kind == Kind::joined) {
            return split == d ? minus_infinity<double>()
                              : best(Kind::right, split, i) + best(Kind::left, d - 1 - split, i + split + 1);
        }
        if (item.kind == Kind::right) {
            return split == 0
                       ? minus_infinity<double>()
                       : charts->right_incomplete[split * pitch + i] + best(Kind::right, d - split, i + split);
        }
        return split == d ? minus_infinity<double>()
                          : best(Kind::left, split, i) + charts->left_incomplete[(d - split) * pitch + i + split];
    }

    // The pieces of a derivation, and the arc that it adds: h == -1 for none.
    void take_apart(const Item& item, const Derivation& made, Piece& before, Piece& after, int32_t& h,
                    int32_t& m) const {
        const int32_t d = item.length, i = item.from, split = made.split;
        h = m = -1;
        if (item.kind == Kind::joined) {
            before = {Kind::right, split, i, made.first_rank};
            after = {Kind::left, d - 1 - split, i + split + 1, made.second_rank};
        } else if (item.kind == Kind::right) {
            h = i;
            m = i + split;
            before = {Kind::joined, split, i, made.first_rank};
            after = {Kind::right, d - split, i + split, made.second_rank};
        } else {
            h = i + d;
            m = i + split;
            before = {Kind::left, split, i, made.first_rank};
            after = {Kind::joined, d - split, i + split, made.second_rank};
        }
    }

    void follow(Item& item, Derivation made) {
        consider(item, {0.0, made.first_rank + 1, made.second_rank, made.split});
        if (made.first_rank == 0) consider(item, {0.0, 0, made.second_rank + 1, made.split});
    }

    // A candidate, if both pieces have derivations of these ranks.
    void consider(Item& item, Derivation made) {
        Piece before, after;
        int32_t h, m;
        take_apart(item, made, before, after, h, m);
        if (!has(before.kind, before.length, before.from, before.rank) ||
            !has(after.kind, after.length, after.from, after.rank)) {
            return;
        }
        double first = value(before.kind, before.length, before.from, before.rank);
        double second = value(after.kind, after.length, after.from, after.rank);
        if (h >= 0) (item.kind == Kind::right ? first : second) += arc(h, m);
        made.value = first + second;
        item.candidates.push_back(made);
        std::push_heap(item.candidates.begin(), item.candidates.end());
    }

    void write_tree(int64_t rank) {
        pieces.assign(1, {Kind::right, n, 0, rank});
        while (!pieces.empty()) {
            const Piece piece = pieces.back();
            pieces.pop_back();
            if (piece.length == 0) continue;
            has(piece.kind, piece.length, piece.from, piece.rank);
            const Item& item = open(piece.kind, piece.length, piece.from);
            Piece before, after;
            int32_t h, m;
            take_apart(item, item.derivations[piece.rank], before, after, h, m);
            if (h >= 0) tree[m] = h;
            pieces.push_back(before);
            pieces.push_back(after);
        }
    }
};

}  // namespace wnparse
