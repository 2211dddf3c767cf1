"""The decoders for Python: scores in, solutions out; one call per sentence or batch, without the GIL.

``decoder.hpp`` calls the kernels, ``batch.hpp`` runs them on several threads, ``matrices.pxd`` opens the matrices,
and ``input.hpp`` adds the scores of labels to them.
"""
import numpy as np

from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t
from decoder_types cimport (
    KernelSettings, Outcome, RankedTrees, state_infeasible, state_invalid, state_limited, state_overpriced,
)
from input_types cimport Input, Inputs, describe_invalid_labels, open_inputs
from matrices cimport ScoreMatrix, Views, describe_invalid, find_invalid, open_converted
from part_types cimport PartLists, PartTables, load_parts, open_parts
from wnparse._core.external cimport Caller
from wnparse._core.settings cimport Settings
from wnparse._core.watching cimport Stop, Watcher


cdef extern from "decoders/decoder.hpp" namespace "wnparse" nogil:
    Outcome decode_checked(const ScoreMatrix&, const KernelSettings&, int32_t*, const PartTables*) except +

cdef extern from "decoders/batch.hpp" namespace "wnparse" nogil:
    cppclass BatchColumns:
        int32_t* heads
        int32_t* labels
        int64_t width
        double* score
        double* upper_bound
        uint8_t* certified
        int32_t* iterations
        int32_t* nodes
        int32_t* broken
        uint8_t* state

    cppclass Ranked:
        RankedTrees trees
        vector[uint8_t] certified
        uint8_t state
        double range

    void decode_batch(const Input*, int64_t, const KernelSettings&, const BatchColumns&, int32_t) except +
    void rank_batch "wnparse::rank_batch"(const Input*, int64_t, const KernelSettings&, int64_t, Ranked*,
                                          int32_t) except +


cdef object EMPTY = np.empty
cdef object INT32 = np.dtype(np.int32)


cdef class Solution:
    """The result of a decoder for one sentence: its tree, score and bound.

    A notebook shows the tree as a picture if `sentence` is known.

    Attributes
    ----------
    heads : ndarray of int32, shape (n + 1,)
        The tree: ``heads[m]`` is the head of word m, 0 for a root; ``heads[0] == -1``.
    score : float
        The score of the tree: the sum over arcs, parts and labels, minus the penalties of soft rules.
    upper_bound : float
        No tree that satisfies the constraints scores more; infinite if nothing is known.
    certified : bool
        Whether the bounds meet: the tree is proved to be a best one.
    iterations : int
        Maximum spanning arborescences computed.
    nodes : int
        Nodes of the search; 0 if there was none.
    labels : list of str or None
        The labels of the arcs, n + 1 of them, the first unused; None without labels.
    broken : int
        How often hard rules are broken.
    sentence : Sentence or None
        The sentence that was decoded, if it was given; it still has its own tree.
    """

    cdef readonly object heads
    cdef readonly double score
    cdef readonly double upper_bound
    cdef readonly bint certified
    cdef readonly int iterations
    cdef readonly int nodes
    cdef readonly object labels
    cdef readonly int broken
    cdef object _sentence

    def __init__(self, heads, double score, double upper_bound, bint certified, int iterations, int nodes,
                 labels=None, int broken=0, sentence=None):
        self.heads = heads
        self.score = score
        self.upper_bound = upper_bound
        self.certified = certified
        self.iterations = iterations
        self.nodes = nodes
        self.labels = labels
        self.broken = broken
        self.sentence = sentence

    def __reduce__(self):
        return Solution, (self.heads, self.score, self.upper_bound, self.certified, self.iterations, self.nodes,
                          self.labels, self.broken, self.sentence)

    @property
    def sentence(self):
        return self._sentence

    @sentence.setter
    def sentence(self, sentence):
        if sentence is not None and len(sentence) + 1 != len(self.heads):
            words = len(self.heads) - 1
            raise ValueError(f"the sentence has {len(sentence)} words; expected {words}, as in the tree")
        self._sentence = sentence

    def to_sentence(self):
        """Return the sentence with this tree; ValueError if the sentence is not known."""
        if self.sentence is None:
            raise ValueError("the words are not known; expected sentence=... when the scores are decoded")
        return self.sentence.with_tree(self.heads, self.labels or ["_"] * len(self.heads))

    def _repr_svg_(self):
        return None if self.sentence is None else self.to_sentence()._repr_svg_()

    def __repr__(self):
        return (
            f"Solution(heads={self.heads.tolist()}, score={self.score}, upper_bound={self.upper_bound}, "
            f"certified={self.certified}, iterations={self.iterations}, nodes={self.nodes}"
            f"{'' if self.labels is None else f', labels={self.labels}, broken={self.broken}'})"
        )


