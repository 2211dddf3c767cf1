#include "decoders/rules/ruled_tree.hpp"

#include <iterator>

namespace wnparse {

void RuledTree::sort_by_class() {
    std::fill(std::begin(class_begin_), std::end(class_begin_), 0);
    used_ = 0;
    for (int32_t m = 1; m <= n_; ++m) {
        ++class_begin_[classes_[m]];
        used_ |= uint64_t{1} << classes_[m];
    }
    int32_t end = 0;
    for (int32_t& begin : class_begin_) begin = end += begin;
    by_class_.resize(n_);
    for (int32_t m = n_; m > 0; --m) by_class_[--class_begin_[classes_[m]]] = m;
}

}  // namespace wnparse
