// Choosing the fine tag and FEATS of words, from left to right, given their universal tags.
//
// A class is a fine tag with a bundle of FEATS that training saw.  It is made of atoms, the fine tag and each
// value of FEATS, and
//
//   score(class) = sum of the scores of its atoms + its own,
//
// so that what is learned of Case=Ins serves every bundle that has it.  Bundles that training never saw are
// reached by atoms alone: the best value of each attribute, or none, if that scores higher by more than a
// threshold than the best class that was seen with the tag.
#pragma once

#include <cstdint>
#include <vector>

#include "tagger/lookup_table.hpp"

namespace wnparse {

// What classes are made of.
struct ClassTables {
    int32_t atom_count = 0, class_count = 0;
    NumberLists atoms;       // of each class: its values of FEATS and its fine tag, by rising number
    NumberLists tag_values;  // of each tag: values of FEATS that were seen with it, those of an attribute together
    const int32_t* attributes = nullptr;  // [atoms] of values of FEATS; those of fine tags are not looked at
    const int32_t* fine_tags = nullptr;   // [classes] number of the fine tag
    const int32_t* bundles = nullptr;     // [classes] number of the bundle
    int32_t width = 0;                    // of sums: atoms and classes, and what vectors need

    template <class Score>
    Score score(int32_t number, const Score* sums) const {
        Score score = sums[atom_count + number];
        for (int32_t atom : atoms[number]) score += sums[atom];
        return score;
    }

    // The best of these classes, the first of equals; each that is not gold gets `cost` if gold is given.
    template <class Score>
    int32_t best(const NumberList& candidates, const Score* sums, int32_t gold, Score cost,
                 Score* best_score) const {
        int32_t chosen = -1;
        for (int32_t number : candidates) {
            const Score value = score(number, sums) + (gold < 0 || number == gold ? 0 : cost);
            if (chosen < 0 || value > *best_score) {
                chosen = number;
                *best_score = value;
            }
        }
        return chosen;
    }

    // The best value of each attribute that was seen with a tag, where it scores more than its absence; and what
    // they score together.
    template <class Score>
    Score compose(int32_t tag, const Score* sums, std::vector<int32_t>* values) const {
        values->clear();
        Score total = 0;
        const NumberList list = tag_values[tag];
        for (const int32_t* at = list.begin(); at != list.end();) {
            int32_t best = -1;
            const int32_t attribute = attributes[*at];
            for (; at != list.end() && attributes[*at] == attribute; ++at)
                if (sums[*at] > (best < 0 ? 0 : sums[best])) best = *at;
            if (best < 0) continue;
            values->push_back(best);
            total += sums[best];
        }
        return total;
    }
};

}  // namespace wnparse
