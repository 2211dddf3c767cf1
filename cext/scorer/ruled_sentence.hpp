// A sentence under rules: the labels of its arcs, and the best labelled tree that obeys.
//
// First order: most trees keep all rules with the best label of each arc, and are the best labelled ones then; it
// costs a check.  Where one does not, the arcs that the first pass left and those of that tree are decoded with
// their labels.  Where no tree of these obeys, the words to blame get all their heads, then all words, and hard
// rules are broken as seldom as can be.  Higher order: the arcs that pruning left, then those of the words to
// blame.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "decoders/decoder.hpp"
#include "decoders/ranking.hpp"
#include "decoders/rules/label_floors.hpp"
#include "decoders/rules/rule_rows.hpp"
#include "problem/labelling.hpp"
#include "scorer/first_pass/candidates.hpp"

namespace wnparse {

// Rules, and the predicates of a sentence's nodes.
struct Ruling {
    const Rules* rules = nullptr;  // nullptr: none
    NodeBits nodes;
    const int32_t* labels = nullptr;  // [n + 1] of words whose heads are given, -1 where they are free

    int32_t given_label(int32_t m) const { return labels == nullptr ? -1 : labels[m]; }
};

class RuledSentence {
public:
    // Whether a tree keeps all rules with its labels.
    bool keeps(const Ruling& ruling, const int32_t* heads, const int32_t* labels, int32_t n) {
        labelling_.start(*ruling.rules, ruling.nodes, n);
        choices_.assign(n + 1, -1);
        for (int32_t m = 1; m <= n; ++m) {
            if (labels[m] < 0) return false;
            labelling_.begin_arc(heads[m], m);
            labelling_.offer(labels[m], 0.0);
            labelling_.end_arc(true);
            const LabelChoice& only = labelling_.choice(m - 1);
            if (only.broken > 0 || only.score < 0.0) return false;
            choices_[m] = m - 1;
        }
        rows_.start(labelling_);
        return rows_.check(heads, choices_.data()).empty();
    }

    // Decode the candidates with their labels, and the arcs of `tree`, which is one to begin with.  `broken`: hard
    // rules may be.
    template <class Scorer>
    Outcome decode(const Ruling& ruling, Scorer& scorer, float scale, const Settings& settings,
                   const PartTables* parts, const int32_t* tree, bool broken, int32_t* heads, int32_t* labels) {
        const int32_t n = scorer.words();
        floors_.start(n);
        if (parts == nullptr) raise_floors(ruling, scorer, scale, tree);
        load(ruling, scorer, scale, parts, tree, broken);
        Settings known = settings;
        known.options.known = tree;
        // Other arcs are the better bet, and come next; where there are none, proofs of how few rules must be
        // broken may take for ever.
        known.options.broken_nodes = broken && parts == nullptr ? kLastBrokenNodes : kBrokenNodes;
        Outcome outcome = decode_checked({scores_.data(), n + 1, n, true}, known, heads, parts, &labelling_);
        if (!outcome.result.has_tree()) return outcome;
        for (int32_t m = 1; m <= n; ++m) labels[m] = labelling_.label(m);
        return outcome;
    }

    // From now on all heads are candidates of the words whose arcs break rules in the tree that was found last, or
    // that have no arc left; of all words, if `all`.  Whether there are any new ones.
    bool widen(const int32_t* heads, bool has_tree, bool all) {
        const int32_t n = labelling_.words();
        int32_t count = 0;
        const auto open = [&](int32_t m) {
            count += !open_[m];
            open_[m] = 1;
        };
        std::vector<char> reached(n + 1, 0);
        for (const Labelling::LabelledArc& arc : labelling_.arcs()) reached[arc.m] = 1;
        for (int32_t m = 1; m <= n; ++m)
            if (all || !reached[m]) open(m);
        if (!has_tree || all) return count > 0;
        for (int32_t m = 1; m <= n; ++m) choices_[m] = labelling_.chosen(m);
        rows_.start(labelling_);
        for (const Violation& violation : rows_.check(heads, choices_.data())) {
            for (const RuleRow::Term& term : rows_.make_row(violation).terms) {
                const Labelling::LabelledArc& arc = labelling_.arcs()[term.arc];
                if (heads[arc.m] == arc.h || term.factor < 0) open(arc.m);
            }
        }
        return count > 0;
    }
    // Candidates with those that are new.
    Candidates opened(const Candidates& kept) const {
        const int32_t n = labelling_.words();
        Candidates opened_heads;
        std::vector<int32_t> all;
        opened_heads.clear();
        for (int32_t m = 1; m <= n; ++m) {
            all_heads(n, m, all);
            if (open_[m])
                opened_heads.add_all(all.data(), n);
            else
                opened_heads.add_all(kept.of(m), kept.count(m));
        }
        return opened_heads;
    }
    void narrow(int32_t words) {
        open_.assign(words + 1, 0);
        choices_.assign(words + 1, -1);
    }

