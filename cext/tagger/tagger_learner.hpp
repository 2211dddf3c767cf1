// Learning the weights of a tagger: averaged perceptrons with a margin for the sequence of universal tags (Collins
// 2002), for fine tags and FEATS given these, and for the scripts of lemmas given both.
//
// What is not gold gets the margin while the best is looked for, so that gold must win by that much.  A word whose
// gold is -1 is not annotated: whatever is best for it is right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scorer/weights/learned_label_weights.hpp"
#include "tagger/class_choice.hpp"
#include "tagger/class_keys.hpp"
#include "tagger/lemma_keys.hpp"
#include "tagger/lexicon.hpp"
#include "tagger/tag_keys.hpp"
#include "tagger/tag_search.hpp"
#include "tagger/word_hashes.hpp"

namespace wnparse {

// Weights that are being learned, and how far that has come.
struct LearnedStage {
    LearnedLabelWeights weights;
    float margin = 1;
    double step = 1;

    void update(uint64_t key, int32_t label, float delta) { weights.add(key, label, delta, step); }
};

class TagLearner {
public:
    LearnedStage stage;
    Lexicon lexicon;
    int32_t beam = 8, width = 0;

    // Learn from one sentence, gold[1..n]; how many tags were wrong, with the margin.
    int32_t learn(const WordHashes& words, const int32_t* gold) {
        const int32_t n = words.size();
        find(words, gold, stage.margin);
        int32_t wrong = 0;
        completed_.assign(guess_.begin(), guess_.end());
        for (int32_t i = 1; i <= n; ++i) {
            if (gold[i] < 0) continue;
            completed_[i] = gold[i];
            wrong += guess_[i] != gold[i];
        }
        if (wrong > 0)
            for (int32_t i = 1; i <= n; ++i) update(i, completed_.data(), guess_.data());
        stage.step += 1;
        return wrong;
    }

    // The best tags[1..n] and their score; all words are scored.
    float find(const WordHashes& words, const int32_t* gold = nullptr, float cost = 0, int32_t* tags = nullptr) {
        const int32_t n = words.size();
        keys_.read(words, lexicon);
        candidates_.resize(static_cast<size_t>(n) + 1);
        guess_.resize(static_cast<size_t>(n) + 1);
        for (int32_t i = 1; i <= n; ++i) {
            candidates_[i] = lexicon.tag_lists[keys_.known()[i].tags];
            const NumberList& list = candidates_[i];
            if (gold != nullptr && gold[i] >= 0 && std::find(list.begin(), list.end(), gold[i]) == list.end())
                candidates_[i] =
                    lexicon.tag_count > Lexicon::most_open ? with_gold(list, i, gold[i]) : lexicon.tag_lists[0];
        }
        constexpr float everything = 1e30f;
        LearnedLabelWeights::Adder adder(stage.weights);
        const float score = search_.run(keys_, candidates_, adder, width, beam, everything, gold, cost,
                                        gold == nullptr, gold == nullptr, guess_.data());
        if (tags != nullptr) std::copy(guess_.begin(), guess_.end(), tags);
        return score;
    }

    // Other tags of what `find` found, by falling score.
    std::vector<TagSequence<float>> alternatives(const WordHashes& words, int32_t count, float gap) {
        const float best = find(words);
        return search_.lattice.alternatives(guess_.data(), best, count, gap);
    }

    double score(const WordHashes& words, const int32_t* tags) {
        keys_.read(words, lexicon);
        return score_tags(keys_, stage.weights, tags, words.size());
    }

private:
    // A list and the gold tag of word i: of thousands of tags, all would be too many.
    NumberList with_gold(const NumberList& list, int32_t i, int32_t gold) {
        longer_.resize(candidates_.size());
        std::vector<int32_t>& tags = longer_[static_cast<size_t>(i)];
        tags.assign(list.begin(), list.end());
        tags.insert(std::lower_bound(tags.begin(), tags.end(), gold), gold);
        return {tags.data(), tags.data() + tags.size()};
    }

    static int32_t before(const int32_t* tags, int32_t i) { return i < 1 ? before_first : tags[i]; }

    void update(int32_t i, const int32_t* gold, const int32_t* guess) {
        const int32_t right = gold[i], wrong = guess[i];
        if (right != wrong) {
            keys_.visit(i, [&](uint64_t key) {
                stage.update(key, right, 1);
                stage.update(key, wrong, -1);
            });
        }
        const bool first = before(gold, i - 1) != before(guess, i - 1);
        const bool second = before(gold, i - 2) != before(guess, i - 2);
        if (right != wrong || first) {
            keys_.visit_tag(i, before(gold, i - 1), [&](uint64_t key) { stage.update(key, right, 1); });
            keys_.visit_tag(i, before(guess, i - 1), [&](uint64_t key) { stage.update(key, wrong, -1); });
        }
        if (right != wrong || first || second) {
            keys_.visit_tags(i, before(gold, i - 1), before(gold, i - 2),
                             [&](uint64_t key) { stage.update(key, right, 1); });
            keys_.visit_tags(i, before(guess, i - 1), before(guess, i - 2),
                             [&](uint64_t key) { stage.update(key, wrong, -1); });
        }
    }

