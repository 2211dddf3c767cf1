// What a search for tags leaves: states, each with the best way to it, and the steps between them; and from it the
// best sequence, and the best ones that differ from it.
//
//   through(s) = before(s) + after(s),   after(s) = max over steps s -> t of score(s, t) + after(t)
//
// is the score of the best sequence that goes through a state.  The best sequence of each tag of each word that
// the best one has not is an alternative, as far as its score is close: O(states steps), exact within the beam.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace wnparse {

template <class Score>
struct TagSequence {
    Score score = 0;
    std::vector<int32_t> tags;  // [n + 1]
};

template <class Score>
class TagLattice {
public:
    struct State {
        int32_t tag, before;
        int32_t back;  // the state before it on the best way
        Score score;   // of that way
    };
    struct Step {
        int32_t from, to;
        Score score;
    };
    static bool better(const State& a, const State& b) {  // ties: the lower numbers, so that runs repeat
        if (a.score != b.score) return a.score > b.score;
        return a.tag != b.tag ? a.tag < b.tag : a.before < b.before;
    }

    std::vector<State> states;
    std::vector<int32_t> begin;  // [n + 2] of the states of each word; one stands before the first
    std::vector<Step> steps;     // by rising `to`, if alternatives are wanted

    void start(const State& state) {
        states.assign(1, state);
        begin.assign({0, 1});
        steps.clear();
    }
    void end_word() { begin.push_back(static_cast<int32_t>(states.size())); }
    int32_t size() const { return static_cast<int32_t>(begin.size()) - 2; }

    Score best(int32_t* tags) const {
        const int32_t n = size();
        int32_t at = begin[n];
        for (int32_t k = at; k < begin[n + 1]; ++k)
            if (better(states[k], states[at])) at = k;
        const Score score = states[at].score;
        trace_back(at, n, tags);
        return score;
    }

    // Up to `count` other sequences, by falling score, that are behind the best by at most `gap`.
    std::vector<TagSequence<Score>> alternatives(const int32_t* best_tags, Score best_score, int32_t count,
                                                 Score gap) {
        look_ahead();
        std::vector<Through> candidates;
        for (int32_t i = 1; i <= size(); ++i)
            for (int32_t k = begin[i]; k < begin[i + 1]; ++k) {
                if (states[k].tag == best_tags[i] || after_[k] == nowhere) continue;
                const Through through = {states[k].score + after_[k], i, k};
                if (through.score < best_score - gap) continue;
                // States of one tag stand side by side.
                if (!candidates.empty() && candidates.back().word == i &&
                    states[candidates.back().state].tag == states[k].tag) {
                    if (through.score > candidates.back().score) candidates.back() = through;
                } else {
                    candidates.push_back(through);
                }
            }
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Through& a, const Through& b) { return a.score > b.score; });
        std::vector<TagSequence<Score>> sequences;
        for (const Through& candidate : candidates) {
            if (static_cast<int32_t>(sequences.size()) == count) break;
            TagSequence<Score> sequence = {candidate.score,
                                           std::vector<int32_t>(static_cast<size_t>(size()) + 1, 0)};
            trace_back(candidate.state, candidate.word, sequence.tags.data());
            for (int32_t k = next_[candidate.state], i = candidate.word + 1; k >= 0; k = next_[k], ++i)
                sequence.tags[i] = states[k].tag;
            const auto same = [&](const TagSequence<Score>& other) { return other.tags == sequence.tags; };
            if (std::none_of(sequences.begin(), sequences.end(), same)) sequences.push_back(std::move(sequence));
        }
        return sequences;
    }

private:
    static constexpr Score nowhere = std::numeric_limits<Score>::lowest();
    struct Through {
        Score score;
        int32_t word, state;
    };

    void trace_back(int32_t at, int32_t i, int32_t* tags) const {
        for (; i >= 1; --i, at = states[at].back) tags[i] = states[at].tag;
    }

    // after_ and the state that follows on the best way; states that the beam leads nowhere from have neither.
    void look_ahead() {
        after_.assign(states.size(), nowhere);
        next_.assign(states.size(), -1);
        std::fill(after_.begin() + begin[size()], after_.end(), 0);
        for (size_t k = steps.size(); k-- > 0;) {
            const Step& step = steps[k];
            if (after_[step.to] == nowhere) continue;
            const Score score = step.score + after_[step.to];
            if (after_[step.from] != nowhere && after_[step.from] >= score) continue;
            after_[step.from] = score;
            next_[step.from] = step.to;
        }
    }

    std::vector<Score> after_;
    std::vector<int32_t> next_;
};

}  // namespace wnparse
