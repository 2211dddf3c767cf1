// Problem reduction with parts of higher order: what must be in or out is found by trying the opposite.
//
// Corro et al. (2016), sections 6.2 and 6.3, with the bound of the whole Lagrangian in place of an arborescence's.
// The relaxation is run once more with an arc fixed to zero: if nothing better than the incumbent is left, the arc
// is in.  If not, it is run with the arc alone: if nothing is left there, the arc is out.  Where neither helps,
// the larger of both bounds is still one, and the reduction ends: it never branches.  O(1) relaxations an arc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/search/branching_arc.hpp"
#include "decoders/search/search_tree.hpp"

namespace wnparse {

template <int W>
class Probing {
public:
    explicit Probing(SearchTree<W>& tree) : tree_(tree), state_(tree.state) {}

    // Reduce a problem whose relaxation has just been run with the bound `upper`; the better bound.
    double run(double upper) {
        const int32_t most = chaos::count(0, kMostArcs);
        for (int32_t i = 0; i < most && upper > state_.floor() && !state_.stopped(); ++i) {
            const Arc arc = BranchingArc<W>(state_).choose();
            if (arc.m < 0) break;
            const Step step = probe(arc, upper);
            upper = step.bound;
            if (!step.settled) break;
        }
        tree_.nodes.clear();
        return upper;
    }

private:
    static constexpr int32_t kMostArcs = 12;

    struct Step {
        double bound;
        bool settled;  // which the arc is
    };

    // Ends in the state that is left.
    Step probe(Arc arc, double upper) {
        save(upper);
        const double without = relax_with(arc, false);
        if (without <= state_.floor()) return {std::min(upper, relax_with(arc, true)), true};
        const double with = relax_with(arc, true);
        if (with > state_.floor()) return {std::min(upper, std::max(with, without)), false};
        return {std::min(without, relax_with(arc, false)), true};
    }

    void save(double upper) {
        tree_.nodes.clear();
        node_ = tree_.nodes.push(state_, upper);
    }

    // The saved problem with the arc in or out.
    double relax_with(Arc arc, bool in) {
        open_ = node_.open;
        if (in)
            open_[arc.m] = BitSet<W>::only(arc.h);
        else
            open_[arc.m].remove(arc.h);
        state_.enter(open_, node_.cuts, node_.shares, node_.rules);
        return state_.relax(std::min(state_.step_rule().below_root, state_.options().max_iterations), node_.bound);
    }

    SearchTree<W>& tree_;
    SearchState<W>& state_;
    Node<W> node_;
    std::vector<BitSet<W>> open_;
};

}  // namespace wnparse
