"""Rules in the core: decoding with rules, and counting the places where a tree breaks them."""
import numpy as np

from libc.math cimport INFINITY
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint64_t
from decoder_types cimport KernelSettings, RankedTrees, Result
from matrices cimport ScoreMatrix
from part_types cimport PartLists, PartTables, load_parts, open_parts
from rule_types cimport (
    BrokenOccasion, Labelling, NodeBits, NumberedTree, OccasionFinder, OccasionPlace, RuleOccasions,
)
from wnparse._core.external cimport Caller
from wnparse._core.settings cimport Settings
from wnparse._core.watching cimport Stop, Watcher

cdef extern from "decoders/ranking.hpp" namespace "wnparse" nogil:
    cbool is_certified(const ScoreMatrix&, const int32_t*, const Result&)
    void rank_trees "wnparse::rank"(const ScoreMatrix&, const KernelSettings&, int64_t, RankedTrees&,
                                    const PartTables*, Labelling*) except +

cdef extern from "problem/structure.hpp" namespace "wnparse" nogil:
    cbool is_tree(const int32_t*, int32_t)


cdef class CompiledRules:
    """Rules for the labels of a model; wnparse/rules/compile.py describes the arrays."""

    def __cinit__(self, const int32_t[:, ::1] table, const uint64_t[:, ::1] masks, const double[::1] penalties,
                  const int32_t[::1] classes, const int32_t[::1] label_class, int words, int features=0):
        cdef int64_t i
        cdef const int32_t* predicates = &classes[0] if classes.shape[0] else NULL
        for i in range(table.shape[0]):
            self.rules.add(&table[i, 0], &masks[i, 0], penalties[i], predicates)
        for i in range(label_class.shape[0]):
            self.rules.label_class.push_back(label_class[i])
        self.words, self.features = words, features
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
    nodes = NodeBits.of(&bits[0, 0], <int32_t> bits.shape[1], rules.words, rules.features)
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
            f"the penalties of soft rules are too large for scores that differ by {labelling.range():.3g}; "
            "lower them, or leave out the penalty to make a rule hard")
    solutions = []
    for i in range(ranked.count()):
        result = ranked.results[i]
        result.upper_bound = max(result.upper_bound, result.score)
        solutions.append((
            np.array(<const int32_t[:n + 1]> ranked.tree(i)),
            np.array(<const int32_t[:n + 1]> (ranked.labels.data() + i * (n + 1))),
            result.score, result.upper_bound, bool(is_certified(matrix, ranked.tree(i), result)),
            result.iterations, result.nodes, result.broken))
    if ranked.unsettled:
        none = np.full(n + 1, -1, np.int32)
        solutions.append((none, none, -INFINITY, ranked.bound, False, 0, 0, 0))
    return solutions, bool(ranked.complete)


cdef class CountedRules:
    """Rules whose occasions and violations are counted.

    Parameters
    ----------
    table : int32[R, 20]
        The rows of the rules, as for `CompiledRules`; the `other` of a row that forbids arcs describes the arcs
        that are its occasions.
    classes : int32[C]
        As for `CompiledRules`.
    rules : int32[R]
        The number of the rule that each row belongs to. The rows of a rule follow one another.
    sets : int32[R, 2]
        The numbers of the sets of labels that `arc` and `other` of each row have; -1: all labels.
    count : int
        The number of rules.
    words, features : int
        As for `CompiledRules`.
    """

    def __cinit__(self, const int32_t[:, ::1] table, const int32_t[::1] classes, const int32_t[::1] rules,
                  const int32_t[:, ::1] sets, int count, int words, int features):
        cdef int64_t i
        cdef const int32_t* predicates = &classes[0] if classes.shape[0] else NULL
        for i in range(table.shape[0]):
            self.rules.add(&table[i, 0], predicates, rules[i], sets[i, 0], sets[i, 1])
        self.rules.count = count
        self.words, self.features = words, features

    def find(self, const int32_t[::1] heads, const int32_t[::1] labels, const uint64_t[:, ::1] label_sets,
             const uint64_t[:, ::1] bits):
        """Find the occasions and violations of each rule in one tree.

        Parameters
        ----------
        heads : int32[n + 1]
            The tree.
        labels : int32[n + 1]
            The number of each word's label; the first is not used.
        label_sets : uint64[L, w]
            The sets of labels that each label belongs to, as bits.
        bits : uint64[n + 1, v]
            The predicates that each node satisfies, as bits, and the values of its features.

        Returns
        -------
        list of (list of tuple, list of tuple)
            For each rule its occasions, each once: the nodes (head,) or (head, dependent); and its violations: the
            nodes, the units of violation, and the words that are involved, in order.

        Raises
        ------
        ValueError
            If the heads are not a tree, or a label has no number.
        """
        cdef NumberedTree tree
        cdef OccasionFinder finder
        cdef vector[RuleOccasions] occasions
        cdef int32_t m, n = <int32_t> (heads.shape[0] - 1)
        cdef size_t i
        if n < 0 or labels.shape[0] != n + 1 or bits.shape[0] != n + 1:
            raise ValueError("heads, labels and bits: expected the same length")
        for m in range(1, n + 1):
            if not 0 <= heads[m] <= n:
                raise ValueError(f"heads do not form a tree: expected heads from 0 to {n}")
            if not 0 <= labels[m] < label_sets.shape[0]:
                raise ValueError(f"label {labels[m]} does not exist; expected 0 to {label_sets.shape[0] - 1}")
        if not is_tree(&heads[0], n):
            raise ValueError("heads do not form a tree: expected heads without a cycle")
        tree.heads = &heads[0]
        tree.labels = &labels[0]
        tree.n = n
        tree.label_sets.bits = &label_sets[0, 0] if label_sets.shape[0] else NULL
        tree.label_sets.words = <int32_t> label_sets.shape[1]
        tree.nodes = NodeBits.of(&bits[0, 0], <int32_t> bits.shape[1], self.words, self.features)
        with nogil:
            occasions = finder.find(self.rules, tree)
        return [(places_of(occasions[i].all), violations_of(occasions[i].broken)) for i in range(occasions.size())]


cdef tuple place_of(const OccasionPlace& place):
    """The nodes of a place."""
    if place.dependent < 0:
        return (place.node,)
    return (place.node, place.dependent)


cdef list places_of(const vector[OccasionPlace]& places):
    """The nodes of each of some places."""
    cdef size_t i
    return [place_of(places[i]) for i in range(places.size())]


cdef list violations_of(const vector[BrokenOccasion]& broken):
    """Place, units and words of each violation."""
    cdef size_t i
    return [(place_of(broken[i].place), broken[i].units, tuple(broken[i].words)) for i in range(broken.size())]
