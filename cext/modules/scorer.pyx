"""Parsing with a finished model: tokens in, trees and labels out; many sentences per call, without the GIL."""
import numpy as np

from wnparse._core.decoding import Solution

from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from decoder_types cimport Outcome, Result
from frozen_types cimport FrozenLabelWeights, FrozenWeights, fits_label_weights, fits_weights
from rule_types cimport NodeBits
from scorer_types cimport Candidates, CParses, FrozenModel, Request
from wnparse._core.external cimport Caller
from wnparse._core.first_pass cimport FirstPassTables
from wnparse._core.rules cimport CompiledRules
from wnparse._core.settings cimport Settings
from wnparse._core.tables cimport LabelCandidates, Tables
from wnparse._core.tokens cimport Tokens
from wnparse._core.watching cimport Stop, Watcher


cdef FrozenWeights open_weights(const uint32_t[::1] slots, str name) except *:
    if not fits_weights(&slots[0], slots.shape[0]):
        raise ValueError(f"array {name}: expected 4 times a power of two, aligned to 16 bytes")
    return FrozenWeights(&slots[0], slots.shape[0])


cdef class Parses:
    """The best trees of one sentence.

    Attributes
    ----------
    trees : list of Solution
        Those that break fewer hard rules first, then by falling score; empty if no tree satisfies the constraints,
        or `limited`.
    limited : bool
        Whether a limit was reached before the first valid tree.
    complete : bool
        Whether there are k trees, or all that exist.
    head_scores : ndarray or None
        float64[n + 1, n + 1], if they were requested: what each head of a word scores. At order 1 that is the
        score of its arc; at higher order its score around the best tree, -inf if it was pruned
        (scorer/local_scores.hpp).
    seconds : tuple of float
        For features, decoding and labels.
    """

    cdef readonly list trees
    cdef readonly bint limited
    cdef readonly bint complete
    cdef readonly object head_scores
    cdef readonly tuple seconds


