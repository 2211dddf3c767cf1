// Better labelled trees from a labelled tree, by moving one word at a time: to another head, with one of its
// labels.
//
// As LocalSearch, but what a change is worth counts the rules: words of violated rows try all their heads, the
// others those that gain.  O(1) checks of all rules a move that is tried.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/relaxation/local_search.hpp"
#include "decoders/rules/rule_rows.hpp"
#include "problem/objective.hpp"
#include "problem/structure.hpp"

namespace wnparse {

template <int W>
class RuledClimb {
public:
    void start(const Labelling& labelling) {
        labelling_ = &labelling;
        rows_.start(labelling);
    }

    // Change a valid tree with its choices for the better until no move does, or enough have been tried.
    void run(const SearchSpace<W>& space, std::vector<int32_t>& heads, std::vector<int32_t>& choices) {
        structure_.reserve(space.words());
        structure_.build(heads.data());
        structure_.find_gapped();
        gaps_ = structure_.gap_words();
        rows_.check(heads.data(), choices.data());
        cost_ = rows_.cost();
        tests_ = chaos::count(0, kTests);
        while (tests_ > 0 && !space.stop.stopped() && pass(space, heads, choices)) {
        }
    }

private:
    static constexpr int32_t kTests = 30;   // moves that one climb tries
    static constexpr int32_t kLabels = 3;   // of the new arc that one move tries
    static constexpr int32_t kBlamed = 12;  // words of violated rows

    struct Move {
        double gain;
        int32_t m, h;
    };

    // One pass over the moves by falling gain; whether it has taken any.
    bool pass(const SearchSpace<W>& space, std::vector<int32_t>& heads, std::vector<int32_t>& choices) {
        collect(space, heads, choices);
        bool moved = false;
        for (const Move& move : moves_) {
            if (tests_ <= 0 || space.stop.stopped()) break;
            moved = try_move(space, move, heads, choices) || moved;
        }
        return moved;
    }

    // A single root can neither leave 0 nor be joined by another by one move.
    void collect(const SearchSpace<W>& space, const std::vector<int32_t>& heads,
                 const std::vector<int32_t>& choices) {
        blame(heads);
        moves_.clear();
        for (int32_t m = 1; m <= space.words(); ++m) {
            if (space.constraints.single_root && heads[m] == 0) continue;
            const bool blamed = blamed_.has(m);
            const double now = labelling_->choice(choices[m]).gain;
            // Arcs that are fixed to zero are in no better tree, but may be on the way to one that obeys the
            // rules.
            BitSet<W> others =
                (blamed ? space.objective.template finite<W>(m) : space.open[m]).without(structure_.yield[m]);
            others.remove(heads[m]);
            if (others.empty()) continue;
            space.objective.for_each_gain(heads.data(), m, others, [&](int32_t h, double gain) {
                if (space.constraints.single_root && h == 0) return;
                if (blamed || gain - now > 0.0) moves_.push_back({gain - now, m, h});
            });
        }
        std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) {
            return a.gain != b.gain ? a.gain > b.gain : a.m != b.m ? a.m < b.m : a.h < b.h;
        });
    }

    // The words whose arcs make rows violated.
    void blame(const std::vector<int32_t>& heads) {
        blamed_.clear();
        int32_t count = 0;
        for (const Violation& violation : rows_.violations()) {
            for (const RuleRow::Term& term : rows_.make_row(violation).terms) {
                const Labelling::LabelledArc& arc = labelling_->arcs()[term.arc];
                if (term.factor > 0 && heads[arc.m] == arc.h && count++ < kBlamed) blamed_.add(arc.m);
            }
        }
    }

    bool try_move(const SearchSpace<W>& space, const Move& move, std::vector<int32_t>& heads,
                  std::vector<int32_t>& choices) {
        const int32_t m = move.m, h = move.h, old_head = heads[m], old_choice = choices[m];
        if (h == old_head || structure_.yield[m].has(h)) return false;
        const double gain = space.objective.gain(heads.data(), m, h) - labelling_->choice(old_choice).gain;
        if (gain + cost_ <= 0.0) return false;
        if (!structure_.stays_valid(heads.data(), m, h, space.constraints, gaps_)) return false;
        const Labelling::LabelledArc& arc = labelling_->arc(h, m);
        heads[m] = h;
        for (int32_t i = arc.begin; i < arc.end && i < arc.begin + kLabels; ++i) {
            if (gain + labelling_->choice(i).gain + cost_ <= 0.0) break;
            choices[m] = i;
            --tests_;
            rows_.check(heads.data(), choices.data());
            const double cost = rows_.cost();
            if (gain + labelling_->choice(i).gain + cost_ - cost <= 0.0) continue;
            heads[m] = old_head;
            structure_.move(heads.data(), m, old_head, h);
            heads[m] = h;
            structure_.find_gapped();
            gaps_ = structure_.gap_words();
            cost_ = cost;
            return true;
        }
        heads[m] = old_head;
        choices[m] = old_choice;
        return false;
    }

    const Labelling* labelling_ = nullptr;
    RuleRows rows_;
    Structure<W> structure_;
    BitSet<W> gaps_{}, blamed_{};
    std::vector<Move> moves_;
    double cost_ = 0.0;  // of the violations of the tree
    int32_t tests_ = 0;
};

}  // namespace wnparse
