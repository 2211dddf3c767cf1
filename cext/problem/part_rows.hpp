// Parts of higher order as rows of nodes, each with its score: what decoders outside of the core read.
//
// Siblings are all there, for they are the steps of chains, whatever they score; of the other kinds only those
// that score something. START and STOP are the head itself, as in parts.hpp. O(parts).
#pragma once

#include <cstdint>
#include <vector>

#include "problem/part_tables.hpp"

namespace wnparse {

struct PartRows {
    struct Kind {
        std::vector<int32_t> nodes;  // row after row
        std::vector<double> scores;

        template <class... Nodes>
        void add(double score, Nodes... row) {
            (nodes.push_back(row), ...);
            scores.push_back(score);
        }
    };
    Kind siblings;       // h, m, s, right
    Kind grandparents;   // g, h, m
    Kind grandsiblings;  // g, h, m, s, right
    Kind trisiblings;    // h, m, s, t, right

    void collect(const PartTables& tables) {
        for (int32_t h = 0; h <= tables.words(); ++h)
            for (int32_t right = 0; right < 2; ++right) collect_side(tables, h, right);
    }

private:
    void collect_side(const PartTables& tables, int32_t h, int32_t right) {
        const PartTables::Head& head = tables.head(h);
        const PartTables::Side& side = head.side[right];
        const auto node = [&](int32_t at) {
            return at == 0 || at == side.stop() ? h : tables.children(side)[at - 1];
        };
        for (int32_t b = 1; h > 0 && b <= side.count; ++b)
            collect_parents(tables, head, tables.grandparent(head, side, b), grandparents, h, node(b));
        for (int32_t a = 0; a <= side.count; ++a) {
            for (int32_t b = a + 1; b <= side.stop(); ++b) {
                siblings.add(tables.sibling(side, a)[b], h, node(a), node(b), right);
                if (h > 0 && side.grandsibling >= 0)
                    collect_parents(tables, head, tables.grandsibling(head, side, a, b), grandsiblings, h, node(a),
                                    node(b), right);
                if (side.trisibling < 0 || b == side.stop()) continue;
                for (int32_t c = b + 1; c <= side.stop(); ++c) {
                    const double score = tables.trisibling(side, a, b)[c];
                    if (score != 0.0) trisiblings.add(score, h, node(a), node(b), node(c), right);
                }
            }
        }
    }

    template <class... Nodes>
    static void collect_parents(const PartTables& tables, const PartTables::Head& head, const double* scores,
                                Kind& kind, Nodes... rest) {
        for (int32_t p = 0; p < head.parents; ++p)
            if (scores[p] != 0.0 && scores[p] > -std::numeric_limits<double>::infinity())
                kind.add(scores[p], tables.parents(head)[p], rest...);
    }
};

}  // namespace wnparse
