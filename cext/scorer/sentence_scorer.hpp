// The score matrix of a sentence: arcs, and for each arc its best label.
//
// A first pass (first_pass_learner.hpp) tells which heads of each word are worth looking at.  Only these arcs are
// scored, and of these only the better ones with labels: score(h, m) = arc + max over l of label score, for only
// the best label of each arc matters to a first-order decoder, and it can be picked before decoding.  Any other
// arc is worse than all of its word that have labels, in the order of the first pass, and gets one only if it is
// chosen: all arcs stay finite, so that there is always a valid tree.  Where another model has chosen the
// candidates (arc_pruner.hpp), all other arcs are forbidden.  If a sentence has scores of a second scorer
// (extra_scores.hpp), those of the candidates and of their labels are added.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "problem/score_matrix.hpp"
#include "scorer/arc_scores.hpp"
#include "scorer/first_pass/candidates.hpp"
#include "scorer/first_pass/first_pass_scores.hpp"
#include "scorer/label_scores.hpp"
#include "scorer/parser_tables.hpp"

namespace wnparse {

// What a tree should have been, to learn from.
template <class Sum>
struct Lesson {
    const int32_t* heads;   // -1 where a word is not annotated: no head of it is wrong
    const int32_t* labels;  // the same
    Sum cost;               // what is wrong gains it, a wrong label half of it: loss-augmented scores
};

// What the arcs to a word get that a first pass dropped, below all that it left and in its order:
// worst - spread (1 + how far it lay below the best / cutoff).
inline void fill_dropped(const FirstPass& first_pass, const float* below, float worst, float spread, int32_t n,
                         float* row) {
    const float most = worst - spread, slope = spread / static_cast<float>(first_pass.cutoff);
    for (int32_t h = 0; h <= n; ++h) row[h] = most - slope * below[h];
}

template <class Weights, class LabelWeights, class Sum>
class SentenceScorer {
public:
    // Begin with a sentence, and choose its candidates.
    void start(const ParserTables& tables, const Tokens& tokens, const FirstPass& first_pass,
               const Lesson<Sum>* lesson = nullptr) {
        features.compute(tables.templates, tokens);
        closed_ = false;
        choose_candidates(first_pass, lesson);
    }

    // Begin with a sentence whose candidates are known: all other arcs are forbidden.
    void start(const ParserTables& tables, const Tokens& tokens, const Candidates& remaining) {
        features.compute(tables.templates, tokens);
        keep(remaining);
    }

    // Forbid all other arcs.
    void keep(const Candidates& remaining) {
        closed_ = true;
        candidates = remaining;
    }

    // Score the candidates as arcs; score_labels() must follow.
    void score_arcs(const ParserTables& tables, const Weights& weights) {
        arcs_.start(features, tables.arcs, weights);
        sums_.resize(candidates.size());
        for (int32_t m = 1; m <= features.n(); ++m) {
            Sum* sums = sums_.data() + candidates.begin[m];
            arcs_.score(m, candidates.of(m), candidates.count(m), sums);
            if (const ExtraScores* extra = features.tokens->extra)
                for (int32_t k = 0; k < candidates.count(m); ++k) sums[k] += extra->arc(candidates.of(m)[k], m);
        }
    }

    // Score their labels, and fill in the matrix.
    void score_labels(const ParserTables& tables, const LabelWeights& label_weights, float scale,
                      const FirstPass& first_pass, const Lesson<Sum>* lesson = nullptr) {
        if (tables.labelled()) {
            if (first_pass.most > 0 && !closed_) keep_close(first_pass.close / scale, lesson);
            labels.assign(cells(), -1);
            labeller_.start(features, tables.labelling, label_weights, tables.labels, tables.label_count);
        }
        finish(tables, scale, first_pass, lesson);
    }

    // Whether score_labels() keeps what each label of each candidate sums up to.
    void record_labels(bool record) { record_ = record; }

    // What the labels of an arc score, arc and label together: call visit(label, score).  Of an arc that is no
    // candidate the best one scores what the arc does.
    template <class Visit>
    void each_label(int32_t h, int32_t m, int32_t k, float scale, Visit&& visit) {
        if (k >= 0) {
            for (int32_t i = record_begin_[k]; i < record_begin_[k + 1]; ++i)
                visit(recorded_[i].label, scale * static_cast<float>(sums_[k] + recorded_[i].score));
            return;
        }
        labeller_.score(m, &h, 1);
        const auto best = labeller_.best(0);
        const float score = scores[place(h, m)];
        labeller_.each(0, [&](int32_t label, Sum sum) {
            visit(label, score + scale * static_cast<float>(sum - best.score));
        });
    }

