"""Learning the weights of a parser, one sentence after the other (learning/learners.hpp)."""
import numpy as np

from libcpp cimport bool as cbool

from common cimport int32_t, int64_t, uint64_t
from decoder_types cimport KernelSettings
from learner_types cimport (
    Counts, Entry, HeadSelection, KeptArcs, LearnedWeights, Method, learner_count, learner_table, open_kept,
)
from wnparse._core.first_pass cimport FirstPassTables
from wnparse._core.settings cimport Settings
from wnparse._core.tables cimport LabelCandidates, Tables
from wnparse._core.tokens cimport Tokens
from wnparse._core.watching cimport Stop, Watcher


def _learners():
    cdef int32_t i
    return [
        (learner_table[i].name.decode(), <int> learner_table[i].method, learner_table[i].augments,
         learner_table[i].clips, learner_table[i].ranks, learner_table[i].factors)
        for i in range(learner_count)
    ]


LEARNERS = _learners()  # name, code, augments, clips, ranks, factors: see learning/learners.hpp


cdef object average(const LearnedWeights& weights, double step):
    """Keys and averaged weights, w - u / T: (uint64[k], float64[k]), in the order of their first update."""
    cdef size_t count = weights.size(), i
    cdef uint64_t[::1] keys = np.empty(count, np.uint64)
    cdef double[::1] values = np.empty(count, np.float64)
    cdef Entry entry
    for i in range(count):
        keys[i] = weights.keys()[i]
        entry = weights.entry(keys[i])
        values[i] = entry.weight - entry.sum / step
    return keys.base, values.base


