"""The first pass, which drops unlikely heads: its tables, and how they are learned."""
import numpy as np

from libcpp.vector cimport vector

from common cimport int16_t, int32_t, uint64_t
from scorer_types cimport CFirstPassLearner, first_tag, most_tags, most_types
from wnparse._core.tokens cimport Tokens


MOST_TAGS, MOST_TYPES = most_tags, most_types


cdef class FirstPassTables:
    """A trained first pass and its cutoffs: see wnparse.parser.first_pass.FirstPass."""

    def __cinit__(self, const uint64_t[::1] tags, const uint64_t[::1] types, const int16_t[::1] weights,
                  int32_t cutoff, int32_t most, float close):
        self.arrays = tags, types, weights
        if tags.shape[0] > most_tags or types.shape[0] > most_types:
            raise ValueError(f"first pass: expected at most {most_tags} tags and {most_types} types")
        if cutoff < 1 or most < 1 or not close >= 0:
            raise ValueError("first pass: expected cutoffs above 0, and at least one head")
        self.first_pass.layout.tags = first_tag + <int32_t> tags.shape[0]
        self.first_pass.layout.types = first_tag + <int32_t> types.shape[0]
        if <size_t> weights.shape[0] != self.first_pass.layout.size():
            expected = self.first_pass.layout.size()
            raise ValueError(f"first pass: {weights.shape[0]} weights; expected {expected}")
        self.first_pass.symbols.tags = &tags[0]
        self.first_pass.symbols.types = &types[0]
        self.first_pass.weights = &weights[0]
        self.first_pass.cutoff = cutoff
        self.first_pass.most = most
        self.first_pass.close = close


cdef vector[uint64_t] copy_vector(const uint64_t[::1] values):
    cdef vector[uint64_t] copied
    copied.assign(&values[0], &values[0] + values.shape[0])
    return copied


cdef class FirstPassLearner:
    """A first pass during training; it is given the hashes of its tags and types, ascending."""

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
