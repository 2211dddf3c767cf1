// Tokens of a text with what sentence ends and multiword tokens are decided by.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tokenizer/characters.hpp"
#include "tokenizer/token_tables.hpp"

namespace wnparse {

// Classes of tokens; those of punctuation are the kinds of their first characters.
enum TokenClass : uint8_t {
    no_token,
    lower_token,
    capital_token,
    upper_token,  // several letters, all of them capitals
    letter_token,
    unspaced_token,
    digit_token,
    abbreviated_token,  // letters, and a full stop at the end
};

struct TokenFact {
    int32_t begin = 0, end = 0;
    uint64_t lower = 0;  // hash
    uint32_t shape = 0;  // hash of kinds, each run once
    uint8_t token_class = no_token;
    uint8_t status = 0;    // of the lexicon; 0 if the word is not there
    bool space = false;    // whether a space follows, or nothing
    bool capital = false;  // its first character

    int32_t length() const { return end - begin; }
};

inline TokenFact describe_token(const TokenizerText& text, int32_t begin, int32_t end, const TokenTables* tables) {
    TokenFact fact;
    fact.begin = begin;
    fact.end = end;
    const uint8_t* kinds = text.kinds();
    uint64_t shape = 0;
    bool has_lower = false, has_upper = false;
    for (int32_t i = begin; i < end; ++i) {
        fact.lower = extend_hash(fact.lower, text.lower()[i]);
        if (i == begin || kinds[i] != kinds[i - 1]) shape = extend_hash(shape, kinds[i]);
        has_lower |= kinds[i] == lower_kind;
        has_upper |= kinds[i] == upper_kind;
    }
    fact.shape = static_cast<uint32_t>(mix(shape));
    fact.space = end == text.size() || text.is_space(end);
    fact.capital = kinds[begin] == upper_kind;
    const uint8_t first = kinds[begin];
    if (end - begin > 1 && is_word_kind(first) && kinds[end - 1] == stop_kind)
        fact.token_class = abbreviated_token;
    else if (first == stop_kind && end - begin > 1)
        fact.token_class = final_kind;
    else if (first > mark_kind)
        fact.token_class = first;
    else if (first == upper_kind)
        fact.token_class = !has_lower && end - begin > 1 ? upper_token : capital_token;
    else if (first == lower_kind)
        fact.token_class = lower_token;
    else if (first == digit_kind)
        fact.token_class = digit_token;
    else
        fact.token_class = first == unspaced_kind ? unspaced_token : letter_token;
    if (tables != nullptr) {
        const int32_t status = tables->words[form_key(fact.lower)];
        fact.status = static_cast<uint8_t>(status > 0 ? status : 0);
    }
    return fact;
}

// The tokens of a text: empty ones before the first and behind the last, so that neighbours can be asked for.
class TokenFacts {
public:
    static constexpr int32_t margin = 3;

    void clear() { facts_.assign(margin, TokenFact()); }
    void add(const TokenFact& fact) { facts_.push_back(fact); }
    void finish() {
        n_ = static_cast<int32_t>(facts_.size()) - margin;
        facts_.resize(facts_.size() + margin);
        // How many tokens follow until one that ends sentences: 1 if that is the next one.
        to_final_.assign(static_cast<size_t>(n_), farthest);
        int32_t distance = farthest;
        for (int32_t k = n_; k-- > 0;) {
            to_final_[k] = static_cast<uint8_t>(distance);
            const uint8_t token_class = (*this)[k].token_class;
            distance =
                token_class == stop_kind || token_class == final_kind ? 1 : std::min(distance + 1, farthest);
        }
    }
    int32_t size() const { return n_; }
    const TokenFact& operator[](int32_t k) const { return facts_[static_cast<size_t>(k + margin)]; }
    uint8_t to_final(int32_t k) const { return to_final_[k]; }

private:
    static constexpr int32_t farthest = 40;
    int32_t n_ = 0;
    std::vector<TokenFact> facts_;
    std::vector<uint8_t> to_final_;
};

}  // namespace wnparse
