"""Minimum cuts, for rows of linear programs that are separated from a point."""
import numpy as np

from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, uint8_t


cdef extern from "base/minimum_cut.hpp" namespace "wnparse" nogil:
    cdef cppclass CNetwork "wnparse::Network":
        void build(int32_t nodes, int32_t edges, const int32_t* tails, const int32_t* heads,
                   const double* capacities) except +
        cbool cut(const vector[int32_t]& sources, const vector[int32_t]& sinks, double limit) except +
        cbool reached(int32_t v) noexcept
        int32_t nodes() noexcept


cdef class Network:
    """Edges between nodes 0 to nodes - 1: tails and heads, int32[e]; capacities, float64[e], inf for no limit."""

    cdef CNetwork network

    def __cinit__(self, int32_t nodes, const int32_t[::1] tails not None, const int32_t[::1] heads not None,
                  const double[::1] capacities not None):
        cdef Py_ssize_t e, edges = tails.shape[0]
        if heads.shape[0] != edges or capacities.shape[0] != edges:
            raise ValueError("edges: expected as many tails as heads and capacities")
        for e in range(edges):
            if not (0 <= tails[e] < nodes and 0 <= heads[e] < nodes and capacities[e] >= 0.0):
                raise ValueError(f"edge {e}: expected nodes from 0 to {nodes - 1} and a capacity of 0 or more")
        if edges:
            self.network.build(nodes, <int32_t> edges, &tails[0], &heads[0], &capacities[0])
        else:
            self.network.build(nodes, 0, NULL, NULL, NULL)

    def cut(self, list sources not None, list sinks not None, double limit):
        """The side of the sources of a minimum cut, bool[nodes]; None if the limit or more flows to the sinks."""
        cdef vector[int32_t] begin = sources, end = sinks
        cdef int32_t v, nodes = self.network.nodes()
        cdef cbool has_cut
        for v in sources + sinks:
            if not 0 <= v < nodes:
                raise ValueError(f"node {v} does not exist; expected 0 to {nodes - 1}")
        with nogil:
            has_cut = self.network.cut(begin, end, limit)
        if not has_cut:
            return None
        cdef uint8_t[::1] side = np.empty(nodes, np.uint8)
        for v in range(nodes):
            side[v] = self.network.reached(v)
        return side.base.view(bool)