    TagKeys keys_;
    TagSearch<LearnedLabelWeights, float> search_;
    std::vector<NumberList> candidates_;
    std::vector<std::vector<int32_t>> longer_;  // [n + 1] candidates with gold tags
    std::vector<int32_t> guess_;
    std::vector<int32_t> completed_;  // gold, and the guess where there is none
};

class ClassLearner {
public:
    LearnedStage stage;
    Lexicon lexicon;
    ClassTables tables;

    // Learn from one sentence with its tags[1..n]; how many classes were wrong, without the margin.
    int32_t learn(const WordHashes& words, const int32_t* tags, const int32_t* gold) {
        const int32_t n = words.size();
        chosen_.assign(static_cast<size_t>(n) + 1, 0);
        known_.read(words, lexicon);
        const ClassKeys keys(words, known_, tags, chosen_.data());
        int32_t wrong = 0;
        for (int32_t i = 1; i <= n; ++i) {
            NumberList candidates = lexicon.classes(words[i], tags[i]);
            if (gold[i] < 0) {
                choose_unannotated(keys, i, candidates);
                continue;
            }
            if (std::find(candidates.begin(), candidates.end(), gold[i]) == candidates.end())
                candidates = lexicon.class_lists[lexicon.tag_count];
            chosen_[i] = gold[i];
            if (candidates.size() == 1) continue;
            score(keys, i);
            float score = 0;
            const int32_t guess = tables.best(candidates, sums_.data(), gold[i], stage.margin, &score);
            if (guess != gold[i]) update(keys, i, gold[i], guess);
            // Words behind it see what would have been chosen.
            chosen_[i] = tables.best(candidates, sums_.data(), -1, 0.0f, &score);
            wrong += chosen_[i] != gold[i];
        }
        stage.step += 1;
        return wrong;
    }

private:
    void choose_unannotated(const ClassKeys& keys, int32_t i, NumberList candidates) {
        if (candidates.size() == 0) candidates = lexicon.class_lists[lexicon.tag_count];
        score(keys, i);
        float score = 0;
        chosen_[i] = tables.best(candidates, sums_.data(), -1, 0.0f, &score);
    }

    void score(const ClassKeys& keys, int32_t i) {
        sums_.assign(static_cast<size_t>(tables.width), 0);
        LearnedLabelWeights::Adder adder(stage.weights);
        const auto add = [&](uint64_t key, bool = false) { adder.add(key, sums_.data()); };
        keys.visit(i, add, add);
        adder.finish();
    }

    // What only one of two classes has.
    void update(const ClassKeys& keys, int32_t i, int32_t gold, int32_t guess) {
        changes_.clear();
        for (int32_t atom : tables.atoms[gold]) changes_.push_back({atom, 1});
        for (int32_t atom : tables.atoms[guess]) {
            auto same = std::find_if(changes_.begin(), changes_.end(),
                                     [&](const Change& change) { return change.label == atom; });
            if (same == changes_.end())
                changes_.push_back({atom, -1});
            else
                same->delta = 0;
        }
        const auto change = [&](uint64_t key, bool whole = false) {
            for (const Change& weight_change : changes_)
                if (weight_change.delta != 0) stage.update(key, weight_change.label, weight_change.delta);
            if (whole) {
                stage.update(key, tables.atom_count + gold, 1);
                stage.update(key, tables.atom_count + guess, -1);
            }
        };
        keys.visit(i, change, change);
    }

    struct Change {
        int32_t label;
        float delta;
    };
    std::vector<Change> changes_;
    KnownWords known_;
    std::vector<float> sums_;
    std::vector<int32_t> chosen_;
};

class LemmaLearner {
public:
    LearnedStage stage;
    Lexicon lexicon;
    std::vector<int32_t> lengths;  // of each script that may be chosen: characters of forms that it takes away
    int32_t width = 0;

    // Learn from one word; whether its script was wrong, with the margin.
    bool learn(const WordHashes& words, int32_t i, int32_t tag, int32_t number, int32_t gold) {
        const WordHash& word = words[i];
        const KnownWord known = KnownWords::read_one(words, i, lexicon);
        sums_.assign(static_cast<size_t>(width), 0);
        LearnedLabelWeights::Adder adder(stage.weights);
        visit_lemma_keys(word, known, tag, number, [&](uint64_t key) { adder.add(key, sums_.data()); });
        adder.finish();
        int32_t guess = gold;
        float best = sums_[gold] - stage.margin;
        for (int32_t script = 0; script < static_cast<int32_t>(lengths.size()); ++script) {
            if (script == gold || sums_[script] <= best || lengths[script] >= word.length) continue;
            best = sums_[script];
            guess = script;
        }
        if (guess != gold) {
            visit_lemma_keys(word, known, tag, number, [&](uint64_t key) {
                stage.update(key, gold, 1);
                stage.update(key, guess, -1);
            });
        }
        stage.step += 1;
        return guess != gold;
    }

private:
    std::vector<float> sums_;
};

}  // namespace wnparse