cdef class Scorer:
    """The scores of a finished model, and the decoders on them."""

    cdef FrozenModel model
    cdef Tables tables
    cdef FirstPassTables first_pass
    cdef object arrays
    cdef list names

    def __cinit__(self, const int32_t[:, ::1] templates, LabelCandidates candidates, slots, fingerprints=None,
                  places=None, rows=None, double scale=1.0, int order=1, const int32_t[:, ::1] parts=None,
                  list names=None):
        cdef const uint32_t[::1] view = slots
        cdef const uint16_t[::1] fingerprint_view
        cdef const uint32_t[::1] place_view, row_view
        if candidates is not None and names is None:
            raise ValueError("labels without names; expected a name for each label")
        self.arrays = [slots, fingerprints, places, rows]
        self.names = names if candidates is not None else None
        self.tables = Tables(templates, candidates, order, parts)
        self.model.tables = self.tables.tables
        self.model.weights = open_weights(view, "arcs/slots")
        if candidates is not None:
            fingerprint_view, place_view, row_view = fingerprints, places, rows
            if not fits_label_weights(
                    fingerprint_view.shape[0], place_view.shape[0], row_view.shape[0], candidates.count):
                raise ValueError(f"array labels/fingerprints: expected 8 times a power of two, as many in "
                                 f"labels/places, and labels/rows for {candidates.count} labels")
            self.model.label_weights = FrozenLabelWeights(
                &fingerprint_view[0], &place_view[0], fingerprint_view.shape[0], &row_view[0], row_view.shape[0],
                candidates.count)
        self.model.scale = scale

    def use_first_pass(self, tags, types, weights, int32_t cutoff, int32_t most, float close):
        """Drop arcs by a first pass, if that is requested."""
        self.first_pass = FirstPassTables(tags, types, weights, cutoff, most, close)
        self.model.first_pass = self.first_pass.first_pass

    def use_pruner(self, slots, int32_t cutoff, int32_t most):
        """Keep few heads of each word by a first-order model: see wnparse.parser.pruner.Pruner."""
        cdef const uint32_t[::1] view = slots
        if cutoff < 0 or most < 1:
            raise ValueError("pruner: expected a cutoff of 0 or more, and at least one head")
        self.arrays.append(slots)
        self.model.pruner.weights = open_weights(view, "pruner/slots")
        self.model.pruner.cutoff = cutoff
        self.model.pruner.most = most

    def choose(self, Tokens tokens not None, Settings settings not None, const int32_t[::1] gold=None):
        """Return the heads that the pruner leaves, including the gold heads if they are given.

        Returns
        -------
        tuple or None
            begin int32[n + 2] and heads int32[...]: those of word m are heads[begin[m]:begin[m + 1]]; and the best
            tree of the pruner, int32[n + 1]. None if no tree satisfies the constraints.
        """
        cdef Candidates candidates
        cdef Outcome outcome
        cdef const int32_t* right = NULL
        cdef int32_t[::1] tree = np.empty(tokens.tokens.n + 1, np.int32)
        if gold is not None:
            right = &gold[0]
        with nogil:
            outcome = self.model.choose(tokens.tokens, settings.kernel, right, candidates, &tree[0])
        if not outcome.result.has_tree():
            return None
        tree[0] = -1
        return (np.array(<const int32_t[:candidates.begin.size()]> candidates.begin.data()),
                np.array(<const int32_t[:candidates.heads.size()]> candidates.heads.data()), tree.base)

    def scores(self, Tokens tokens, bint prune):
        """The score matrix float32[n + 1, n + 1], scores[m, h], and each arc's best label, -1 if not scored."""
        cdef int32_t width = tokens.tokens.n + 1
        cdef float[:, ::1] scores = np.zeros((width, width), np.float32)
        cdef int32_t[:, ::1] labels = np.full((width, width), -1, np.int32)
        with nogil:
            self.model.score(tokens.tokens, prune, &scores[0, 0], &labels[0, 0])
        return scores.base, labels.base

    def parse(self, list sentences, list settings, bint prune, Watcher watcher=None, list given=None,
              CompiledRules rules=None, list bits=None, int64_t k=1, bint explain=False, list given_labels=None):
        """Parse sentences one after the other, all without the GIL.

        Parameters
        ----------
        sentences : list of Tokens
        settings : list of Settings
            Those of each sentence.
        prune : bool
            Whether the first pass drops arcs.
        watcher : Watcher, optional
            Ends the work from another thread.
        given : list of ndarray or None, optional
            The heads that the words of each sentence must have, int32[n + 1], -1 where they are free.
        rules, bits : CompiledRules and list of ndarray, optional
            Rules, and what the nodes of each sentence satisfy, uint64[n + 1, words].
        k : int
            Number of trees.
        explain : bool
            Whether `Parses.head_scores` are wanted.
        given_labels : list of ndarray or None, optional
            With rules: the labels that words with a given head must have, int32[n + 1], -1 where they are free.
            The rules may have more labels than the model.

        Returns
        -------
        list of Parses
        """
        cdef Py_ssize_t i, count = len(sentences)
        watcher = watcher or Watcher()
        cdef vector[Request] requests = vector[Request](count)
        cdef vector[CParses] results = vector[CParses](count)
        cdef const int32_t[::1] heads_of_one, labels_of_one
        cdef const uint64_t[:, ::1] bits_of_one
        callers = [Caller(decoder_settings, rules) for decoder_settings in settings]
        for i in range(count):
            requests[i].tokens = &(<Tokens?> sentences[i]).tokens
            requests[i].settings = (<Settings?> settings[i]).kernel
            requests[i].settings.options.stop = Stop(&watcher.watch)
            (<Caller> callers[i]).hook(&requests[i].settings.options)
            requests[i].prune = prune
            requests[i].k = k
            requests[i].explain = explain
            if given is not None and given[i] is not None:
                heads_of_one = given[i]
                requests[i].given = &heads_of_one[0]
            if rules is not None:
                bits_of_one = bits[i]
                requests[i].ruling.rules = &rules.rules
                requests[i].ruling.nodes = NodeBits.of(&bits_of_one[0, 0], <int32_t> bits_of_one.shape[1],
                                                       rules.words, rules.features)
                if given_labels is not None and given_labels[i] is not None:
                    labels_of_one = given_labels[i]
                    requests[i].ruling.labels = &labels_of_one[0]
        with nogil:
            for i in range(count):
                if requests[i].settings.options.stop.stopped():
                    break
                self.model.parse(requests[i], results[i])
        for i in range(count):
            (<Caller> callers[i]).check()
        watcher.check()
        return [self.collect(results[i], sentences[i]) for i in range(count)]

    cdef Parses collect(self, CParses& parsed, Tokens tokens):
        """Return the results for a sentence as Python objects."""
        cdef int64_t i, width = tokens.tokens.n + 1
        cdef Result result
        cdef Parses parses = Parses.__new__(Parses)
        parses.limited = parsed.trees.unsettled
        parses.complete = parsed.trees.complete
        parses.seconds = (
            tokens.hashes.seconds() + tokens.extra_seconds + parsed.times.features, parsed.times.decoding,
            parsed.times.labels)
        parses.head_scores = None
        if parsed.head_scores.size():
            parses.head_scores = np.array(<const double[:width, :width]> parsed.head_scores.data())
        parses.trees = []
        for i in range(parsed.trees.count()):
            result = parsed.trees.results[i]
            parses.trees.append(Solution(
                np.array(<const int32_t[:width]> parsed.trees.tree(i)), result.score, result.upper_bound,
                parsed.certified[i] != 0, result.iterations, result.nodes,
                self.name(parsed.trees.labels.data() + i * width, width), result.broken))
        return parses

    cdef list name(self, const int32_t* labels, int64_t width):
        """Return the names of the n + 1 labels of a tree; None without labels."""
        cdef int64_t m
        if self.names is None:
            return None
        cdef list names = [""]
        for m in range(1, width):
            names.append(self.names[labels[m]] if 0 <= labels[m] < len(self.names) else "_")
        return names

    def label(self, Tokens tokens, const int32_t[::1] heads):
        """Return the best labels of a given tree, int32[n + 1]; -1 where no label is possible with the head."""
        cdef int32_t[::1] labels = np.full(heads.shape[0], -1, np.int32)
        with nogil:
            self.model.label(tokens.tokens, &heads[0], &labels[0])
        return labels.base

    def label_scores(self, Tokens tokens not None, const int32_t[::1] heads not None, int32_t count):
        """Return the score of each of the model's `count` labels on the arcs of a given tree.

        Returns
        -------
        ndarray of float32, shape (n + 1, count)
            Without the score of the arc; -inf where a label is no candidate, and in row 0.
        """
        cdef float[:, ::1] scores = np.empty((heads.shape[0], count), np.float32)
        with nogil:
            self.model.score_labels(tokens.tokens, &heads[0], count, &scores[0, 0])
        return scores.base
