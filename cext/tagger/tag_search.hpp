// The best sequence of universal tags: Viterbi over pairs of tags, of which a beam keeps the best.
//
//   best(i, t, p) = static(i, t) + max over q of best(i - 1, p, q) + first(i, p, t) + second(i, p, q, t)
//
// Features look at two tags before a word, so that of all sequences that end in one pair only the best can win:
// with a beam as wide as there are pairs the search is exact (Viterbi 1967).  O(n beam tags), and features are
// looked up once for each tag, or pair of tags, that the beam holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tagger/lookup_table.hpp"
#include "tagger/tag_keys.hpp"
#include "tagger/tag_lattice.hpp"

namespace wnparse {

constexpr int32_t before_first = -1;  // the tag of what stands before a sentence

template <class TagWeights, class Score>
class TagSearch {
public:
    using Adder = typename TagWeights::Adder;

    // Find the best tags[1..n] among candidates[1..n], and their score, of whole numbers one relative to what the
    // search kept; what is behind the best by more than `drop` is given up;
    // each tag that is not `gold` gets `cost` if gold is given. `lone` says whether words that have one candidate
    // are scored as well: no other choice depends on that. `steps` says whether the lattice gets these, too.
    Score run(const TagKeys& keys, const std::vector<NumberList>& candidates, Adder& adder, int32_t width,
              int32_t beam, Score drop, const int32_t* gold, Score cost, bool lone, bool steps, int32_t* tags) {
        const auto n = static_cast<int32_t>(candidates.size()) - 1;
        width_ = width;
        score_words(keys, candidates, adder, n, lone);
        lattice.start({before_first, before_first, -1, 0});
        for (int32_t i = 1; i <= n; ++i) {
            if (gold != nullptr)
                for (int32_t tag : candidates[i]) static_[at(i, tag)] += tag == gold[i] ? 0 : cost;
            step(keys, candidates[i], adder, i, beam, drop, lone, steps);
        }
        return lattice.best(tags);
    }

    // What the tags t of word i score by themselves, after a run.
    const Score* scores(int32_t i) const { return &static_[at(i, 0)]; }

    TagLattice<Score> lattice;  // of the last run

private:
    using State = typename TagLattice<Score>::State;

    size_t at(int32_t i, int32_t tag) const { return static_cast<size_t>(i) * width_ + tag; }

    // Begin sums with 0.  Those of tags that are no candidates are never read: with thousands of tags they are
    // many.
    static void clear(const NumberList& candidates, Score* sums) {
        for (int32_t tag : candidates) sums[tag] = 0;
    }

    void score_words(const TagKeys& keys, const std::vector<NumberList>& candidates, Adder& adder, int32_t n,
                     bool lone) {
        static_.resize(at(n + 1, 0) + adder.slack());
        for (int32_t i = 1; i <= n; ++i) {
            clear(candidates[i], &static_[at(i, 0)]);
            if (lone || candidates[i].size() > 1)
                keys.visit(i, [&](uint64_t key) { adder.add(key, &static_[at(i, 0)]); });
        }
        adder.finish();
    }

