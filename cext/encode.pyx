"""Words to hashes: each attribute of a token becomes 64 bits, once per token; O(bytes).

The attributes, in the order of ``wnparse.features.ATOMS``: lower-cased form, lemma, universal tag, fine tag, last
three and last two characters, first three characters, shape, all of FEATS; and each single value of FEATS.
"""
from libc.string cimport memchr
from libcpp.vector cimport vector

from common cimport int32_t, uint8_t, uint64_t

import numpy as np

cdef extern from "hashing.hpp" namespace "wnparse" nogil:
    uint64_t hash_bytes(const char*, size_t, uint64_t)

cdef extern from "templates.hpp" namespace "wnparse" nogil:
    enum:
        atom_count "wnparse::atom_count"

cdef enum Atom:
    FORM = 0
    LEMMA = 1
    TAG = 2
    FINE_TAG = 3
    SUFFIX3 = 4
    SUFFIX2 = 5
    PREFIX3 = 6
    SHAPE = 7
    FEATS = 8
    MORPH = 9     # the seed of single values
    NOTHING = 99  # of attributes that are not used

# Columns of CoNLL-U
cdef enum:
    FORM_COLUMN = 1
    LEMMA_COLUMN = 2
    TAG_COLUMN = 3
    FINE_TAG_COLUMN = 4
    FEATS_COLUMN = 5


cdef Py_ssize_t forward(const char* text, Py_ssize_t size, int characters) noexcept nogil:
    """Bytes of the first characters of UTF-8 text."""
    cdef Py_ssize_t at = 0
    while at < size and characters > 0:
        at += 1
        while at < size and (<uint8_t> text[at] & 0xC0) == 0x80:
            at += 1
        characters -= 1
    return at


cdef Py_ssize_t backward(const char* text, Py_ssize_t size, int characters) noexcept nogil:
    """Where the last characters of UTF-8 text begin."""
    cdef Py_ssize_t at = size
    while at > 0 and characters > 0:
        at -= 1
        while at > 0 and (<uint8_t> text[at] & 0xC0) == 0x80:
            at -= 1
        characters -= 1
    return at


cdef uint64_t shape_hash(str form):
    """Capitals, letters, digits and other characters, each run once: Xx, d, Xx-Xx."""
    cdef vector[char] shape
    cdef Py_UCS4 character
    cdef char kind
    for character in form:
        if character.isupper():
            kind = b"X"
        elif character.isalpha():
            kind = b"x"
        elif character.isdigit():
            kind = b"d"
        else:
            kind = b"-" if character > 127 else <char> character
        if shape.empty() or shape.back() != kind:
            shape.push_back(kind)
    return hash_bytes(shape.data(), shape.size(), Atom.SHAPE)


cdef int hash_form(str form, uint64_t* atoms) except -1:
    """The attributes of the form; str.lower folds letters of all scripts."""
    cdef bytes lower = form.lower().encode("utf-8")
    cdef const char* low = lower
    cdef Py_ssize_t length = len(lower), at
    atoms[<int> Atom.FORM] = hash_bytes(low, length, Atom.FORM)
    at = backward(low, length, 3)
    atoms[<int> Atom.SUFFIX3] = hash_bytes(low + at, length - at, Atom.SUFFIX3)
    at = backward(low, length, 2)
    atoms[<int> Atom.SUFFIX2] = hash_bytes(low + at, length - at, Atom.SUFFIX2)
    atoms[<int> Atom.PREFIX3] = hash_bytes(low, forward(low, length, 3), Atom.PREFIX3)
    atoms[<int> Atom.SHAPE] = shape_hash(form)
    return 0


cdef void hash_morphs(const char* text, Py_ssize_t size, vector[uint64_t]& values,
                      vector[uint64_t]& names) noexcept nogil:
    """Each value between the bars of FEATS, and the name of its attribute; none for `_`."""
    cdef const char* end = text + size
    cdef const char* bar
    cdef const char* equals
    if size == 1 and text[0] == 95:
        return
    while text <= end:
        bar = <const char*> memchr(text, 124, end - text)
        if bar == NULL:
            bar = end
        values.push_back(hash_bytes(text, bar - text, Atom.MORPH))
        equals = <const char*> memchr(text, 61, bar - text)
        names.push_back(hash_bytes(text, (bar if equals == NULL else equals) - text, Atom.MORPH))
        text = bar + 1


