// Feature templates: what is hashed for an arc.
//
// Arc-factored features after McDonald, Crammer & Pereira (2005) and Martins et al. (TurboParser).  A template
// names attributes of the head, of the modifier and of their neighbours; wnparse/parser/features.py lists them in
// words. The key of a feature is template + head's side + modifier's side + direction (and distance).  Many
// templates take the same of one end: each such side is hashed once per token.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/hashing.hpp"
#include "features/tokens.hpp"

namespace wnparse {

constexpr int32_t most_atoms = 4;  // of one side of a template
constexpr int32_t distance_bins = 10;
constexpr int32_t most_counted = 6;

struct TemplateSide {
    int32_t count = 0;           // attributes
    int32_t atom[most_atoms];    // which
    int32_t offset[most_atoms];  // of the token itself (0) or of a neighbour
    bool morph = false;          // and each single value of FEATS
    uint64_t start = 0;          // the hash of nothing, which tells head and modifier apart

    bool empty() const { return count == 0 && !morph; }

    // Whether it hashes the same; single values of FEATS are added later.
    bool same_hash(const TemplateSide& other) const {
        return start == other.start && count == other.count && std::equal(atom, atom + count, other.atom) &&
               std::equal(offset, offset + count, other.offset);
    }

    // Whether all it takes is part of the token's own tags.
    bool tags_only() const;

    uint64_t hash(const Tokens& tokens, int32_t token) const {
        uint64_t key = start;
        for (int32_t k = 0; k < count; ++k) key = mix(key ^ neighbour(tokens, token, atom[k], offset[k]));
        return key;
    }

private:
    // Neighbours outside the sentence, and those of the root, are symbols of their own.
    static uint64_t neighbour(const Tokens& tokens, int32_t token, int32_t atom, int32_t offset) {
        const int32_t at = token + offset;
        const uint64_t place = static_cast<uint64_t>(atom * 16 + offset + 8);
        if (offset == 0) return tokens.atom(token, atom) + place;
        if (token == 0) return place * odd_constant;
        if (at < 1) return (place + 256) * odd_constant;
        if (at > tokens.n) return (place + 512) * odd_constant;
        return tokens.atom(at, atom) + place;
    }
};

enum class Shape : int32_t { constant, head, modifier, types, between, pair };

struct Template {
    TemplateSide head;
    TemplateSide modifier;
    bool binned = false;    // with the distance
    bool between = false;   // with the tag of each word in between
    bool counted = false;   // with the number of words of each class in between
    bool agreeing = false;  // only single values of FEATS of the same attribute on both sides
    bool arc = true;        // scores arcs
    bool label = false;     // scores labels
    Shape shape = Shape::pair;
    uint64_t start = 0;     // tells templates apart
    int32_t head_side = 0;  // which of the sides it takes of the head, and of the modifier
    int32_t modifier_side = 0;

    // Whether it makes just one feature of an arc.
    bool single() const { return !between && !counted && !head.morph && !modifier.morph; }

    // Whether at most one end of the arc, and its direction, are all that it depends on.
    bool one_end() const { return !binned && !between && !counted && (head.empty() || modifier.empty()); }

    // How often it has to be looked up: once, per head, per modifier, per pair of token types, or per arc.
    Shape find_shape() const {
        if (counted) return Shape::pair;
        if (between) return Shape::between;
        if (head.empty() && modifier.empty()) return Shape::constant;
        if (!binned && head.tags_only() && modifier.tags_only() && !head.empty() && !modifier.empty())
            return Shape::types;
        if (head.morph || modifier.morph) return Shape::types;
        if (!binned && modifier.empty()) return Shape::head;
        if (!binned && head.empty()) return Shape::modifier;
        return Shape::pair;
    }
};

// The templates of a parser, and the sides that they take of a token, each once.
struct Templates {
    std::vector<Template> all;
    std::vector<TemplateSide> sides;

    void add(Template t) {
        t.head_side = number(t.head);
        t.modifier_side = number(t.modifier);
        all.push_back(t);
    }

private:
    int32_t number(const TemplateSide& side) {
        size_t k = 0;
        while (k < sides.size() && !sides[k].same_hash(side)) ++k;
        if (k == sides.size()) sides.push_back(side);
        return static_cast<int32_t>(k);
    }
};

inline bool TemplateSide::tags_only() const {
    // lemma-free attributes of the token itself: universal tag, fine tag, all of FEATS
    for (int32_t k = 0; k < count; ++k)
        if (offset[k] != 0 || !(atom[k] == tag_atom || atom[k] == fine_tag_atom || atom[k] == feats_atom))
            return false;
    return true;
}

inline int32_t distance_bin(int32_t distance) {
    static const int8_t bins[41] = {0, 0, 1, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7,
                                    8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
    return bins[std::min(distance, 40)];
}

// Keys of small numbers, worked out once.
struct NumberKeys {
    uint64_t bin[distance_bins];
    uint64_t count[class_count][most_counted + 1];
    NumberKeys() {
        for (int32_t k = 0; k < distance_bins; ++k) bin[k] = mix(static_cast<uint64_t>(k) + 77) | 1u;
        for (int32_t kind = 0; kind < class_count; ++kind)
            for (int32_t k = 0; k <= most_counted; ++k)
                count[kind][k] = mix(static_cast<uint64_t>(kind * 100 + k) + 5000);
    }
};
inline const NumberKeys number_keys;

inline uint64_t direction_key(bool right) { return right ? 0x6c62272e07bb0142u : 0xaf63bd4c8601b7dfu; }
inline uint64_t bin_key(int32_t bin) { return number_keys.bin[bin]; }
inline uint64_t count_key(int32_t kind, int32_t count) {
    return number_keys.count[kind][std::min(count, most_counted)];
}
inline uint64_t between_key(uint64_t tag) { return mix(tag + 3); }
inline uint64_t head_morph_key(uint64_t value) { return mix(value + 11); }
inline uint64_t modifier_morph_key(uint64_t value) { return mix(value + 13); }

}  // namespace wnparse
