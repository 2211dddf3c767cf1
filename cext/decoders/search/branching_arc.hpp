// Which arc a search decides next.
//
// The arc on which the last solutions of the relaxation disagree most, weighted by its price: an arc that is in
// half of them and pays much is what the multipliers could not settle (cf. Corro et al. 2016, section 6).  With
// parts of higher order prices are shares of its weight and tell nothing.  O(n solutions^2).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/chaos.hpp"
#include "decoders/relaxation/search_state.hpp"

namespace wnparse {

template <int W>
class BranchingArc {
public:
    explicit BranchingArc(const SearchState<W>& state) : state_(state), solutions_(state.recent().count()) {}

    // An arc to a word that has a choice; m is -1 if there is none.
    Arc choose() const {
        if (chaos::on()) return any();
        Arc best{-1, -1};
        double most = -1.0;
        for (int32_t m = 1; m <= state_.words(); ++m) {
            if (!state_.open(m).more_than(1)) continue;
            BitSet<W> seen = BitSet<W>::none();
            for (int32_t i = 0; i < solutions_; ++i) {
                const int32_t h = state_.recent().head(i, m);
                if (seen.has(h) || !state_.open(m).has(h)) continue;
                seen.add(h);
                const double value = disagreement({h, m});
                if (value > most) {
                    most = value;
                    best = {h, m};
                }
            }
            if (best.m < 0) best = {state_.open(m).lowest(), m};
        }
        return best;
    }

private:
    // One of the arcs in question, drawn in chaos mode.
    Arc any() const {
        Arc drawn{-1, -1};
        int32_t seen = 0;
        for (int32_t m = 1; m <= state_.words(); ++m) {
            if (!state_.open(m).more_than(1)) continue;
            state_.open(m).each([&](int32_t h) {
                if (chaos::place(0, ++seen) == 0) drawn = {h, m};
            });
        }
        return drawn;
    }

    double disagreement(Arc arc) const {
        int32_t with = 0;
        for (int32_t i = 0; i < solutions_; ++i) with += state_.recent().head(i, arc.m) == arc.h;
        const int32_t apart = std::min(with, solutions_ - with);
        return state_.has_parts() ? apart : apart * state_.price(arc);
    }

    const SearchState<W>& state_;
    int32_t solutions_;
};

}  // namespace wnparse
