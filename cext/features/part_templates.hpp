// Feature templates of parts of higher order: what is hashed for siblings, grandparents and longer parts.
//
// After Carreras (2007), Koo & Collins (2010) and Martins, Almeida & Smith (2013).  A template takes one attribute
// of each of some nodes of the part.  Templates of two words that need not be an arc, consecutive siblings (m, s)
// or grandparent and grandchild (g, m), are templates of arcs (templates.hpp) under numbers of their own, and most
// of what parts are worth.  wnparse/parser/part_features.py lists both in words.
#pragma once

#include <cstdint>
#include <vector>

#include "features/tokens.hpp"

namespace wnparse {

enum class PartKind : int32_t { sibling, grandparent, grandsibling, trisibling };
constexpr int32_t part_kinds = 4;

// The nodes of parts: grandparent, head, modifier, the next sibling, and the one after it.
enum Role : int32_t { role_g, role_h, role_m, role_s, role_t, role_count };

struct PartTemplate {
    int32_t atom[role_count];  // which attribute of each node, -1 for none
    uint64_t start = 0;        // tells templates apart
};

struct PartTemplates {
    std::vector<PartTemplate> of_kind[part_kinds];
    std::vector<int32_t> sibling_pairs;      // templates of (m, s), by their numbers among those of arcs
    std::vector<int32_t> grandparent_pairs;  // templates of (g, m)
};

// START and STOP have no word, and a tag of their own.
constexpr uint64_t start_symbol = 0x5bd1e9955bd1e995u, stop_symbol = 0xc2b2ae3d27d4eb4fu;

// What a node gives to the key of a feature.
inline uint64_t role_key(int32_t role, int32_t atom, uint64_t value) {
    return mix(value + mix(static_cast<uint64_t>(role * 16 + atom) + 7000));
}
inline uint64_t shape_key(int32_t shape) { return mix(static_cast<uint64_t>(shape) + 9000); }

// How g, h and m lie: in one direction (0), m between g and h (1) or beyond g (2); and 3 more if m is right of h.
inline int32_t grandparent_shape(int32_t g, int32_t h, int32_t m) {
    const bool right = h < m;
    const int32_t shape = (g < h) == right ? 0 : (m < g) == right ? 1 : 2;
    return shape + 3 * right;
}

}  // namespace wnparse
