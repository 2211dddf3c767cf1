// A finished tokenizer at work.  Threads share it.
#pragma once

#include <cstdint>

#include "scorer/weights/frozen_weights.hpp"
#include "tokenizer/splitter.hpp"

namespace wnparse {

class FrozenTokenizer {
public:
    TokenTables tables;
    FrozenWeights break_weights, sentence_weights, script_weights;

    void split(const TokenizerText& text, bool one_sentence, SplitTokens* tokens) const {
        find_tokens(
            text, 0, text.size(), tables,
            [&](const BreakKeys& keys, int32_t i) {
                FrozenWeights::Total total;
                keys.visit(i, tables, [&](uint64_t key) { total.add(break_weights, key); });
                return total.sum() > 0;
            },
            &tokens->begins, &tokens->ends);
        TokenFacts facts;
        facts.clear();
        for (size_t k = 0; k < tokens->begins.size(); ++k)
            facts.add(describe_token(text, tokens->begins[k], tokens->ends[k], &tables));
        facts.finish();
        tokens->last.assign(tokens->begins.size(), 0);
        if (one_sentence) {
            if (facts.size() > 0) tokens->last.back() = 1;
        } else {
            find_sentences(
                facts, 0, facts.size(), tables,
                [&](const SentenceSoFar& so_far, int32_t k) {
                    FrozenWeights::Total total;
                    visit_sentence_keys(facts, k, so_far, text.lower(),
                                        [&](uint64_t key) { total.add(sentence_weights, key); });
                    return total.sum() > 0;
                },
                [&](int32_t k) { tokens->last[k] = 1; });
        }
        choose_scripts(text, facts, &tokens->scripts);
    }

private:
    void choose_scripts(const TokenizerText& text, const TokenFacts& facts, std::vector<int32_t>* scripts) const {
        scripts->assign(static_cast<size_t>(facts.size()), 0);
        ScriptCandidates candidates;
        for (int32_t k = 0; k < facts.size(); ++k) {
            const auto& found = candidates.find(facts[k], text.lower(), tables);
            if (found.empty()) continue;
            (*scripts)[k] = found.size() == 1 && !candidates.may_be_one
                                ? found[0].script
                                : choose_script<int32_t>(found, candidates.may_be_one, [&](const auto& candidate) {
                                      FrozenWeights::Total total;
                                      visit_script_keys(facts, k, candidate.script, candidate.front,
                                                        candidate.back, text.lower(), tables,
                                                        [&](uint64_t key) { total.add(script_weights, key); });
                                      return total.sum();
                                  });
        }
    }
};

}  // namespace wnparse
