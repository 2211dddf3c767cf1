"""The door to the parser: tokens in, trees and labels out; one call a sentence, without the GIL.

``Learner`` holds the weights that training changes (learners.hpp), ``Scorer`` those of a finished model
(frozen_weights.hpp).
"""
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t
from decoder_types cimport Decoder, KernelSettings, Outcome
from frozen_types cimport FrozenLabelRows, FrozenWeights, label_multiple
from parser_types cimport (
    CTokens, Counts, TokenHashes, Entry, FrozenModel, CFirstPassLearner, LabelTable, LearnedWeights, LearnerState, Method,
    OnlineLearner, ParserTables, FirstPass, Side, Template, Times, UsedColumns, atom_count, first_tag, label_any_key,
    label_modifier_key, label_pair_key, mix, most_atoms, token_type,
)

import numpy as np


cdef void fill_side(Side* side, const int32_t[::1] row, int at) noexcept nogil:
    """count, morph, then (atom, offset) pairs."""
    cdef int k
    side.count = row[at]
    side.morph = row[at + 1]
    for k in range(side.count):
        side.atom[k] = row[at + 2 + 2 * k]
        side.offset[k] = row[at + 3 + 2 * k]


cdef int fill_tables(ParserTables* tables, const int32_t[:, ::1] templates, LabelChoice choice) except -1:
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
        template.head.start = mix(1)
        template.modifier.start = mix(2)
        template.start = mix(<uint64_t> t + 12345)
        tables.add(template)
    if choice is not None:
        tables.labels = choice.table
        tables.label_count = choice.count
    return 0


cdef class LabelChoice:
    """Which labels are candidates for which tags; three arrays that are kept alive."""

    cdef readonly object keys     # uint64[k], ascending
    cdef readonly object begin    # int32[k + 1]
    cdef readonly object labels   # int32[...]
    cdef LabelTable table
    cdef int32_t count            # labels there are, rounded up to whole vectors

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
        self.count = (int(labels.max(initial=-1)) + 1 + label_multiple - 1) // label_multiple * label_multiple


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

    cdef KernelSettings settings

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
    """A sentence as the parser sees it: hashes only. `encode` makes them."""

    cdef TokenHashes encoded
    cdef CTokens tokens

    def __init__(self):
        raise TypeError("tokens are made by encode")

    @property
    def atoms(self):
        """The attributes of each token, uint64[n + 1, 9]."""
        cdef const uint64_t[:, ::1] view = <const uint64_t[:self.tokens.n + 1, :atom_count]> self.tokens.atoms
        return np.array(view)


def encode(list sentences, bint lemma, bint fine_tag, bint feats):
    """Hash the words of sentences, which have `raw` and `fields`: a list of Tokens. Unused columns are nothing."""
    cdef Py_ssize_t i, count = len(sentences)
    cdef vector[const char*] texts
    cdef vector[const int32_t*] fields
    cdef vector[int32_t] words
    cdef vector[TokenHashes*] encoded
    cdef UsedColumns used
    cdef const int32_t[:, ::1] view
    cdef list kept = [], found = []  # nothing may go while the lock is not held
    cdef Tokens tokens
    used.lemma, used.fine_tag, used.feats = lemma, fine_tag, feats
    for sentence in sentences:
        raw, view = sentence.raw, sentence.fields
        tokens = Tokens.__new__(Tokens)
        kept.append((raw, view))
        found.append(tokens)
        texts.push_back(<bytes?> raw)
        fields.push_back(&view[0, 0])
        words.push_back(<int32_t> view.shape[0] - 1)
        encoded.push_back(&tokens.encoded)
    with nogil:
        for i in range(count):
            encoded[i].read(texts[i], fields[i], words[i], used)
    for tokens in found:
        tokens.tokens = tokens.encoded.tokens()
    return found


cdef FirstPass make_first_pass(const uint64_t[::1] tags, const uint64_t[::1] types, const int16_t[::1] weights,
                          int32_t cutoff, int32_t most, float close) except *:
    cdef FirstPass first_pass
    first_pass.layout.tags = first_tag + <int32_t> tags.shape[0]
    first_pass.layout.types = first_tag + <int32_t> types.shape[0]
    if <size_t> weights.shape[0] != first_pass.layout.size():
        raise ValueError(f"first pass: {first_pass.layout.size()} weights expected, found {weights.shape[0]}")
    first_pass.symbols.tags = &tags[0]
    first_pass.symbols.types = &types[0]
    first_pass.weights = &weights[0]
    first_pass.cutoff = cutoff
    first_pass.most = most
    first_pass.close = close
    return first_pass


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


