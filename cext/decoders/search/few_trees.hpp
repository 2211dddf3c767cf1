// The trees that a ranking has to look at, one by one, where these are few.
//
// Depth first over the words: each gets one of the heads that are left to it, the one with the least loss first.
// The bound of a partial tree is that of its arcs (arc_slacks.hpp); what is not above the k-th best weight found
// is left out.  At good multipliers the bound is close to the weight, so that the search meets little else than
// the trees that it looks for.  O(n) a tree, and a limit of steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/chaos.hpp"
#include "decoders/search/arc_slacks.hpp"
#include "problem/objective.hpp"

namespace wnparse {

class FewTrees {
public:
    // Call visit(heads, value) for every tree above the cutoff; it returns the cutoff from then on, which may only
    // rise.  False if there are too many steps.  Trees may be invalid.
    template <class Visit>
    bool run(const Objective& objective, const ArcSlacks& slacks, Visit&& visit) {
        const int32_t n = objective.words();
        steps_ = chaos::count(0, kMostSteps);
        heads_.assign(n + 1, -1);
        loss_.assign(n + 1, 0.0);
        cutoff_ = objective.above(slacks.cutoff);
        list_heads(n, slacks);
        return extend(objective, 0, slacks.bound, visit);
    }

    // After too many steps: the best arc of the word whose second best is closest to it.
    Arc closest() const {
        Arc arc{0, 0};
        double least = std::numeric_limits<double>::infinity();
        for (const int32_t m : words_) {
            const std::vector<Candidate>& of_word = candidates_[m];
            if (of_word.size() < 2) continue;
            const double loss = of_word[0].slack.sum() - of_word[1].slack.sum();
            if (loss < least) arc = {of_word[0].h, m};
            least = std::min(least, loss);
        }
        return arc;
    }

private:
    static constexpr int32_t kMostSteps = 500;

    struct Candidate {
        int32_t h;
        ArcSlack slack;
    };

    // The words in the order in which they get their heads, those with few candidates first.
    void list_heads(int32_t n, const ArcSlacks& slacks) {
        words_.clear();
        candidates_.resize(n + 1);
        for (int32_t m = 1; m <= n; ++m) {
            std::vector<Candidate>& of_word = candidates_[m];
            of_word.clear();
            for (int32_t h = 0; h <= n; ++h)
                if (slacks.bound + slacks.of(m, h).sum() > cutoff_) of_word.push_back({h, slacks.of(m, h)});
            std::stable_sort(of_word.begin(), of_word.end(),
                             [](const Candidate& a, const Candidate& b) { return a.slack.sum() > b.slack.sum(); });
            words_.push_back(m);
        }
        std::stable_sort(words_.begin(), words_.end(),
                         [this](int32_t a, int32_t b) { return candidates_[a].size() < candidates_[b].size(); });
    }

    // Give heads to the words from `place` on; `bound` is that of the others' arcs.
    template <class Visit>
    bool extend(const Objective& objective, size_t place, double bound, Visit&& visit) {
        if (place == words_.size()) {
            const double weight = objective.value(heads_.data());
            if (weight > cutoff_) cutoff_ = std::max(cutoff_, objective.above(visit(heads_.data(), weight)));
            return true;
        }
        const int32_t m = words_[place];
        for (const Candidate& candidate : candidates_[m]) {
            if (--steps_ < 0) return false;
            const int32_t h = candidate.h;
            const double of_head = std::min(loss_[h], candidate.slack.of_head);
            double below = bound + candidate.slack.of_tree + (of_head - loss_[h]);
            const double of_modifier = std::min(loss_[m], candidate.slack.of_modifier);
            below += of_modifier - loss_[m];
            if (below <= cutoff_ || closes_cycle(m, h)) continue;
            const double old_head = loss_[h], old_modifier = loss_[m];
            heads_[m] = h;
            loss_[h] = of_head;
            loss_[m] = of_modifier;
            const bool done = extend(objective, place + 1, below, visit);
            heads_[m] = -1;
            loss_[h] = old_head;
            loss_[m] = old_modifier;
            if (!done) return false;
        }
        return true;
    }

    // Whether m is above h already.
    bool closes_cycle(int32_t m, int32_t h) const {
        while (h > 0 && h != m) h = heads_[h];
        return h == m;
    }

    int32_t steps_ = 0;  // that are left
    double cutoff_ = 0.0;
    std::vector<int32_t> heads_;  // [n + 1] -1: none yet
    std::vector<double> loss_;    // [n + 1] of the automata, by the arcs so far
    std::vector<int32_t> words_;
    std::vector<std::vector<Candidate>> candidates_;  // [n + 1]
};

}  // namespace wnparse
