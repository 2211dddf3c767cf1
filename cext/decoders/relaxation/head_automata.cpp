#include "decoders/relaxation/head_automata.hpp"

namespace wnparse {

// Call use(chains) with the chains of a side, started.
template <class Use>
void HeadAutomata::with_side(const PartTables::Head& head, int32_t right, Use&& use) {
    const PartTables::Side& side = head.side[right];
    const double* pay = child_.data() + side.child;
    if (side.trisibling < 0) {
        pairs_[right].start(*tables_, head, side, pay);
        use(pairs_[right]);
    } else {
        triples_[right].start(*tables_, head, side, pay);
        use(triples_[right]);
    }
}

// Call use(left, right) with the chains of both sides, started.
template <class Use>
void HeadAutomata::with_chains(const PartTables::Head& head, Use&& use) {
    with_side(head, 0, [&](auto& left) { with_side(head, 1, [&](auto& right) { use(left, right); }); });
}

// What the single child b of node 0 is worth.
double HeadAutomata::root_value(int32_t b) const {
    const PartTables::Side& side = tables_->head(0).side[1];
    double value = child_[side.child + b - 1] + tables_->sibling(side, 0)[b] +
                   tables_->sibling(side, b)[side.stop()] +
                   tables_->sibling(tables_->head(0).side[0], 0)[1];  // nothing stands to its left
    if (side.trisibling >= 0) value += tables_->trisibling(side, 0, b)[side.stop()];
    return value;
}

void HeadAutomata::run_root() {
    const PartTables::Side& side = tables_->head(0).side[1];
    std::fill_n(chosen_.begin() + side.child, side.count, uint8_t(0));
    int32_t chosen = 0;
    double best = minus_infinity<double>();
    for (int32_t b = 1; b <= side.count; ++b) {
        const double value = root_value(b);
        if (value > best) {
            best = value;
            chosen = b;
        }
    }
    value_[0] = best;
    if (chosen > 0) chosen_[side.child + chosen - 1] = 1;
}

void HeadAutomata::run(int32_t h) {
    if (h == 0 && single_root_) return run_root();
    const PartTables::Head& head = tables_->head(h);
    with_chains(head, [&](auto& left, auto& right) {
        const double *left_ends = left.ends(), *right_ends = right.ends();
        int32_t chosen = 0;
        double best = minus_infinity<double>();
        for (int32_t p = 0; p < head.parents; ++p) {
            const double value = parent_[head.parent + p] + left_ends[p] + right_ends[p];
            by_parent_[head.parent + p] = value;
            if (value > best) {
                best = value;
                chosen = p;
            }
        }
        value_[h] = best;
        choice_[h] = chosen;
        take(head.side[0], left, chosen);
        take(head.side[1], right, chosen);
    });
}

template <class Chains>
void HeadAutomata::take(const PartTables::Side& side, const Chains& chains, int32_t p) {
    std::fill_n(chosen_.begin() + side.child, side.count, uint8_t(0));
    chains.trace(p, [&](int32_t b) { chosen_[side.child + b - 1] = 1; });
}

void HeadAutomata::find_slacks(int32_t h) {
    const PartTables::Head& head = tables_->head(h);
    for (const PartTables::Side& side : head.side)
        std::fill_n(slack_.begin() + side.child, side.count, minus_infinity<double>());
    if (h == 0 && single_root_) {
        for (int32_t b = 1; b <= head.side[1].count; ++b)
            slack_[head.side[1].child + b - 1] = root_value(b) - value_[0];
        return;
    }
    with_chains(head, [&](auto& left, auto& right) {
        find_slacks(head, head.side[0], left, right.ends(), value_[h]);
        find_slacks(head, head.side[1], right, left.ends(), value_[h]);
    });
}

// Of the children of one side, `across` being the best chains of the other.
template <class Chains>
void HeadAutomata::find_slacks(const PartTables::Head& head, const PartTables::Side& side, Chains& chains,
                               const double* across, double value) {
    chains.for_each_through(head.parents, [&](int32_t b, int32_t p, double through) {
        double& slack = slack_[side.child + b - 1];
        slack = std::max(slack, parent_[head.parent + p] + across[p] + through - value);
    });
}

// Run the automata whose arcs have changed; false if one of them has no parent left.
bool HeadAutomata::solve() {
    bound_ = 0.0;
    double size = 0.0;
    int32_t runs = 0;
    for (int32_t h = 0; h <= tables_->words(); ++h) {
        if (stale_[h]) {
            run(h);
            ++runs;
            stale_[h] = 0;
            slack_stale_[h] = 1;
        }
        bound_ += value_[h];
        size += std::fabs(value_[h]);
    }
    if (runs_ != nullptr) runs_->push_back(runs);
    bound_ += kRounding * size;
    return bound_ > minus_infinity<double>();
}

// What A_h falls by if it must take each of its children, at most 0: of all places.
const std::vector<double>& HeadAutomata::child_slacks() {
    for (int32_t h = 0; h <= tables_->words(); ++h) {
        if (slack_stale_[h]) find_slacks(h);
        slack_stale_[h] = 0;
    }
    return slack_;
}

}  // namespace wnparse
