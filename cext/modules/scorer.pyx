"""A finished model at work: tokens in, trees and labels out; many sentences a call, without the GIL."""
import numpy as np

from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from decoder_types cimport KernelSettings, Outcome, Result, Trace
from feature_types cimport CTokens
from frozen_types cimport FrozenLabelRows, FrozenWeights, fits_rows, fits_weights
from scorer_types cimport Candidates, FrozenModel, Ranking, Ruling, Times
from wnparse._core.external cimport Caller
from wnparse._core.first_pass cimport FirstPassTables
from wnparse._core.rules cimport CompiledRules
from wnparse._core.settings cimport Settings
from wnparse._core.tables cimport LabelChoice, Tables
from wnparse._core.tokens cimport Tokens
from wnparse._core.watching cimport Stop, Watcher


cdef FrozenWeights open_weights(const uint32_t[::1] slots, str name) except *:
    if not fits_weights(&slots[0], slots.shape[0]):
        raise ValueError(f"array {name}: expected 4 times a power of two, aligned to 16 bytes")
    return FrozenWeights(&slots[0], slots.shape[0])


cdef class Scorer:
    """The scores of a finished model, and the decoders on them."""

    cdef FrozenModel model
    cdef Tables tables
    cdef FirstPassTables first_pass
    cdef object arrays

    def __cinit__(self, const int32_t[:, ::1] templates, LabelChoice choice, slots, fingerprints=None, places=None,
                  rows=None, double scale=1.0, int order=1, const int32_t[:, ::1] parts=None):
        cdef const uint32_t[::1] view = slots
        cdef const uint16_t[::1] fingerprint_view
        cdef const uint32_t[::1] place_view, row_view
        self.arrays = [slots, fingerprints, places, rows]
        self.tables = Tables(templates, choice, order, parts)
        self.model.tables = self.tables.tables
        self.model.weights = open_weights(view, "arcs/slots")
        if choice is not None:
            fingerprint_view, place_view, row_view = fingerprints, places, rows
            if not fits_rows(fingerprint_view.shape[0], place_view.shape[0], row_view.shape[0], choice.count):
                raise ValueError(f"array labels/fingerprints: expected 8 times a power of two, as many in "
                                 f"labels/places, and labels/rows for {choice.count} labels")
            self.model.rows = FrozenLabelRows(
                &fingerprint_view[0], &place_view[0], fingerprint_view.shape[0], &row_view[0], row_view.shape[0],
                choice.count)
        self.model.scale = scale

    def use_first_pass(self, tags, types, weights, int32_t cutoff, int32_t most, float close):
        """Drop arcs by a first pass, where it is asked for."""
        self.first_pass = FirstPassTables(tags, types, weights, cutoff, most, close)
        self.model.first_pass = self.first_pass.first_pass

    def use_pruner(self, slots, int32_t cutoff, int32_t most):
        """Keep few heads of each word by a first-order model: see wnparse.parser.pruner.Pruner."""
        cdef const uint32_t[::1] view = slots
        if cutoff < 0 or most < 1:
            raise ValueError("pruner: expected a cutoff of 0 or more, and one head or more")
        self.arrays.append(slots)
        self.model.pruner.weights = open_weights(view, "pruner/slots")
        self.model.pruner.cutoff = cutoff
        self.model.pruner.most = most

    def choose(self, Tokens tokens not None, Settings settings not None, const int32_t[::1] gold=None):
        """What the pruner leaves of a sentence, the gold heads among it if they are given.

        Returns
        -------
        tuple or None
            begin int32[n + 2] and heads int32[...]: those of word m are heads[begin[m]:begin[m + 1]]; and the best
            tree of the pruner, int32[n + 1]. None if no tree satisfies the constraints.
        """
        cdef Candidates kept
        cdef Outcome outcome
        cdef const int32_t* right = NULL
        cdef int32_t[::1] tree = np.empty(tokens.tokens.n + 1, np.int32)
        if gold is not None:
            right = &gold[0]
        with nogil:
            outcome = self.model.choose(tokens.tokens, settings.kernel, right, kept, &tree[0])
        if not outcome.result.has_tree():
            return None
        tree[0] = -1
        return (np.array(<const int32_t[:kept.begin.size()]> kept.begin.data()),
                np.array(<const int32_t[:kept.heads.size()]> kept.heads.data()), tree.base)

    def scores(self, Tokens tokens, bint prune):
        """The score matrix float32[n + 1, n + 1], scores[m, h], and each arc's best label, -1 if not scored."""
        cdef int32_t width = tokens.tokens.n + 1
        cdef float[:, ::1] scores = np.zeros((width, width), np.float32)
        cdef int32_t[:, ::1] labels = np.full((width, width), -1, np.int32)
        with nogil:
            self.model.score(tokens.tokens, prune, &scores[0, 0], &labels[0, 0])
        return scores.base, labels.base

    def parse(self, list sentences, list settings, bint prune, Watcher watcher=None, list given=None,
              CompiledRules rules=None, list bits=None):
        """Parse sentences, Tokens each with its Settings, one after the other and all without the GIL.

        `given`, of a model of higher order or under rules: the heads that words must have, int32[n + 1], -1 where
        they are free. `bits`, with rules: what the nodes of each sentence satisfy, uint64[n + 1, words].

        Returns
        -------
        list of tuple or None
            heads int32[n + 1], labels int32[n + 1] (-1 without labels), score, upper bound, certified, iterations,
            nodes, seconds for (features, decoding, labels), how often hard rules are broken; None where no tree
            satisfies the constraints. The score is -inf where a limit came before the first valid tree; heads and
            labels then mean nothing.
        """
        cdef Py_ssize_t i, count = len(sentences)
        watcher = watcher or Watcher()
        cdef vector[const CTokens*] tokens
        cdef vector[KernelSettings] kernels
        cdef vector[const int32_t*] fixed
        cdef const int32_t[::1] heads_of_one
        cdef const uint64_t[:, ::1] bits_of_one
        cdef Ruling none
        cdef vector[Ruling] rulings = vector[Ruling](count, none)
        cdef vector[int64_t] begin = vector[int64_t](1, 0)
        cdef vector[Outcome] outcomes = vector[Outcome](count)
        cdef vector[Times] times = vector[Times](count)
        callers = [Caller(each, rules) for each in settings]
        for i in range(count):
            tokens.push_back(&(<Tokens?> sentences[i]).tokens)
            kernels.push_back((<Settings?> settings[i]).kernel)
            kernels.back().options.stop = Stop(&watcher.watch)
            (<Caller> callers[i]).hook(&kernels.back().options)
            begin.push_back(begin.back() + tokens.back().n + 1)
            if given is not None:
                heads_of_one = given[i]
                fixed.push_back(&heads_of_one[0])
            else:
                fixed.push_back(NULL)
            if rules is not None:
                bits_of_one = bits[i]
                rulings[i].rules = &rules.rules
                rulings[i].nodes.bits = &bits_of_one[0, 0]
                rulings[i].nodes.words = rules.words
        cdef int32_t[::1] heads = np.empty(max(begin.back(), 1), np.int32)
        cdef int32_t[::1] labels = np.full(heads.shape[0], -1, np.int32)
        with nogil:
            for i in range(count):
                if kernels[i].options.stop.stopped():
                    break
                outcomes[i] = self.model.parse(
                    tokens[i][0], kernels[i], prune, fixed[i], rulings[i], &heads[begin[i]], &labels[begin[i]],
                    &times[i])
        for i in range(count):
            (<Caller> callers[i]).check()
        watcher.check()
        return [
            (heads.base[begin[i]:begin[i + 1]], labels.base[begin[i]:begin[i + 1]], outcomes[i].result.score,
             outcomes[i].result.upper_bound, outcomes[i].certified, outcomes[i].result.iterations,
             outcomes[i].result.nodes,
             ((<Tokens> sentences[i]).hashes.seconds() + times[i].features, times[i].decoding, times[i].labels),
             outcomes[i].result.broken)
            if outcomes[i].result.feasible else None
            for i in range(count)
        ]

    def rank(self, Tokens tokens not None, Settings settings not None, int64_t k, bint prune,
             Watcher watcher=None, const int32_t[::1] given=None, CompiledRules rules=None,
             const uint64_t[:, ::1] bits=None):
        """The k best trees of a sentence by a model of higher order or under rules, fewer if there are fewer.

        `given`, `rules`, `bits`: as for `parse`.

        Returns
        -------
        tuple or None
            A list of trees as of `parse`, those that break fewer hard rules first, then by falling score;
            float64[n + 1, n + 1], what each head of a word scores around the best of them, -inf if it was pruned
            (scorer/local_scores.hpp), None at order 1; and whether there are k trees, or all that there are. None
            if a limit came before the first tree.
        """
        watcher = watcher or Watcher()
        cdef KernelSettings kernel = settings.kernel
        kernel.options.stop = Stop(&watcher.watch)
        cdef Caller caller = Caller(settings, rules)
        caller.hook(&kernel.options)
        cdef const int32_t* fixed = NULL
        cdef Ranking found
        cdef Ruling ruling
        cdef Times times
        cdef int64_t i, width = tokens.tokens.n + 1
        if given is not None:
            fixed = &given[0]
        if rules is not None:
            ruling.rules = &rules.rules
            ruling.nodes.bits = &bits[0, 0]
            ruling.nodes.words = rules.words
        with nogil:
            self.model.rank(tokens.tokens, kernel, k, prune, fixed, ruling, found, &times)
        caller.check()
        watcher.check()
        if found.trees.unsettled:
            return None
        seconds = tokens.hashes.seconds() + times.features, times.decoding, times.labels
        cdef Result result
        trees = []
        for i in range(found.trees.count()):
            result = found.trees.results[i]
            trees.append((
                np.array(<const int32_t[:width]> found.trees.tree(i)),
                np.array(<const int32_t[:width]> (found.trees.labels.data() + i * width)),
                result.score, result.upper_bound, bool(found.certified[i]), result.iterations, result.nodes,
                seconds, result.broken))
        local = np.array(<const double[:width, :width]> found.local.data()) if found.local.size() else None
        return trees, local, bool(found.trees.complete)

    def label(self, Tokens tokens, const int32_t[::1] heads):
        """The best labels of a given tree, int32[n + 1]; -1 where no label goes with the head."""
        cdef int32_t[::1] labels = np.full(heads.shape[0], -1, np.int32)
        with nogil:
            self.model.label(tokens.tokens, &heads[0], &labels[0])
        return labels.base

    def label_scores(self, Tokens tokens not None, const int32_t[::1] heads not None, int32_t count):
        """What each of the model's `count` labels scores on the arcs of a given tree.

        Returns
        -------
        ndarray of float32, shape (n + 1, count)
            Without the score of the arc; -inf where a label is no candidate, and in row 0.
        """
        cdef float[:, ::1] scores = np.empty((heads.shape[0], count), np.float32)
        with nogil:
            self.model.score_labels(tokens.tokens, &heads[0], count, &scores[0, 0])
        return scores.base

    def trace(self, Tokens tokens not None, Settings settings not None, bint prune):
        """Parse a sentence by a model of higher order, and tell what its relaxation did.

        Returns
        -------
        tuple or None
            heads int32[n + 1]; int32[k], the automata that each iteration of the first loop ran; and twice
            bool[n + 1, n + 1], the arcs [m, h] that automata choose without a tree, where a word may have any
            number of heads: by scores as they are, and balanced (decoders/relaxation/automata_alone.hpp). None if
            there is no tree.
        """
        cdef Trace trace
        cdef Ruling none
        cdef Times times
        cdef Outcome outcome
        cdef KernelSettings kernel = settings.kernel
        cdef int64_t i, width = tokens.tokens.n + 1
        cdef int32_t[::1] heads = np.empty(width, np.int32), labels = np.empty(width, np.int32)
        cdef int32_t[::1] runs
        cdef uint8_t[:, ::1] chosen = np.zeros((2, width * width), np.uint8)
        kernel.options.trace = &trace
        with nogil:
            outcome = self.model.parse(
                tokens.tokens, kernel, prune, NULL, none, &heads[0], &labels[0], &times)
        if not outcome.result.has_tree():
            return None
        runs = np.empty(trace.runs.size(), np.int32)
        for i in range(<int64_t> trace.runs.size()):
            runs[i] = trace.runs[i]
        for i in range(<int64_t> trace.alone.size()):
            chosen[0, i] = trace.alone[i]
            chosen[1, i] = trace.balanced[i]
        alone, balanced = chosen.base.view(np.bool_).reshape(2, width, width)
        return heads.base, runs.base, alone, balanced
