// The keys of the features of parts of higher order: sums of one hash for each node that a template looks at.
//
// The hashes of a node for all templates of a kind lie side by side, so that a key takes as many additions as the
// part has nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "features/feature_keys.hpp"
#include "features/part_templates.hpp"
#include "problem/parts.hpp"

namespace wnparse {

// The templates of one kind of part over one sentence.  Nodes are 0 to n, START n + 1 and STOP n + 2.
class KindKeys {
public:
    // `last`: the role of the node that can be STOP.
    void gather(const Tokens& tokens, const std::vector<PartTemplate>& templates, Role last) {
        size_ = static_cast<int32_t>(templates.size());
        nodes_ = tokens.n + 3;
        for (auto& list : used_) list.clear();
        for (int32_t role = 0; role < role_count; ++role) rows_[role].resize(size_t(nodes_) * size_);
        for (int32_t t = 0; t < size_; ++t) {
            const PartTemplate& part_template = templates[t];
            for (int32_t role = 0; role < role_count; ++role) fill(tokens, part_template, role, t);
            // START can only be m, STOP only the last node; of neither there is more than its tag.
            const bool needs_m = lacks(part_template.atom[role_m]);
            const bool needs_last = lacks(part_template.atom[last]);
            for (int32_t bounds = 0; bounds < 4; ++bounds)
                if (!(needs_m && (bounds & 1)) && !(needs_last && (bounds & 2))) used_[bounds].push_back(t);
        }
    }
    bool empty() const { return size_ == 0; }
    int32_t start() const { return nodes_ - 2; }
    int32_t stop() const { return nodes_ - 1; }

    const uint64_t* of(int32_t role, int32_t node) const { return rows_[role].data() + size_t(node) * size_; }
    // The templates that look at no word where there is START (1) or STOP (2).
    const std::vector<int32_t>& used(int32_t bounds) const { return used_[bounds]; }

private:
    static bool lacks(int32_t atom) { return atom >= 0 && atom != tag_atom; }

    void fill(const Tokens& tokens, const PartTemplate& part_template, int32_t role, int32_t t) {
        const int32_t atom = part_template.atom[role];
        uint64_t* row = rows_[role].data() + t;
        const uint64_t added = role == role_h ? part_template.start : 0;
        if (atom < 0) {
            for (int32_t node = 0; node < nodes_; ++node) row[size_t(node) * size_] = added;
            return;
        }
        for (int32_t node = 0; node <= tokens.n; ++node)
            row[size_t(node) * size_] = added + role_key(role, atom, tokens.atom(node, atom));
        row[size_t(start()) * size_] = added + role_key(role, atom, start_symbol);
        row[size_t(stop()) * size_] = added + role_key(role, atom, stop_symbol);
    }

    int32_t size_ = 0;                        // templates
    int32_t nodes_ = 0;                       // n + 3
    std::vector<uint64_t> rows_[role_count];  // [nodes][templates]
    std::vector<int32_t> used_[4];            // templates
};

class PartKeys {
public:
    void gather(const Tokens& tokens, const PartTemplates& templates) {
        for (int32_t kind = 0; kind < part_kinds; ++kind) {
            const bool longest = kind == static_cast<int32_t>(PartKind::trisibling);
            kinds_[kind].gather(tokens, templates.of_kind[kind], longest ? role_t : role_s);
        }
    }

    // Call f with the key of each feature of a part; those of its pairs of words are not among them.
    template <class Function>
    void for_each(const Sibling& part, Function&& f) const {
        const KindKeys& keys = of(PartKind::sibling);
        const int32_t m = first(part.m, part.h), s = last(part.s, part.h);
        add(keys, direction_key(part.right), bounds(part.m, part.s, part.h), f, keys.of(role_h, part.h),
            keys.of(role_m, m), keys.of(role_s, s));
    }
    template <class Function>
    void for_each(const Grandparent& part, Function&& f) const {
        const KindKeys& keys = of(PartKind::grandparent);
        add(keys, shape_key(grandparent_shape(part.g, part.h, part.m)), 0, f, keys.of(role_h, part.h),
            keys.of(role_g, part.g), keys.of(role_m, part.m));
    }
    template <class Function>
    void for_each(const GrandSibling& part, Function&& f) const {
        const KindKeys& keys = of(PartKind::grandsibling);
        const Sibling& sibling = part.sibling;
        const int32_t m = first(sibling.m, sibling.h), s = last(sibling.s, sibling.h);
        add(keys, shape_key(shape_of(part)), bounds(sibling.m, sibling.s, sibling.h), f,
            keys.of(role_h, sibling.h), keys.of(role_g, part.g), keys.of(role_m, m), keys.of(role_s, s));
    }
    template <class Function>
    void for_each(const TriSibling& part, Function&& f) const {
        const KindKeys& keys = of(PartKind::trisibling);
        const int32_t m = first(part.m, part.h), t = last(part.t, part.h);
        add(keys, direction_key(part.right), bounds(part.m, part.t, part.h), f, keys.of(role_h, part.h),
            keys.of(role_m, m), keys.of(role_s, part.s), keys.of(role_t, t));
    }

    const KindKeys& of(PartKind kind) const { return kinds_[static_cast<int32_t>(kind)]; }

private:
    int32_t first(int32_t m, int32_t h) const { return m == h ? kinds_[0].start() : m; }
    int32_t last(int32_t s, int32_t h) const { return s == h ? kinds_[0].stop() : s; }
    static int32_t bounds(int32_t m, int32_t last, int32_t h) { return (m == h) + 2 * (last == h); }

    // By the outer of the two children, or, where there are none, as if there were one next to the head.
    static int32_t shape_of(const GrandSibling& part) {
        const Sibling& sibling = part.sibling;
        if (sibling.s != sibling.h) return grandparent_shape(part.g, sibling.h, sibling.s);
        if (sibling.m != sibling.h) return grandparent_shape(part.g, sibling.h, sibling.m);
        return ((part.g < sibling.h) == sibling.right ? 0 : 1) + 3 * sibling.right;
    }

    template <class Function, class... Rows>
    static void add(const KindKeys& keys, uint64_t base, int32_t bounds, Function&& f, const Rows*... rows) {
        for (const int32_t t : keys.used(bounds)) f((base + ... + rows[t]));
    }

    KindKeys kinds_[part_kinds];
};

}  // namespace wnparse
