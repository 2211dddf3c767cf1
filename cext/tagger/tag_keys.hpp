// Features of the universal tag of a word: its form, affixes and shape, the words around it and what is known of
// their tags; and those of the two tags before it.
//
// A key is the sum of well-mixed words, as of the parser's features (base/hashing.hpp).
#pragma once

#include <cstdint>

#include "base/hashing.hpp"
#include "tagger/known_words.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

// What tells one kind of feature from another.
inline uint64_t template_key(uint64_t number) { return (number + 1) * 0xa24baed4963ee407u; }
inline uint64_t join(uint64_t number, uint64_t a) { return mix(a + template_key(number)); }
inline uint64_t join(uint64_t number, uint64_t a, uint64_t b) { return mix(mix(a + template_key(number)) + b); }

class TagKeys {
public:
    void read(const WordHashes& words, const Lexicon& lexicon) {
        words_ = &words;
        known_.read(words, lexicon);
    }

    const KnownWords& known() const { return known_; }

    // Features of word i alone, and of the words around it.
    template <class Visit>
    void visit(int32_t i, Visit visit) const {
        const WordHash &word = (*words_)[i], &before = (*words_)[i - 1], &after = (*words_)[i + 1];
        const WordHash &first = (*words_)[i - 2], &last = (*words_)[i + 2];
        visit(template_key(0));
        if (known_[i].known) {
            visit(join(1, word.lower));
            if (word.form != word.lower) visit(join(2, word.form));
            visit(join(10, before.lower, word.lower));
            visit(join(11, after.lower, word.lower));
        }
        for (int32_t k = 0; k < longest_affix; ++k) {
            if (word.prefix[k] != 0) visit(join(3, word.prefix[k]));
            if (word.suffix[k] != 0) visit(join(4, word.suffix[k]));
        }
        visit(join(5, word.shape, i == 1));
        visit(join(6, before.lower));
        visit(join(7, after.lower));
        visit(join(8, first.lower));
        visit(join(9, last.lower));
        if (known_[i].stem != 0) {
            visit(join(25, known_[i].stem));
            visit(join(26, known_[i].stem, known_[i].rest));
            visit(join(27, known_[i].rest));
        }
        for (int32_t k = 0; k < known_[i].gram_count; ++k) visit(join(29, known_[i].grams[k]));
        if (known_[i].head != 0) visit(join(28, known_[i].head));
        visit(join(13, before.suffix[2]));
        visit(join(14, after.suffix[2]));
        visit(join(15, after.suffix[1], word.suffix[1]));
        visit(join(16, word.suffix[2], word.shape));
        visit(join(17, after.shape, word.shape));
        visit(join(18, before.shape, word.shape));
        visit(join(19, seen(i)));
        visit(join(20, seen(i + 1)));
        visit(join(21, seen(i), seen(i + 1)));
        visit(join(22, seen(i + 1), seen(i + 2)));
        visit(join(23, seen(i - 1), seen(i)));
        visit(join(24, word.suffix[2], seen(i + 1)));
    }

    // Features of the tag before word i; those of the two tags before it.
    template <class Visit>
    void visit_tag(int32_t i, int32_t before, Visit visit) const {
        const uint64_t tag = tag_key(before);
        const WordHash& word = (*words_)[i];
        visit(join(30, tag));
        if (known_[i].known) visit(join(31, tag, word.lower));
        visit(join(32, tag, word.suffix[2]));
        visit(join(33, tag, seen(i + 1)));
    }
    template <class Visit>
    void visit_tags(int32_t, int32_t before, int32_t second, Visit visit) const {
        visit(join(34, tag_key(before), tag_key(second)));
    }

private:
    uint64_t seen(int32_t i) const { return known_[i].seen; }

    const WordHashes* words_ = nullptr;
    KnownWords known_;
};

}  // namespace wnparse
