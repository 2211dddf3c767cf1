"""The door to the parser: tokens in, trees and labels out; one call a sentence, without the GIL.

``Learner`` holds the weights that training changes (perceptron.hpp), ``Scorer`` those of a finished model
(frozen_weights.hpp).
"""
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint32_t, uint64_t

import numpy as np

cdef extern from "problem.hpp" namespace "wnparse" nogil:
    cppclass Constraints:
        int32_t block_degree
        cbool well_nested
        cbool single_root

    cppclass Options:
        int32_t max_iterations
        int32_t max_nodes
        cbool local_search
        const int* stop

    cppclass Result:
        double score
        double upper_bound
        int32_t iterations
        int32_t nodes
        cbool feasible

cdef extern from "decoder.hpp" namespace "wnparse" nogil:
    enum Decoder "wnparse::Decoder":
        pass

    cppclass Settings:
        Decoder decoder
        Constraints constraints
        Options options

    cppclass Outcome:
        Result result
        cbool certified

cdef extern from "templates.hpp" namespace "wnparse" nogil:
    enum:
        most_atoms "wnparse::most_atoms"

    enum Shape "wnparse::Shape":
        pass

    cppclass CTokens "wnparse::Tokens":
        int32_t n
        const uint64_t* atoms
        const uint64_t* morphs
        const uint64_t* morph_names
        const int32_t* morph_begin
        const int32_t* class_counts

    cppclass Side:
        int32_t count
        int32_t* atom
        int32_t* offset
        cbool morph

    cppclass Template:
        Side head
        Side modifier
        cbool binned
        cbool between
        cbool arc
        cbool label
        cbool counted
        cbool agreeing
        uint64_t seed
        Shape shape
        Shape find_shape()

    uint64_t mix(uint64_t)

cdef extern from "label_scores.hpp" namespace "wnparse" nogil:
    cppclass LabelTable:
        const uint64_t* keys
        const int32_t* begin
        const int32_t* labels
        int64_t count

    uint64_t label_pair_key(uint64_t, uint64_t, cbool, cbool)
    uint64_t label_modifier_key(uint64_t, cbool)
    uint64_t label_any_key(cbool)

cdef extern from "learned_weights.hpp" namespace "wnparse" nogil:
    cppclass Entry "wnparse::LearnedWeights::Entry":
        float weight
        double sum

    cppclass LearnedWeights:
        size_t size()
        const vector[uint64_t]& keys()
        Entry entry(uint64_t)
        void restore(uint64_t, float, double) except +

cdef extern from "frozen_weights.hpp" namespace "wnparse" nogil:
    cppclass FrozenWeights:
        FrozenWeights()
        FrozenWeights(const uint32_t*, int32_t)

    void store_frozen "wnparse::FrozenWeights::store" (uint32_t*, int32_t, uint64_t, int32_t)

cdef extern from "sentence_scores.hpp" namespace "wnparse" nogil:
    cppclass ParserTables:
        vector[Template] templates
        LabelTable labels
        cbool labelled

cdef extern from "frozen_model.hpp" namespace "wnparse" nogil:
    cppclass FrozenModel:
        ParserTables tables
        FrozenWeights weights
        float scale
        void score(const CTokens&, int32_t, float*, int32_t*) except +
        Outcome parse(const CTokens&, const Settings&, int32_t, int32_t*, int32_t*, double*) except +

cdef extern from "perceptron.hpp" namespace "wnparse" nogil:
    cppclass Counts "wnparse::Perceptron::Counts":
        int32_t heads
        int32_t labels

    cppclass Perceptron:
        ParserTables tables
        LearnedWeights weights
        float margin
        double step
        cbool learn(const CTokens&, const int32_t*, const int32_t*, const Settings&, int32_t, Counts*) except +


cdef void fill_side(Side* side, const int32_t[::1] row, int at) noexcept nogil:
    """count, morph, then (atom, offset) pairs."""
    cdef int k
    side.count = row[at]
    side.morph = row[at + 1]
    for k in range(side.count):
        side.atom[k] = row[at + 2 + 2 * k]
        side.offset[k] = row[at + 3 + 2 * k]


