// Features of a place inside a stretch without spaces, where a token may end.
//
// All that a place is described by has a bounded length, so that a stretch takes time linear in its length.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tokenizer/characters.hpp"
#include "tokenizer/token_tables.hpp"

namespace wnparse {

class BreakKeys {
public:
    // A stretch without spaces, first..last, and what is behind it.
    void begin_stretch(const TokenizerText& text, int32_t first, int32_t last) {
        lower_ = text.lower();
        kinds_ = text.kinds();
        first_ = first;
        last_ = last;
        int32_t next = last;
        while (next < text.size() && text.is_space(next)) ++next;
        next_ = next < text.size() ? kinds_[next] : no_character;
        marks_ = 0;
        for (int32_t i = first; i < last; ++i) {
            if (lower_[i] == '@') marks_ |= 1u;
            if (lower_[i] == '/' && i > first && lower_[i - 1] == '/') marks_ |= 2u;
            if (lower_[i] == 'w' && i + 3 < last && lower_[i + 1] == 'w' && lower_[i + 2] == 'w' &&
                lower_[i + 3] == '.')
                marks_ |= 2u;
            if (kinds_[i] == digit_kind) marks_ |= 4u;
        }
        begin_token(first);
    }
    // A token begins; characters are then added one by one.
    void begin_token(int32_t at) {
        token_ = at;
        hash_ = run_ = shape_ = 0;
        shape_last_ = no_character;
    }
    void add_character(int32_t at) {
        hash_ = extend_hash(hash_, lower_[at]);
        const uint8_t kind = kinds_[at];
        run_ = is_word_kind(kind) ? extend_hash(run_, lower_[at]) : 0;
        if (kind != shape_last_) shape_ = extend_hash(shape_, kind);
        shape_last_ = kind;
    }

    // The keys of the place before character i, first < i < last, whose token has all characters before i.
    template <class Visit>
    void visit(int32_t i, const TokenTables& tables, Visit visit) const {
        const uint64_t before = lower_[i - 1], at = lower_[i], left = kinds_[i - 1], right = kinds_[i];
        const uint64_t before2 = i - 2 >= first_ ? lower_[i - 2] : 0, after = i + 1 < last_ ? lower_[i + 1] : 0;
        const uint64_t left2 = i - 2 >= first_ ? kinds_[i - 2] : 0, left3 = i - 3 >= first_ ? kinds_[i - 3] : 0;
        const uint64_t right2 = i + 1 < last_ ? kinds_[i + 1] : 0, right3 = i + 2 < last_ ? kinds_[i + 2] : 0;
        const uint64_t pair = left << 5 | right, pairs = left2 << 15 | pair << 5 | right2;
        const uint64_t window = left3 << 25 | pairs << 5 | right3;
        const uint64_t characters = before << 21 | at;
        const int32_t rest = last_ - i, length = i - token_;
        const uint64_t rest_hash = hash_characters(lower_ + i, lower_ + std::min(last_, i + longest_rest));
        int32_t run_end = i + 1;
        while (run_end < last_ && run_end < i + longest_rest && is_word_kind(kinds_[run_end])) ++run_end;
        const uint64_t next_run = hash_characters(lower_ + i, lower_ + run_end);
        uint64_t rest_shape = 0;
        for (int32_t k = i; k < std::min(last_, i + longest_shape); ++k)
            if (k == i || kinds_[k] != kinds_[k - 1]) rest_shape = extend_hash(rest_shape, kinds_[k]);
        const uint64_t final = rest == 1 ? 1 + next_ : 0;
        const uint64_t known = static_cast<uint64_t>(tables.words[form_key(hash_)] + 1);
        const auto key = [&](uint64_t number, uint64_t value) { visit(mix(value + number * odd_constant)); };
        key(1, 0);
        key(2, before);
        key(3, at);
        key(4, characters);
        key(5, before2 << 21 | before);
        key(6, at << 21 | after);
        key(7, before2 << 42 | characters);
        key(8, (characters << 21 | after) + 1);
        key(9, extend_hash(characters, before2 << 21 | after));
        key(10, window);
        key(11, pairs);
        key(12, pair);
        key(13, before << 15 | right << 10 | right2 << 5 | right3);
        key(14, at << 15 | left3 << 10 | left2 << 5 | left);
        key(15, extend_hash(hash_, at));
        key(16, extend_hash(hash_, rest_hash));
        key(17, extend_hash(rest_hash, left));
        key(18, extend_hash(shape_, at << 5 | right2));
        key(19, extend_hash(shape_, rest_shape));
        key(20, static_cast<uint64_t>(std::min(length, 5)) << 20 | pairs);
        key(21, (at << 5 | final) << 3 | static_cast<uint64_t>(std::min(rest, 4)));
        key(22, extend_hash(hash_, final << 5 | right));
        key(23, static_cast<uint64_t>(marks_) << 42 | characters);
        key(24, known << 42 | characters);
        key(25, repeats(i) << 21 | at);
        key(26, extend_hash(next_run, left));
        key(27, extend_hash(run_, at << 5 | right2));
        key(28, known << 32 | final << 10 | pair);
        key(29, extend_hash(shape_, final << 5 | right));
    }

private:
    static constexpr int32_t longest_rest = 16, longest_shape = 8;

    // How often the characters before and behind the place repeat, up to three times.
    uint64_t repeats(int32_t i) const {
        uint64_t left = 0, right = 0;
        while (left < 3 && i - 1 - static_cast<int32_t>(left) > token_ && lower_[i - 2 - left] == lower_[i - 1])
            ++left;
        while (right < 3 && i + 1 + static_cast<int32_t>(right) < last_ && lower_[i + 1 + right] == lower_[i])
            ++right;
        return (left << 2 | right) << 1 | (lower_[i] == lower_[i - 1] ? 1u : 0u);
    }

    const uint32_t* lower_ = nullptr;
    const uint8_t* kinds_ = nullptr;
    int32_t first_ = 0, last_ = 0, token_ = 0;
    uint8_t next_ = 0, shape_last_ = 0;
    uint32_t marks_ = 0;
    uint64_t hash_ = 0, run_ = 0, shape_ = 0;  // of the token so far; of its last letters and digits; its kinds
};

}  // namespace wnparse
