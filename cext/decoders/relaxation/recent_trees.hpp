// The last solutions of the relaxation, on which a search bases what it branches on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wnparse {

class RecentTrees {
public:
    // Forget all.  `labelled`: solutions have a choice of label for each arc.
    void start(int32_t words, bool labelled) {
        width_ = words + 1;
        labelled_ = labelled;
        added_ = 0;
        heads_.resize(kMost * width_);
        if (labelled) choices_.resize(kMost * width_);
    }

    // Add a solution, [n + 1].  If solutions are labelled, choice(m) is the label of the arc to m, or -1.
    template <class Choice>
    void add(const int32_t* heads, Choice&& choice) {
        const size_t begin = (added_++ % kMost) * width_;
        std::copy_n(heads, width_, heads_.begin() + begin);
        for (size_t m = 1; labelled_ && m < width_; ++m) choices_[begin + m] = choice(static_cast<int32_t>(m));
    }

    int32_t count() const { return static_cast<int32_t>(std::min(added_, kMost)); }
    int32_t head(int32_t tree, int32_t m) const { return heads_[tree * width_ + m]; }
    int32_t choice(int32_t tree, int32_t m) const { return choices_[tree * width_ + m]; }

private:
    static constexpr size_t kMost = 16;

    size_t width_ = 0;
    bool labelled_ = false;
    size_t added_ = 0;
    std::vector<int32_t> heads_, choices_;  // [kMost][n + 1], rings
};

}  // namespace wnparse
