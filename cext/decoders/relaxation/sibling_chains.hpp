// The chains of children on one side of a head, parts of siblings, grandparents and grand-siblings on them.
//
// A state is the last child of a chain, Viterbi over them O(P k^2) for P parents (chain_kernels.hpp).  Children
// that are out are left out at the start.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/relaxation/chain_kernels.hpp"
#include "problem/part_tables.hpp"

namespace wnparse {

class SiblingChains {
public:
    // Begin with a side; pay[b - 1] is what child b pays, -inf where it is out.
    void start(const PartTables& tables, const PartTables::Head& head, const PartTables::Side& side,
               const double* pay) {
        find_live(pay, side.count, live_);
        chain_.sibling = tables.sibling(side, 0);
        chain_.row = side.row_width();
        chain_.grandparent = tables.grandparent(head, side, 0);
        chain_.grandsibling = side.grandsibling < 0 ? nullptr : tables.grandsibling(head, side, 0, 0);
        chain_.pay = pay - 1;
        chain_.live = live_.data();
        chain_.last = static_cast<int32_t>(live_.size()) - 1;
        chain_.lanes = PartTables::padded(head.parents);
        grow(best_);
        forward(chain_, best_.data());
    }

    // The best chains for each parent.
    const double* ends() const { return best_.data() + int64_t{chain_.last} * chain_.lanes; }

    // Call visit(b) for every child of the best chain for parent p: no back pointers are kept.
    template <class Visit>
    void trace(int32_t p, Visit&& visit) const {
        for (int32_t j = chain_.last; j > 0;) {
            j = best_before(j, p);
            if (j > 0) visit(chain_.live[j]);
        }
    }

    // Call visit(b, p, value) for every child and parent: the best chain through the child.
    template <class Visit>
    void for_each_through(int32_t parents, Visit&& visit) {
        grow(back_);
        grow(onward_);
        backward(chain_, back_.data(), onward_.data());
        for (int32_t j = 1; j < chain_.last; ++j) {
            const int64_t at = int64_t{j} * chain_.lanes;
            for (int32_t p = 0; p < parents; ++p) visit(chain_.live[j], p, best_[at + p] + back_[at + p]);
        }
    }

private:
    void grow(std::vector<double>& table) const {
        const size_t size = static_cast<size_t>(chain_.last + 1) * chain_.lanes;
        if (table.size() < size) table.resize(size);
    }

    int32_t best_before(int32_t j, int32_t p) const {
        int32_t best = 0;
        double top = minus_infinity<double>();
        for (int32_t i = 0; i < j; ++i) {
            double value = best_[int64_t{i} * chain_.lanes + p] + chain_.step(i, j);
            if (chain_.grandsibling != nullptr) value += chain_.grand(i, j)[p];
            if (value > top) {
                top = value;
                best = i;
            }
        }
        return best;
    }

    Chain chain_{};
    std::vector<int32_t> live_;
    std::vector<double> best_, back_, onward_;  // [last + 1][lanes]
};

}  // namespace wnparse