cdef int fill_tables(ParserTables* tables, const int32_t[:, ::1] templates, bint labelled) except -1:
    """See wnparse.features.compile_templates for the layout of a row."""
    cdef Py_ssize_t t
    cdef Template template
    cdef int width = 2 + 2 * most_atoms
    for t in range(templates.shape[0]):
        fill_side(&template.head, templates[t], 0)
        fill_side(&template.modifier, templates[t], width)
        template.binned = templates[t, 2 * width]
        template.between = templates[t, 2 * width + 1]
        template.arc = templates[t, 2 * width + 2]
        template.label = templates[t, 2 * width + 3]
        template.counted = templates[t, 2 * width + 4]
        template.agreeing = templates[t, 2 * width + 5]
        template.shape = template.find_shape()
        template.seed = mix(<uint64_t> t * 2 + 12345)
        tables.templates.push_back(template)
    tables.labelled = labelled
    return 0


cdef class LabelChoice:
    """Which labels are candidates for which tags; three arrays that are kept alive."""

    cdef readonly object keys     # uint64[k], ascending
    cdef readonly object begin    # int32[k + 1]
    cdef readonly object labels   # int32[...]
    cdef LabelTable table

    def __cinit__(self, keys, begin, labels):
        cdef const uint64_t[::1] key_view = keys
        cdef const int32_t[::1] begin_view = begin
        cdef const int32_t[::1] label_view = labels
        self.keys, self.begin, self.labels = keys, begin, labels
        if key_view.shape[0]:
            self.table.keys = &key_view[0]
            self.table.begin = &begin_view[0]
            self.table.labels = &label_view[0]
        self.table.count = key_view.shape[0]


def label_keys(const uint64_t[:, ::1] atoms, const int32_t[::1] heads):
    """Keys of each word's arc in the label table, uint64[n, 3]: pair of tags, modifier's tag, any."""
    cdef Py_ssize_t m
    cdef uint64_t[:, ::1] keys = np.empty((heads.shape[0] - 1, 3), np.uint64)
    cdef int32_t h
    for m in range(1, heads.shape[0]):
        h = heads[m]
        keys[m - 1, 0] = label_pair_key(atoms[h, 2], atoms[m, 2], h < m, h == 0)
        keys[m - 1, 1] = label_modifier_key(atoms[m, 2], h == 0)
        keys[m - 1, 2] = label_any_key(h == 0)
    return keys.base


cdef class DecoderSettings:
    """A decoder, its constraints and limits, as numbers."""

    cdef Settings settings

    def __cinit__(self, int decoder, int block_degree, bint well_nested, bint single_root, int max_iterations,
                  int max_nodes):
        self.settings.decoder = <Decoder> decoder
        self.settings.constraints.block_degree = block_degree
        self.settings.constraints.well_nested = well_nested
        self.settings.constraints.single_root = single_root
        self.settings.options.max_iterations = max_iterations
        self.settings.options.max_nodes = max_nodes
        self.settings.options.local_search = True
        self.settings.options.stop = NULL


cdef class Tokens:
    """A sentence as the parser sees it: the arrays of `wnparse._core.encode.encode`, kept alive."""

    cdef CTokens tokens
    cdef readonly object atoms         # uint64[n + 1, 9]
    cdef readonly object morphs        # uint64[2, ...]: values of FEATS and the names of their attributes
    cdef readonly object morph_begin   # int32[n + 2]
    cdef readonly object class_counts  # int32[n + 2, 3]

    def __cinit__(self, atoms, morphs, morph_begin, class_counts):
        cdef const uint64_t[:, ::1] atom_view = atoms
        cdef const uint64_t[:, ::1] morph_view = morphs
        cdef const int32_t[::1] begin_view = morph_begin
        cdef const int32_t[:, ::1] count_view = class_counts
        self.atoms, self.morphs, self.morph_begin, self.class_counts = atoms, morphs, morph_begin, class_counts
        self.tokens.n = <int32_t> atom_view.shape[0] - 1
        self.tokens.atoms = &atom_view[0, 0]
        self.tokens.morphs = &morph_view[0, 0]
        self.tokens.morph_names = &morph_view[1, 0]
        self.tokens.morph_begin = &begin_view[0]
        self.tokens.class_counts = &count_view[0, 0]


