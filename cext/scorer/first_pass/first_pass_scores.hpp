// Scores of the first pass: how likely is h as the head of m, by tags alone?
//
// A handful of tables, indexed by the numbers of tags and small enough for the nearest cache:
//   distance  [direction][tag of m][tag of h][distance bin]
//   counts    [direction][tag of m][tag of h][class][words of that class in between, up to 6]
//   between   [direction][tag of m][tag of h][tag of a word in between], summed over these words
//   head      [left, right neighbour][direction][tag of h][tag of the neighbour of h][tag of m]
//   modifier  [left, right neighbour][direction][tag of m][tag of the neighbour of m][tag of h]
//   types     [direction][type of m][type of h], the most frequent types: tag, fine tag and FEATS together
// O(n^2 + n t) additions a sentence for t tags, no hashing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "features/templates.hpp"

namespace wnparse {

constexpr int32_t root_tag = 0, outside_tag = 1, unknown_tag = 2, first_tag = 3;

// Where the weights of a first pass over `tags` tags stand.
struct FirstPassLayout {
    static constexpr int32_t most_tags = 60, most_types = 200;  // rarer ones are taken for unknown
    int32_t tags = 0;                                           // those of the treebank and the three above
    int32_t types = 0;                                          // the same

    size_t pairs() const { return 2 * static_cast<size_t>(tags) * tags; }
    size_t pair(bool right, int32_t a, int32_t b) const {
        return (static_cast<size_t>(right) * tags + a) * tags + b;
    }
    size_t distance(size_t pair) const { return pair * distance_bins; }
    size_t counts(size_t pair) const {
        return pairs() * distance_bins + pair * (class_count * (most_counted + 1));
    }
    // The beginning of a table of pairs by a third tag.
    size_t triples(int32_t which) const {
        return pairs() * (distance_bins + class_count * (most_counted + 1)) +
               pairs() * static_cast<size_t>(tags) * which;
    }
    size_t between(size_t pair) const { return triples(0) + pair * tags; }
    size_t head(bool behind, size_t pair) const { return triples(1 + behind) + pair * tags; }
    size_t modifier(bool behind, size_t pair) const { return triples(3 + behind) + pair * tags; }
    size_t type(bool right, int32_t m, int32_t h) const {
        return triples(5) + (static_cast<size_t>(right) * types + m) * types + h;
    }
    size_t size() const { return triples(5) + 2 * static_cast<size_t>(types) * types; }
};

// The symbols that a first pass knows: hashes in ascending order.  Where a file has them in another order, some
// are not found, and nothing else.
struct FirstPassSymbols {
    const uint64_t* tags = nullptr;   // [layout.tags - first_tag]
    const uint64_t* types = nullptr;  // [layout.types - first_tag]
};

// A first pass, and how far to trust it.
struct FirstPass {
    FirstPassLayout layout;
    FirstPassSymbols symbols;
    const int16_t* weights = nullptr;  // [layout.size()]
    int32_t cutoff = 0;                // arcs that score so much below the best head of their word are dropped
    int32_t most = 0;                  // heads of a word; 0: nothing is dropped
    float close = 0;                   // arcs that score so much below the best of their word get no labels
};

// The numbers of the tags and types of a sentence.
class SymbolNumbers {
public:
    void number(const Tokens& tokens, const FirstPassSymbols& symbols, const FirstPassLayout& layout) {
        tags_.assign(tokens.n + 3, outside_tag);
        types_.assign(tokens.n + 1, root_tag);
        tags_[1] = root_tag;
        for (int32_t i = 1; i <= tokens.n; ++i) {
            tags_[i + 1] = find(symbols.tags, layout.tags - first_tag, tokens.atom(i, tag_atom));
            types_[i] = find(symbols.types, layout.types - first_tag, token_type(tokens, i));
        }
    }
    int32_t tag(int32_t token) const { return tags_[token + 1]; }
    int32_t type(int32_t token) const { return types_[token]; }
    // The root stands beside no word.
    int32_t before(int32_t token) const { return token <= 1 ? outside_tag : tags_[token]; }
    int32_t behind(int32_t token) const { return token == 0 ? outside_tag : tags_[token + 2]; }

private:
    static int32_t find(const uint64_t* symbols, int32_t count, uint64_t wanted) {
        const uint64_t* found = std::lower_bound(symbols, symbols + count, wanted);
        return found != symbols + count && *found == wanted ? first_tag + static_cast<int32_t>(found - symbols)
                                                            : unknown_tag;
    }

