// What training saw of words: which tags, which classes (fine tag and FEATS) of a tag, which lemma.
//
// Frequent words keep to what they were seen with; unknown ones get the tags of open classes.  The list of tags of
// a word is also a feature of its neighbours: it tells what cannot be known yet from the left.
#pragma once

#include <cstdint>

#include "base/hashing.hpp"
#include "tagger/lookup_table.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

inline uint64_t tag_key(int32_t tag) { return mix(static_cast<uint64_t>(tag) + 0x51u) | 1u; }
inline uint64_t class_key(int32_t number) { return mix(static_cast<uint64_t>(number) + 0xc1a55u) | 1u; }
inline uint64_t word_key(uint64_t word, int32_t tag) { return mix(word + tag_key(tag)) | 1u; }
inline uint64_t word_key(uint64_t word, int32_t tag, int32_t number) {
    return mix(word + tag_key(tag) * 3 + class_key(number)) | 1u;
}

struct Lexicon {
    static constexpr int32_t most_open = 500;  // tags that any word may have

    LookupTable word_tags;               // lower-cased form: list of the tags that it may have
    NumberLists tag_lists;               // list 0: of all tags, list 1: of open classes
    const int32_t* seen_tags = nullptr;  // beside `word_tags`: list of the tags that it was seen with
    LookupTable stems;                   // lower-cased lemma: list of the tags that its forms were seen with
    LookupTable word_classes;            // lower-cased form and tag: list of classes
    NumberLists class_lists;             // list t: classes of tag t, none if training did not see it; list of the
                                         // number of tags: all classes
    LookupTable known_scripts;           // form, tag and class; form and tag
    int32_t tag_count = 0;

    // The list of the classes of a tag.
    int32_t class_list(int32_t tag) const {
        return class_lists.begin[tag] == class_lists.begin[tag + 1] ? tag_count : tag;
    }
    NumberList classes(const WordHash& word, int32_t tag) const {
        const int32_t list = word_classes[word_key(word.lower, tag)];
        const NumberList known = class_lists[list == LookupTable::none ? class_list(tag) : list];
        return known.size() > 0 ? known : class_lists[class_list(tag)];
    }
    int32_t script(const WordHash& word, int32_t tag, int32_t number) const {
        int32_t script = known_scripts[word_key(word.form, tag, number)];
        if (script == LookupTable::none) script = known_scripts[word_key(word.form, tag)];
        if (script == LookupTable::none && word.lower != word.form)
            script = known_scripts[word_key(word.lower, tag)];
        return script;
    }
};

}  // namespace wnparse