cdef KernelSettings watched(Settings settings, Watcher watcher) noexcept:
    """Return the settings with a stop flag attached."""
    cdef KernelSettings kernel = settings.kernel
    kernel.options.stop = Stop(&watcher.watch)
    return kernel


def solve(scores, Settings settings not None, Watcher watcher=None, parts=None):
    """Decode one matrix, with parts as `Parts.arrays` gives them; None if no tree satisfies the constraints.

    The score is -inf if a limit was reached before the first valid tree, and the heads then mean nothing.
    """
    cdef Py_buffer view, heads_view
    cdef ScoreMatrix matrix
    cdef Outcome outcome
    cdef KernelSettings kernel = settings.kernel
    cdef PartTables tables
    cdef PartLists lists = open_parts(parts)
    cdef bint higher = parts is not None
    cdef Caller caller = None
    if higher or settings.searches:
        watcher = watcher or Watcher()
        kernel = watched(settings, watcher)
    if settings.function is not None:
        caller = Caller(settings)
        caller.hook(&kernel.options)
    open_converted(scores, 2, &view, &matrix)
    try:
        heads = EMPTY(matrix.n + 1, INT32)
        PyObject_GetBuffer(heads, &heads_view, PyBUF_WRITABLE)
        try:
            with nogil:
                if higher:
                    load_parts(lists, matrix, tables)
                outcome = decode_checked(matrix, kernel, <int32_t*>heads_view.buf, &tables if higher else NULL)
        finally:
            PyBuffer_Release(&heads_view)
        if not outcome.valid_scores:
            raise ValueError(describe_invalid(matrix))
    finally:
        PyBuffer_Release(&view)
    if caller is not None:
        caller.check()
    if watcher is not None:
        watcher.check()
    if not outcome.result.feasible:
        return None
    cdef Solution solution = Solution.__new__(Solution)
    solution.heads = heads
    solution.score = outcome.result.score
    solution.upper_bound = outcome.result.upper_bound
    solution.certified = outcome.certified
    solution.iterations = outcome.result.iterations
    solution.nodes = outcome.result.nodes
    return solution


cdef object refusal(const Input& sentence, uint8_t state, double score_range):
    """The message for a sentence that was refused; None for others."""
    if state == state_overpriced:
        return (f"the penalties of soft rules are too large for scores that differ by {score_range:.3g}; "
                "lower them, or leave out the penalty to make a rule hard")
    if state != state_invalid:
        return None
    if find_invalid(sentence.scores) >= 0:
        return describe_invalid(sentence.scores)
    return describe_invalid_labels(sentence.labels[0], sentence.scores.n)


