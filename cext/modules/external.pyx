"""The interface to decoders that are written in Python: the core calls one instead of its own kernel.

The whole problem is handed out, scores of arcs, parts of higher order, labels and rules, after whatever pruning
the model does; what comes back is scored by the core. ``problem/settings.hpp`` declares the hook.
"""
import numpy as np

from libc.math cimport INFINITY

from common cimport int32_t, int64_t, uint64_t
from decoder_types cimport CProblem, Options, Result
from external_types cimport PartRowKind, PartRows, limited_result, settle_external
from rule_types cimport Labelling
from wnparse._core.rules cimport CompiledRules
from wnparse._core.settings cimport Settings


cdef object rows_of(const PartRowKind& kind, int width):
    """Rows of one kind of part, (int32[k, width], float64[k])."""
    cdef int64_t i, count = kind.scores.size()
    cdef int32_t[::1] nodes = np.empty(count * width, np.int32)
    cdef double[::1] scores = np.empty(count)
    for i in range(count * width):
        nodes[i] = kind.nodes[i]
    for i in range(count):
        scores[i] = kind.scores[i]
    return nodes.base.reshape(count, width), scores.base


cdef object scores_of(const CProblem& problem):
    """The scores of arcs, float64[n + 1, n + 1], -inf in row 0 and on the diagonal."""
    cdef int32_t h, m, n = problem.scores.n
    cdef double[:, ::1] scores = np.full((n + 1, n + 1), -np.inf)
    for m in range(1, n + 1):
        for h in range(n + 1):
            if h == m:
                continue
            if problem.scores.wide:
                scores[m, h] = (<const double*> problem.scores.scores)[m * problem.scores.stride + h]
            else:
                scores[m, h] = (<const float*> problem.scores.scores)[m * problem.scores.stride + h]
    return scores.base


cdef object choices_of(const Labelling& labelling):
    """The labelled arcs: int32[k, 5] of h, m, label, class, broken rules; and float64[k], their scores."""
    cdef size_t a
    cdef int32_t i
    cdef int32_t[:, ::1] rows = np.empty((labelling.choices().size(), 5), np.int32)
    cdef double[::1] scores = np.empty(labelling.choices().size())
    for a in range(labelling.arcs().size()):
        for i in range(labelling.arcs()[a].begin, labelling.arcs()[a].end):
            rows[i, 0] = labelling.arcs()[a].h
            rows[i, 1] = labelling.arcs()[a].m
            rows[i, 2] = labelling.choice(i).label
            rows[i, 3] = labelling.choice(i).label_class
            rows[i, 4] = labelling.choice(i).broken
            scores[i] = labelling.choice(i).score
    return rows.base, scores.base


cdef object bits_of(const Labelling& labelling):
    """The predicates of the nodes and the values of their features, uint64[n + 1, width]."""
    cdef int64_t v, i, width = labelling.nodes().words
    cdef uint64_t[:, ::1] bits = np.empty((labelling.words() + 1, width), np.uint64)
    for v in range(labelling.words() + 1):
        for i in range(width):
            bits[v, i] = labelling.nodes().bits[v * width + i]
    return bits.base


cdef class Problem:
    """What a decoder is given: scores of arcs, parts, labelled arcs, and which trees are valid.

    Attributes
    ----------
    words : int
        n.
    scores : ndarray of float64, shape (n + 1, n + 1)
        ``scores[m, h]``, with the best label of the arc if there are labels; -inf: forbidden.
    block_degree : int or None
    well_nested, single_root : bool
        Which trees are valid.
    max_iterations, max_nodes : int
    time_limit : float or None
        How far to go.
    broken_nodes : int
        Search nodes for as long as every tree known breaks hard rules.
    known : ndarray of int32, shape (n + 1,), or None
        A valid tree to begin with.
    parts : tuple or None
        At higher order (rows, scores) of siblings (h, m, s, right), grandparents (g, h, m), grand-siblings
        (g, h, m, s, right) and tri-siblings (h, m, s, t, right); all siblings, of the others those that score.
    choices : tuple or None
        Under rules the labelled arcs: int32[k, 5], rows of head, modifier, label, its class, and how many hard
        rules the arc breaks by itself; and their scores, float64[k]. All other arcs are forbidden.
    rules : CompiledRules or None
    bits : ndarray of uint64 or None
        The rules, and the predicates that nodes satisfy, followed by the values of their features: see
        `wnparse.rules.compile` and `wnparse.rules.predicates`.
    """

    cdef readonly int words
    cdef readonly object scores
    cdef readonly object block_degree
    cdef readonly bint well_nested
    cdef readonly bint single_root
    cdef readonly int max_iterations
    cdef readonly int max_nodes
    cdef readonly int broken_nodes
    cdef readonly object time_limit
    cdef readonly object known
    cdef readonly object parts
    cdef readonly object choices
    cdef readonly object rules
    cdef readonly object bits


