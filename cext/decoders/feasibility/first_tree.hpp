// The first valid tree of a sparse matrix, or the proof that there is none.
//
// Where the relaxation has met no valid tree there is no lower bound, nothing can be fixed or pruned by it, and
// branching on its bounds is blind.  Two searches that look at the arcs alone take turns: local search finds a
// tree soon if there are many, depth-first search with propagation is the one that ends where there are none.  For
// up to 63 words and when as much time has been spent on them as it takes, a chart finds a well-nested tree of
// block degree 2 or tells that there is none (gap_chart.hpp), which settles the question if that is what was asked
// for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "decoders/direct/gap_chart.hpp"
#include "decoders/feasibility/propagation.hpp"
#include "decoders/feasibility/violation_search.hpp"
#include "decoders/relaxation/local_search.hpp"
#include "problem/work.hpp"

namespace wnparse {

template <int W>
class FirstTree {
public:
    using Chart = GapChart<AnyTree>;
    using Space = SearchSpace<W>;

    const std::vector<int32_t>& tree() const { return heads; }        // [n + 1]
    const std::vector<BitSet<W>>& open() const { return left_open; }  // arcs that a valid tree may use
    int32_t nodes() const { return visited; }                         // of the depth-first search

    // Until there is a tree, or none is left, but for so many turns at most.
    SearchEnd run(const Space& space, int32_t turns) {
        visited = 0;
        charted = false;
        choices.clear();
        propagation.start(space.open, space.words(), space.constraints);
        if (!propagation.run(space.stop)) return SearchEnd::infeasible;
        left_open = propagation.open;
        propagation.trail.clear();
        local.start(left_open, space.words(), space.constraints);
        double left = Chart::work(space.words());
        while (!space.stop.stopped()) {
            if (descend(space)) return heads.empty() ? SearchEnd::infeasible : SearchEnd::found;
            if (local.run(kSteps, space.stop)) {
                heads = local.heads;
                return SearchEnd::found;
            }
            if (--turns == 0) return SearchEnd::stopped;
            left -= first_turn_work(space.words());
            if constexpr (W == 1) {
                if (left <= 0.0 && ask_chart(space))
                    return heads.empty() ? SearchEnd::infeasible : SearchEnd::found;
            }
        }
        return SearchEnd::stopped;
    }

private:
    // Turns of about the same time: a step of the local search takes about n^2 operations, a node up to n^2 on
    // longer sets.
    static constexpr int32_t kSteps = 300;
    static constexpr int64_t kMostNodes = 200, kLeastNodes = 4, kNodeScale = 320000;

    struct Choice {
        size_t trail_size;  // changes before it
        int32_t m, h;       // the arc that is in the tree
    };
    Propagation<W> propagation;
    ViolationSearch<W> local;
    Chart chart;
    std::vector<int32_t> heads;
    std::vector<BitSet<W>> left_open;  // [n + 1]
    std::vector<Choice> choices;
    int32_t visited = 0;
    bool charted = false;

    // Go on with the depth-first search for some nodes; true if it has ended, with a tree or with none.
    bool descend(const Space& space) {
        heads.clear();
        const int64_t square = int64_t{space.words()} * space.words() + 1;
        int64_t left = std::clamp(kNodeScale / square, kLeastNodes, kMostNodes);
        for (; left > 0 && !space.stop.stopped(); --left) {
            ++visited;
            const bool possible = propagation.run(space.stop);
            if (space.stop.stopped()) {
                // Neither way is proved: what was fixed to zero is right, but more could be.
                return false;
            }
            if (possible) {
                if (!choose(space)) return true;
            } else if (!turn_back()) {
                return true;
            }
        }
        return false;
    }

    // True if that settles the question; asked once.
    bool ask_chart(const Space& space) {
        const Constraints& constraints = space.constraints;
        if (charted || space.words() > Chart::kMostWords) return false;
        charted = true;
        heads.assign(space.words() + 1, -1);
        const SearchEnd end =
            chart.run({left_open.data(), space.words()}, constraints.single_root, space.stop, heads.data());
        if (end != SearchEnd::found) heads.clear();
        const bool exact = constraints.block_degree == 2 && constraints.well_nested;
        return end == SearchEnd::found || (exact && end == SearchEnd::infeasible);
    }

    // The best head of a word that has fewest; false if every word has one, and these are the tree.
    bool choose(const Space& space) {
        const int32_t n = space.words();
        int32_t m = -1, fewest = n + 1;
        for (int32_t word = 1; word <= n; ++word) {
            const int32_t count = propagation.open[word].size();
            if (count > 1 && count < fewest) {
                fewest = count;
                m = word;
            }
        }
        if (m < 0) {
            heads.assign(n + 1, -1);
            for (int32_t word = 1; word <= n; ++word) heads[word] = propagation.open[word].lowest();
            return false;
        }
        const double* row = space.objective.row(m);
        int32_t best = propagation.open[m].lowest();
        propagation.open[m].each([&](int32_t h) { best = row[h] > row[best] ? h : best; });
        choices.push_back({propagation.trail.size(), m, best});
        propagation.narrow(m, BitSet<W>::only(best));
        return true;
    }

    // The last choice was wrong: fix it to zero.  False if there was none.
    bool turn_back() {
        if (choices.empty()) return false;
        const Choice last = choices.back();
        choices.pop_back();
        propagation.undo(last.trail_size);
        BitSet<W> others = propagation.open[last.m];
        others.remove(last.h);
        propagation.narrow(last.m, others);
        return true;
    }
};

}  // namespace wnparse