    // Allow the heads that words must have, [n + 1] or -1, though no label goes with them.
    void allow(const int32_t* given) {
        for (int32_t m = 1; m <= words(); ++m) {
            if (given[m] < 0) continue;
            float& score = scores[place(given[m], m)];
            if (!(score > -infinite)) score = 0.0f;
        }
    }

    // Forbid all other heads of words that have one given.
    void hold(const int32_t* given) {
        for (int32_t m = 1; m <= words(); ++m) {
            if (given[m] < 0) continue;
            float* row = scores.data() + place(0, m);
            const float score = row[given[m]] > -infinite ? row[given[m]] : 0.0f;
            std::fill(row, row + words() + 1, -infinite);
            row[given[m]] = score;
        }
    }

    // Begin with a sentence whose tree is known.
    void start_labels(const ParserTables& tables, const Tokens& tokens, const LabelWeights& label_weights) {
        features.compute(tables.templates, tokens);
        labels.assign(cells(), -1);
        labeller_.start(features, tables.labelling, label_weights, tables.labels, tables.label_count);
    }

    // The label of an arc that was chosen.
    int32_t label(int32_t h, int32_t m) {
        const int32_t label = labels[place(h, m)];
        if (label >= 0) return label;
        labeller_.score(m, &h, 1);
        return labeller_.best(0).label;
    }

    // What the labels of an arc score by themselves, after start_labels(): call visit(label, score).
    template <class Visit>
    void visit_labels(int32_t h, int32_t m, float scale, Visit&& visit) {
        labeller_.score(m, &h, 1);
        labeller_.each(0, [&](int32_t label, Sum sum) { visit(label, scale * static_cast<float>(sum)); });
    }

    // Of the sentence that was scored last.
    int32_t words() const { return features.n(); }
    const SentenceFeatures& sentence() const { return features; }
    ScoreMatrix matrix() const { return {scores.data(), words() + 1, words(), false}; }
    const float* row(int32_t m) const { return scores.data() + place(0, m); }  // [n + 1], by head
    const std::vector<int32_t>& best_labels() const { return labels; }         // [n + 1][n + 1], -1: not scored
    const Candidates& scored_arcs() const { return candidates; }
    // The place of an arc among them, -1 if it is none.
    int32_t candidate(int32_t h, int32_t m) const {
        const auto first = candidates.heads.begin() + candidates.begin[m];
        const auto last = candidates.heads.begin() + candidates.begin[m + 1];
        const auto found = std::find(first, last, h);
        return found == last ? -1 : static_cast<int32_t>(found - candidates.heads.begin());
    }
    const Sum* arc_scores(int32_t m) const { return sums_.data() + candidates.begin[m]; }  // of the candidates
    // How far the arcs to m lay below the best in the first pass, [n + 1].
    const float* below_best(int32_t m) const { return below_best_.data() + place(0, m); }

private:
    using LabelSum = typename LabelScorer<LabelWeights, Sum>::Best;

    size_t cells() const { return static_cast<size_t>(words() + 1) * (words() + 1); }
    size_t place(int32_t h, int32_t m) const { return static_cast<size_t>(m) * (words() + 1) + h; }

    // Choose the candidates, and note how far each arc lay below the best of its word.
    void choose_candidates(const FirstPass& first_pass, const Lesson<Sum>* lesson) {
        const int32_t n = features.n();
        candidates.clear();
        if (first_pass.most > 0) {
            below_best_.assign(cells(), 0.0f);
            numbers_.number(*features.tokens, first_pass.symbols, first_pass.layout);
            first_scorer_.start(*features.tokens, numbers_, first_pass.layout, first_pass.weights);
        }
        for (int32_t m = 1; m <= n; ++m) {
            all_heads(n, m, heads_);
            if (first_pass.most <= 0) {
                candidates.add_all(heads_.data(), n);
                continue;
            }
            first_.resize(n);
            first_scorer_.score(m, first_.data());
            const ExtraScores* extra = features.tokens->extra;
            candidates.add_best(
                heads_.data(), first_.data(), n, first_pass.cutoff, first_pass.most,
                [&](int32_t h) { return (lesson && lesson->heads[m] == h) || (extra && extra->is_likely(h, m)); });
            const int32_t best = *std::max_element(first_.begin(), first_.end());
            float* below = below_best_.data() + place(0, m);
            for (int32_t k = 0; k < n; ++k) below[heads_[k]] = static_cast<float>(best - first_[k]);
        }
    }