cdef Problem open_problem(const CProblem& problem, const Options& options, int max_nodes, CompiledRules rules):
    """Copy a problem, so that it may outlive the call."""
    cdef Problem snapshot = Problem.__new__(Problem)
    cdef PartRows rows
    cdef int32_t i, n = problem.scores.n
    cdef int32_t[::1] known
    snapshot.words = n
    snapshot.scores = scores_of(problem)
    snapshot.block_degree = problem.constraints.block_degree or None
    snapshot.well_nested = problem.constraints.well_nested
    snapshot.single_root = problem.constraints.single_root
    snapshot.max_iterations = options.max_iterations
    snapshot.max_nodes = max_nodes
    snapshot.broken_nodes = options.broken_nodes
    snapshot.time_limit = options.time_limit if options.time_limit > 0 else None
    if options.known != NULL:
        known = np.empty(n + 1, np.int32)
        for i in range(n + 1):
            known[i] = options.known[i]
        snapshot.known = known.base
    if problem.parts != NULL:
        rows.collect(problem.parts[0])
        snapshot.parts = (rows_of(rows.siblings, 4), rows_of(rows.grandparents, 3), rows_of(rows.grandsiblings, 5),
                          rows_of(rows.trisiblings, 5))
    if problem.labelling != NULL:
        snapshot.choices = choices_of(problem.labelling[0])
        snapshot.rules = rules
        snapshot.bits = bits_of(problem.labelling[0])
    return snapshot


cdef Result call_decoder(void* context, const CProblem& problem, const Options& options,
                         int32_t* heads) noexcept with gil:
    """Call the decoder; an exception that it raises is stored for the caller."""
    cdef Caller caller = <Caller> context
    if caller.error is not None:
        return limited_result(INFINITY)
    try:
        return caller.answer(problem, options, heads)
    except BaseException as error:
        caller.error = error
    return limited_result(INFINITY)


cdef class Caller:
    """A decoder at work for one call of the core.

    It is a function of a `Problem`, and returns None where there is no valid tree; or heads int32[n + 1] (None if
    a limit came first), under rules the place of each word's choice int32[n + 1] (else None), an upper bound, the
    tolerance of the proof, iterations and nodes.
    """

    def __cinit__(self, Settings settings not None, CompiledRules rules=None):
        self.settings = settings
        self.rules = rules

    cdef void hook(self, Options* options) noexcept:
        """Prepare the call of the decoder, if the settings name one."""
        if self.settings.function is not None:
            options.external.run = call_decoder
            options.external.context = <void*> self

    cdef Result answer(self, const CProblem& problem, const Options& options, int32_t* heads) except *:
        cdef Result result = limited_result(INFINITY)
        cdef int32_t m, n = problem.scores.n
        cdef const int32_t[::1] tree, choices
        cdef const int32_t* chosen = NULL
        output = self.settings.function(
            open_problem(problem, options, self.settings.kernel.options.max_nodes, self.rules))
        if output is None:
            result.feasible = False
            return result
        decoder_heads, decoder_choices, bound, tolerance, iterations, nodes = output
        result.upper_bound = bound
        result.tolerance = tolerance
        result.iterations = iterations
        result.nodes = nodes
        if decoder_heads is None:
            return result
        tree = decoder_heads
        if tree.shape[0] != n + 1:
            raise RuntimeError(f"a decoder returned a tree of {tree.shape[0] - 1} words; expected {n} words")
        for m in range(n + 1):
            heads[m] = tree[m]
        if problem.labelling != NULL:
            choices = decoder_choices
            chosen = &choices[0]
        result.score = settle_external(problem, heads, chosen)
        if problem.labelling != NULL:
            result.broken = problem.labelling.broken()
        return result

    cdef int check(self) except -1:
        """Raise the exception that the decoder has raised, if any."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0