def solve_batch(batch, lengths, Settings settings not None, int threads, parts=None, labels=None):
    """Decode a sequence of matrices, or a padded array [B, N, N] with lengths int64[B].

    Parameters
    ----------
    parts : sequence, optional
        For each sentence what `Parts.arrays` gives.
    labels : tuple, optional
        The names of L labels; their scores, a sequence of arrays [n + 1, n + 1, L], or an array [B, N, N, L];
        CompiledRules or None; and for rules the predicates of each sentence, uint64[n + 1, words].

    Returns
    -------
    tuple, list of int, list of (int, str)
        The columns heads int32[B, N], score, upper_bound, certified, iterations, nodes, lengths, broken, labels
        int32[B, N] or None; the indices of the sentences for which no tree satisfies the constraints; and for each
        sentence whose scores are refused its index and why. Where a limit came before the first valid tree the
        heads are -1 and the score is -inf.
    """
    cdef Views views
    cdef Inputs inputs
    open_inputs(batch, lengths, parts, labels, views, inputs)
    cdef int64_t i, count = inputs.all.size()
    cdef BatchColumns columns
    cdef Watcher watcher = Watcher()
    cdef KernelSettings kernel = watched(settings, watcher)
    cdef Caller caller = Caller(settings, None if labels is None else labels[2])
    caller.hook(&kernel.options)
    cdef int32_t[:, ::1] heads = EMPTY((count, inputs.width), INT32)
    cdef int32_t[:, ::1] label_numbers
    cdef double[::1] score = np.zeros(count), upper_bound = np.zeros(count)
    cdef int32_t[:, ::1] counts = np.zeros((3, count), INT32)
    cdef uint8_t[:, ::1] flags = np.zeros((2, count), np.uint8)
    cdef int64_t[::1] words = np.zeros(count, np.int64)
    if labels is not None:
        label_numbers = np.full((count, inputs.width), -1, INT32)
    infeasible, refused = [], []
    if count:
        columns.heads = &heads[0, 0]
        if labels is not None:
            columns.labels = &label_numbers[0, 0]
        columns.width = inputs.width
        columns.score = &score[0]
        columns.upper_bound = &upper_bound[0]
        columns.iterations = &counts[0, 0]
        columns.nodes = &counts[1, 0]
        columns.broken = &counts[2, 0]
        columns.certified = &flags[0, 0]
        columns.state = &flags[1, 0]
        with nogil:
            decode_batch(inputs.all.data(), count, kernel, columns, threads)
        caller.check()
        watcher.check()
    for i in range(count):
        words[i] = inputs.all[i].scores.n
        if flags[1, i] == state_infeasible:
            infeasible.append(i)
        elif flags[1, i] >= state_invalid:
            refused.append((i, refusal(inputs.all[i], flags[1, i], score[i])))
    iterations, nodes, broken = counts.base
    certified = flags.base[0].view(np.bool_)
    arrays = (heads.base, score.base, upper_bound.base, certified, iterations, nodes, words.base, broken,
              None if labels is None else label_numbers.base)
    return arrays, infeasible, refused


cdef Solution make_ranked(const Ranked& ranked, int64_t rank, names):
    """Copy one tree of a ranking."""
    cdef Solution solution = Solution.__new__(Solution)
    cdef int64_t m, width = ranked.trees.n + 1
    cdef list labels = [""]
    solution.heads = np.array(<const int32_t[:width]> ranked.trees.tree(rank))
    solution.score = ranked.trees.results[rank].score
    solution.upper_bound = ranked.trees.results[rank].upper_bound
    solution.certified = ranked.certified[rank]
    solution.iterations = ranked.trees.results[rank].iterations
    solution.nodes = ranked.trees.results[rank].nodes
    solution.broken = ranked.trees.results[rank].broken
    if names is not None:
        for m in range(1, width):
            labels.append(names[ranked.trees.labels[rank * width + m]])
        solution.labels = labels
    return solution


def solve_kbest(batch, lengths, Settings settings not None, int64_t k, int threads, parts=None, labels=None):
    """Rank the k best trees of each sentence of a batch, as for `solve_batch`.

    Returns
    -------
    list of (list of Solution, bool) or None, list of int, list of (int, str)
        For each sentence its trees, fewer than k if there are not as many, or a limit came first, and whether
        none is missing; None where a limit came before the first. The others as for `solve_batch`.
    """
    cdef Views views
    cdef Inputs inputs
    open_inputs(batch, lengths, parts, labels, views, inputs)
    cdef int64_t i, j, count = inputs.all.size()
    cdef vector[Ranked] ranked = vector[Ranked](count)
    cdef Watcher watcher = Watcher()
    cdef KernelSettings kernel = watched(settings, watcher)
    cdef Caller caller = Caller(settings, None if labels is None else labels[2])
    caller.hook(&kernel.options)
    with nogil:
        rank_batch(inputs.all.data(), count, kernel, k, ranked.data(), threads)
    caller.check()
    watcher.check()
    names = None if labels is None else labels[0]
    rankings, infeasible, refused = [], [], []
    for i in range(count):
        if ranked[i].state == state_infeasible:
            infeasible.append(i)
        elif ranked[i].state >= state_invalid:
            refused.append((i, refusal(inputs.all[i], ranked[i].state, ranked[i].range)))
        if ranked[i].state == state_limited:
            rankings.append(None)
            continue
        trees = []
        for j in range(ranked[i].trees.count()):
            trees.append(make_ranked(ranked[i], j, names))
        rankings.append((trees, bool(ranked[i].trees.complete)))
    return rankings, infeasible, refused
