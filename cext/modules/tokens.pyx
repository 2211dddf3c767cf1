"""Sentences in the form that the parser reads: hashes of their words, computed once, without the GIL."""
import numpy as np

from libcpp.vector cimport vector

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
