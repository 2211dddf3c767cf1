// From the scores of a sentence, as they come from outside, to its best tree, or the k best ones.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/decoder.hpp"
#include "decoders/free_tree.hpp"
#include "decoders/kbest/kbest_search.hpp"
#include "decoders/kbest/ranked_trees.hpp"
#include "problem/input.hpp"

namespace wnparse {

// The k best trees of a sentence, and whether each is certified.
struct Ranked {
    RankedTrees trees;
    std::vector<uint8_t> certified;
    SentenceState state = state_open;
    double range = 0.0;  // of the scores of an overpriced sentence
};

class InputDecoder {
public:
    // Write the heads of the best tree, [n + 1], and its labels, nullptr without any.  `state` tells what came of
    // it; it stays open if the search was stopped.
    Outcome decode(const Input& input, const Settings& settings, int32_t* heads, int32_t* labels);
    SentenceState state() const { return state_; }
    double range() const { return range_; }  // of the scores of an overpriced sentence

    void rank(const Input& input, const Settings& settings, int64_t k, Ranked& ranked);

private:
    Outcome decode_ruled(const Input& input, const Settings& settings, int32_t* heads, int32_t* labels);
    Outcome decode_loaded(const Settings& settings, int32_t* heads, int32_t* labels);
    void rank_rest(const Input& input, const Settings& settings, int64_t k, const FirstOfRanking& first,
                   Ranked& ranked);
    bool add_rules(const double* floors);
    Outcome refused() const { return {infeasible_result(), false, false}; }

    SentenceState state_ = state_open;
    double range_ = 0.0;
    InputProblem problem_;
    FreeTree free_tree_;
};

}  // namespace wnparse
