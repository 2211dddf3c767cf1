"""Rules as the core has them, and decoding under them: scores of arcs and labels in, a labelled tree out."""
import numpy as np

from libc.math cimport INFINITY
from libcpp cimport bool as cbool

from common cimport int32_t, int64_t, uint64_t
from decoder_types cimport KernelSettings, RankedTrees, Result
from matrices cimport ScoreMatrix
from part_types cimport PartLists, PartTables, load_parts, open_parts
from rule_types cimport Labelling, NodeBits
from wnparse._core.external cimport Caller
from wnparse._core.settings cimport Settings
from wnparse._core.watching cimport Stop, Watcher

cdef extern from "decoders/ranking.hpp" namespace "wnparse" nogil:
    cbool is_certified(const ScoreMatrix&, const int32_t*, const Result&)
    void rank_trees "wnparse::rank"(const ScoreMatrix&, const KernelSettings&, int64_t, RankedTrees&,
                                    const PartTables*, Labelling*) except +


cdef class CompiledRules:
    """Rules for the labels of a model; wnparse/rules/program.py tells what the arrays mean."""

    def __cinit__(self, const int32_t[:, ::1] table, const uint64_t[:, ::1] masks, const double[::1] penalties,
                  const int32_t[::1] classes, const int32_t[::1] label_class, int words):
        cdef int64_t i
        cdef const int32_t* predicates = &classes[0] if classes.shape[0] else NULL
        for i in range(table.shape[0]):
            self.rules.add(&table[i, 0], &masks[i, 0], penalties[i], predicates)
        for i in range(label_class.shape[0]):
            self.rules.label_class.push_back(label_class[i])
        self.words = words
        self.table, self.masks = np.asarray(table), np.asarray(masks)
        self.penalties, self.classes = np.asarray(penalties), np.asarray(classes)


cdef void load_labels(Labelling& labelling, const double[:, ::1] scores, const double[:, :, ::1] label_scores,
                      int32_t n) noexcept nogil:
    """Every finite arc with its finite labels."""
    cdef int32_t h, m, label
    for m in range(1, n + 1):
        for h in range(n + 1):
            if h == m or scores[m, h] == -INFINITY:
                continue
            labelling.begin_arc(h, m)
            for label in range(<int32_t> label_scores.shape[2]):
                if label_scores[m, h, label] > -INFINITY:
                    labelling.offer(label, scores[m, h] + label_scores[m, h, label])
            labelling.end_arc(True)


def solve(const double[:, ::1] scores, const double[:, :, ::1] label_scores, CompiledRules rules not None,
          const uint64_t[:, ::1] bits, Settings settings not None, Watcher watcher=None, parts=None, k=None):
    """Decode one sentence under rules: the best labelled tree or, with `k`, the k best trees.

    Returns
    -------
    list of tuple, bool
        For each tree heads int32[n + 1], labels int32[n + 1], score, upper bound, whether it is certified,
        iterations, nodes, and how often hard rules are broken. The list is empty where no tree satisfies the
        constraints; the score of its only tree is -inf where a limit came before the first valid one. And whether
        there are k trees, or all that there are.

    Raises
    ------
    ValueError
        The penalties of soft rules are so large that differences between scores would be lost.
    """
    cdef int32_t n = <int32_t> (scores.shape[0] - 1)
    cdef int64_t i, trees = 1 if k is None else k
    cdef Labelling labelling
    cdef NodeBits nodes
    cdef ScoreMatrix matrix
    cdef RankedTrees ranked
    cdef Result result
    cdef KernelSettings kernel = settings.kernel
    cdef PartTables tables
    cdef PartLists lists = open_parts(parts)
    cdef bint higher = parts is not None
    cdef cbool fit
    cdef size_t a
    cdef double[:, ::1] best = np.full((n + 1, n + 1), -np.inf)
    watcher = watcher or Watcher()
    kernel.options.stop = Stop(&watcher.watch)
    cdef Caller caller = Caller(settings, rules)
    caller.hook(&kernel.options)
    nodes.bits = &bits[0, 0]
    nodes.words = rules.words
    matrix.scores = &best[0, 0]
    matrix.stride = n + 1
    matrix.n = n
    matrix.wide = True
    with nogil:
        labelling.start(rules.rules, nodes, n)
        load_labels(labelling, scores, label_scores, n)
        for a in range(labelling.arcs().size()):
            best[labelling.arcs()[a].m, labelling.arcs()[a].h] = 0.0
        if higher:
            load_parts(lists, matrix, tables)
        labelling.finish(2 * tables.size() if higher else 0.0)
        for a in range(labelling.arcs().size()):
            best[labelling.arcs()[a].m, labelling.arcs()[a].h] = labelling.score(labelling.arcs()[a])
        fit = labelling.penalties_fit()
        if fit:
            rank_trees(matrix, kernel, trees, ranked, &tables if higher else NULL, &labelling)
    caller.check()
    watcher.check()
    if not fit:
        raise ValueError(
            f"the penalties of soft rules are too large for scores that differ by {labelling.range():.3g}: "
            "lower them, or leave out penalty to make a rule hard")
    found = []
    for i in range(ranked.count()):
        result = ranked.results[i]
        result.upper_bound = max(result.upper_bound, result.score)
        found.append((
            np.array(<const int32_t[:n + 1]> ranked.tree(i)),
            np.array(<const int32_t[:n + 1]> (ranked.labels.data() + i * (n + 1))),
            result.score, result.upper_bound, bool(is_certified(matrix, ranked.tree(i), result)),
            result.iterations, result.nodes, result.broken))
    if ranked.unsettled:
        none = np.full(n + 1, -1, np.int32)
        found.append((none, none, -INFINITY, ranked.bound, False, 0, 0, 0))
    return found, bool(ranked.complete)
