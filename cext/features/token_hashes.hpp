// Strings to hashes: each attribute of a token becomes 64 bits, once per token; O(bytes).
//
// The attributes, in the order of wnparse.parser.features.ATOMS: lower-cased form, lemma, universal tag, fine tag,
// last three and last two characters, first three characters, shape, all of FEATS; and each single value of FEATS.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/hashing.hpp"
#include "features/letters.hpp"
#include "features/templates.hpp"

namespace wnparse {

// Which optional columns are hashed; the others are nothing.
struct UsedColumns {
    bool lemma = true, fine_tag = true, feats = true;
};

// The hashes of one sentence.
class TokenHashes {
public:
    // fields[n + 1][11] says where the columns of each word begin: see conllu.pyx.
    void read(const char* text, const int32_t* fields, int32_t n, const UsedColumns& used) {
        const auto begin = std::chrono::steady_clock::now();
        start(n);
        Letters letters;
        for (int32_t i = 1; i <= n; ++i) {
            const int32_t* at = fields + i * (column_count + 1);
            const auto column = [&](int32_t c) {
                return std::string_view(text + at[c], static_cast<size_t>(at[c + 1] - 1 - at[c]));
            };
            const std::string_view form = column(form_column), tag = column(tag_column),
                                   feats = column(feats_column);
            uint64_t* atoms = &atoms_[static_cast<size_t>(i) * atom_count];
            letters.read(form.data(), form.size());
            hash_form(letters, atoms);
            atoms[lemma_atom] =
                hash(used.lemma ? column(lemma_column) : nothing, used.lemma ? lemma_atom : unused);
            atoms[tag_atom] = hash(tag, tag_atom);
            atoms[fine_tag_atom] =
                hash(used.fine_tag ? column(fine_tag_column) : nothing, used.fine_tag ? fine_tag_atom : unused);
            atoms[feats_atom] = hash(used.feats ? feats : nothing, used.feats ? feats_atom : unused);
            if (used.feats) hash_values(feats);
            morph_begin_[i + 1] = static_cast<int32_t>(values_.size());
            count_class(letters.alphanumeric, tag, &class_counts_[static_cast<size_t>(i) * class_count]);
        }
        seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    double seconds() const { return seconds_; }  // that hashing took
    Tokens tokens() const {
        const auto n = static_cast<int32_t>(morph_begin_.size()) - 2;
        return {n, atoms_.data(), values_.data(), names_.data(), morph_begin_.data(), class_counts_.data()};
    }

private:
    static constexpr int32_t column_count = 10;
    static constexpr int32_t form_column = 1, lemma_column = 2, tag_column = 3, fine_tag_column = 4,
                             feats_column = 5;
    static constexpr int32_t form_atom = 0, lemma_atom = 1, suffix3_atom = 4, suffix2_atom = 5, prefix3_atom = 6,
                             shape_atom = 7;
    static constexpr int32_t single_value = 9;  // the seed of values of FEATS
    static constexpr int32_t unused = 99;       // of attributes that are not used
    static constexpr uint64_t root = 1000;      // of what stands before the first word
    static constexpr std::string_view nothing = {};

    static uint64_t hash(std::string_view text, uint64_t seed) {
        return hash_bytes(text.data(), text.size(), seed);
    }

    // The token before the first word.
    void start(int32_t n) {
        atoms_.resize(static_cast<size_t>(n + 1) * atom_count);
        morph_begin_.assign(static_cast<size_t>(n) + 2, 0);
        class_counts_.assign(static_cast<size_t>(n + 2) * class_count, 0);
        for (int32_t a = 0; a < atom_count; ++a) atoms_[a] = hash(nothing, root + a);
        values_.assign(1, hash(nothing, root + single_value));
        names_.assign(1, values_[0]);
        morph_begin_[1] = 1;
    }

    static void hash_form(const Letters& letters, uint64_t* atoms) {
        const std::string_view lower = letters.lower;
        atoms[form_atom] = hash(lower, form_atom);
        atoms[suffix3_atom] = hash(lower.substr(last_characters(lower, 3)), suffix3_atom);
        atoms[suffix2_atom] = hash(lower.substr(last_characters(lower, 2)), suffix2_atom);
        atoms[prefix3_atom] = hash(lower.substr(0, first_characters(lower, 3)), prefix3_atom);
        atoms[shape_atom] = hash(letters.shape, shape_atom);
    }

    static bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

    // Bytes of the first characters.
    static size_t first_characters(std::string_view text, int32_t count) {
        size_t at = 0;
        for (; at < text.size() && count > 0; --count) {
            do ++at;
            while (at < text.size() && continues(text[at]));
        }
        return at;
    }

    // Where the last characters begin.
    static size_t last_characters(std::string_view text, int32_t count) {
        size_t at = text.size();
        for (; at > 0 && count > 0; --count) {
            do --at;
            while (at > 0 && continues(text[at]));
        }
        return at;
    }

    // Each value between the bars of FEATS, and the name of its attribute; none for `_`.
    void hash_values(std::string_view feats) {
        if (feats == "_") return;
        for (size_t at = 0; at <= feats.size();) {
            const std::string_view value = feats.substr(at, feats.find('|', at) - at);
            values_.push_back(hash(value, single_value));
            names_.push_back(hash(value.substr(0, value.find('=')), single_value));
            at += value.size() + 1;
        }
    }

    // Words of each class up to this one: counts[0..2] before it, counts[3..5] with it.
    static void count_class(bool alphanumeric, std::string_view tag, int32_t* counts) {
        std::memcpy(counts + class_count, counts, class_count * sizeof(int32_t));
        const int32_t word_class = class_of(alphanumeric, tag);
        if (word_class >= 0) ++counts[class_count + word_class];
    }

    // 0 punctuation, 1 coordination, 2 verb, -1 any other, whatever the tag set calls them.
    static int32_t class_of(bool alphanumeric, std::string_view tag) {
        if (!alphanumeric) return 0;
        for (const std::string_view name : {"CCONJ", "CC", "cc", "Conj", "conj", "KON", "vg", "coord"})
            if (tag == name) return 1;
        return tag == "AUX" || tag == "ww" || (!tag.empty() && (tag[0] == 'V' || tag[0] == 'v')) ? 2 : -1;
    }

    std::vector<uint64_t> atoms_, values_, names_;
    std::vector<int32_t> morph_begin_, class_counts_;
    double seconds_ = 0;
};

}  // namespace wnparse
