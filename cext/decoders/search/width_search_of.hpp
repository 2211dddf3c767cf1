// What the file of each width compiles.
#pragma once

#include <cstdint>
#include <memory>

#include "decoders/search/branch_and_bound.hpp"
#include "decoders/search/lagrangian.hpp"
#include "decoders/search/tree_listing.hpp"
#include "decoders/search/width_search.hpp"

namespace wnparse {

template <int W>
class WidthSearchOf final : public WidthSearch {
public:
    bool is_valid(const int32_t* heads, int32_t n, const Constraints& constraints) override {
        structure_.reserve(n);
        structure_.close(heads);
        return structure_.is_valid(constraints);
    }
    Result lagrangian(const Problem& problem, const Options& options, int32_t* heads,
                      DirectWorkspace& direct) override {
        return wnparse::lagrangian(problem, options, heads, tree_, direct);
    }
    Result branch_and_bound(const Problem& problem, const Options& options, int32_t* heads,
                            DirectWorkspace& direct) override {
        return wnparse::branch_and_bound(problem, options, heads, tree_, direct);
    }
    bool list_trees(const Problem& problem, const Options& options, FewTrees& few, const ListVisitor& visit,
                    int32_t& iterations) override {
        const bool listed = TreeListing<W>(tree_, few, visit).run(problem, options);
        iterations = tree_.state.iterations();
        return listed;
    }

private:
    Structure<W> structure_;
    SearchTree<W> tree_;
};

template <int W>
std::unique_ptr<WidthSearch> make_width_search() {
    return std::make_unique<WidthSearchOf<W>>();
}

}  // namespace wnparse