cdef class Learner:
    """The averaged perceptron and its weights."""

    cdef Perceptron perceptron
    cdef LabelChoice choice

    def __cinit__(self, const int32_t[:, ::1] templates, LabelChoice choice, float margin):
        self.perceptron.margin = margin
        fill_tables(&self.perceptron.tables, templates, choice is not None)
        if choice is not None:
            self.choice = choice
            self.perceptron.tables.labels = choice.table

    def learn(self, Tokens tokens, const int32_t[::1] heads, const int32_t[::1] labels, DecoderSettings settings,
              int32_t beam):
        """Learn from one sentence: (right heads, right labels), or None if no tree satisfies the constraints."""
        cdef Counts counts
        cdef cbool found
        with nogil:
            found = self.perceptron.learn(tokens.tokens, &heads[0], &labels[0], settings.settings, beam, &counts)
        return (counts.heads, counts.labels) if found else None

    @property
    def features(self):
        """Features with a weight so far."""
        return self.perceptron.weights.size()

    def averaged(self):
        """Keys and averaged weights, w - u / T: (uint64[k], float64[k]), in the order of their first update."""
        cdef size_t count = self.perceptron.weights.size(), i
        cdef uint64_t[::1] keys = np.empty(count, np.uint64)
        cdef double[::1] values = np.empty(count, np.float64)
        cdef Entry entry
        for i in range(count):
            keys[i] = self.perceptron.weights.keys()[i]
            entry = self.perceptron.weights.entry(keys[i])
            values[i] = entry.weight - entry.sum / self.perceptron.step
        return keys.base, values.base

    def state(self):
        """Everything that learning goes on from: (step, keys, weights, sums)."""
        cdef size_t count = self.perceptron.weights.size(), i
        cdef uint64_t[::1] keys = np.empty(count, np.uint64)
        cdef float[::1] weights = np.empty(count, np.float32)
        cdef double[::1] sums = np.empty(count, np.float64)
        cdef Entry entry
        for i in range(count):
            keys[i] = self.perceptron.weights.keys()[i]
            entry = self.perceptron.weights.entry(keys[i])
            weights[i] = entry.weight
            sums[i] = entry.sum
        return self.perceptron.step, keys.base, weights.base, sums.base

    def restore(self, double step, const uint64_t[::1] keys, const float[::1] weights, const double[::1] sums):
        """Go on from a state."""
        cdef Py_ssize_t i
        self.perceptron.step = step
        for i in range(keys.shape[0]):
            self.perceptron.weights.restore(keys[i], weights[i], sums[i])


def freeze(const uint64_t[::1] keys, const int32_t[::1] weights, int bits):
    """Lay out weights that are not 0 as a table of 2 ** bits buckets of four slots."""
    cdef uint32_t[::1] slots = np.zeros(4 << bits, np.uint32)
    cdef Py_ssize_t i
    for i in range(keys.shape[0]):
        if weights[i] != 0:
            store_frozen(&slots[0], bits, keys[i], weights[i])
    return slots.base


cdef class Scorer:
    """The scores of a finished model, and the decoders on them."""

    cdef FrozenModel model
    cdef LabelChoice choice
    cdef object slots

    def __cinit__(self, const int32_t[:, ::1] templates, LabelChoice choice, slots, double scale):
        cdef const uint32_t[::1] view = slots
        fill_tables(&self.model.tables, templates, choice is not None)
        if choice is not None:
            self.choice = choice
            self.model.tables.labels = choice.table
        self.slots = slots
        self.model.weights = FrozenWeights(&view[0], (<int> view.shape[0]).bit_length() - 3)
        self.model.scale = scale

    def scores(self, Tokens tokens, int32_t beam):
        """The score matrix float32[n + 1, n + 1], scores[m, h], and each arc's best label, -1 if not scored."""
        cdef int32_t width = tokens.tokens.n + 1
        cdef float[:, ::1] scores = np.zeros((width, width), np.float32)
        cdef int32_t[:, ::1] labels = np.full((width, width), -1, np.int32)
        with nogil:
            self.model.score(tokens.tokens, beam, &scores[0, 0], &labels[0, 0])
        return scores.base, labels.base

    def parse(self, Tokens tokens, DecoderSettings settings, int32_t beam, double[::1] seconds=None):
        """Parse one sentence; ``seconds`` float64[3], if given, gets those for scores, decoding and labels.

        Returns
        -------
        tuple or None
            heads int32[n + 1], labels int32[n + 1] (-1 without labels), score, upper bound, certified, iterations,
            nodes; None if no tree satisfies the constraints.
        """
        cdef int32_t n = tokens.tokens.n
        heads_array = np.empty(n + 1, np.int32)
        labels_array = np.full(n + 1, -1, np.int32)
        cdef int32_t[::1] heads = heads_array
        cdef int32_t[::1] labels = labels_array
        cdef Outcome outcome
        cdef double* times = NULL
        if seconds is not None:
            times = &seconds[0]
        with nogil:
            outcome = self.model.parse(tokens.tokens, settings.settings, beam, &heads[0], &labels[0], times)
        if not outcome.result.feasible:
            return None
        return (heads_array, labels_array, outcome.result.score, outcome.result.upper_bound, outcome.certified,
                outcome.result.iterations, outcome.result.nodes)
