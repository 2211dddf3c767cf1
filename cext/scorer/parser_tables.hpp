// What a parser is made of besides its weights: templates, and which labels are candidates where.
#pragma once

#include <cstdint>
#include <vector>

#include "features/part_templates.hpp"
#include "features/templates.hpp"
#include "scorer/label_tables.hpp"

namespace wnparse {

struct ParserTables {
    Templates templates;
    std::vector<int32_t> arcs;  // the templates that score arcs
    LabelTemplates labelling;
    PartTemplates parts;  // of higher order
    int32_t order = 1;
    LabelTable labels;
    int32_t label_count = 0;  // 0: without labels

    bool labelled() const { return label_count > 0; }
    void add(const Template& t) {
        const int32_t index = static_cast<int32_t>(templates.all.size());
        templates.add(t);
        if (t.arc) arcs.push_back(index);
        if (t.label) labelling.add(t, index);
    }
    // Templates of parts: of three or more nodes, or of two words.
    void add(PartKind kind, const PartTemplate& t) { parts.of_kind[static_cast<int32_t>(kind)].push_back(t); }
    void add_pair(PartKind kind, const Template& t) {
        std::vector<int32_t>& used = kind == PartKind::sibling ? parts.sibling_pairs : parts.grandparent_pairs;
        used.push_back(static_cast<int32_t>(templates.all.size()));
        templates.add(t);
    }
};

}  // namespace wnparse
