// Characters of a text as the tokenizer sees them: a kind and a lower case for each code point.
//
// Python's tables of Unicode fill the table, character by character when it first occurs in a text
// (modules/tokenizer.pyx), so that the core needs none of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hashing.hpp"

namespace wnparse {

// 0 is what is outside a text, or not described yet.  There are at most 32 kinds: five bits each in packed
// windows.
enum CharacterKind : uint8_t {
    no_character,
    space_kind,
    upper_kind,
    lower_kind,
    letter_kind,    // without case
    unspaced_kind,  // a letter of a script that is written without spaces: Han, Kana, Thai, ...
    digit_kind,
    mark_kind,
    stop_kind,   // .
    final_kind,  // ! ? and others that end sentences
    comma_kind,  // , ; :
    apostrophe_kind,
    quote_kind,
    open_kind,
    close_kind,
    dash_kind,
    punctuation_kind,
    symbol_kind,
    other_kind,  // control and format characters, unassigned code points
    kind_count
};
constexpr int32_t kind_bits = 5;
constexpr uint32_t code_points = 0x110000;

inline bool is_word_kind(uint8_t kind) { return kind >= upper_kind && kind <= mark_kind; }

struct Character {
    uint32_t lower = 0;
    uint32_t kind = no_character;
};

// The next value of a hash that is made from left to right.
inline uint64_t extend_hash(uint64_t hash, uint64_t value) {
    hash = (hash + value + 1) * 0xd6e8feb86659fd93u;
    return hash ^ hash >> 32;
}

inline uint64_t hash_characters(const uint32_t* first, const uint32_t* last) {
    uint64_t hash = 0;
    for (; first != last; ++first) hash = extend_hash(hash, *first);
    return hash;
}

// A text with kinds and lower case; a few places before and behind it are empty.
class TokenizerText {
public:
    static constexpr int32_t margin = 4;

    // Whether the table describes each of the n code points; if not, `missing` is the first that it lacks.
    bool read(const uint32_t* text, int32_t n, const Character* table, uint32_t* missing) {
        n_ = n;
        const size_t size = static_cast<size_t>(n) + 2 * margin;
        lower_.assign(size, 0);
        kinds_.assign(size, no_character);
        for (int32_t i = 0; i < n; ++i) {
            const Character& character = table[text[i] < code_points ? text[i] : 0];
            if (character.kind == no_character) {
                *missing = text[i] < code_points ? text[i] : 0;
                return false;
            }
            lower_[i + margin] = character.lower;
            kinds_[i + margin] = static_cast<uint8_t>(character.kind);
        }
        return true;
    }

    int32_t size() const { return n_; }
    const uint32_t* lower() const { return lower_.data() + margin; }
    const uint8_t* kinds() const { return kinds_.data() + margin; }
    bool is_space(int32_t i) const { return kinds()[i] == space_kind; }

private:
    int32_t n_ = 0;
    std::vector<uint32_t> lower_;
    std::vector<uint8_t> kinds_;
};

}  // namespace wnparse
