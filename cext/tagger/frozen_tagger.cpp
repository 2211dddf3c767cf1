#include "tagger/frozen_tagger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "tagger/class_keys.hpp"
#include "tagger/lemma_keys.hpp"

namespace wnparse {

void FrozenTagger::Worker::tag(std::string_view text, const int32_t* fields, int32_t n, bool retag,
                               double inverse_temperature, int32_t count, int32_t gap,
                               std::vector<TaggedSentence>* results) {
    text_ = text.data();
    size_ = static_cast<int32_t>(text.size());
    fields_ = fields;
    n_ = n;
    results->clear();
    if (n == 0 || !choose_columns(retag)) return;
    words_.read(text_, fields, n);
    lemmas_.resize(static_cast<size_t>(n) + 1);
    const int32_t best = choose_tags(count > 1);
    results->resize(1);
    fill(inverse_temperature, &results->front());
    if (count == 1 || !open_) return;
    for (const TagSequence<int32_t>& other : search_.lattice.alternatives(tags_.data(), best, count - 1, gap)) {
        tags_ = other.tags;
        results->emplace_back();
        results->back().behind = best - other.score;
        fill(inverse_temperature, &results->back());
    }
}

// Fill in the classes and lemmas that follow from the tags.
void FrozenTagger::Worker::fill(double inverse_temperature, TaggedSentence* result) {
    choose_classes();
    for (int32_t i = 1; i <= n_; ++i)
        if (fills(i, lemma_value)) make_lemma(i);
    write(result);
    if (inverse_temperature > 0) weigh_tags(inverse_temperature, &result->tag_confidence);
}

// A word without a tag gets what it lacks, and a column that no word has is filled.
bool FrozenTagger::Worker::choose_columns(bool retag) {
    fill_.assign(static_cast<size_t>(n_ + 1) * tag_column_count, 0);
    bool any = false;
    for (int32_t column = 0; column < tag_column_count; ++column) {
        if (!tagger_.learned[column]) continue;
        bool empty = true;
        for (int32_t i = 1; i <= n_ && empty && !retag; ++i) empty = missing(i, column);
        for (int32_t i = 1; i <= n_; ++i) {
            const bool fill = empty || (missing(i, tag_value) && missing(i, column));
            fill_[static_cast<size_t>(i) * tag_column_count + column] = fill;
            any |= fill;
        }
    }
    return any;
}

// The best tags, and their score; whether any were to be chosen is kept.
int32_t FrozenTagger::Worker::choose_tags(bool alternatives) {
    const auto unknown = static_cast<int32_t>(tagger_.tags.size());
    const auto size = static_cast<size_t>(n_) + 1;
    tags_.assign(size, unknown);
    given_.assign(size, unknown);
    candidates_.resize(size);
    open_ = false;
    keys_.read(words_, tagger_.lexicon);
    for (int32_t i = 1; i <= n_; ++i) {
        if (fills(i, tag_value)) {
            candidates_[i] = tagger_.lexicon.tag_lists[keys_.known()[i].tags];
            open_ = true;
            continue;
        }
        const int32_t number = tagger_.tag_numbers[name_key(value(i, tag_value))];
        given_[i] = tags_[i] = number == LookupTable::none ? unknown : number;
        candidates_[i] = {&given_[i], &given_[i] + 1};
    }
    if (!open_) return 0;
    return search_.run(keys_, candidates_, tag_adder_, tagger_.tag_width, tagger_.beam, tagger_.drop, nullptr, 0,
                       false, alternatives, tags_.data());
}

void FrozenTagger::Worker::choose_classes() {
    classes_.assign(static_cast<size_t>(n_) + 1, 0);
    feats_.resize(static_cast<size_t>(n_) + 1);
    if (!tagger_.learned[fine_value] && !tagger_.learned[feats_value]) return;
    for (int32_t i = 1; i <= n_; ++i) {
        if ((i - 1) % block == 0) score_classes(i, std::min(i + block - 1, n_));
        feats_[i].clear();
        classes_[i] = choose_class(i, &feats_[i], class_sums(i));
    }
}

// What words first..last add to the scores of classes, whatever is chosen before them: many look-ups side by side.
void FrozenTagger::Worker::score_classes(int32_t first, int32_t last) {
    const auto width = static_cast<size_t>(tagger_.classes.width);
    class_sums_.resize(block * width + tagger_.class_weights.slack());
    const ClassKeys keys(words_, keys_.known(), tags_.data(), classes_.data());
    for (int32_t i = first; i <= last; ++i) {
        if (allowed_classes(i).size() == 1) continue;
        int32_t* sums = class_sums(i);
        std::fill(sums, sums + width, 0);
        keys.visit(i, [&](uint64_t key, bool = false) { class_adder_.add(key, sums); }, [](uint64_t) {});
    }
    class_adder_.finish();
}

// Those that agree with what is given.
NumberList FrozenTagger::Worker::allowed_classes(int32_t i) {
    const bool fine_given = !fills(i, fine_value) && tagger_.learned[fine_value];
    const bool feats_given = !fills(i, feats_value) && tagger_.learned[feats_value];
    const NumberList all = tagger_.lexicon.classes(words_[i], tags_[i]);
    if (!fine_given && !feats_given) return all;
    fitting_.clear();
    const int32_t fine = tagger_.fine_numbers[name_key(value(i, fine_value))];
    const int32_t bundle = tagger_.bundle_numbers[name_key(value(i, feats_value))];
    for (int32_t number : tagger_.lexicon.class_lists[tagger_.lexicon.class_list(tags_[i])])
        if ((!fine_given || tagger_.classes.fine_tags[number] == fine) &&
            (!feats_given || tagger_.classes.bundles[number] == bundle))
            fitting_.push_back(number);
    if (fitting_.empty()) return all;
    return {fitting_.data(), fitting_.data() + fitting_.size()};
}

int32_t FrozenTagger::Worker::choose_class(int32_t i, std::string* feats, int32_t* sums) {
    const NumberList candidates = allowed_classes(i);
    if (candidates.size() == 1) return *candidates.begin();
    const ClassKeys keys(words_, keys_.known(), tags_.data(), classes_.data());
    keys.visit(i, [](uint64_t, bool = false) {}, [&](uint64_t key) { class_adder_.add(key, sums); });
    class_adder_.finish();
    int32_t best_score = 0;
    const int32_t list = tagger_.lexicon.class_list(tags_[i]);
    const bool rare = candidates.begin() == tagger_.lexicon.class_lists[list].begin();
    const int32_t best = rare ? tagger_.prefixes[static_cast<size_t>(list)].best(sums, &values_, &best_score)
                              : tagger_.classes.best(candidates, sums, -1, 0, &best_score);
    if (rare && fills(i, feats_value)) {
        const int32_t composed = tagger_.classes.compose(tags_[i], sums, &composed_);
        if (composed > best_score + tagger_.threshold && !composed_.empty()) {
            for (int32_t number : composed_) {
                if (!feats->empty()) feats->push_back('|');
                feats->append(tagger_.values[number]);
            }
            if (feats->size() > longest_feats) feats->clear();
        }
    }
    return best;
}

int32_t FrozenTagger::Worker::choose_script(int32_t i) {
    const WordHash& word = words_[i];
    const int32_t tag = tags_[i], number = classes_[i];
    const int32_t known = tagger_.lexicon.script(word, tag, number);
    if (known != LookupTable::none) return known;
    sums_.assign(static_cast<size_t>(tagger_.script_width + tagger_.lemma_weights.slack()), 0);
    visit_lemma_keys(word, keys_.known()[i], tag, number,
                     [&](uint64_t key) { lemma_adder_.add(key, sums_.data()); });
    lemma_adder_.finish();
    const auto fits = [&](int32_t script) {
        const LemmaScript& lemma_script = tagger_.scripts[script];
        return lemma_script.front_gone + lemma_script.back_gone < word.length;
    };
    // The first of the best nearly always fits, and is found in a fraction of the time.
    const auto end = sums_.begin() + tagger_.open_scripts;
    int32_t most = std::numeric_limits<int32_t>::min();
    for (auto at = sums_.begin(); at != end; ++at) most = std::max(most, *at);
    const auto first = static_cast<int32_t>(std::find(sums_.begin(), end, most) - sums_.begin());
    if (first < tagger_.open_scripts && fits(first)) return first;
    int32_t best = -1;
    for (int32_t script = 0; script < tagger_.open_scripts; ++script)
        if ((best < 0 || sums_[script] > sums_[best]) && fits(script)) best = script;
    return best;
}

void FrozenTagger::Worker::make_lemma(int32_t i) {
    const int32_t* at = fields_ + i * 11;
    const std::string_view form(text_ + at[1], static_cast<size_t>(at[2] - 1 - at[1]));
    const int32_t script = choose_script(i);
    if (script < 0 || !tagger_.scripts[script].apply(form, words_.lower(i), &lemmas_[i]))
        lemmas_[i] = std::string(words_.lower(i));
}

void FrozenTagger::Worker::write(TaggedSentence* result) {
    std::string& out = result->text;
    std::vector<int32_t>& fields = result->fields;
    out.clear();
    out.reserve(static_cast<size_t>(size_) + static_cast<size_t>(n_) * 48);  // what usual tags and lemmas take
    fields.assign(fields_, fields_ + static_cast<size_t>(n_ + 1) * 11);
    int32_t done = 0;
    for (int32_t i = 1; i <= n_; ++i) {
        const int32_t* from = fields_ + i * 11;
        int32_t* to = &fields[static_cast<size_t>(i) * 11];
        out.append(text_ + done, static_cast<size_t>(from[first_tag_column] - done));
        for (int32_t k = 0; k <= first_tag_column; ++k)
            to[k] = from[k] + static_cast<int32_t>(out.size()) - from[first_tag_column];
        for (int32_t column = 0; column < tag_column_count; ++column) {
            const int32_t c = first_tag_column + column;
            const size_t begin = out.size();
            if (!fills(i, column))
                out.append(value(i, column));
            else if (column == lemma_value)
                out.append(lemmas_[i]);
            else if (column == tag_value)
                out.append(tagger_.tags[tags_[i]]);
            else if (column == fine_value)
                out.append(tagger_.fine_tags[tagger_.classes.fine_tags[classes_[i]]]);
            else
                out.append(feats_[i].empty() ? tagger_.bundles[tagger_.classes.bundles[classes_[i]]] : feats_[i]);
            out.push_back('\t');
            to[c] = static_cast<int32_t>(begin);
        }
        done = from[first_tag_column + tag_column_count];
        for (int32_t k = first_tag_column + tag_column_count; k <= 10; ++k)
            to[k] = from[k] + static_cast<int32_t>(out.size()) - done;
    }
    out.append(text_ + done, static_cast<size_t>(size_ - done));
    // Fields are 32-bit numbers.
    if (out.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) throw std::bad_alloc();
}

// What the candidates of word i add to the score of the sequence if the other tags stay, at sums_[tag].
void FrozenTagger::Worker::score_candidates(int32_t i) {
    const auto tag_at = [&](int32_t k) { return k < 1 ? before_first : tags_[k]; };
    sums_.assign(static_cast<size_t>(tagger_.tag_width + tagger_.tag_weights.slack()), 0);
    const auto add = [&](uint64_t key) { tag_adder_.add(key, sums_.data()); };
    keys_.visit_tag(i, tag_at(i - 1), add);
    keys_.visit_tags(i, tag_at(i - 1), tag_at(i - 2), add);
    tag_adder_.finish();
    for (int32_t tag : candidates_[i]) {
        int32_t total = search_.scores(i)[tag];
        // The words behind it have one tag each, whose weights alone are needed.
        const auto add_next = [&](uint64_t key) { total += tagger_.tag_weights(key, tags_[i + 1]); };
        if (i + 1 <= n_) keys_.visit_tag(i + 1, tag, add_next);
        if (i + 1 <= n_) keys_.visit_tags(i + 1, tag, tag_at(i - 1), add_next);
        const auto add_last = [&](uint64_t key) { total += tagger_.tag_weights(key, tags_[i + 2]); };
        if (i + 2 <= n_) keys_.visit_tags(i + 2, tags_[i + 1], tag, add_last);
        sums_[static_cast<size_t>(tag)] += total;
    }
}

// The probability of each tag that was chosen, given all others: exp(inverse_temperature * score), divided by the
// sum of that over its candidates; 1 if there was no choice, -1 if the tag was given.
void FrozenTagger::Worker::weigh_tags(double inverse_temperature, std::vector<double>* confidence) {
    confidence->assign(static_cast<size_t>(n_) + 1, -1);
    for (int32_t i = 1; i <= n_; ++i) {
        if (!fills(i, tag_value)) continue;
        double sum = 1;
        if (candidates_[i].size() > 1) score_candidates(i);
        for (int32_t tag : candidates_[i]) {
            if (tag == tags_[i]) continue;
            const int64_t ahead = int64_t{sums_[static_cast<size_t>(tag)]} - sums_[static_cast<size_t>(tags_[i])];
            sum += std::exp(std::min(inverse_temperature * static_cast<double>(ahead), 50.0));
        }
        (*confidence)[static_cast<size_t>(i)] = 1 / sum;
    }
}

}  // namespace wnparse
