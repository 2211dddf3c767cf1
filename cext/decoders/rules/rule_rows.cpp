#include "decoders/rules/rule_rows.hpp"

#include <algorithm>
#include <numeric>

namespace wnparse {

const std::vector<Violation>& RuleRows::check(const int32_t* heads, const int32_t* choices) {
    violations_.clear();
    sets_.clear();
    tree_.look_at(labelling_->nodes(), heads,
                  [&](int32_t m) { return labelling_->choice(choices[m]).label_class; });
    const std::vector<TreeRule>& rules = labelling_->rules().all;
    for (int32_t i = 0; i < static_cast<int32_t>(rules.size()); ++i) {
        const TreeRule& rule = rules[i];
        if (rule.kind == RuleKind::forbid) continue;
        if (rule.kind != RuleKind::least && !tree_.uses(rule.arc.classes)) continue;
        switch (rule.kind) {
            case RuleKind::forbid: break;
            case RuleKind::most: check_most(rule, i); break;
            case RuleKind::least: check_least(rule, i); break;
            case RuleKind::siblings: check_siblings(rule, i); break;
            case RuleKind::parent:
                tree_.each_match(rule.arc, [&](int32_t m) {
                    if (!tree_.matches(rule.other, heads[m])) add(i, 1, heads[m], m);
                });
                break;
            case RuleKind::between: check_between(rule, i); break;
            case RuleKind::projective:
                if (!tree_.shape().projective()) check_projective(rule, i);
                break;
            case RuleKind::contiguous:
                if (!tree_.shape().projective()) check_contiguous(rule, i);
                break;
        }
    }
    return violations_;
}

bool RuleRows::kept_by_first(const int32_t* heads, std::vector<int32_t>& choices, int32_t& broken) {
    choices.assign(labelling_->words() + 1, -1);
    broken = 0;
    for (int32_t m = 1; m <= labelling_->words(); ++m) {
        choices[m] = labelling_->arc(heads[m], m).begin;
        broken += labelling_->choice(choices[m]).broken;
    }
    return check(heads, choices.data()).empty();
}

double RuleRows::score(const int32_t* heads, const int32_t* choices, const PartTables* parts) const {
    double sum = 0.0;
    for (int32_t m = 1; m <= labelling_->words(); ++m) sum += labelling_->choice(choices[m]).score;
    if (parts != nullptr) sum += parts->value(heads);
    for (const Violation& violation : violations_) {
        const TreeRule& rule = labelling_->rules().all[violation.rule];
        if (!rule.hard()) sum -= violation.amount * rule.penalty;
    }
    return sum;
}

void RuleRows::check_most(const TreeRule& rule, int32_t number) {
    if (rule.has_other && rule.limit == 0) {
        // A child too many is a row of its own where there must be none under a condition.
        TreeShape& shape = tree_.shape();
        tree_.each_match(rule.other, [&](int32_t h) {
            if (!tree_.counts_children(rule, h)) return;
            shape.list_children();
            for (int32_t k = shape.first_child(h); k < shape.last_child(h); ++k)
                if (tree_.matches(rule.arc, shape.child(k))) add(number, 1, h, shape.child(k));
        });
        return;
    }
    counts_.resize(tree_.words() + 1, 0);
    tree_.each_match(rule.arc, [&](int32_t m) { ++counts_[tree_.head(m)]; });
    // Back to 0, for the next rule; a head is looked at with the first of its children.
    tree_.each_match(rule.arc, [&](int32_t m) {
        const int32_t h = tree_.head(m), beyond = counts_[h] - rule.limit;
        counts_[h] = 0;
        if (beyond > 0 && tree_.counts_children(rule, h)) add(number, beyond, h);
    });
}

void RuleRows::check_least(const TreeRule& rule, int32_t number) {
    const int32_t n = tree_.words();
    counts_.resize(n + 1, 0);
    tree_.each_match(rule.arc, [&](int32_t m) { ++counts_[tree_.head(m)]; });
    for (int32_t h = 0; h <= n; ++h) {
        const int32_t lacking = rule.limit - counts_[h];
        counts_[h] = 0;
        if (lacking > 0 && tree_.counts_children(rule, h)) add(number, lacking, h);
    }
}

// The rows of children m < s of h, up to three; those that a pair cannot violate have no classes.
int32_t RuleRows::pair_rows(const TreeRule& rule, int32_t h, int32_t m, int32_t s, PairRow* rows) const {
    const NodeBits& nodes = labelling_->nodes();
    const ArcPattern& other = rule.has_other ? rule.other : rule.arc;
    const bool first = rule.arc.fits(nodes, h, m) && other.fits(nodes, h, s);
    const bool second = rule.has_other && other.fits(nodes, h, m) && rule.arc.fits(nodes, h, s);
    if (!first && !second) return 0;
    if (rule.parted(nodes, m, s) || rule.alike(nodes, m, s)) return 0;
    const uint64_t one = rule.arc.classes, two = other.classes;
    rows[0] = first ? PairRow{one, two} : PairRow{0, 0};
    if (!second) return 1;
    rows[1] = {first ? two & ~one : two, one};
    rows[2] = first ? PairRow{one & two, one & ~two} : PairRow{0, 0};
    return 3;
}

void RuleRows::check_siblings(const TreeRule& rule, int32_t number) {
    TreeShape& shape = tree_.shape();
    shape.list_children();
    const uint64_t either = rule.arc.classes | (rule.has_other ? rule.other.classes : 0);
    PairRow rows[3];
    for (int32_t h = 0; h <= tree_.words(); ++h) {
        const int32_t last = shape.last_child(h);
        if (last - shape.first_child(h) < 2 || !tree_.nodes().has(rule.node, h)) continue;
        for (int32_t i = shape.first_child(h); i < last; ++i) {
            const int32_t m = shape.child(i), class_m = tree_.label_class(m);
            if ((either >> class_m & 1) == 0) continue;
            for (int32_t k = i + 1; k < last; ++k) {
                const int32_t s = shape.child(k), class_s = tree_.label_class(s);
                if ((either >> class_s & 1) == 0) continue;
                const int32_t count = pair_rows(rule, h, m, s, rows);
                for (int32_t row = 0; row < count; ++row)
                    if ((rows[row].m >> class_m & rows[row].s >> class_s & 1) != 0) add(number, 1, h, m, s, row);
            }
        }
    }
}

void RuleRows::check_between(const TreeRule& rule, int32_t number) {
    tree_.each_match(rule.arc, [&](int32_t m) {
        const int32_t h = tree_.head(m);
        for (int32_t j = std::min(h, m) + 1; j < std::max(h, m); ++j)
            if (tree_.intrudes(rule, h, j)) add(number, 1, h, m, j);
    });
}

void RuleRows::check_projective(const TreeRule& rule, int32_t number) {
    tree_.shape().list_children();
    tree_.each_match(rule.arc, [&](int32_t m) {
        const size_t begin = violations_.size();
        tree_.each_crossing(rule, m, [&](int32_t j) { add(number, 1, tree_.head(m), m, j); });
        std::sort(violations_.begin() + begin, violations_.end(),
                  [](const Violation& a, const Violation& b) { return a.c < b.c; });
    });
}

void RuleRows::check_contiguous(const TreeRule& rule, int32_t number) {
    TreeShape& shape = tree_.shape();
    tree_.each_match(rule.arc, [&](int32_t m) {
        if (!shape.has_gap(m)) return;
        shape.list_yield(m, yield_);
        violations_.push_back({number, m, -1, -1, static_cast<int32_t>(sets_.size()), 1});
        sets_.push_back(yield_);
    });
}

void RuleRows::add_term(RuleRow& row, int32_t h, int32_t m, uint64_t classes, int32_t factor) const {
    const int32_t place = h == m ? -1 : labelling_->place(h, m);
    if (place < 0 || (labelling_->arcs()[place].classes & classes) == 0) return;
    row.terms.push_back({place, factor, classes});
}

void RuleRows::add_arc(RuleRow& row, const ArcPattern& pattern, int32_t h, int32_t m, int32_t factor) const {
    if (h != m && pattern.fits(labelling_->nodes(), h, m)) add_term(row, h, m, pattern.classes, factor);
}

// h's own arc.
void RuleRows::add_own(RuleRow& row, const ArcPattern& pattern, int32_t h, int32_t factor) const {
    for (int32_t g = 0; h > 0 && g <= labelling_->words(); ++g) add_arc(row, pattern, g, h, factor);
}

void RuleRows::make_counts(const TreeRule& rule, RuleRow& row) const {
    const int32_t n = labelling_->words();
    const bool most = rule.kind == RuleKind::most;
    const int32_t sign = most ? 1 : -1;
    for (int32_t m = 1; m <= n; ++m) add_arc(row, rule.arc, row.a, m, sign);
    row.limit = sign * rule.limit;
    if (!rule.has_other) return;
    if (!most) {
        row.limit = 0;
        add_own(row, rule.other, row.a, rule.limit);
        return;
    }
    const int32_t spare = std::max(0, static_cast<int32_t>(row.terms.size()) - rule.limit);
    add_own(row, rule.other, row.a, spare);
    row.limit += spare;
}

void RuleRows::make_contiguous(const TreeRule& rule, RuleRow& row) const {
    const int32_t n = labelling_->words();
    std::vector<char> in(n + 1, 0);
    for (const int32_t v : row.set) in[v] = 1;
    for (int32_t m = 1; m <= n; ++m) {
        for (int32_t h = 0; h <= n; ++h) {
            if (in[h] == in[m]) continue;
            const bool top = m == row.a && rule.arc.fits(labelling_->nodes(), h, m);
            add_term(row, h, m, top ? ~rule.arc.classes : ~uint64_t{0}, -1);
        }
    }
    row.limit = -1;
}

RuleRow RuleRows::make_row(const Violation& violation, const std::vector<std::vector<int32_t>>& sets) const {
    const TreeRule& rule = labelling_->rules().all[violation.rule];
    RuleRow row{
        violation.rule, violation.a, violation.b, violation.c, violation.set, {}, {}, 1, labelling_->penalty(rule),
        false};
    const int32_t h = violation.a, m = violation.b, j = violation.c, n = labelling_->words();
    switch (rule.kind) {
        case RuleKind::forbid: break;
        case RuleKind::most:
            if (m >= 0) {
                add_arc(row, rule.arc, h, m, 1);
                add_own(row, rule.other, h, 1);
                break;
            }
            make_counts(rule, row);
            break;
        case RuleKind::least: make_counts(rule, row); break;
        case RuleKind::siblings: {
            PairRow rows[3];
            pair_rows(rule, h, m, j, rows);
            add_term(row, h, m, rows[violation.set].m, 1);
            add_term(row, h, j, rows[violation.set].s, 1);
            break;
        }
        case RuleKind::parent:
            row.limit = 0;
            add_arc(row, rule.arc, h, m, 1);
            add_own(row, rule.other, h, -1);
            break;
        case RuleKind::between:
            row.limit = 0;
            add_arc(row, rule.arc, h, m, 1);
            add_arc(row, rule.other, h, j, -1);
            break;
        case RuleKind::projective:
            add_arc(row, rule.arc, h, m, 1);
            for (int32_t i = 0; i <= n; ++i) {
                if (i == j || (crossing_kind(h, m, i, j) & rule.crossing) == 0) continue;
                if (rule.has_other)
                    add_arc(row, rule.other, i, j, 1);
                else
                    add_term(row, i, j, ~uint64_t{0}, 1);
            }
            break;
        case RuleKind::contiguous:
            row.set = sets[violation.set];
            make_contiguous(rule, row);
            break;
    }
    row.hopeless = least_sum(row) > row.limit;
    return row;
}

// A bound on the sum of a row from below: each word has one head.
int32_t RuleRows::least_sum(const RuleRow& row) const {
    std::vector<int32_t> least(labelling_->words() + 1, 0);
    for (const RuleRow::Term& term : row.terms) {
        int32_t& of_word = least[labelling_->arcs()[term.arc].m];
        of_word = std::min(of_word, term.factor);
    }
    return std::accumulate(least.begin(), least.end(), 0);
}

}  // namespace wnparse
