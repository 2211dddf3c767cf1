"""Kernels that only tests call: cuts that separate a tree, the gap chart, the search for a first tree, a QP."""
import numpy as np

from libc.math cimport INFINITY
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t
from wnparse._core.watching cimport Stop


cdef extern from "base/bitset.hpp" namespace "wnparse" nogil:
    cppclass NodeSet "wnparse::BitSet<1>":
        cbool has(int32_t) const
        void add(int32_t)
        void clear()

cdef extern from "problem/settings.hpp" namespace "wnparse" nogil:
    cppclass NodeConstraints "wnparse::Constraints":
        int32_t block_degree
        cbool well_nested
        cbool single_root

cdef extern from "problem/structure.hpp" namespace "wnparse" nogil:
    cppclass TreeStructure "wnparse::Structure<1>":
        void reserve(int32_t)
        void build(const int32_t*)
        void find_gapped()

cdef extern from "decoders/relaxation/separation.hpp" namespace "wnparse" nogil:
    cppclass NodeCut "wnparse::Cut<1>":
        NodeSet set[4]
        int32_t sets
        int32_t limit
        int32_t measure(const int32_t*) const

    cppclass CutSeparation "wnparse::Separation<1>":
        void start(const NodeConstraints&, cbool, int32_t)
        const vector[NodeCut]& run(const int32_t*, const TreeStructure&) except +

cdef extern from *:
    """
    #include "decoders/feasibility/first_tree.hpp"

    static bool find_first_tree(const double* scores, int32_t n, int64_t stride,
                                const wnparse::Constraints& constraints, int32_t* heads) {
        wnparse::Objective objective;
        objective.load(scores, n, stride);
        std::vector<wnparse::BitSet<1>> open(n + 1);
        for (int32_t m = 0; m <= n; ++m) open[m] = objective.finite<1>(m);
        wnparse::FirstTree<1> search;
        const wnparse::Stop stop;
        const auto outcome = search.run({objective, open, constraints, objective.spread(), stop}, 1 << 30);
        if (outcome != wnparse::FirstTree<1>::Outcome::found) return false;
        std::copy(search.tree().begin(), search.tree().end(), heads);
        return true;
    }
    """
    cbool find_first_tree(const double*, int32_t, int64_t, const NodeConstraints&, int32_t*) except + nogil

cdef extern from "decoders/direct/gap_chart.hpp" namespace "wnparse" nogil:
    enum ChartOutcome "wnparse::GapChart<wnparse::BestWeights>::Outcome":
        chart_found "wnparse::GapChart<wnparse::BestWeights>::Outcome::found"

    enum AnyOutcome "wnparse::GapChart<wnparse::AnyTree>::Outcome":
        any_found "wnparse::GapChart<wnparse::AnyTree>::Outcome::found"

    cppclass BestWeights:
        const double* weight
        int64_t width
        int32_t n

    cppclass AnyTree:
        const NodeSet* open
        int32_t n

    cppclass WeightChart "wnparse::GapChart<wnparse::BestWeights>":
        ChartOutcome run(const BestWeights&, cbool, const Stop&, int32_t*)

    cppclass AnyChart "wnparse::GapChart<wnparse::AnyTree>":
        AnyOutcome run(const AnyTree&, cbool, const Stop&, int32_t*)

cdef extern from "learning/hildreth.hpp" namespace "wnparse" nogil:
    cppclass Hildreth:
        vector[double] alpha
        cbool solve(const double*, const double*, int32_t, double, double, int32_t) except +


def separate(const int32_t[::1] heads, int32_t block_degree, bint well_nested, bint paper):
    """Cuts that a tree of up to 63 words violates: (sets, limit, measured violation) of each."""
    cdef int32_t n = <int32_t>heads.shape[0] - 1
    cdef TreeStructure structure
    cdef CutSeparation separation
    cdef NodeConstraints constraints
    cdef vector[NodeCut] found
    cdef size_t i
    cdef int32_t j, v
    structure.reserve(n)
    structure.build(&heads[0])
    structure.find_gapped()
    constraints.block_degree = block_degree
    constraints.well_nested = well_nested
    separation.start(constraints, paper, n + 1)
    found = separation.run(&heads[0], structure)
    cuts = []
    for i in range(found.size()):
        sets = []
        for j in range(found[i].sets):
            sets.append(tuple([v for v in range(n + 1) if found[i].set[j].has(v)]))
        cuts.append((tuple(sets), found[i].limit, found[i].measure(&heads[0])))
    return cuts


def gap_chart(const double[:, ::1] weights, bint single_root, bint any_tree):
    """Best or any well-nested tree of block degree 2, or None; rows padded with -inf to a multiple of 8."""
    cdef int32_t m, h, n = <int32_t>weights.shape[0] - 1
    cdef WeightChart chart
    cdef AnyChart any_chart
    cdef BestWeights rows
    cdef AnyTree any_rows
    cdef vector[NodeSet] arcs = vector[NodeSet](n + 1)
    heads = np.empty(n + 1, dtype=np.int32)
    cdef int32_t[::1] view = heads
    rows.n = any_rows.n = n
    if any_tree:
        for m in range(n + 1):
            arcs[m].clear()
            for h in range(n + 1):
                if weights[m, h] > -INFINITY:
                    arcs[m].add(h)
        any_rows.open = arcs.data()
        found = any_chart.run(any_rows, single_root, Stop(), &view[0]) == any_found
    else:
        rows.weight = &weights[0, 0]
        rows.width = weights.shape[1]
        found = chart.run(rows, single_root, Stop(), &view[0]) == chart_found
    return heads if found else None


def first_tree(const double[:, ::1] weights, int32_t block_degree, bint well_nested, bint single_root):
    """Any tree of up to 63 words that satisfies the constraints, or None if there is none."""
    cdef int32_t n = <int32_t>weights.shape[0] - 1
    cdef NodeConstraints constraints
    cdef int32_t[::1] heads = np.empty(n + 1, dtype=np.int32)
    constraints.block_degree = block_degree
    constraints.well_nested = well_nested
    constraints.single_root = single_root
    return heads.base if find_first_tree(&weights[0, 0], n, weights.shape[1], constraints, &heads[0]) else None


def hildreth(const double[:, ::1] gram, const double[::1] violations, double limit, double tolerance,
             int32_t passes):
    """The multipliers float64[k] of a small quadratic program, and whether the passes sufficed."""
    cdef Hildreth solver
    done = solver.solve(&gram[0, 0], &violations[0], <int32_t>violations.shape[0], limit, tolerance, passes)
    return np.array(solver.alpha), done
