// A finished tagger at work on a sentence: which columns are to be filled, tags, classes, lemmas, and the bytes of
// the sentence with them.  Threads share a tagger, each with a worker of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scorer/weights/frozen_label_weights.hpp"
#include "tagger/class_choice.hpp"
#include "tagger/class_prefixes.hpp"
#include "tagger/lemma_scripts.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/tag_search.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

enum TagColumn : int32_t { lemma_value, tag_value, fine_value, feats_value, tag_column_count };
constexpr int32_t first_tag_column = 2;  // LEMMA, UPOS, XPOS, FEATS stand side by side

// A sentence with the columns that were filled.
struct TaggedSentence {
    std::string text;
    std::vector<int32_t> fields;         // [n + 1][11]
    std::vector<double> tag_confidence;  // [n + 1], if asked for
    int32_t behind = 0;                  // how far the score of its tags is behind the best
};

class FrozenTagger {
public:
    // Names by number.
    std::vector<std::string> tags, fine_tags, bundles, values;
    std::vector<LemmaScript> scripts;
    int32_t open_scripts = 0;                               // those that unknown words may get: the first ones
    bool learned[tag_column_count] = {};                    // which columns
    LookupTable tag_numbers, fine_numbers, bundle_numbers;  // by the hashes of their texts
    Lexicon lexicon;
    ClassTables classes;
    std::vector<ClassPrefixes> prefixes;  // of each list of classes of a tag, and of all classes
    FrozenLabelWeights tag_weights, class_weights, lemma_weights;
    int32_t tag_width = 0, script_width = 0;
    int32_t beam = 8;
    int32_t drop = 0;       // how far behind the best a sequence of tags may be to stay in the search
    int32_t threshold = 0;  // by how much more values must score by themselves than a class that was seen

    // When lexicon and classes are there; false if that would take too long.
    bool share_prefixes() {
        int64_t atoms = 0;
        for (int32_t tag = 0; tag <= lexicon.tag_count; ++tag)
            for (int32_t number : lexicon.class_lists[tag]) atoms += classes.atoms[number].size();
        if (atoms > ClassPrefixes::most_atoms) return false;
        for (int32_t tag = 0; tag <= lexicon.tag_count; ++tag)
            prefixes.emplace_back(classes, lexicon.class_lists[tag]);
        return true;
    }

    class Worker;
};

inline uint64_t name_key(std::string_view name) { return hash_bytes(name.data(), name.size(), 77) | 1u; }
class FrozenTagger::Worker {
public:
    explicit Worker(const FrozenTagger& tagger)
        : tagger_(tagger),
          tag_adder_(tagger.tag_weights),
          class_adder_(tagger.class_weights),
          lemma_adder_(tagger.lemma_weights) {}

    // Tag a sentence, and up to `count` - 1 times more with other tags whose score is behind by at most `gap`, by
    // falling score.  There are no results for a sentence that lacks nothing.  `retag` replaces the tags that are
    // there.  With an `inverse_temperature` above 0, tags get probabilities.
    void tag(std::string_view text, const int32_t* fields, int32_t n, bool retag, double inverse_temperature,
             int32_t count, int32_t gap, std::vector<TaggedSentence>* results);

private:
    static constexpr int32_t block = 16;           // words whose classes are scored together
    static constexpr size_t longest_feats = 4000;  // bytes of FEATS that are put together from values

    std::string_view value(int32_t i, int32_t column) const {
        const int32_t* at = fields_ + i * 11 + first_tag_column + column;
        return std::string_view(text_ + at[0], static_cast<size_t>(at[1] - 1 - at[0]));
    }
    bool missing(int32_t i, int32_t column) const {
        const int32_t* at = fields_ + i * 11 + first_tag_column + column;
        return at[1] - at[0] == 2 && text_[at[0]] == '_';
    }
    bool fills(int32_t i, int32_t column) const {
        return fill_[static_cast<size_t>(i) * tag_column_count + column];
    }

    bool choose_columns(bool retag);
    int32_t choose_tags(bool alternatives);
    void fill(double inverse_temperature, TaggedSentence* result);
    void choose_classes();
    void score_classes(int32_t first, int32_t last);
    int32_t* class_sums(int32_t i) {
        return &class_sums_[static_cast<size_t>((i - 1) % block) * tagger_.classes.width];
    }
    int32_t choose_class(int32_t i, std::string* feats, int32_t* sums);
    NumberList allowed_classes(int32_t i);
    void make_lemma(int32_t i);
    int32_t choose_script(int32_t i);
    void write(TaggedSentence* result);
    void score_candidates(int32_t i);
    void weigh_tags(double inverse_temperature, std::vector<double>* confidence);

    const FrozenTagger& tagger_;
    FrozenLabelWeights::Adder tag_adder_, class_adder_, lemma_adder_;
    const char* text_ = nullptr;
    const int32_t* fields_ = nullptr;
    int32_t size_ = 0, n_ = 0;
    bool open_ = false;          // whether some tags are to be chosen
    std::vector<uint8_t> fill_;  // [n + 1][columns]
    WordHashes words_;
    TagKeys keys_;
    TagSearch<FrozenLabelWeights, int32_t> search_;
    std::vector<NumberList> candidates_;
    std::vector<int32_t> given_, tags_, classes_, fitting_, composed_;
    std::vector<int32_t> sums_, values_;
    std::vector<int32_t> class_sums_;          // [block][classes.width]
    std::vector<std::string> feats_, lemmas_;  // that are no names
};

}  // namespace wnparse
