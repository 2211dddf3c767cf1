#include "decoders/rules/occasions.hpp"

#include <algorithm>
#include <utility>

namespace wnparse {

std::vector<RuleOccasions> OccasionFinder::find(const CountedRules& rules, const NumberedTree& tree) {
    found_.assign(rules.count, {});
    noted_.assign(tree.n + 1, -1);
    tree_.start(tree.n);
    for (const CountedRow& row : rules.rows) {
        tree_.look_at(tree.nodes, tree.heads, [&](int32_t m) {
            return int32_t{tree.label_sets.has(row.arc_labels, tree.labels[m])} +
                   2 * int32_t{tree.label_sets.has(row.other_labels, tree.labels[m])};
        });
        switch (row.pattern.kind) {
            case RuleKind::most:
            case RuleKind::least: find_counts(row); break;
            case RuleKind::siblings: find_siblings(row); break;
            case RuleKind::between: find_between(row); break;
            default: find_arcs(row);
        }
    }
    return std::move(found_);
}

void OccasionFinder::find_arcs(const CountedRow& row) {
    const TreeRule& rule = row.pattern;
    if (rule.kind == RuleKind::forbid)
        tree_.each_match(rule.other, [&](int32_t m) { add_occasion(row, {tree_.head(m), m}); });
    tree_.each_match(rule.arc, [&](int32_t m) {
        switch (rule.kind) {
            case RuleKind::forbid: add_arc(row, m, 1); break;
            case RuleKind::parent: add_arc(row, m, !tree_.matches(rule.other, tree_.head(m))); break;
            case RuleKind::projective: add_arc(row, m, count_crossings(rule, m)); break;
            default: add_arc(row, m, tree_.shape().has_gap(m));
        }
    });
}

int64_t OccasionFinder::count_crossings(const TreeRule& rule, int32_t m) {
    int64_t count = 0;
    if (tree_.shape().projective()) return count;
    tree_.shape().list_children();
    tree_.each_crossing(rule, m, [&](int32_t) { ++count; });
    return count;
}

void OccasionFinder::find_counts(const CountedRow& row) {
    const TreeRule& rule = row.pattern;
    const bool most = rule.kind == RuleKind::most, each_node = !most || (rule.limit == 0 && !row.exact);
    if (!each_node && !tree_.uses(rule.arc.classes)) return;
    TreeShape& shape = tree_.shape();
    shape.list_children();
    for (int32_t h = 0; h <= tree_.words(); ++h) {
        if (!tree_.counts_children(rule, h)) continue;
        words_.assign(1, h);
        for (int32_t k = shape.first_child(h); k < shape.last_child(h); ++k)
            if (tree_.matches(rule.arc, shape.child(k))) words_.push_back(shape.child(k));
        const int32_t count = static_cast<int32_t>(words_.size()) - 1;
        if (each_node || (count > 0 && !row.exact)) add_occasion(row, {h, -1});
        add_violation(row, {h, -1}, most ? count - rule.limit : rule.limit - count);
    }
}

void OccasionFinder::find_siblings(const CountedRow& row) {
    const TreeRule& rule = row.pattern;
    if (!tree_.uses(rule.arc.classes | (rule.has_other ? rule.other.classes : 0))) return;
    TreeShape& shape = tree_.shape();
    shape.list_children();
    for (int32_t h = 0; h <= tree_.words(); ++h) {
        if (!tree_.nodes().has(rule.node, h)) continue;
        siblings_.clear();
        for (int32_t k = shape.first_child(h); k < shape.last_child(h); ++k) {
            const int32_t m = shape.child(k);
            const bool first = tree_.matches(rule.arc, m);
            const bool second = rule.has_other ? tree_.matches(rule.other, m) : first;
            if (first || second) siblings_.push_back({m, first, second});
        }
        if (siblings_.empty()) continue;
        add_occasion(row, {h, -1});
        words_.assign(1, h);
        const int64_t pairs = count_pairs(rule);
        add_violation(row, {h, -1}, pairs);
    }
}

// Pairs of siblings_ that exclude each other; their words are added to words_.
int64_t OccasionFinder::count_pairs(const TreeRule& rule) {
    const NodeBits& nodes = tree_.nodes();
    int64_t pairs = 0;
    kinds_.clear();
    int32_t last = 0;
    for (const Sibling& sibling : siblings_) {
        const int32_t s = sibling.word;
        if (rule.parted(nodes, last, s)) kinds_.clear();
        SiblingKind* own = nullptr;
        bool excluded = false;
        for (SiblingKind& kind : kinds_) {
            const Sibling& other = kind.example;
            if (rule.same_kind(nodes, other.word, s) && other.first == sibling.first &&
                other.second == sibling.second)
                own = &kind;
            if (!((sibling.first && other.second) || (sibling.second && other.first))) continue;
            if (rule.alike(nodes, other.word, s)) continue;
            excluded = true;
            pairs += static_cast<int64_t>(kind.words.size());
            words_.insert(words_.end(), kind.words.begin() + kind.marked, kind.words.end());
            kind.marked = kind.words.size();
        }
        if (rule.between >= 0 && nodes.has(rule.between, s)) {
            kinds_.clear();
            own = nullptr;
        }
        if (own == nullptr) own = &kinds_.emplace_back(SiblingKind{sibling, {}, 0});
        own->words.push_back(s);
        if (excluded) words_.push_back(s);
        last = s;
    }
    return pairs;
}

// Of the words between a dependent and its head, those that hang on the head as they may are its children: with
// sums over words and over children an arc takes O(1), however long it is.
void OccasionFinder::find_between(const CountedRow& row) {
    const TreeRule& rule = row.pattern;
    if (!tree_.uses(rule.arc.classes)) return;
    const int32_t n = tree_.words();
    TreeShape& shape = tree_.shape();
    shape.list_children();
    counted_.assign(n + 1, 0);
    permitted_.assign(n + 1, 0);
    for (int32_t j = 1; j <= n; ++j) counted_[j] = counted_[j - 1] + tree_.nodes().has(rule.between, j);
    for (int32_t k = 0; k < n; ++k) {
        const int32_t j = shape.child(k);
        permitted_[k + 1] =
            permitted_[k] + (tree_.nodes().has(rule.between, j) && !tree_.intrudes(rule, tree_.head(j), j));
    }
    for (int32_t h = 0; h <= n; ++h) {
        int32_t right = shape.first_child(h);  // of the children, the first on the right
        while (right < shape.last_child(h) && shape.child(right) < h) ++right;
        for (int32_t k = shape.first_child(h); k < shape.last_child(h); ++k) {
            const int32_t m = shape.child(k);
            if (!tree_.matches(rule.arc, m)) continue;
            const int32_t inside = counted_[std::max(h, m) - 1] - counted_[std::min(h, m)];
            add_arc(row, m,
                    inside - (m > h ? permitted_[k] - permitted_[right] : permitted_[right] - permitted_[k + 1]));
        }
    }
}

void OccasionFinder::add_occasion(const CountedRow& row, OccasionPlace place) {
    int32_t& noted = noted_[place.dependent >= 0 ? place.dependent : place.node];
    if (noted == row.rule) return;
    noted = row.rule;
    found_[row.rule].all.push_back(place);
}

void OccasionFinder::add_arc(const CountedRow& row, int32_t m, int64_t units) {
    const OccasionPlace place{tree_.head(m), m};
    add_occasion(row, place);
    words_ = {place.node, m};
    add_violation(row, place, units);
}

void OccasionFinder::add_violation(const CountedRow& row, OccasionPlace place, int64_t units) {
    if (units <= 0) return;
    add_occasion(row, place);
    std::sort(words_.begin(), words_.end());
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    if (words_.front() == 0) words_.erase(words_.begin());
    found_[row.rule].broken.push_back({place, units, words_});
}

}  // namespace wnparse