COORDINATION = frozenset(("CCONJ", "CC", "cc", "Conj", "conj", "KON", "vg", "coord"))


cdef int word_class(str form, str tag):
    """0 punctuation, 1 coordination, 2 verb, -1 any other, whatever the tag set calls them."""
    cdef Py_UCS4 character
    for character in form:
        if character.isalnum():
            break
    else:
        return 0
    if tag in COORDINATION:
        return 1
    return 2 if tag == "AUX" or tag == "ww" or tag[:1] in ("V", "v") else -1


def encode(bytes raw, const int32_t[:, ::1] fields, bint lemma, bint fine_tag, bint feats):
    """Hash the words of a sentence; columns that the model does not use are hashed as nothing.

    Returns
    -------
    tuple
        ``atoms`` uint64[n + 1, 9]; ``morphs`` uint64[2, ...], values of FEATS and names of their attributes;
        ``morph_begin`` int32[n + 2]; ``class_counts`` int32[n + 2, 3].
    """
    cdef Py_ssize_t n = fields.shape[0] - 1, i
    cdef const char* text = raw
    cdef int a, kind
    cdef vector[uint64_t] values, names
    atoms_array = np.empty((n + 1, <int> atom_count), np.uint64)
    begin_array = np.zeros(n + 2, np.int32)
    counts_array = np.zeros((n + 2, 3), np.int32)
    cdef uint64_t[:, ::1] atoms = atoms_array
    cdef int32_t[::1] begin = begin_array
    cdef int32_t[:, ::1] counts = counts_array
    cdef const int32_t* at
    cdef str form
    for a in range(<int> atom_count):
        atoms[0, a] = hash_bytes(b"", 0, 1000 + a)
    values.push_back(hash_bytes(b"", 0, 1000 + <int> Atom.MORPH))
    names.push_back(values[0])
    begin[1] = 1
    for i in range(1, n + 1):
        at = &fields[i, 0]
        form = text[at[FORM_COLUMN]:at[FORM_COLUMN + 1] - 1].decode("utf-8")
        hash_form(form, &atoms[i, 0])
        atoms[i, <int> Atom.LEMMA] = hash_column(text, at, LEMMA_COLUMN, Atom.LEMMA if lemma else Atom.NOTHING)
        atoms[i, <int> Atom.TAG] = hash_column(text, at, TAG_COLUMN, Atom.TAG)
        atoms[i, <int> Atom.FINE_TAG] = hash_column(
            text, at, FINE_TAG_COLUMN, Atom.FINE_TAG if fine_tag else Atom.NOTHING)
        atoms[i, <int> Atom.FEATS] = hash_column(text, at, FEATS_COLUMN, Atom.FEATS if feats else Atom.NOTHING)
        if feats:
            hash_morphs(text + at[FEATS_COLUMN], at[FEATS_COLUMN + 1] - 1 - at[FEATS_COLUMN], values, names)
        begin[i + 1] = <int32_t> values.size()
        for a in range(3):
            counts[i + 1, a] = counts[i, a]
        kind = word_class(form, text[at[TAG_COLUMN]:at[TAG_COLUMN + 1] - 1].decode("utf-8"))
        if kind >= 0:
            counts[i + 1, kind] += 1
    morphs_array = np.empty((2, values.size()), np.uint64)
    cdef uint64_t[:, ::1] morphs = morphs_array
    for i in range(<Py_ssize_t> values.size()):
        morphs[0, i] = values[i]
        morphs[1, i] = names[i]
    return atoms_array, morphs_array, begin_array, counts_array


cdef uint64_t hash_column(const char* text, const int32_t* at, int column, int seed) noexcept nogil:
    if seed == Atom.NOTHING:
        return hash_bytes(text, 0, seed)
    return hash_bytes(text + at[column], at[column + 1] - 1 - at[column], seed)
