"""Experiments and measurements on the core, for scripts and tests; the wheel does not contain this module."""
import numpy as np

from cpython.buffer cimport PyBuffer_Release
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t
from decoder_types cimport CProblem, KernelSettings, Options, Result, decoder_external
from feature_types cimport CTokens
from input_types cimport Input, Inputs, open_inputs
from learner_types cimport Counts, KeptArcs, OnlineLearner, open_kept
from matrices cimport ScoreMatrix, Views, describe_invalid, find_invalid, open_converted
from wnparse._core.learner cimport Learner
from wnparse._core.settings cimport Settings
from wnparse._core.tokens cimport Tokens


cdef extern from "laboratory/kernel_times.hpp" namespace "wnparse" nogil:
    void time_kernels(const Input*, int64_t, const KernelSettings&, int32_t, double*, double*) except +

cdef extern from "laboratory/root_reduction.hpp" namespace "wnparse" nogil:
    cbool reduce_kernel "wnparse::reduce_root"(const ScoreMatrix&, const KernelSettings&, uint8_t*) except +

cdef extern from "laboratory/search_trace.hpp" namespace "wnparse" nogil:
    cppclass SearchTrace:
        vector[int32_t] heads
        vector[int32_t] runs
        vector[uint8_t] alone
        vector[uint8_t] balanced

    Result trace_search(void*, const CProblem&, const Options&, int32_t*) noexcept

cdef extern from "learning/learner_state.hpp" namespace "wnparse" nogil:
    cppclass GoldTree:
        const int32_t* heads
        const int32_t* labels
        const int32_t* given_heads
        const int32_t* given_labels

cdef extern from "laboratory/automata_step.hpp" namespace "wnparse" nogil:
    cppclass AutomataStep:
        void learn(OnlineLearner&, const CTokens&, const GoldTree&, const KeptArcs&, cbool, Counts*) except +


def time_kernel(batch, lengths, Settings settings not None, int repeats, parts=None, labels=None):
    """Time the kernel alone, without Python: the minimum of `repeats` passes over the batch of `solve_batch`.

    Returns
    -------
    tuple
        Seconds of the best pass over all sentences, and float64[B], the best time of each sentence.
    """
    cdef Views views
    cdef Inputs inputs
    open_inputs(batch, lengths, parts, labels, views, inputs)
    cdef int64_t count = inputs.all.size()
    cdef double[::1] seconds = np.zeros(max(count, 1))
    cdef double pass_seconds = 0
    with nogil:
        time_kernels(inputs.all.data(), count, settings.kernel, repeats, &seconds[0], &pass_seconds)
    return pass_seconds, np.asarray(seconds)[:count]


def reduce_root(scores, Settings settings not None):
    """Run the root of the search alone: bool[n + 1, n + 1], the arcs [m, h] that problem reduction leaves open.

    No arc is open if the root solves the sentence. None if there is nothing to search.
    """
    cdef Py_buffer view
    cdef ScoreMatrix matrix
    cdef cbool searched
    cdef uint8_t[:, ::1] left
    open_converted(scores, 2, &view, &matrix)
    try:
        if find_invalid(matrix) >= 0:
            raise ValueError(describe_invalid(matrix))
        left = np.zeros((matrix.n + 1, matrix.n + 1), np.uint8)
        with nogil:
            searched = reduce_kernel(matrix, settings.kernel, &left[0, 0])
    finally:
        PyBuffer_Release(&view)
    return left.base.view(np.bool_) if searched else None


def trace(scorer, Tokens tokens not None, Settings settings not None, bint prune):
    """Parse a sentence with a `Scorer` of higher order and describe what its relaxation does.

    The tree is that of the relaxation alone, whatever decoder the settings name.

    Returns
    -------
    tuple or None
        heads int32[n + 1]; int32[k], the number of automata that each iteration of the first loop runs; and twice
        bool[n + 1, n + 1], the arcs [m, h] that automata choose without a tree, where a word may have any number
        of heads: by the scores as they are, and balanced (laboratory/automata_alone.hpp). None without a tree.
    """
    cdef SearchTrace trace
    cdef int64_t width = tokens.tokens.n + 1
    # A copy of the settings, in which the trace takes the place of the decoder.
    cdef Settings traced = Settings(
        0, 0, False, False, max_iterations=0, max_nodes=0, time_limit=0, paper_cuts=False, paper_fixing=False,
        camerini=False, local_search=False)
    traced.kernel = settings.kernel
    traced.kernel.decoder = decoder_external
    traced.kernel.options.external.run = trace_search
    traced.kernel.options.external.context = <void*> &trace
    scorer.parse([tokens], [traced], prune)
    if trace.heads.empty():
        return None
    chosen = [np.array(arcs, np.bool_).reshape(width, width) for arcs in (trace.alone, trace.balanced)]
    return np.array(trace.heads, np.int32), np.array(trace.runs, np.int32), *chosen


cdef class AutomataLearner:
    """A perceptron of higher order that learns from head automata alone, which no tree makes agree.

    It changes the weights of a `Learner`, and has everything else from there.
    """

    cdef Learner learner
    cdef AutomataStep automata

    def __cinit__(self, Learner learner not None):
        if learner.core.tables.order < 2:
            raise ValueError("head automata need a learner of order 2 or 3")
        self.learner = learner

    def __getattr__(self, name):
        return getattr(self.learner, name)

    def learn(self, Tokens tokens not None, const int32_t[::1] heads, const int32_t[::1] labels,
              Settings settings not None, kept):
        """Learn from one sentence: the number of right heads, and of those with right labels.

        `kept`: the arcs that the pruner leaves, see `Scorer.choose`.
        """
        cdef Counts counts
        cdef KeptArcs arcs = open_kept(kept)
        cdef GoldTree gold
        gold.heads = gold.given_heads = &heads[0]
        gold.labels = gold.given_labels = &labels[0]
        with nogil:
            self.automata.learn(
                self.learner.learner, tokens.tokens, gold, arcs, settings.kernel.constraints.single_root, &counts)
        return counts.heads, counts.labels