def token_types(Tokens tokens):
    """What stands for all tags of each word and its FEATS: uint64[n]."""
    cdef int32_t i
    cdef uint64_t[::1] types = np.empty(tokens.tokens.n, np.uint64)
    for i in range(tokens.tokens.n):
        types[i] = token_type(tokens.tokens, i + 1)
    return types.base


cdef vector[uint64_t] copy_vector(const uint64_t[::1] values):
    cdef vector[uint64_t] copied
    copied.assign(&values[0], &values[0] + values.shape[0])
    return copied


cdef class FirstPassLearner:
    """The first pass while it is learned; the hashes of the tags and types that it is to know, ascending."""

    cdef CFirstPassLearner selection

    def __cinit__(self, const uint64_t[::1] tags, const uint64_t[::1] types):
        self.selection = CFirstPassLearner(copy_vector(tags), copy_vector(types))

    def learn(self, Tokens tokens, const int32_t[::1] heads, float rate):
        """Learn from one sentence by steps of a given rate."""
        with nogil:
            self.selection.learn(tokens.tokens, &heads[0], rate)

    def averaged(self):
        """The averaged weights, float64."""
        cdef size_t i
        cdef double[::1] weights = np.empty(self.selection.size(), np.float64)
        for i in range(self.selection.size()):
            weights[i] = self.selection.averaged(i)
        return weights.base


cdef class Learner:
    """One of the learners (`wnparse.learners`) and its weights."""

    cdef OnlineLearner learner
    cdef LearnerState* core  # what all learners share
    cdef LabelChoice choice
    cdef object first_pass

    def __cinit__(self, const int32_t[:, ::1] templates, LabelChoice choice, float margin, int method=0,
                  double limit=0, int64_t k=1):
        self.core = &self.learner.state
        self.core.margin = margin
        self.learner.method = <Method> method
        self.learner.limit = limit
        self.learner.kbest.k = k
        self.choice = choice
        fill_tables(&self.core.tables, templates, choice)

    def use_first_pass(self, tags, types, weights, int32_t cutoff, int32_t most, float close):
        """Learn with a first pass that drops arcs."""
        self.first_pass = tags, types, weights
        self.core.first_pass = make_first_pass(tags, types, weights, cutoff, most, close)

    def learn(self, Tokens tokens, const int32_t[::1] heads, const int32_t[::1] labels, DecoderSettings settings):
        """Learn from one sentence: (right heads, right labels), or None if no tree satisfies the constraints."""
        cdef Counts counts
        cdef cbool found
        with nogil:
            found = self.learner.learn(tokens.tokens, &heads[0], &labels[0], settings.settings, &counts)
        return (counts.heads, counts.labels) if found else None

    @property
    def changed(self):
        """Whether the last sentence changed the weights."""
        return self.learner.changed

    @property
    def features(self):
        """Features with a weight so far, each label counted."""
        return self.core.weights.size() + self.core.rows.size()

    def averaged(self):
        """Keys and averaged weights of arcs: (uint64[k], float64[k])."""
        return average(self.core.weights, self.core.step)

    def averaged_rows(self):
        """Averaged weights of labels: keys uint64[r], begin int64[r + 1], labels int32[k], weights float64[k]."""
        keys, begin, labels, weights, sums = self._rows()
        return keys, begin, labels, weights - sums / self.core.step

    def _rows(self):
        cdef size_t count = self.core.rows.keys().size(), total = self.core.rows.size(), i
        cdef uint64_t[::1] keys = np.empty(count, np.uint64)
        cdef int64_t[::1] begin = np.zeros(count + 1, np.int64)
        cdef int32_t[::1] labels = np.empty(total + 1, np.int32)
        cdef float[::1] weights = np.empty(total + 1, np.float32)
        cdef double[::1] sums = np.empty(total + 1, np.float64)
        for i in range(count):
            keys[i] = self.core.rows.keys()[i]
            begin[i + 1] = begin[i] + <int64_t> self.core.rows.copy_row(
                keys[i], &labels[begin[i]], &weights[begin[i]], &sums[begin[i]])
        return keys.base, begin.base, labels.base[:total], weights.base[:total], sums.base[:total]

    def state(self):
        """Everything that learning goes on from: the step, and arrays by name."""
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
        """Go on from a state."""
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
                self.core.rows.restore(row_keys[i], labels[k], weights[k], sums[k])
        self.core.step = step