cdef class Learner:
    """One of the learners (`wnparse.training.learners`) and its weights."""

    def __cinit__(self, const int32_t[:, ::1] templates, LabelCandidates candidates, float margin, int method=0,
                  double limit=0, int64_t k=1, int order=1, const int32_t[:, ::1] parts=None):
        self.core = &self.learner.state
        self.core.margin = margin
        self.learner.method = <Method> method
        self.learner.limit = limit
        self.learner.kbest.k = k
        self.tables = Tables(templates, candidates, order, parts)
        self.core.tables = self.tables.tables

    def use_first_pass(self, tags, types, weights, int32_t cutoff, int32_t most, float close):
        """Learn with a first pass that drops arcs."""
        self.first_pass = FirstPassTables(tags, types, weights, cutoff, most, close)
        self.core.first_pass = self.first_pass.first_pass

    def learn(self, Tokens tokens not None, const int32_t[::1] heads, const int32_t[::1] labels,
              Settings settings not None, kept=None):
        """Learn from one sentence: (right heads, right labels), or None if no tree satisfies the constraints.

        Heads and labels are -1 where a word is not annotated: then the best tree with the others is learned.
        `kept`, of a model of higher order: what its pruner leaves, see `Scorer.choose`.
        """
        cdef Counts counts
        cdef KeptArcs arcs
        cdef const KeptArcs* left = NULL
        if self.core.tables.order > 1:
            arcs = open_kept(kept)
            left = &arcs
        cdef cbool decoded
        cdef KernelSettings kernel = settings.kernel
        cdef Watcher watcher = Watcher() if settings.searches else None
        if watcher is not None:
            kernel.options.stop = Stop(&watcher.watch)
        with nogil:
            decoded = self.learner.learn(tokens.tokens, &heads[0], &labels[0], left, kernel, &counts)
        if watcher is not None:
            watcher.check()
        return (counts.heads, counts.labels) if decoded else None

    def ignore_unannotated(self, bint ignore=True):
        """Learn from annotated words alone instead of completing trees, for comparison."""
        self.learner.completes = not ignore

    @property
    def changed(self):
        """Whether the last sentence changed the weights."""
        return self.learner.changed

    @property
    def features(self):
        """Features with a weight so far, each label counted."""
        return self.core.weights.size() + self.core.label_weights.size()

    def averaged(self):
        """Keys and averaged weights of arcs: (uint64[k], float64[k])."""
        return average(self.core.weights, self.core.step)

    def averaged_rows(self):
        """Averaged weights of labels: keys uint64[r], begin int64[r + 1], labels int32[k], weights float64[k]."""
        keys, begin, labels, weights, sums = self._rows()
        return keys, begin, labels, weights - sums / self.core.step

    def _rows(self):
        cdef size_t count = self.core.label_weights.keys().size(), total = self.core.label_weights.size(), i
        cdef uint64_t[::1] keys = np.empty(count, np.uint64)
        cdef int64_t[::1] begin = np.zeros(count + 1, np.int64)
        cdef int32_t[::1] labels = np.empty(total + 1, np.int32)
        cdef float[::1] weights = np.empty(total + 1, np.float32)
        cdef double[::1] sums = np.empty(total + 1, np.float64)
        for i in range(count):
            keys[i] = self.core.label_weights.keys()[i]
            begin[i + 1] = begin[i] + <int64_t> self.core.label_weights.copy_row(
                keys[i], &labels[begin[i]], &weights[begin[i]], &sums[begin[i]])
        return keys.base, begin.base, labels.base[:total], weights.base[:total], sums.base[:total]

    def state(self):
        """Return the state from which learning can continue: the step, and arrays by name."""
        cdef size_t count = self.core.weights.size(), i
        cdef uint64_t[::1] keys = np.empty(count, np.uint64)
        cdef float[::1] weights = np.empty(count, np.float32)
        cdef double[::1] sums = np.empty(count, np.float64)
        cdef Entry entry
        for i in range(count):
            keys[i] = self.core.weights.keys()[i]
            entry = self.core.weights.entry(keys[i])
            weights[i] = entry.weight
            sums[i] = entry.sum
        arrays = {"keys": keys.base, "weights": weights.base, "sums": sums.base}
        names = ("row_keys", "row_begin", "row_labels", "row_weights", "row_sums")
        return self.core.step, {**arrays, **dict(zip(names, self._rows(), strict=True))}

    def restore(self, double step, arrays):
        """Continue from a state."""
        cdef const uint64_t[::1] keys = arrays["keys"]
        cdef const float[::1] weights = arrays["weights"]
        cdef const double[::1] sums = arrays["sums"]
        cdef Py_ssize_t i
        cdef int64_t k
        for i in range(keys.shape[0]):
            self.core.weights.restore(keys[i], weights[i], sums[i])
        cdef const uint64_t[::1] row_keys = arrays["row_keys"]
        cdef const int64_t[::1] begin = arrays["row_begin"]
        cdef const int32_t[::1] labels = arrays["row_labels"]
        weights, sums = arrays["row_weights"], arrays["row_sums"]
        for i in range(row_keys.shape[0]):
            for k in range(begin[i], begin[i + 1]):
                self.core.label_weights.restore(row_keys[i], labels[k], weights[k], sums[k])
        self.core.step = step


cdef class HeadSelector:
    """The pruner of a model of higher order during training: see learning/head_selection.hpp."""

    cdef HeadSelection selection
    cdef Tables tables
    cdef FirstPassTables first_pass

    def __cinit__(self, const int32_t[:, ::1] templates):
        self.tables = Tables(templates, None)
        self.selection.tables = self.tables.tables

    def use_first_pass(self, tags, types, weights, int32_t cutoff, int32_t most, float close):
        """Choose among the heads that a first pass leaves."""
        self.first_pass = FirstPassTables(tags, types, weights, cutoff, most, close)
        self.selection.first_pass = self.first_pass.first_pass

    def learn(self, Tokens tokens not None, const int32_t[::1] heads, float rate):
        """Learn from one sentence by steps of a given rate; how many words chose the right head."""
        cdef int32_t right
        with nogil:
            right = self.selection.learn(tokens.tokens, &heads[0], rate)
        return right

    def averaged(self):
        """Keys and averaged weights: (uint64[k], float64[k])."""
        return average(self.selection.weights, self.selection.step)
