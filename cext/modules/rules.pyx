"""Rules as the core has them, and decoding under them: scores of arcs and labels in, a labelled tree out."""
import numpy as np

from libc.math cimport INFINITY

from common cimport int32_t, int64_t, uint64_t
from decoder_types cimport KernelSettings, Outcome
from matrices cimport ScoreMatrix
from part_types cimport PartLists, PartTables, load_parts, open_parts
from rule_types cimport Labelling, NodeBits
from wnparse._core.external cimport Caller
from wnparse._core.settings cimport Settings
from wnparse._core.watching cimport Stop, Watcher

cdef extern from "decoders/decoder.hpp" namespace "wnparse" nogil:
    Outcome decode_checked(const ScoreMatrix&, const KernelSettings&, int32_t*, const PartTables*,
                           Labelling*) except +


cdef class CompiledRules:
    """Rules for the labels of a model; wnparse/rule_program.py tells what the arrays mean."""

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
          const uint64_t[:, ::1] bits, Settings settings not None, Watcher watcher=None, parts=None):
    """Decode one sentence under rules; None if no tree satisfies the constraints.

    Returns
    -------
    tuple or None
        heads int32[n + 1], labels int32[n + 1], score, upper bound, whether it is certified, iterations, nodes,
        and how often hard rules are broken. The score is -inf where a limit came before the first valid tree.
    """
    cdef int32_t m, n = <int32_t> (scores.shape[0] - 1)
    cdef Labelling labelling
    cdef NodeBits nodes
    cdef ScoreMatrix matrix
    cdef Outcome outcome
    cdef KernelSettings kernel = settings.kernel
    cdef PartTables tables
    cdef PartLists lists = open_parts(parts)
    cdef bint higher = parts is not None
    cdef size_t i
    cdef double[:, ::1] best = np.full((n + 1, n + 1), -np.inf)
    cdef int32_t[::1] heads = np.full(n + 1, -1, np.int32), labels = np.full(n + 1, -1, np.int32)
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
        for i in range(labelling.arcs().size()):
            best[labelling.arcs()[i].m, labelling.arcs()[i].h] = 0.0
        if higher:
            load_parts(lists, matrix, tables)
        labelling.finish(2 * tables.size() if higher else 0.0)
        for i in range(labelling.arcs().size()):
            best[labelling.arcs()[i].m, labelling.arcs()[i].h] = labelling.score(labelling.arcs()[i])
        outcome = decode_checked(matrix, kernel, &heads[0], &tables if higher else NULL, &labelling)
    caller.check()
    watcher.check()
    if not outcome.result.feasible:
        return None
    for m in range(1, n + 1):
        labels[m] = labelling.label(m)
    return (heads.base, labels.base, outcome.result.score, outcome.result.upper_bound, bool(outcome.certified),
            outcome.result.iterations, outcome.result.nodes, labelling.broken())