cdef class Scorer:
    """The scores of a finished model, and the decoders on them."""

    cdef FrozenModel model
    cdef LabelChoice choice
    cdef object arrays

    def __cinit__(self, const int32_t[:, ::1] templates, LabelChoice choice, slots, row_tags, row_places,
                  row_entries, double scale):
        cdef const uint32_t[::1] view = slots
        cdef const uint16_t[::1] tag_view = row_tags
        cdef const uint32_t[::1] place_view = row_places
        cdef const uint32_t[::1] entry_view = row_entries
        self.choice = choice
        self.arrays = [slots, row_tags, row_places, row_entries]
        fill_tables(&self.model.tables, templates, choice)
        self.model.weights = FrozenWeights(&view[0], (<int> view.shape[0]).bit_length() - 3)
        self.model.rows = FrozenLabelRows(&tag_view[0], &place_view[0], (<int> tag_view.shape[0]).bit_length() - 4,
                                     &entry_view[0], self.model.tables.label_count)
        self.model.scale = scale

    def use_first_pass(self, tags, types, weights, int32_t cutoff, int32_t most, float close):
        """Drop arcs by a first pass, where it is asked for."""
        self.arrays += [tags, types, weights]
        self.model.first_pass = make_first_pass(tags, types, weights, cutoff, most, close)

    def scores(self, Tokens tokens, bint prune):
        """The score matrix float32[n + 1, n + 1], scores[m, h], and each arc's best label, -1 if not scored."""
        cdef int32_t width = tokens.tokens.n + 1
        cdef float[:, ::1] scores = np.zeros((width, width), np.float32)
        cdef int32_t[:, ::1] labels = np.full((width, width), -1, np.int32)
        with nogil:
            self.model.score(tokens.tokens, prune, &scores[0, 0], &labels[0, 0])
        return scores.base, labels.base

    def parse(self, list sentences, list settings, bint prune):
        """Parse sentences, Tokens each with its DecoderSettings, one after the other and all without the GIL.

        Returns
        -------
        list of tuple or None
            heads int32[n + 1], labels int32[n + 1] (-1 without labels), score, upper bound, certified, iterations,
            nodes, seconds for (features, decoding, labels); None where no tree satisfies the constraints.
        """
        cdef Py_ssize_t i, count = len(sentences)
        cdef vector[const CTokens*] tokens
        cdef vector[const KernelSettings*] kernels
        cdef vector[int64_t] begin = vector[int64_t](1, 0)
        cdef vector[Outcome] outcomes = vector[Outcome](count)
        cdef vector[Times] times = vector[Times](count)
        for i in range(count):
            tokens.push_back(&(<Tokens?> sentences[i]).tokens)
            kernels.push_back(&(<DecoderSettings?> settings[i]).settings)
            begin.push_back(begin.back() + tokens.back().n + 1)
        cdef int32_t[::1] heads = np.empty(max(begin.back(), 1), np.int32)
        cdef int32_t[::1] labels = np.full(heads.shape[0], -1, np.int32)
        with nogil:
            for i in range(count):
                outcomes[i] = self.model.parse(
                    tokens[i][0], kernels[i][0], prune, &heads[begin[i]], &labels[begin[i]], &times[i])
        return [
            (heads.base[begin[i]:begin[i + 1]], labels.base[begin[i]:begin[i + 1]], outcomes[i].result.score,
             outcomes[i].result.upper_bound, outcomes[i].certified, outcomes[i].result.iterations,
             outcomes[i].result.nodes,
             ((<Tokens> sentences[i]).encoded.seconds() + times[i].features, times[i].decoding, times[i].labels))
            if outcomes[i].result.feasible else None
            for i in range(count)
        ]

    def label(self, Tokens tokens, const int32_t[::1] heads):
        """The best labels of a given tree, int32[n + 1]; -1 where no label goes with the head."""
        cdef int32_t[::1] labels = np.full(heads.shape[0], -1, np.int32)
        with nogil:
            self.model.label(tokens.tokens, &heads[0], &labels[0])
        return labels.base
