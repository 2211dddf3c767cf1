// What a tokenizer knows besides weights: where breaks are possible, words of its training data, and scripts that
// multiword tokens may have.
#pragma once

#include <cstdint>

#include "tagger/lookup_table.hpp"
#include "tokenizer/characters.hpp"

namespace wnparse {

constexpr int32_t class_limit = 32;  // kinds of characters, and classes of tokens: bits of a row of pairs

struct TokenTables {
    const uint32_t* break_pairs = nullptr;  // [32]: bit b of row a: a token may end between kinds a and b
    const uint32_t* sentence_pairs =
        nullptr;                             // [2][32]: a sentence may end between classes a and b; [1] at a space
    LookupTable words;                       // of lower-cased forms that were seen several times: their status
    LookupTable script_words;                // of lower-cased forms: the list of scripts that they may have
    LookupTable affixes;                     // of what is removed at front and back: the list of scripts that do
    NumberLists script_lists;                // 0 stands for a token of one word
    const int32_t* affix_lengths = nullptr;  // [affix_count][2]: characters at front and back that are removed
    int32_t affix_count = 0;
    const int32_t* script_affixes = nullptr;  // [scripts][2]: the same for each script

    bool may_break(uint8_t left, uint8_t right) const { return break_pairs[left] >> right & 1u; }
    bool may_end(uint8_t left, uint8_t right, bool space) const {
        return sentence_pairs[(space ? class_limit : 0) + left] >> right & 1u;
    }
};

constexpr int32_t most_status = 64;  // of words
inline uint64_t form_key(uint64_t hash) { return mix(hash) | 1u; }
inline uint64_t affix_key(uint64_t front, uint64_t back) { return mix(mix(front) + back) | 1u; }

}  // namespace wnparse
