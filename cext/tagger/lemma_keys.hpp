// Features of the script that makes a lemma of a form: affixes, with the tag and the class of the word.
#pragma once

#include <cstdint>

#include "tagger/known_words.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/tag_keys.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

template <class Visit>
void visit_lemma_keys(const WordHash& word, const KnownWord& known, int32_t tag, int32_t number, Visit visit) {
    const uint64_t own = tag_key(tag), fine = class_key(number);
    visit(join(80, own));
    visit(join(81, fine));
    visit(join(82, word.shape, own));
    visit(join(83, word.lower, own));
    for (int32_t k = 0; k < longest_affix; ++k) {
        if (word.suffix[k] == 0) break;
        visit(join(84, word.suffix[k], own));
        visit(join(85, word.suffix[k], fine));
        visit(join(86, word.prefix[k], own));
        if (k > 0) visit(join(87, word.suffix[k]));
    }
    if (known.stem != 0) {
        visit(join(90, static_cast<uint64_t>(known.length), own));
        visit(join(91, static_cast<uint64_t>(known.length), known.stem));
        visit(join(92, known.rest, own));
        visit(join(93, known.rest, fine));
    }
    visit(join(88, word.suffix[1] + word.prefix[1] * 3, own));
    visit(join(89, word.suffix[2] + word.prefix[2] * 3, own));
}

}  // namespace wnparse