    // Labels cost more than arcs: drop the candidates whose score as arcs lies too far below the best of their
    // word.
    void keep_close(float close, const Lesson<Sum>* lesson) {
        int32_t count = 0;
        for (int32_t m = 1; m <= features.n(); ++m) {
            const int32_t first = candidates.begin[m], last = candidates.begin[m + 1];
            const Sum best = *std::max_element(sums_.data() + first, sums_.data() + last);
            candidates.begin[m] = count;
            for (int32_t k = first; k < last; ++k) {
                const int32_t h = candidates.heads[k];
                if (static_cast<float>(best - sums_[k]) > close && !(lesson != nullptr && lesson->heads[m] == h))
                    continue;
                candidates.heads[count] = h;
                sums_[count++] = sums_[k];
            }
        }
        candidates.begin[features.n() + 1] = count;
        candidates.heads.resize(count);
    }

    // The final scores of the candidates, and what the other arcs get.
    void finish(const ParserTables& tables, float scale, const FirstPass& first_pass, const Lesson<Sum>* lesson) {
        const int32_t n = features.n();
        float spread = 1;  // the largest difference between two candidates of a word
        worst_.resize(n + 1);
        final_.resize(candidates.size());
        recorded_.clear();
        record_begin_.assign(1, 0);
        for (int32_t m = 1; m <= n; ++m) {
            float best = -infinite, worst = infinite;
            if (tables.labelled()) labeller_.score(m, candidates.of(m), candidates.count(m));
            for (int32_t k = candidates.begin[m]; k < candidates.begin[m + 1]; ++k) {
                const float score = final_[k] = final_score(tables, m, k, scale, lesson);
                best = std::max(best, score);
                if (score > -infinite) worst = std::min(worst, score);
            }
            if (worst <= best) spread = std::max(spread, best - worst);
            worst_[m] = worst <= best ? worst : 0;
        }
        scores.assign(cells(), closed_ ? -infinite : 0.0f);
        const bool root = !tables.labelled() || !tables.labels.find(label_any_key(true)).empty();
        for (int32_t m = 1; m <= n; ++m) {
            float* row = scores.data() + place(0, m);
            if (first_pass.most > 0 && !closed_) {
                fill_dropped(first_pass, below_best(m), worst_[m], spread, n, row);
                if (!root) row[0] = -infinite;
            }
            for (int32_t k = candidates.begin[m]; k < candidates.begin[m + 1]; ++k)
                row[candidates.heads[k]] = final_[k];
        }
    }

    // Of the k-th candidate, an arc to m.
    float final_score(const ParserTables& tables, int32_t m, int32_t k, float scale, const Lesson<Sum>* lesson) {
        const int32_t h = candidates.heads[k];
        Sum sum = sums_[k];
        const bool annotated = lesson != nullptr && lesson->heads[m] >= 0;
        const bool wrong = annotated && lesson->heads[m] != h;
        if (wrong) sum += lesson->cost;
        if (tables.labelled()) {
            const bool compare = annotated && !wrong && lesson->labels[m] >= 0;
            const int32_t spared = compare ? lesson->labels[m] : -1;
            const LabelSum best =
                record_ ? record(m, k)
                        : labeller_.best(k - candidates.begin[m], spared, compare ? lesson->cost / 2 : 0);
            labels[place(h, m)] = best.label;
            if (best.label < 0) return -infinite;  // no label goes with this head: so does no arc
            sum += best.score;
        }
        return scale * static_cast<float>(sum);
    }

    // Keep what each label of the k-th candidate sums up to; the best one.
    LabelSum record(int32_t m, int32_t k) {
        LabelSum best{-1, 0};
        labeller_.each(k - candidates.begin[m], [&](int32_t label, Sum score) {
            recorded_.push_back({label, score});
            if (best.label < 0 || score > best.score) best = {label, score};
        });
        record_begin_.push_back(static_cast<int32_t>(recorded_.size()));
        return best;
    }

    static constexpr float infinite = std::numeric_limits<float>::infinity();
    bool record_ = false;
    std::vector<LabelSum> recorded_;     // labels of the candidates
    std::vector<int32_t> record_begin_;  // of each candidate's
    std::vector<float> scores;           // [n + 1][n + 1], scores[m][h]
    std::vector<int32_t> labels;         // [n + 1][n + 1], the best label of each arc that was scored, else -1
    SentenceFeatures features;
    Candidates candidates;
    bool closed_ = false;                 // all other arcs are forbidden
    std::vector<float> below_best_;       // [n + 1][n + 1], of the first pass
    std::vector<int32_t> heads_, first_;  // of one word
    std::vector<Sum> sums_;               // of the candidates
    std::vector<float> final_;            // the same, with labels
    std::vector<float> worst_;            // of the candidates of each word
    SymbolNumbers numbers_;
    FirstPassScorer<int16_t, int32_t> first_scorer_;
    ArcScorer<Weights, Sum> arcs_;
    LabelScorer<LabelWeights, Sum> labeller_;
};

}  // namespace wnparse