    // The k best trees of the same arcs, after the first, which was found before with its labels.
    template <class Scorer>
    void rank(const Ruling& ruling, Scorer& scorer, float scale, const Settings& settings, const PartTables* parts,
              const int32_t* first, const int32_t* labels, Result result, int64_t k, RankedTrees& trees) {
        const int32_t n = scorer.words();
        floors_.start(n);
        load(ruling, scorer, scale, parts, first, true);
        settle(first, labels, parts, result);
        rank_after({scores_.data(), n + 1, n, true}, settings, k, first, labels, result, trees, parts,
                   &labelling_);
    }

private:
    static constexpr int32_t kBrokenNodes = 40, kLastBrokenNodes = 400;  // while no tree keeps all rules

    // The score of a labelled tree as the labelling has it, to the last bit: trees are ranked by it.
    void settle(const int32_t* heads, const int32_t* labels, const PartTables* parts, Result& result) {
        const double gap = result.upper_bound - result.score;
        for (int32_t m = 1; m <= labelling_.words(); ++m) {
            const Labelling::LabelledArc& arc = labelling_.arc(heads[m], m);
            choices_[m] = arc.begin;
            while (choices_[m] + 1 < arc.end && labelling_.choice(choices_[m]).label != labels[m]) ++choices_[m];
        }
        rows_.start(labelling_);
        rows_.check(heads, choices_.data());
        result.score = rows_.score(heads, choices_.data(), parts);
        result.upper_bound = result.score + gap;
    }

    // Leave out what no best tree has, if the tree obeys with other labels (label_floors.hpp).
    template <class Scorer>
    void raise_floors(const Ruling& ruling, Scorer& scorer, float scale, const int32_t* tree) {
        const int32_t n = scorer.words();
        labelling_.start(*ruling.rules, ruling.nodes, n);
        for (int32_t m = 1; m <= n; ++m)
            add(scorer, tree[m], m, scorer.candidate(tree[m], m), scale, ruling.given_label(m), false);
        if (static_cast<int32_t>(labelling_.arcs().size()) < n) return;
        labelling_.finish(0.0);
        double most = 0.0;
        for (int32_t m = 1; m <= n; ++m) {
            const float* row = scorer.row(m);
            for (int32_t h = 0; h <= n; ++h)
                if (h != m) floors_.best(m) = std::max(floors_.best(m), row[h]);
            most += floors_.best(m);
        }
        constexpr double rounding = 1e-5;
        floors_.raise(labelling_, tree, choices_, rounding * (1.0 + std::fabs(most)));
    }

    template <class Scorer>
    void load(const Ruling& ruling, Scorer& scorer, float scale, const PartTables* parts, const int32_t* tree,
              bool broken) {
        const int32_t n = scorer.words();
        const auto& candidates = scorer.scored_arcs();
        labelling_.start(*ruling.rules, ruling.nodes, n);
        for (int32_t m = 1; m <= n; ++m) {
            for (int32_t k = candidates.begin[m]; k < candidates.begin[m + 1]; ++k)
                add(scorer, candidates.heads[k], m, k, scale, ruling.given_label(m), broken);
            for (int32_t h = 0; h <= n; ++h)
                if ((open_[m] || h == tree[m]) && h != m && labelling_.place(h, m) < 0)
                    add(scorer, h, m, -1, scale, ruling.given_label(m), broken);
        }
        labelling_.finish(parts != nullptr ? 2.0 * parts->size() : 0.0);
        scores_.assign(static_cast<size_t>(n + 1) * (n + 1), -std::numeric_limits<double>::infinity());
        for (const Labelling::LabelledArc& arc : labelling_.arcs())
            scores_[static_cast<size_t>(arc.m) * (n + 1) + arc.h] = labelling_.score(arc);
    }

    // An arc that is forbidden stays so.  A label that is given is the only one, and scores what the arc does.
    template <class Scorer>
    void add(Scorer& scorer, int32_t h, int32_t m, int32_t k, float scale, int32_t given_label, bool broken) {
        const float floor = floors_.floor(m);
        if (!(scorer.row(m)[h] > -std::numeric_limits<float>::infinity()) || scorer.row(m)[h] < floor) return;
        labelling_.begin_arc(h, m);
        if (given_label >= 0) {
            labelling_.offer(given_label, scorer.row(m)[h]);
            labelling_.end_arc(broken);
            return;
        }
        int32_t count = 0;
        scorer.each_label(h, m, k, scale, [&](int32_t label, float score) {
            if (score >= floor) labelling_.offer(label, score);
            ++count;
        });
        // A head that a word must have, though no label goes with it.
        if (count == 0) labelling_.offer_unlabelled(scorer.row(m)[h]);
        labelling_.end_arc(broken);
    }

    Labelling labelling_;
    RuleRows rows_;
    LabelFloors<float> floors_;  // arcs to a word, and their labels, that score less are left out
    std::vector<char> open_;     // [n + 1] words that may have any head
    std::vector<int32_t> choices_;
    std::vector<double> scores_;  // [n + 1][n + 1]
};

}  // namespace wnparse
