// Splitting a text into tokens, sentences and words with three perceptrons, from left to right.
//
// 1. A token ends at a space.  Inside a stretch without spaces it may end where kinds of characters stand side by
//    side between which tokens ended in the training data; the first perceptron decides.
// 2. A sentence may end after a token by the classes of this token and the next; the second perceptron decides.
// 3. A token may be several words.  Known forms have a list of scripts, others have those whose affixes fit; the
//    third perceptron chooses among them and the token as it is, which scores 0.
//
// Time is linear in the text.
#pragma once

#include <cstdint>
#include <vector>

#include "tokenizer/break_keys.hpp"
#include "tokenizer/script_keys.hpp"
#include "tokenizer/sentence_keys.hpp"
#include "tokenizer/token_facts.hpp"

namespace wnparse {

struct SplitTokens {
    std::vector<int32_t> begins, ends, scripts;  // script 0: one word
    std::vector<uint8_t> last;                   // whether a token is the last one of its sentence
};

// Calls decide(keys, place) for each place inside the stretches of a text from `first` to `end` where a token may
// end; a token ends there if it returns true.  Appends the tokens.
template <class Decide>
void find_tokens(const TokenizerText& text, int32_t first, int32_t end, const TokenTables& tables, Decide decide,
                 std::vector<int32_t>* begins, std::vector<int32_t>* ends) {
    BreakKeys keys;
    const uint8_t* kinds = text.kinds();
    for (int32_t i = first; i < end;) {
        if (text.is_space(i)) {
            ++i;
            continue;
        }
        int32_t last = i;
        bool may_break = false;
        for (; last < text.size() && kinds[last] != space_kind; ++last)
            may_break |= last > i && tables.may_break(kinds[last - 1], kinds[last]);
        begins->push_back(i);
        if (may_break) {
            keys.begin_stretch(text, i, last);
            for (keys.add_character(i), ++i; i < last; keys.add_character(i), ++i) {
                if (!tables.may_break(kinds[i - 1], kinds[i]) || !decide(keys, i)) continue;
                ends->push_back(i);
                begins->push_back(i);
                keys.begin_token(i);
            }
        }
        ends->push_back(last);
        i = last;
    }
}

// Calls decide(so_far, k) for each token k in first..last - 1 after which a sentence may end, and end_sentence(k)
// for those that do.
template <class Decide, class End>
void find_sentences(const TokenFacts& tokens, int32_t first, int32_t last, const TokenTables& tables,
                    Decide decide, End end_sentence) {
    SentenceSoFar so_far;
    so_far.begin(first);
    for (int32_t k = first; k < last; ++k) {
        const TokenFact& token = tokens[k];
        so_far.add(token);
        const bool is_last =
            k + 1 == tokens.size() ||
            (tables.may_end(token.token_class, tokens[k + 1].token_class, token.space) && decide(so_far, k));
        if (!is_last) continue;
        end_sentence(k);
        so_far.begin(k + 1);
    }
}

// The scripts that a token may have besides none, and whether it may be one word.
class ScriptCandidates {
public:
    struct Candidate {
        int32_t script, front, back;
    };
    bool may_be_one = true;
    const std::vector<Candidate>& find(const TokenFact& token, const uint32_t* lower, const TokenTables& tables) {
        found_.clear();
        may_be_one = true;
        const int32_t list = tables.script_words[form_key(token.lower)];
        if (list >= 0) {
            may_be_one = false;
            for (int32_t script : tables.script_lists[list]) {
                const int32_t front = tables.script_affixes[2 * script],
                              back = tables.script_affixes[2 * script + 1];
                if (script == 0)
                    may_be_one = true;
                else if (front + back <= token.length())
                    found_.push_back({script, front, back});
            }
            may_be_one |= found_.empty();
            return found_;
        }
        if (token.status != 0 || token.token_class > abbreviated_token) return found_;
        for (int32_t a = 0; a < tables.affix_count; ++a) {
            const int32_t front = tables.affix_lengths[2 * a], back = tables.affix_lengths[2 * a + 1];
            if (front + back >= token.length()) continue;
            const uint64_t key = affix_key(hash_characters(lower + token.begin, lower + token.begin + front),
                                           hash_characters(lower + token.end - back, lower + token.end));
            const int32_t scripts = tables.affixes[key];
            if (scripts < 0) continue;
            for (int32_t script : tables.script_lists[scripts])
                if (script != 0) found_.push_back({script, front, back});
        }
        return found_;
    }

private:
    std::vector<Candidate> found_;
};

// The best script of a token: score(candidate) is compared, 0 for one word.  `gold`, if it is not -1, loses
// `cost`.
template <class Sum, class Score>
int32_t choose_script(const std::vector<ScriptCandidates::Candidate>& candidates, bool may_be_one, Score score,
                      int32_t gold = -1, Sum cost = 0) {
    int32_t best_script = may_be_one ? 0 : -1;
    Sum best = may_be_one && gold == 0 ? -cost : 0;
    for (const ScriptCandidates::Candidate& candidate : candidates) {
        const Sum sum = score(candidate) - (candidate.script == gold ? cost : 0);
        if (best_script >= 0 && sum <= best) continue;
        best = sum;
        best_script = candidate.script;
    }
    return best_script;
}

}  // namespace wnparse
