// Features of the fine tag and FEATS of a word, given the universal tags of all words: its form and affixes, what
// stands around it, and what was chosen for the words before it.
#pragma once

#include <cstdint>

#include "tagger/known_words.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/tag_keys.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

class ClassKeys {
public:
    // tags[1..n] and classes[1..n], of which those before the word in question are read.
    ClassKeys(const WordHashes& words, const KnownWords& known, const int32_t* tags, const int32_t* classes)
        : words_(words), known_(known), tags_(tags), classes_(classes) {}

    // Features of the words and tags alone go to `visit`, those of the classes before the word to `visit_chosen`.
    template <class Visit, class VisitChosen>
    void visit(int32_t i, Visit visit, VisitChosen visit_chosen) const {
        const WordHash &word = words_[i], &before = words_[i - 1], &after = words_[i + 1];
        // With the tag of the word unless they say something whatever it is.
        const uint64_t own = tag_key(tags_[i]), left = tag(i - 1), right = tag(i + 1);
        const uint64_t chosen = number(i - 1), second = number(i - 2);
        const uint64_t ending = word.suffix[2] != 0 ? word.suffix[2] : word.lower;
        visit(join(40, own), true);
        if (known_[i].known) {
            visit(join(41, word.lower, own), true);
            visit(join(42, word.lower));
            visit(join(59, word.lower + right, own));
            visit_chosen(join(65, chosen + word.lower, own));
        }
        if (known_[i].stem != 0) {
            visit(join(68, known_[i].rest, own));
            visit(join(69, known_[i].rest));
            visit(join(70, known_[i].rest + known_[i].stem, own));
        }
        for (int32_t k = 0; k < known_[i].gram_count; ++k) visit(join(72, known_[i].grams[k], own));
        if (known_[i].head != 0) visit(join(71, known_[i].head, own));
        for (int32_t k = 0; k < longest_affix; ++k) {
            if (word.suffix[k] == 0) break;
            visit(join(43, word.suffix[k], own), k == 2);
            if (k > 0) visit(join(44, word.suffix[k]));
            if (k > 0 && k < 4) visit(join(45, word.prefix[k], own));
        }
        visit(join(46, word.shape, own));
        visit(join(47, left, own));
        visit(join(48, right, own));
        visit(join(49, left + right * 3, own));
        visit(join(50, left + tag(i - 2) * 3, own));
        visit(join(51, right + tag(i + 2) * 3, own));
        visit(join(52, before.lower, own));
        visit(join(53, after.lower, own));
        visit(join(54, before.suffix[2], own));
        visit(join(55, after.suffix[2], own));
        visit(join(56, after.suffix[1], own));
        visit_chosen(join(62, chosen, own));
        visit_chosen(join(63, chosen + second * 3, own));
        visit_chosen(join(64, chosen + ending, own));
        visit_chosen(join(66, chosen + right, own));
        visit_chosen(join(67, second, own));
    }

private:
    uint64_t tag(int32_t i) const { return i < 1 || i > words_.size() ? 0x9b1du : tag_key(tags_[i]); }
    uint64_t number(int32_t i) const { return i < 1 ? 0x3c6eu : class_key(classes_[i]); }

    const WordHashes& words_;
    const KnownWords& known_;
    const int32_t* tags_;
    const int32_t* classes_;
};

}  // namespace wnparse
