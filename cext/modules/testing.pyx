"""Kernels that only tests call: cuts that separate a tree, charts, first trees, head automata, a QP."""
import numpy as np

from libc.math cimport INFINITY
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t
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
        const auto end = search.run({objective, open, constraints, objective.spread(), stop}, 1 << 30);
        if (end != wnparse::SearchEnd::found) return false;
        std::copy(search.tree().begin(), search.tree().end(), heads);
        return true;
    }
    """
    cbool find_first_tree(const double*, int32_t, int64_t, const NodeConstraints&, int32_t*) except + nogil

cdef extern from *:
    """
    #include "decoders/relaxation/head_automata.hpp"

    // Rows of parts: kind, then g h m s t and the side, nodes that a kind does not have being anything.
    static void add_parts(wnparse::PartTables& tables, const int32_t* rows, const double* scores, int64_t count) {
        for (int64_t i = 0; i < count; ++i) {
            const int32_t* row = rows + 7 * i;
            const int32_t g = row[1], h = row[2], m = row[3], s = row[4], t = row[5];
            const wnparse::Sibling sibling{h, m, s, row[6] != 0};
            double* place = row[0] == 0   ? tables.find(sibling)
                            : row[0] == 1 ? tables.find(wnparse::Grandparent{g, h, m})
                            : row[0] == 2 ? tables.find(wnparse::GrandSibling{g, sibling})
                                          : tables.find(wnparse::TriSibling{h, m, s, t, row[6] != 0});
            if (place != nullptr) *place += scores[i];
        }
    }

    // All arrays are [n + 1][n + 1], by head and modifier, but value and parent.
    static bool run_automata(int32_t n, bool single_root, const double* child_pay, const double* parent_pay,
                             const int32_t* rows,
                             const double* scores, int64_t count, double* value, int32_t* parent,
                             uint8_t* children, double* child_slack, double* parent_slack) {
        wnparse::PartTables tables;
        tables.start(n, 2, [](int32_t, int32_t) { return true; });
        add_parts(tables, rows, scores, count);
        wnparse::HeadAutomata automata;
        automata.start(tables, single_root);
        const auto each_arc = [&](auto&& visit) {
            for (int32_t h = 0; h <= n; ++h) {
                for (int32_t m = 1; m <= n; ++m) {
                    if (m == h) continue;
                    const int32_t child = tables.head(h).side[m > h].child + tables.position(h, m) - 1;
                    visit(h, m, child, tables.head(m).parent + tables.parent_place(h, m));
                }
            }
        };
        each_arc([&](int32_t h, int32_t m, int32_t child, int32_t place) {
            automata.set_child(h, child, child_pay[h * (n + 1) + m]);
            automata.set_parent(m, place, parent_pay[h * (n + 1) + m]);
        });
        if (!automata.solve()) return false;
        const std::vector<double>& slacks = automata.child_slacks();
        for (int32_t h = 0; h <= n; ++h) {
            value[h] = automata.value(h);
            parent[h] = automata.head(h);
        }
        each_arc([&](int32_t h, int32_t m, int32_t child, int32_t place) {
            children[h * (n + 1) + m] = automata.has_child(child);
            child_slack[h * (n + 1) + m] = slacks[child];
            parent_slack[h * (n + 1) + m] = automata.parent_slack(m, place);
        });
        return true;
    }
    """
    cbool run_automata(int32_t, cbool, const double*, const double*, const int32_t*, const double*, int64_t,
                       double*, int32_t*, uint8_t*, double*, double*) except + nogil

cdef extern from "decoders/direct/gap_chart.hpp" namespace "wnparse" nogil:
    enum SearchEnd "wnparse::SearchEnd":
        tree_found "wnparse::SearchEnd::found"

    cppclass BestWeights:
        const double* weight
        int64_t width
        int32_t n

    cppclass AnyTree:
        const NodeSet* open
        int32_t n

    cppclass WeightChart "wnparse::GapChart<wnparse::BestWeights>":
        SearchEnd run(const BestWeights&, cbool, const Stop&, int32_t*)

    cppclass AnyChart "wnparse::GapChart<wnparse::AnyTree>":
        SearchEnd run(const AnyTree&, cbool, const Stop&, int32_t*)

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
    cdef vector[NodeCut] violated
    cdef size_t i
    cdef int32_t j, v
    structure.reserve(n)
    structure.build(&heads[0])
    structure.find_gapped()
    constraints.block_degree = block_degree
    constraints.well_nested = well_nested
    separation.start(constraints, paper, n + 1)
    violated = separation.run(&heads[0], structure)
    cuts = []
    for i in range(violated.size()):
        sets = []
        for j in range(violated[i].sets):
            sets.append(tuple([v for v in range(n + 1) if violated[i].set[j].has(v)]))
        cuts.append((tuple(sets), violated[i].limit, violated[i].measure(&heads[0])))
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
        has_tree = any_chart.run(any_rows, single_root, Stop(), &view[0]) == tree_found
    else:
        rows.weight = &weights[0, 0]
        rows.width = weights.shape[1]
        has_tree = chart.run(rows, single_root, Stop(), &view[0]) == tree_found
    return heads if has_tree else None


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


def head_automata(const double[:, ::1] child_pay, const double[:, ::1] parent_pay, const int32_t[:, ::1] rows,
                  const double[::1] scores, bint single_root):
    """All automata of a sentence: values, parents, children [h, m], and the slacks of children and of parents.

    Rows are (kind, g, h, m, s, t, right), kinds 0 to 3 being siblings, grandparents, grand- and tri-siblings; pays
    are [h, m]. None if an automaton has no parent left.
    """
    cdef int32_t n = <int32_t>child_pay.shape[0] - 1
    cdef double[::1] value = np.zeros(n + 1)
    cdef int32_t[::1] parent = np.zeros(n + 1, np.int32)
    cdef uint8_t[:, ::1] children = np.zeros((n + 1, n + 1), np.uint8)
    cdef double[:, ::1] child_slack = np.zeros((n + 1, n + 1)), parent_slack = np.zeros((n + 1, n + 1))
    has_solution = run_automata(
        n, single_root, &child_pay[0, 0], &parent_pay[0, 0], &rows[0, 0], &scores[0], rows.shape[0], &value[0],
        &parent[0], &children[0, 0], &child_slack[0, 0], &parent_slack[0, 0])
    return (value.base, parent.base, children.base, child_slack.base, parent_slack.base) if has_solution else None
