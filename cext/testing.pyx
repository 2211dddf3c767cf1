"""Kernels that only tests call: the cuts that separate a given tree, and the gap chart by itself."""
import numpy as np

from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t


cdef extern from "bitset.hpp" namespace "wnparse" nogil:
    cppclass NodeSet "wnparse::BitSet<1>":
        cbool has(int32_t) const

cdef extern from "structure.hpp" namespace "wnparse" nogil:
    cppclass TreeStructure "wnparse::Structure<1>":
        void reserve(int32_t)
        void build(const int32_t*)
        void find_gapped()

cdef extern from "cuts.hpp" namespace "wnparse" nogil:
    cppclass NodeCut "wnparse::Cut<1>":
        NodeSet set[4]
        int32_t sets
        int32_t limit
        int32_t measure(const int32_t*) const

    cppclass CutSeparation "wnparse::Separation<1>":
        const int32_t* heads
        const TreeStructure* structure
        int32_t block_degree
        cbool well_nested
        cbool paper
        vector[NodeCut] found
        void run()

cdef extern from "gap_chart.hpp" namespace "wnparse" nogil:
    enum ChartOutcome "wnparse::GapChart::Outcome":
        chart_found "wnparse::GapChart::Outcome::found"

    cppclass GapChart:
        ChartOutcome run(const double*, int64_t, int32_t, cbool, const int*, int32_t*)


def separate(const int32_t[::1] heads, int32_t block_degree, bint well_nested, bint paper):
    """Cuts that a tree of up to 63 words violates: (sets, limit, measured violation) of each."""
    cdef int32_t n = <int32_t>heads.shape[0] - 1
    cdef TreeStructure structure
    cdef CutSeparation separation
    cdef size_t i
    cdef int32_t j, v
    structure.reserve(n)
    structure.build(&heads[0])
    structure.find_gapped()
    separation.heads = &heads[0]
    separation.structure = &structure
    separation.block_degree = block_degree
    separation.well_nested = well_nested
    separation.paper = paper
    separation.run()
    cuts = []
    for i in range(separation.found.size()):
        sets = []
        for j in range(separation.found[i].sets):
            sets.append(tuple([v for v in range(n + 1) if separation.found[i].set[j].has(v)]))
        cuts.append((tuple(sets), separation.found[i].limit, separation.found[i].measure(&heads[0])))
    return cuts


def gap_chart(const double[:, ::1] weights, bint single_root):
    """Best well-nested tree of block degree 2 at most, or None; rows padded with -inf to a multiple of 8."""
    cdef int32_t n = <int32_t>weights.shape[0] - 1
    cdef GapChart chart
    heads = np.empty(n + 1, dtype=np.int32)
    cdef int32_t[::1] view = heads
    found = chart.run(&weights[0, 0], weights.shape[1], n, single_root, NULL, &view[0]) == chart_found
    return heads if found else None
