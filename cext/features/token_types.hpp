// Small numbers for the distinct tags, and for the distinct types (all tags and FEATS), of the tokens of one
// sentence.
#pragma once

#include <cstdint>
#include <vector>

#include "features/templates.hpp"

namespace wnparse {

class LocalIds {
public:
    template <class Key>
    void number(int32_t size, Key key) {
        id.resize(size);
        values.clear();
        first.clear();
        for (int32_t token = 0; token < size; ++token) {
            const uint64_t value = key(token);
            int32_t k = 0;
            while (k < static_cast<int32_t>(values.size()) && values[k] != value) ++k;
            if (k == static_cast<int32_t>(values.size())) {
                values.push_back(value);
                first.push_back(token);
            }
            id[token] = k;
        }
    }
    int32_t count() const { return static_cast<int32_t>(values.size()); }
    size_t pairs() const { return 2 * values.size() * values.size(); }
    // Where the pair of an arc stands among all pairs() of both directions.
    size_t pair(int32_t h, int32_t m) const { return ((h < m) * values.size() + id[h]) * values.size() + id[m]; }

    std::vector<int32_t> id;       // [tokens]
    std::vector<uint64_t> values;  // [count]
    std::vector<int32_t> first;    // [count] the first token that has it
};

struct TokenTypes {
    LocalIds tags, types;

    void number(const Tokens& tokens) {
        tags.number(tokens.n + 1, [&](int32_t i) { return tokens.atom(i, tag_atom); });
        types.number(tokens.n + 1, [&](int32_t i) { return token_type(tokens, i); });
    }
};

}  // namespace wnparse
