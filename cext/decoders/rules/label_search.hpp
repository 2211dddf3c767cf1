// Labels for a given tree: from some choice for each word, by changing one label at a time.
//
// A violated row tells which labels are to blame: of the changes that lessen its violation the cheapest is taken
// as long as the tree gains by it.  Then each word tries its best label again.  O(changes) checks of all rules, up
// to some number.
#pragma once

#include <cstdint>
#include <vector>

#include "decoders/rules/rule_rows.hpp"

namespace wnparse {

class LabelSearch {
public:
    void start(const Labelling& labelling) {
        labelling_ = &labelling;
        rows_.start(labelling);
    }

    // Choices for the words of a tree, [n + 1], better than or as good as those given.
    void run(const int32_t* heads, std::vector<int32_t>& choices);

    double value() const { return value_; }     // of the last tree's labels: their gains less what they violate
    int32_t broken() const { return broken_; }  // hard rules that they break, forbidden labels included

private:
    double measure();  // the value of choices_
    bool change_one();
    bool promote();

    const Labelling* labelling_ = nullptr;
    RuleRows rows_;
    const int32_t* heads_ = nullptr;
    std::vector<int32_t>* choices_ = nullptr;
    double value_ = 0.0;
    int32_t broken_ = 0;
    int32_t checks_ = 0;  // that are left for this tree
};

}  // namespace wnparse
