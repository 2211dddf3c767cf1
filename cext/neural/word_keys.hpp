// What a network knows of a word: hashes of its form, its tags and its beginnings and ends; O(bytes).
//
// The inputs are the lower-cased form, the lemma, the universal tag, the fine tag, each value of FEATS, and the
// first and last one to four characters of the lower-cased form.  No key is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "features/letters.hpp"

namespace wnparse {

constexpr int32_t input_count = 6;  // see wnparse/neural/inputs.py
constexpr int32_t affix_limit = 4;

class WordKeys {
public:
    std::vector<uint64_t> keys;  // those of one input of a word after those of another
    std::vector<int32_t> begin;  // [(n + 1) * input_count + 1]: token by token, input by input

    // fields[n + 1][11] says where the columns of each word begin: see conllu.pyx.
    void read(const char* text, const int32_t* fields, int32_t n) {
        keys.clear();
        begin.assign(1, 0);
        for (int32_t input = 0; input < input_count; ++input) add_all(input, {}, root);
        for (int32_t i = 1; i <= n; ++i) {
            const int32_t* at = fields + i * (column_count + 1);
            const auto column = [&](int32_t c) {
                return std::string_view(text + at[c], static_cast<size_t>(at[c + 1] - 1 - at[c]));
            };
            letters_.read(column(form_column).data(), column(form_column).size());
            add_all(0, letters_.lower, 0);
            for (int32_t c = 2; c <= 4; ++c) add_all(c - 1, column(c), 0);
            add_values(column(feats_column));
            add_affixes(letters_.lower);
        }
    }

private:
    static constexpr int32_t column_count = 10, form_column = 1, feats_column = 5;
    static constexpr int32_t feats_input = 4, affix_input = 5;
    static constexpr uint64_t root = 1000;  // of what stands before the first word
    static constexpr uint64_t seed = 500;   // other than those of the features of the linear model

    void add(uint64_t kind, std::string_view text) {
        const uint64_t key = hash_bytes(text.data(), text.size(), seed + kind);
        keys.push_back(key == 0 ? 1 : key);
    }
    void end_input() { begin.push_back(static_cast<int32_t>(keys.size())); }

    void add_all(int32_t input, std::string_view text, uint64_t kind) {
        add(kind + static_cast<uint64_t>(input), text);
        end_input();
    }

    void add_values(std::string_view feats) {
        for (size_t at = 0; feats != "_" && at <= feats.size();) {
            const std::string_view value = feats.substr(at, feats.find('|', at) - at);
            add(feats_input, value);
            at += value.size() + 1;
        }
        end_input();
    }

    // Of a word with fewer characters those that it has.
    void add_affixes(std::string_view form) {
        starts_.clear();
        for (size_t at = 0; at < form.size(); ++at)
            if ((static_cast<unsigned char>(form[at]) & 0xc0) != 0x80) starts_.push_back(at);
        const size_t characters = starts_.size();
        for (size_t k = 1; k <= affix_limit && k <= characters; ++k) {
            const size_t end = k < characters ? starts_[k] : form.size();
            add(affix_input + 10 * k, form.substr(0, end));
            add(affix_input + 10 * k + 5, form.substr(starts_[characters - k]));
        }
        end_input();
    }

    Letters letters_;
    std::vector<size_t> starts_;  // of the characters of a form
};

}  // namespace wnparse
