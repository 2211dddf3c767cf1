// Features of a token that may be the last one of a sentence.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tokenizer/token_facts.hpp"

namespace wnparse {

// What is known of the sentence so far, with the token that may end it.
class SentenceSoFar {
public:
    void begin(int32_t token) {
        first_ = token;
        brackets_ = quotes_ = 0;
        lower_words_ = 0;
    }
    void add(const TokenFact& fact) {
        if (fact.token_class == open_kind) ++brackets_;
        if (fact.token_class == close_kind && brackets_ > 0) --brackets_;
        if (fact.token_class == quote_kind) quotes_ ^= 1;
        lower_words_ += fact.token_class == lower_token;
    }
    int32_t first() const { return first_; }
    uint64_t open() const { return static_cast<uint64_t>(std::min(brackets_, 2) << 1 | quotes_); }
    uint64_t lower_words() const { return static_cast<uint64_t>(std::min(lower_words_, 3)); }

private:
    int32_t first_ = 0, brackets_ = 0, quotes_ = 0, lower_words_ = 0;
};

inline uint64_t distance_bucket(int32_t distance) {
    if (distance <= 6) return static_cast<uint64_t>(distance);
    return distance <= 9    ? 7
           : distance <= 14 ? 8
           : distance <= 20 ? 9
           : distance <= 30 ? 10
           : distance <= 50 ? 11
                            : 12;
}

template <class Visit>
void visit_sentence_keys(const TokenFacts& tokens, int32_t k, const SentenceSoFar& so_far, const uint32_t* lower,
                         Visit visit) {
    const TokenFact &before2 = tokens[k - 2], &before = tokens[k - 1], &token = tokens[k], &next = tokens[k + 1],
                    &next2 = tokens[k + 2], &first = tokens[so_far.first()];
    const uint64_t classes = static_cast<uint64_t>(token.token_class) << 5 | next.token_class;
    const uint64_t around = static_cast<uint64_t>(before.token_class) << 15 | classes << 5 | next2.token_class;
    const uint64_t space = token.space ? 1 : 0;
    const uint64_t distance = distance_bucket(k + 1 - so_far.first());
    const uint64_t left = distance_bucket(tokens.size() - 1 - k), to_final = distance_bucket(tokens.to_final(k));
    const uint64_t starts = so_far.first() == 0 ? 1 : 0;
    const uint64_t next_status = static_cast<uint64_t>(next.status) << 5 | next.token_class;
    const auto suffix_of = [&](const TokenFact& fact, int32_t size) {
        return hash_characters(lower + std::max(fact.begin, fact.end - size), lower + fact.end);
    };
    const uint64_t suffix = suffix_of(token, 3);
    const uint64_t status = next_status << 5 | token.token_class;
    const auto key = [&](uint64_t number, uint64_t value) { visit(mix(value + (64 + number) * odd_constant)); };
    key(1, space);
    key(2, token.lower);
    key(3, next.lower);
    key(4, extend_hash(next.lower, next.token_class));
    key(5, extend_hash(token.lower, next.lower));
    key(6, extend_hash(before.lower, token.lower));
    key(7, extend_hash(token.lower, next.shape));
    key(8, extend_hash(token.shape, next.shape));
    key(9, extend_hash(extend_hash(token.lower, before.shape), next.shape));
    key(10, classes << 1 | space);
    key(11, classes << 5 | next2.token_class);
    key(12, around);
    key(13, static_cast<uint64_t>(before2.token_class) << 20 | around);
    key(14, status);
    key(15, extend_hash(token.lower, next_status));
    key(16, static_cast<uint64_t>(token.status) << 10 | classes);
    key(17, (static_cast<uint64_t>(before.status) << 10 | classes) << 4 |
                static_cast<uint64_t>(std::min(before.length(), 7)));
    key(18, extend_hash(next.lower, next2.lower));
    key(19, distance << 10 | classes);
    key(20, extend_hash(token.lower, so_far.open() << 5 | next.token_class));
    key(21, so_far.open() << 14 | distance << 10 | classes);
    key(22, extend_hash(token.shape, static_cast<uint64_t>(std::min(token.length(), 9)) << 5 | next.token_class));
    key(23, extend_hash(first.lower, classes));
    key(24, left << 10 | classes);
    key(25, extend_hash(suffix, next.token_class));
    key(26, extend_hash(extend_hash(before.lower, token.lower), next.token_class));
    key(27, (starts << 4 | distance) << 10 | classes);
    key(28, (so_far.lower_words() << 4 | distance) << 10 | classes);
    key(29, (to_final << 4 | distance) << 10 | classes);
    key(30, (static_cast<uint64_t>(next2.status) << 5 | next2.token_class) << 20 | status);
    key(31, to_final << 20 | status);
    key(32, (starts << 4 | left) << 14 | distance << 10 | classes);
    key(33, extend_hash(next.lower, token.token_class));
    key(34, extend_hash(next.lower, static_cast<uint64_t>(before.token_class) << 5 | token.token_class));
    key(35, extend_hash(extend_hash(before.lower, next_status), token.lower));
    key(36, extend_hash(extend_hash(suffix_of(before, 3), token.lower), next.token_class));
    key(37, extend_hash(suffix_of(before, 2), classes));
    key(38, (starts << 4 | distance) << 20 | status);
    key(39, extend_hash(next.lower, starts << 5 | token.token_class));
    key(40, (starts << 5 | next2.token_class) << 20 | status);
    key(41, extend_hash(hash_characters(lower + next.begin, lower + std::min(next.end, next.begin + 3)), classes));
    key(42, static_cast<uint64_t>(before.token_class) << 20 | status);
    key(43, (so_far.lower_words() << 1 | starts) << 20 | status);
    key(44, extend_hash(next.lower, to_final << 5 | token.token_class));
}

}  // namespace wnparse
