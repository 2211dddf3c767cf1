"""Sentences in the form that the parser reads: hashes of their words, computed once, without the GIL."""
import numpy as np

from libcpp.vector cimport vector

from libc.math cimport isfinite

from common cimport int32_t, uint64_t
from feature_types cimport TokenHashes, UsedColumns, atom_count, token_type


cdef class Tokens:
    """A sentence as the parser sees it: hashes only. `encode` makes them."""

    def __init__(self):
        raise TypeError("Tokens cannot be created directly; use encode")

    @property
    def atoms(self):
        """The attributes of each token, uint64[n + 1, 9]."""
        cdef const uint64_t[:, ::1] view = <const uint64_t[:self.tokens.n + 1, :atom_count]> self.tokens.atoms
        return np.array(view)

    def add_scores(self, const float[:, ::1] arcs not None, const float[:, :, ::1] of_modifier,
                   const float[:, ::1] of_head, double unit, float likely, double seconds=0.0):
        """Add the scores of a second scorer to those of every model that scores the sentence.

        Parameters
        ----------
        arcs : ndarray of float32, shape (n + 1, n + 1)
            The log probability of each head of each word, arcs[m, h].
        of_modifier, of_head : ndarray of float32, shapes (n + 1, r, L) and (n + 1, r), or None
            Two factors: the scores of the L labels of the arc from h to m are ``of_head[h] @ of_modifier[m]``, and
            their softmax is added. L is the number of labels of the model.
        unit : float
            What a nat is worth, in units of the weights of the model.
        likely : float
            Heads whose log probability is above are kept when arcs are pruned.
        seconds : float
            What it took to compute them.
        """
        cdef int32_t width = self.tokens.n + 1
        if arcs.shape[0] != width or arcs.shape[1] != width:
            raise ValueError(f"arcs has the shape {arcs.shape[0], arcs.shape[1]}; expected {width, width}")
        if not (isfinite(unit) and unit >= 0):
            raise ValueError(f"unit is {unit}; expected a finite number of 0 or more")
        self.extra.n = self.tokens.n
        self.extra.arcs = &arcs[0, 0]
        self.extra.labels = self.extra.rank = 0
        if of_modifier is not None:
            if of_modifier.shape[0] != width or of_head.shape[0] != width or \
                    of_modifier.shape[1] != of_head.shape[1]:
                raise ValueError(f"the factors of labels have the shapes {np.shape(of_modifier)} and "
                                 f"{np.shape(of_head)}; expected ({width}, r, L) and ({width}, r)")
            if of_modifier.size > 0:
                self.extra.rank, self.extra.labels = <int32_t> of_modifier.shape[1], <int32_t> of_modifier.shape[2]
                self.extra.of_modifier, self.extra.of_head = &of_modifier[0, 0, 0], &of_head[0, 0]
        self.extra.unit, self.extra.likely = unit, likely
        self.extra_arrays = (arcs, of_modifier, of_head)
        self.tokens.extra = &self.extra
        self.extra_seconds = seconds


def encode(list sentences, bint lemma, bint fine_tag, bint feats):
    """Hash the words of sentences, which have `raw` and `fields`: a list of Tokens. Unused columns are nothing."""
    cdef Py_ssize_t i, count = len(sentences)
    cdef vector[const char*] texts
    cdef vector[const int32_t*] fields
    cdef vector[int32_t] words
    cdef vector[TokenHashes*] hashes
    cdef UsedColumns used
    cdef const int32_t[:, ::1] view
    cdef list encoded = []
    cdef list alive = []  # the objects must live while the lock is not held
    cdef Tokens tokens
    used.lemma, used.fine_tag, used.feats = lemma, fine_tag, feats
    for sentence in sentences:
        raw, view = sentence.raw, sentence.fields
        tokens = Tokens.__new__(Tokens)
        alive.append((raw, view))
        encoded.append(tokens)
        texts.push_back(<bytes?> raw)
        fields.push_back(&view[0, 0])
        words.push_back(<int32_t> view.shape[0] - 1)
        hashes.push_back(&tokens.hashes)
    with nogil:
        for i in range(count):
            hashes[i].read(texts[i], fields[i], words[i], used)
    for tokens in encoded:
        tokens.tokens = tokens.hashes.tokens()
    return encoded


def token_types(Tokens tokens):
    """What stands for all tags of each word and its FEATS: uint64[n]."""
    cdef int32_t i
    cdef uint64_t[::1] types = np.empty(tokens.tokens.n, np.uint64)
    for i in range(tokens.tokens.n):
        types[i] = token_type(tokens.tokens, i + 1)
    return types.base