    void step(const TagKeys& keys, const NumberList& candidates, Adder& adder, int32_t i, int32_t beam, Score drop,
              bool lone, bool steps) {
        std::vector<State>& states = lattice.states;
        const int32_t first = lattice.begin[i - 1], last = lattice.begin[i];
        const bool needed = lone || candidates.size() > 1 || last - first > 1;
        if (needed) score_transitions(keys, candidates, adder, i, first, last);
        next_states_.clear();
        for (int32_t k = first; k < last;) {
            // States of one tag stand side by side; of those that would end in one pair the best is left.
            const auto group = static_cast<int32_t>(next_states_.size());
            const int32_t before = states[k].tag;
            for (int32_t tag : candidates) next_states_.push_back({tag, before, -1, 0});
            for (; k < last && states[k].tag == before; ++k) {
                const Score* row = needed ? &pair_[static_cast<size_t>(k - first) * width_] : nullptr;
                State* next = &next_states_[static_cast<size_t>(group)];
                for (int32_t tag : candidates) {
                    const Score score = states[k].score + static_[at(i, tag)] + (needed ? row[tag] : 0);
                    if (next->back < 0 || score > next->score) *next = {tag, before, k, score};
                    ++next;
                }
            }
        }
        const Score best =
            std::min_element(next_states_.begin(), next_states_.end(), TagLattice<Score>::better)->score;
        // The best one stays: sums of hostile weights may be anything, and their differences must not overflow.
        using Wide = std::conditional_t<std::is_integral_v<Score>, int64_t, Score>;
        const Wide least = static_cast<Wide>(best) - drop;
        next_states_.erase(
            std::remove_if(next_states_.begin(), next_states_.end(),
                           [&](const State& state) { return static_cast<Wide>(state.score) < least; }),
            next_states_.end());
        if (static_cast<int32_t>(next_states_.size()) > beam) {
            std::nth_element(next_states_.begin(), next_states_.begin() + beam, next_states_.end(),
                             TagLattice<Score>::better);
            next_states_.resize(static_cast<size_t>(beam));
        }
        std::sort(next_states_.begin(), next_states_.end(), [](const State& a, const State& b) {
            return a.tag != b.tag ? a.tag < b.tag : a.before < b.before;
        });
        // Whole numbers count from the best state of each word: those of a long sentence would not fit.
        const Score origin = std::is_integral_v<Score> ? best : 0;
        for (State& state : next_states_) state.score -= origin;
        if (steps) add_steps(i, first, last, needed, origin);
        states.insert(states.end(), next_states_.begin(), next_states_.end());
        lattice.end_word();
    }

    // The steps from the states of the word before to those that the beam keeps of word i.
    void add_steps(int32_t i, int32_t first, int32_t last, bool scored, Score origin) {
        int32_t to = last;
        for (const State& state : next_states_) {
            for (int32_t k = first; k < last; ++k)
                if (lattice.states[k].tag == state.before) {
                    const Score pair = scored ? pair_[static_cast<size_t>(k - first) * width_ + state.tag] : 0;
                    lattice.steps.push_back({k, to, static_[at(i, state.tag)] + pair - origin});
                }
            ++to;
        }
    }

    // pair_[k][t]: what tag t of word i scores behind state k.
    void score_transitions(const TagKeys& keys, const NumberList& candidates, Adder& adder, int32_t i,
                           int32_t first, int32_t last) {
        const auto count = static_cast<size_t>(last - first);
        pair_.resize(count * width_ + adder.slack());
        single_.resize(pair_.size());
        for (size_t k = 0; k < count; ++k) {
            clear(candidates, &pair_[k * width_]);
            clear(candidates, &single_[k * width_]);
        }
        int32_t rows = -1, known = before_first - 1;
        of_.resize(count);
        for (int32_t k = first; k < last; ++k) {
            const State& from = lattice.states[k];
            if (from.tag != known) {
                known = from.tag;
                ++rows;
                keys.visit_tag(i, known, [&](uint64_t key) { adder.add(key, &single_[rows * width_]); });
            }
            of_[k - first] = rows;
            keys.visit_tags(i, from.tag, from.before,
                            [&](uint64_t key) { adder.add(key, &pair_[(k - first) * width_]); });
        }
        adder.finish();
        for (size_t k = 0; k < count; ++k)
            for (int32_t tag : candidates) pair_[k * width_ + tag] += single_[of_[k] * width_ + tag];
    }

    int32_t width_ = 0;
    std::vector<Score> static_;         // [n + 1][width], and slack
    std::vector<Score> pair_, single_;  // [states][width], and slack
    std::vector<int32_t> of_;
    std::vector<State> next_states_;
};

// The score of a sequence of tags, feature by feature.
template <class TagWeights>
double score_tags(const TagKeys& keys, const TagWeights& weights, const int32_t* tags, int32_t n) {
    double score = 0;
    for (int32_t i = 1; i <= n; ++i) {
        const auto add = [&](uint64_t key) { score += weights(key, tags[i]); };
        keys.visit(i, add);
        keys.visit_tag(i, i > 1 ? tags[i - 1] : before_first, add);
        keys.visit_tags(i, i > 1 ? tags[i - 1] : before_first, i > 2 ? tags[i - 2] : before_first, add);
    }
    return score;
}

}  // namespace wnparse
