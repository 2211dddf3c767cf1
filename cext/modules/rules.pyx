"""Rules in the core: compiled ones for decoding, and those whose violations in a tree are counted."""
import numpy as np

from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint64_t
from rule_types cimport BrokenOccasion, NodeBits, NumberedTree, OccasionFinder, OccasionPlace, RuleOccasions

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
