// What `lr` and `bnb` have in common: the buffers, the cases that need no search, and the root of the search.
//
// Corro et al. (2016), section 5.3: an arborescence that is valid is the answer.  Block degree 1 is the projective
// case, solved by Eisner's algorithm.
#pragma once

#include <cstdint>
#include <type_traits>

#include "decoders/direct/eisner.hpp"
#include "decoders/direct/gap_chart.hpp"
#include "decoders/direct/msa.hpp"
#include "decoders/feasibility/first_tree.hpp"
#include "decoders/relaxation/subgradient.hpp"
#include "problem/settings.hpp"

namespace wnparse {

// Search nodes and buffers for one width of bit sets.
template <int W>
struct Node {
    std::vector<BitSet<W>> open;  // [n + 1]
    std::vector<Cut<W>> cuts;     // with the multipliers to start from
    double bound = 0.0;           // of every tree of this node
};

template <int W>
struct Tree {
    Search<W> search;
    FirstTree<W> first;
    GapChart<BestWeights> chart;
    std::vector<Node<W>> nodes;  // depth-first stack; entries above `height` keep their buffers
    int32_t height = 0;
};

struct SearchWorkspace {
    MsaWorkspace<float> msa_float;
    MsaWorkspace<double> msa_double;
    EisnerWorkspace<float> eisner_float;
    EisnerWorkspace<double> eisner_double;
    Tree<1> tree1;        // up to 63 words
    Tree<2> tree2;        // up to 127
    Tree<4> tree4;        // up to 255
    Tree<8> tree8;        // up to 511
    Tree<16> tree16;      // up to 1,023
    Tree<1024> tree1024;  // up to 65,535
    Rule rule;

    template <class Score>
    MsaWorkspace<Score>& msa() {
        if constexpr (std::is_same_v<Score, float>)
            return msa_float;
        else
            return msa_double;
    }
    template <class Score>
    EisnerWorkspace<Score>& eisner() {
        if constexpr (std::is_same_v<Score, float>)
            return eisner_float;
        else
            return eisner_double;
    }
    template <int W>
    Tree<W>& tree() {
        if constexpr (W == 1)
            return tree1;
        else if constexpr (W == 2)
            return tree2;
        else if constexpr (W == 4)
            return tree4;
        else if constexpr (W == 8)
            return tree8;
        else if constexpr (W == 16)
            return tree16;
        else
            return tree1024;
    }
};

// The tree's score from the original matrix, summed in word order.
template <class Score>
double score_of(const Score* scores, int32_t n, int64_t stride, const int32_t* heads) {
    double sum = 0.0;
    for (int32_t m = 1; m <= n; ++m) sum += static_cast<double>(scores[m * stride + heads[m]]);
    return sum;
}

inline Result infeasible(int32_t iterations, int32_t nodes) {
    const double nothing = minus_infinity<double>();
    return Result{nothing, nothing, iterations, nodes, false};
}

// First half of both decoders.  True: `result` is the answer, without any search.
template <class Score, int W>
bool without_search(const Score* scores, int32_t n, int64_t stride, const Constraints& constraints, int32_t* heads,
                    SearchWorkspace& work, Result& result) {
    const bool projective = constraints.block_degree == 1;
    const bool found = projective ? eisner(scores, n, stride, constraints.single_root, heads, work.eisner<Score>())
                                  : msa(scores, n, stride, constraints.single_root, heads, work.msa<Score>());
    if (!found) {
        result = infeasible(1, 1);
        return true;
    }
    const bool unconstrained = constraints.block_degree == 0 && !constraints.well_nested;
    if (!projective && !unconstrained) {
        Structure<W>& structure = work.tree<W>().search.problem.structure;
        structure.reserve(n);
        structure.close(heads);
        if (!structure.is_valid(constraints)) return false;
    }
    const double score = score_of(scores, n, stride, heads);
    result = Result{score, score, 1, 1, true};
    return true;
}

// The relaxation at the root; an upper bound on all valid trees.  `heads` holds the best arborescence.  Where that
// violates one cut alone, its repair is most often the best tree, proved in an iteration or two; Eisner's tree is
// made for the others.
template <class Score, int W>
double relax_root(const Score* scores, int32_t n, int64_t stride, const Constraints& constraints,
                  const Options& options, int32_t* heads, SearchWorkspace& work, const Rule& rule) {
    Search<W>& search = work.tree<W>().search;
    search.rule = rule;
    search.problem.load(scores, n, stride, constraints);
    search.begin(options, heads);
    double upper = std::numeric_limits<double>::infinity();
    int32_t left = options.max_iterations;
    if (options.local_search && search.repair_one(heads)) {
        const int32_t early = std::min(search.rule.early, left);
        upper = search.relax(early, upper);
        left -= early;
        if (upper <= search.floor() || search.stopped()) return upper;
    }
    if (eisner(scores, n, stride, constraints.single_root, heads, work.eisner<Score>())) search.offer(heads);
    return search.relax(left, upper);
}

// Where the root has met no valid tree: find one and relax again, or prove that there is none, and the bound is
// -inf.
template <int W>
double seek_first_tree(Tree<W>& tree, double upper, int32_t& nodes) {
    using Outcome = typename FirstTree<W>::Outcome;
    Search<W>& search = tree.search;
    if (search.has_tree() || upper <= search.floor() || search.stopped()) return upper;
    const Outcome outcome = tree.first.run(search.problem, search.options.stop, search.options.first_turns);
    nodes += tree.first.nodes;
    if (outcome != Outcome::found) return outcome == Outcome::infeasible ? minus_infinity<double>() : upper;
    search.problem.price_all();
    search.offer(tree.first.heads.data());
    return search.relax(search.options.max_iterations, upper);
}

// The incumbent as the answer; `upper` bounds the weight of every valid tree.
template <class Score, int W>
Result finish_search(const Search<W>& search, const Score* scores, int64_t stride, double upper, int32_t nodes,
                     int32_t* heads) {
    const int32_t n = search.problem.n;
    if (!search.has_tree()) {
        // Proved that there is none, none above the cutoff, or stopped before the first valid tree.
        const double above = upper > search.floor() ? search.problem.offset + upper : minus_infinity<double>();
        return Result{minus_infinity<double>(), above, search.iterations, nodes, above > minus_infinity<double>()};
    }
    for (int32_t m = 0; m <= n; ++m) heads[m] = search.incumbent[m];
    const double score = score_of(scores, n, stride, heads);
    const double gap = upper <= search.floor() ? 0.0 : upper - search.lower;
    return Result{score, score + gap, search.iterations, nodes, true};
}

// Calls `decode` with the narrowest bit sets that hold n + 1 nodes.
template <class Decode>
Result with_width(int32_t n, Decode&& decode) {
    if (n < 64) return decode(std::integral_constant<int, 1>());
    if (n < 128) return decode(std::integral_constant<int, 2>());
    if (n < 256) return decode(std::integral_constant<int, 4>());
    if (n < 512) return decode(std::integral_constant<int, 8>());
    if (n < 1024) return decode(std::integral_constant<int, 16>());
    return decode(std::integral_constant<int, 1024>());
}

}  // namespace wnparse
