// The best valid tree of a search so far.
#pragma once

#include <cstdint>
#include <vector>

#include "base/row_kernels.hpp"

namespace wnparse {

struct Incumbent {
    std::vector<int32_t> heads;  // [n + 1]
    double value = 0.0;          // under rules with its labels and what they violate; -inf: there is no tree yet
    double unlabelled_value = 0.0;  // of its arcs and parts alone
    std::vector<int32_t> choices;   // [n + 1] of labels, under rules
    int32_t broken = 0;             // hard rules that it breaks

    void clear(int32_t words) {
        heads.assign(words + 1, -1);
        value = unlabelled_value = minus_infinity<double>();
        broken = 0;
    }

    // A better tree without labels.
    void replace(const int32_t* tree, double tree_value) {
        std::copy_n(tree, heads.size(), heads.begin());
        value = unlabelled_value = tree_value;
    }
};

}  // namespace wnparse
