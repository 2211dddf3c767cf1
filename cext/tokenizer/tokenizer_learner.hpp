// Learning the weights of a tokenizer: averaged perceptrons with a margin (Collins 2002), on paragraphs with their
// tokens, sentences and scripts.
//
// Places are decided from left to right with the tokens of the treebank; the beginning of the sentence that a
// token may end is the one that was decided, as it will be when a text is split.
#pragma once

#include <cstdint>
#include <vector>

#include "scorer/weights/learned_weights.hpp"
#include "tokenizer/splitter.hpp"

namespace wnparse {

struct TokenizerStage {
    LearnedWeights weights;
    float margin = 1;
    double step = 1;

    // Learn from the keys of a place; whether they say yes.
    bool learn(const std::vector<uint64_t>& keys, bool gold, int64_t* wrong) {
        LearnedWeights::Total total;
        for (uint64_t key : keys) total.add(weights, key);
        const float sum = total.sum();
        if (gold ? sum <= margin : sum > -margin) {
            for (uint64_t key : keys) weights.add(key, gold ? 1.0f : -1.0f, step);
            *wrong += gold != (sum > 0);
        }
        step += 1;
        return sum > 0;
    }
};

struct GoldParagraph {
    TokenizerText text;
    std::vector<int32_t> begins, ends, scripts;
    std::vector<uint8_t> last;
    TokenFacts facts;
};

// Some sentences of a paragraph, which are learned from together: tokens first..last - 1.
struct GoldPassage {
    int32_t paragraph, first, last;
};

class TokenizerLearner {
public:
    TokenTables tables;
    TokenizerStage breaks, sentences, scripts;
    std::vector<GoldParagraph> paragraphs;
    std::vector<GoldPassage> passages;

    // Describe the tokens of all paragraphs with the lexicon, if there is one yet.
    void describe(const TokenTables* lexicon) {
        for (GoldParagraph& paragraph : paragraphs) {
            paragraph.facts.clear();
            for (size_t k = 0; k < paragraph.begins.size(); ++k)
                paragraph.facts.add(
                    describe_token(paragraph.text, paragraph.begins[k], paragraph.ends[k], lexicon));
            paragraph.facts.finish();
        }
    }

    // Count pairs of kinds inside stretches, [2][32][32]: all, and those where a token ends.
    void count_breaks(int64_t* counts) const {
        for (const GoldParagraph& paragraph : paragraphs) {
            const uint8_t* kinds = paragraph.text.kinds();
            for (size_t k = 0; k < paragraph.begins.size(); ++k) {
                for (int32_t i = paragraph.begins[k] + 1; i < paragraph.ends[k]; ++i)
                    ++counts[kinds[i - 1] * class_limit + kinds[i]];
                const int32_t end = paragraph.ends[k];
                if (end == paragraph.text.size() || kinds[end] == space_kind) continue;
                ++counts[kinds[end - 1] * class_limit + kinds[end]];
                ++counts[(class_limit + kinds[end - 1]) * class_limit + kinds[end]];
            }
        }
    }
    // Count pairs of classes of tokens, [2][2][32][32]: all, and sentence ends; without and with a space between.
    void count_ends(int64_t* counts) const {
        for (const GoldParagraph& paragraph : paragraphs) {
            for (int32_t k = 0; k + 1 < paragraph.facts.size(); ++k) {
                const TokenFact& token = paragraph.facts[k];
                const int32_t at = ((token.space ? class_limit : 0) + token.token_class) * class_limit +
                                   paragraph.facts[k + 1].token_class;
                ++counts[at];
                if (paragraph.last[k]) ++counts[2 * class_limit * class_limit + at];
            }
        }
    }

    int64_t learn_breaks(const GoldPassage& passage) {
        const GoldParagraph& paragraph = paragraphs[passage.paragraph];
        int64_t wrong = 0;
        size_t token = static_cast<size_t>(passage.first);
        begins_.clear();
        ends_.clear();
        find_tokens(
            paragraph.text, paragraph.begins[passage.first], paragraph.ends[passage.last - 1], tables,
            [&](const BreakKeys& keys, int32_t i) {
                keys_.clear();
                keys.visit(i, tables, [&](uint64_t key) { keys_.push_back(key); });
                while (paragraph.ends[token] < i) ++token;
                const bool gold = paragraph.ends[token] == i;
                breaks.learn(keys_, gold, &wrong);
                return gold;
            },
            &begins_, &ends_);
        return wrong;
    }

    int64_t learn_sentences(const GoldPassage& passage) {
        const GoldParagraph& paragraph = paragraphs[passage.paragraph];
        int64_t wrong = 0;
        find_sentences(
            paragraph.facts, passage.first, passage.last, tables,
            [&](const SentenceSoFar& so_far, int32_t k) {
                keys_.clear();
                visit_sentence_keys(paragraph.facts, k, so_far, paragraph.text.lower(),
                                    [&](uint64_t key) { keys_.push_back(key); });
                return sentences.learn(keys_, paragraph.last[k] != 0, &wrong);
            },
            [](int32_t) {});
        return wrong;
    }

    int64_t learn_scripts(const GoldPassage& passage) {
        const GoldParagraph& paragraph = paragraphs[passage.paragraph];
        int64_t wrong = 0;
        for (int32_t k = passage.first; k < passage.last; ++k) {
            const auto& found = candidates_.find(paragraph.facts[k], paragraph.text.lower(), tables);
            if (found.empty() || (found.size() == 1 && !candidates_.may_be_one)) continue;
            const int32_t gold = paragraph.scripts[k];
            const ScriptCandidates::Candidate* right = nullptr;
            for (const auto& candidate : found)
                if (candidate.script == gold) right = &candidate;
            if (right == nullptr && !(gold == 0 && candidates_.may_be_one)) continue;
            const auto visit = [&](const ScriptCandidates::Candidate& candidate, auto add) {
                visit_script_keys(paragraph.facts, k, candidate.script, candidate.front, candidate.back,
                                  paragraph.text.lower(), tables, add);
            };
            const int32_t guess = choose_script<float>(
                found, candidates_.may_be_one,
                [&](const auto& candidate) {
                    LearnedWeights::Total total;
                    visit(candidate, [&](uint64_t key) { total.add(scripts.weights, key); });
                    return total.sum();
                },
                gold, scripts.margin);
            if (guess != gold) {
                ++wrong;
                for (const auto& candidate : found)
                    if (candidate.script == guess)
                        visit(candidate, [&](uint64_t key) { scripts.weights.add(key, -1.0f, scripts.step); });
                if (right != nullptr)
                    visit(*right, [&](uint64_t key) { scripts.weights.add(key, 1.0f, scripts.step); });
            }
            scripts.step += 1;
        }
        return wrong;
    }

private:
    std::vector<uint64_t> keys_;
    std::vector<int32_t> begins_, ends_;
    ScriptCandidates candidates_;
};

}  // namespace wnparse
