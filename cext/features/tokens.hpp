// A sentence as the features see it: hashes only (token_hashes.hpp makes them).
#pragma once

#include <cstdint>

#include "base/hashing.hpp"
#include "features/extra_scores.hpp"

namespace wnparse {

constexpr int32_t atom_count = 9;  // attributes of a token: see wnparse/parser/features.py
constexpr int32_t tag_atom = 2;    // universal tag
constexpr int32_t fine_tag_atom = 3;
constexpr int32_t feats_atom = 8;   // all of FEATS
constexpr int32_t class_count = 3;  // punctuation, coordination, verbs

struct Tokens {
    int32_t n;                           // words
    const uint64_t* atoms;               // [n + 1][atom_count]
    const uint64_t* morphs;              // values of FEATS, token after token
    const uint64_t* morph_names;         // the attribute of each value: Case of Case=Acc
    const int32_t* morph_begin;          // [n + 2]
    const int32_t* class_counts;         // [n + 2][class_count]: words of each class before a token
    const ExtraScores* extra = nullptr;  // added to the scores of a finished model

    uint64_t atom(int32_t token, int32_t a) const { return atoms[token * atom_count + a]; }
};

// All tags of a token, and its FEATS, as one.
inline uint64_t token_type(const Tokens& tokens, int32_t token) {
    return mix(mix(mix(tokens.atom(token, tag_atom)) ^ tokens.atom(token, fine_tag_atom)) ^
               tokens.atom(token, feats_atom));
}

}  // namespace wnparse
