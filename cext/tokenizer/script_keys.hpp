// Features of a token and a script that may make words of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tokenizer/token_facts.hpp"

namespace wnparse {

// `front` and `back` characters are removed from the token by the script.
template <class Visit>
void visit_script_keys(const TokenFacts& tokens, int32_t k, int32_t script, int32_t front, int32_t back,
                       const uint32_t* lower, const TokenTables& tables, Visit visit) {
    const TokenFact &before = tokens[k - 1], &token = tokens[k], &next = tokens[k + 1];
    const int32_t first = token.begin + front, last = token.end - back;
    const uint64_t rest = hash_characters(lower + first, lower + last);
    const uint64_t known = static_cast<uint64_t>(tables.words[form_key(rest)] + 1);
    const uint64_t length = static_cast<uint64_t>(std::min(last - first, 6));
    const uint64_t base = static_cast<uint64_t>(script) * 0xd6e8feb86659fd93u;
    const auto key = [&](uint64_t number, uint64_t value) {
        visit(mix(mix(value + (128 + number) * odd_constant) + base));
    };
    key(1, 0);
    key(2, token.lower);
    key(3, rest);
    key(4, known);
    key(5, length);
    key(6, token.shape);
    uint64_t suffix = 0;
    for (int32_t size = 1; size <= 5; ++size) {
        if (last - size < first) break;
        suffix = extend_hash(suffix, lower[last - size]);
        key(6 + static_cast<uint64_t>(size), suffix);
    }
    key(12, before.lower);
    key(13, next.lower);
    key(14, static_cast<uint64_t>(before.token_class) << 5 | next.token_class);
    key(15, extend_hash(token.lower, before.lower));
    key(16, extend_hash(token.lower, next.lower));
    key(17, extend_hash(token.lower, token.token_class));
    key(18, hash_characters(lower + token.begin, lower + std::min(token.end, token.begin + 3)));
    key(19, known << 32 | static_cast<uint64_t>(token.token_class) << 5 | next.token_class);
    key(20, extend_hash(token.lower, static_cast<uint64_t>(before.token_class) << 5 | next.token_class));
}

}  // namespace wnparse
