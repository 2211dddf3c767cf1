// What a lexicon tells of the words of a sentence; of those that it does not have, what it tells of their parts.
//
// An unknown word may begin with a lemma that is known (Turkish ev-lerinden), or end in a known word (Dutch
// levens-duur): the longest of each is a feature, with the tags that it was seen with and what is left of the
// word. O(characters) look-ups for an unknown word.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

constexpr size_t most_grams = 12;  // of each length

struct KnownWord {
    int32_t tags;    // list of the tags that it may have: those of open classes, if it is not known
    bool known;      // whether the lexicon has it
    uint64_t seen;   // what stands for the tags that it was seen with
    uint64_t stem;   // the same of the longest lemma that it begins with; 0 where there is none, or it is known
    uint64_t rest;   // what follows that lemma
    int32_t length;  // characters of that
    uint64_t head;   // as `stem`, of the longest known word that it ends in
    // Of a word that is not known: stretches of three and of four of its last characters.
    int32_t gram_count;
    std::array<uint64_t, 2 * most_grams> grams;
};

class KnownWords {
public:
    void read(const WordHashes& words, const Lexicon& lexicon) {
        const int32_t n = words.size();
        words_.resize(static_cast<size_t>(n) + 2 * WordHashes::beyond);
        for (int32_t i = 1 - WordHashes::beyond; i <= n + WordHashes::beyond; ++i)
            words_[static_cast<size_t>(i - 1 + WordHashes::beyond)] = read_one(words, i, lexicon);
    }

    static KnownWord read_one(const WordHashes& words, int32_t i, const Lexicon& lexicon) {
        const int64_t at = lexicon.word_tags.find(words[i].lower | 1u);
        const int32_t seen = at < 0 ? LookupTable::none : lexicon.seen_tags[at];
        const int32_t list = at < 0 ? LookupTable::none : lexicon.word_tags.number(at);
        KnownWord word = {list == LookupTable::none ? 1 : list, at >= 0, list_hash(seen), 0, 0, 0, 0, 0, {}};
        if (!word.known && i >= 1 && i <= words.size()) split(words.lower(i), lexicon, &word);
        return word;
    }

    const KnownWord& operator[](int32_t i) const {
        return words_[static_cast<size_t>(i - 1 + WordHashes::beyond)];
    }

private:
    static constexpr size_t longest = 120;  // bytes of words that are split

    static uint64_t list_hash(int32_t list) { return mix(static_cast<uint64_t>(int64_t{list}) + 0x7a65u); }
    static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

    static void split(std::string_view text, const Lexicon& lexicon, KnownWord* word) {
        if (text.size() > longest) return;
        cut(text, word);
        int32_t length = 0;
        for (size_t at = text.size(); at-- > 2;) {
            if (continues(text[at])) continue;
            ++length;
            const int32_t list = lexicon.stems[hash_bytes(text.data(), at, 1) | 1u];
            if (list == LookupTable::none) continue;
            word->stem = list_hash(list);
            word->rest = hash_bytes(text.data() + at, text.size() - at, 5);
            word->length = length;
            break;
        }
        for (size_t at = 1; at + 2 < text.size(); ++at) {
            if (continues(text[at])) continue;
            const int64_t slot = lexicon.word_tags.find(hash_bytes(text.data() + at, text.size() - at, 1) | 1u);
            if (slot < 0) continue;
            word->head = list_hash(lexicon.seen_tags[slot]);
            break;
        }
    }

    static void cut(std::string_view text, KnownWord* word) {
        size_t begin[longest + 1], count = 0;
        for (size_t at = 0; at < text.size(); ++at)
            if (!continues(text[at])) begin[count++] = at;
        begin[count] = text.size();
        for (size_t size = 3; size <= 4; ++size)
            for (size_t k = 0; k < most_grams && k + size < count; ++k) {
                const size_t first = begin[count - size - k - 1], last = begin[count - k - 1];
                word->grams[static_cast<size_t>(word->gram_count++)] =
                    hash_bytes(text.data() + first, last - first, 6);
            }
    }

    std::vector<KnownWord> words_;
};

}  // namespace wnparse