    std::vector<int32_t> tags_;   // [n + 3]: one more on each side
    std::vector<int32_t> types_;  // [n + 1]
};

template <class Weight, class Sum>
class FirstPassScorer {
public:
    void start(const Tokens& tokens, const SymbolNumbers& numbers, const FirstPassLayout& layout,
               const Weight* weights) {
        tokens_ = &tokens;
        numbers_ = &numbers;
        layout_ = layout;
        weights_ = weights;
        const int32_t width = tokens.n + 1, count = layout.tags;
        head_.resize(2 * static_cast<size_t>(width) * count);
        for (int32_t right = 0; right < 2; ++right) {
            for (int32_t h = 0; h < width; ++h) {
                const Weight* left =
                    weights + layout.head(false, layout.pair(right, numbers.tag(h), numbers.before(h)));
                const Weight* next =
                    weights + layout.head(true, layout.pair(right, numbers.tag(h), numbers.behind(h)));
                Sum* sums = head_.data() + (static_cast<size_t>(right) * width + h) * count;
                for (int32_t tag = 0; tag < count; ++tag)
                    sums[tag] = static_cast<Sum>(left[tag]) + static_cast<Sum>(next[tag]);
            }
        }
        along_known_.assign(layout.pairs(), 0);
        along_.resize(layout.pairs() * (width + 1));
    }

    // row[k] = score(heads[k], m) for all heads but m, in their order.
    void score(int32_t m, Sum* row) {
        const int32_t width = tokens_->n + 1;
        modifier_.resize(2 * static_cast<size_t>(layout_.tags));
        for (int32_t right = 0; right < 2; ++right) {
            const Weight* left =
                weights_ + layout_.modifier(false, layout_.pair(right, numbers_->tag(m), numbers_->before(m)));
            const Weight* next =
                weights_ + layout_.modifier(true, layout_.pair(right, numbers_->tag(m), numbers_->behind(m)));
            Sum* sums = modifier_.data() + right * layout_.tags;
            for (int32_t tag = 0; tag < layout_.tags; ++tag)
                sums[tag] = static_cast<Sum>(left[tag]) + static_cast<Sum>(next[tag]);
        }
        score_side<true>(m, 0, m, row);
        score_side<false>(m, m + 1, width, row + m);
    }

private:
    // Heads first..last of m, all on one side of it.  What does not change with the head is worked out before: the
    // compiler cannot know that writing scores leaves the members alone.
    template <bool right>
    void score_side(int32_t m, int32_t first, int32_t last, Sum* row) {
        const int32_t width = tokens_->n + 1, tags = layout_.tags;
        const size_t pairs = layout_.pair(right, numbers_->tag(m), 0);
        const Weight* distance = weights_ + layout_.distance(pairs);
        const Weight* counts = weights_ + layout_.counts(pairs);
        const Weight* types = weights_ + layout_.type(right, numbers_->type(m), 0);
        const Sum* modifier = modifier_.data() + right * tags;
        const Sum* head = head_.data() + (static_cast<size_t>(right) * width + first) * tags + numbers_->tag(m);
        const int32_t* classes = tokens_->class_counts;
        for (int32_t h = first; h < last; ++h, head += tags) {
            const int32_t low = right ? h : m, high = right ? m : h, tag = numbers_->tag(h);
            Sum sum = *head + modifier[tag] + types[numbers_->type(h)] +
                      distance[tag * distance_bins + distance_bin(high - low)];
            const Weight* count = counts + tag * (class_count * (most_counted + 1));
            const int32_t* from = classes + (low + 1) * class_count;
            const int32_t* to = classes + high * class_count;
            for (int32_t kind = 0; kind < class_count; ++kind)
                sum += count[kind * (most_counted + 1) + std::min(to[kind] - from[kind], most_counted)];
            const Sum* along = words_between(pairs + tag, width);
            *row++ = sum + along[high] - along[low + 1];
        }
    }

    // along[i] = sum over the words b < i of the weight of b's tag between such a pair.
    const Sum* words_between(size_t pair, int32_t width) {
        Sum* along = along_.data() + pair * (width + 1);
        if (!along_known_[pair]) {
            along_known_[pair] = 1;
            const Weight* weights = weights_ + layout_.between(pair);
            Sum sum = 0;
            for (int32_t b = 0; b < width; ++b) {
                along[b] = sum;
                sum += static_cast<Sum>(weights[numbers_->tag(b)]);
            }
            along[width] = sum;
        }
        return along;
    }

    const Tokens* tokens_ = nullptr;
    const SymbolNumbers* numbers_ = nullptr;
    FirstPassLayout layout_;
    const Weight* weights_ = nullptr;
    std::vector<Sum> head_;             // [direction][h][tag of m]
    std::vector<Sum> modifier_;         // [direction][tag of h], of the current word
    std::vector<uint8_t> along_known_;  // [direction][tag of m][tag of h]
    std::vector<Sum> along_;            // [direction][tag of m][tag of h][n + 2]
};

}  // namespace wnparse
