// Which label of an arc a search decides next, where rules tell which labels go together.
//
// The labelled arc on which the last solutions of the relaxation disagree most.  O(n solutions^2).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/chaos.hpp"
#include "decoders/relaxation/search_state.hpp"

namespace wnparse {

struct LabelledWord {
    int32_t m = -1, h = -1;
    int32_t choice = -1;
};

template <int W>
class BranchingLabel {
public:
    explicit BranchingLabel(const SearchState<W>& state) : state_(state), solutions_(state.recent().count()) {
        if (chaos::on()) {
            draw();
            return;
        }
        for (int32_t m = 1; m <= state_.words(); ++m)
            for (int32_t i = 0; i < solutions_; ++i) consider(m, i);
        // Nothing is in dispute: a word whose head is settled and whose label is not.
        for (int32_t m = 1; m <= state_.words() && best_.m < 0; ++m) {
            if (state_.open(m).more_than(1) || state_.open(m).empty()) continue;
            const int32_t h = state_.open(m).lowest();
            const auto& arc = state_.labelling().arc(h, m);
            if (state_.rule_prices().left(arc) > 1) best_ = {m, h, state_.rule_prices().choice(h, m)};
        }
    }

    LabelledWord choose() const { return best_; }

    // Whether the label is more in dispute than the arc.
    bool first(Arc arc) const {
        int32_t with = 0;
        for (int32_t i = 0; i < solutions_; ++i) with += state_.recent().head(i, arc.m) == arc.h;
        return best_.m >= 0 && most_ > std::min(with, solutions_ - with);
    }

private:
    // One of the labels in question, drawn in chaos mode.
    void draw() {
        int32_t seen = 0;
        for (int32_t m = 1; m <= state_.words(); ++m) {
            state_.open(m).each([&](int32_t h) {
                const auto& arc = state_.labelling().arc(h, m);
                if (state_.rule_prices().left(arc) < 2) return;
                for (int32_t i = arc.begin; i < arc.end; ++i)
                    if (!state_.rule_prices().is_fixed_to_zero(i) && chaos::place(0, ++seen) == 0)
                        best_ = {m, h, i};
            });
        }
    }

    void consider(int32_t m, int32_t solution) {
        const int32_t choice = state_.recent().choice(solution, m), h = state_.recent().head(solution, m);
        if (choice < 0 || !state_.open(m).has(h) || state_.rule_prices().is_fixed_to_zero(choice)) return;
        const auto& arc = state_.labelling().arc(h, m);
        if (choice < arc.begin || choice >= arc.end) return;
        if (state_.rule_prices().left(arc) < 2) return;
        int32_t with = 0, of_arc = 0;
        for (int32_t i = 0; i < solutions_; ++i) {
            with += state_.recent().choice(i, m) == choice;
            of_arc += state_.recent().choice(i, m) >= 0 && state_.recent().head(i, m) == h;
        }
        // Labels in dispute on one arc; arcs in dispute are another's business.
        const int32_t apart = std::min(with, of_arc - with);
        if (apart > most_) {
            most_ = apart;
            best_ = {m, h, choice};
        }
    }

    const SearchState<W>& state_;
    int32_t solutions_;
    LabelledWord best_;
    int32_t most_ = 0;
};

}  // namespace wnparse
