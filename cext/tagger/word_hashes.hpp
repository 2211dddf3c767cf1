// The words of a sentence as a tagger sees them: hashes of forms, affixes and shapes, made once per word;
// O(bytes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "features/letters.hpp"

namespace wnparse {

constexpr int32_t longest_affix = 5;  // characters

struct WordHash {
    uint64_t form, lower, shape;
    // Of the first and last 1..5 characters of the lower-cased form; 0 where it has fewer.
    std::array<uint64_t, longest_affix> prefix, suffix;
    int32_t length;  // characters of the lower-cased form
};

// The hashes of the words of one sentence, and their lower-cased forms.
class WordHashes {
public:
    static constexpr int32_t beyond = 2;  // words that are asked for on either side of a sentence

    // fields[n + 1][11] says where the columns of each word begin: see conllu.pyx.
    void read(const char* text, const int32_t* fields, int32_t n) {
        start(n);
        for (int32_t i = 1; i <= n; ++i) {
            const int32_t* at = fields + i * 11;
            add(std::string_view(text + at[1], static_cast<size_t>(at[2] - 1 - at[1])), i);
        }
    }

    int32_t size() const { return static_cast<int32_t>(words_.size()) - 2 * beyond; }
    // Word i of 1..n; two more on either side are there, too.
    const WordHash& operator[](int32_t i) const { return words_[static_cast<size_t>(i - 1 + beyond)]; }
    std::string_view lower(int32_t i) const {
        const auto begin = static_cast<size_t>(lower_end_[i - 1]);
        return std::string_view(lower_).substr(begin, static_cast<size_t>(lower_end_[i]) - begin);
    }

private:
    void start(int32_t n) {
        words_.resize(static_cast<size_t>(n) + 2 * beyond);
        lower_.clear();
        lower_end_.assign(static_cast<size_t>(n) + 1, 0);
        for (int32_t k = 0; k < beyond; ++k) {
            words_[static_cast<size_t>(k)] = edge(static_cast<uint64_t>(beyond - k));
            words_[static_cast<size_t>(n + beyond + k)] = edge(static_cast<uint64_t>(beyond + 1 + k));
        }
    }

    static WordHash edge(uint64_t number) {
        WordHash word{};
        word.form = word.lower = word.shape = mix(number * odd_constant);
        return word;
    }

    void add(std::string_view form, int32_t i) {
        WordHash& word = words_[static_cast<size_t>(i - 1 + beyond)];
        letters_.read(form.data(), form.size());
        const std::string_view lower = letters_.lower;
        word.form = hash_bytes(form.data(), form.size(), 1);
        word.lower = hash_bytes(lower.data(), lower.size(), 1);
        word.shape = hash_bytes(letters_.shape.data(), letters_.shape.size(), 3);
        hash_prefixes(lower, &word.prefix);
        hash_suffixes(lower, &word.suffix);
        word.length = 0;
        for (char byte : lower) word.length += !continues(byte);
        lower_.append(lower);
        lower_end_[i] = static_cast<int32_t>(lower_.size());
    }

    static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

    static void hash_prefixes(std::string_view text, std::array<uint64_t, longest_affix>* hashes) {
        uint64_t hash = 0x1234567u;
        size_t at = 0;
        for (uint64_t& prefix_hash : *hashes) {
            prefix_hash = 0;
            if (at == text.size()) continue;
            do hash = hash * odd_constant + static_cast<unsigned char>(text[at++]) + 1;
            while (at < text.size() && continues(text[at]));
            prefix_hash = mix(hash);
        }
    }

    static void hash_suffixes(std::string_view text, std::array<uint64_t, longest_affix>* hashes) {
        uint64_t hash = 0x7654321u;
        size_t at = text.size();
        for (uint64_t& suffix_hash : *hashes) {
            suffix_hash = 0;
            if (at == 0) continue;
            do hash = hash * odd_constant + static_cast<unsigned char>(text[--at]) + 1;
            while (at > 0 && continues(text[at]));
            suffix_hash = mix(hash);
        }
    }

    Letters letters_;
    std::vector<WordHash> words_;
    std::string lower_;               // of all words, one behind the other
    std::vector<int32_t> lower_end_;  // [n + 1] where that of each word ends
};

}  // namespace wnparse
