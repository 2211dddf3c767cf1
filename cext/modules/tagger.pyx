"""A finished tagger (tagger/frozen_tagger.hpp), and the tables that it shares with one that learns."""
import numpy as np

from cpython.buffer cimport PyBUF_ND, PyBuffer_Release, PyObject_GetBuffer
from libc.string cimport memcpy
from libcpp.string cimport string
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from frozen_types cimport FrozenLabelWeights, fits_label_weights, most_labels
from tagger_types cimport (
    FrozenTagger, LemmaScript, LookupTable, NumberLists, TaggedSentence, TaggerWorker, are_below, are_lists,
    fits_lookup, name_key, parse_script, store_number, string_view,
)

cdef enum:
    VECTOR = 8  # labels that are added at once
    COLUMNS = 11  # of the fields of a sentence: where each of ten begins, and where the last ends
    ANY_NUMBER = 0x7fffffff  # of what is only hashed


cdef int32_t padded(int32_t count) noexcept nogil:
    """Room for that many labels, and one for what is unknown, in whole vectors."""
    return (count + VECTOR) // VECTOR * VECTOR


def look_up_table(const uint64_t[::1] keys, const int32_t[::1] numbers):
    """Lay keys other than 0 out for look-ups: (uint64[2 ** b], int32[2 ** b]); of equal keys the first counts."""
    cdef int64_t size = 4
    cdef Py_ssize_t i
    while size < 2 * keys.shape[0]:
        size *= 2
    cdef uint64_t[::1] slots = np.zeros(size, np.uint64)
    cdef int32_t[::1] values = np.full(size, -1, np.int32)
    for i in range(keys.shape[0]):
        store_number(&slots[0], &values[0], size, keys[i], numbers[i])
    return slots.base, values.base


cdef int refuse(str name, str expected) except -1:
    raise ValueError(f"array tagger/{name}: expected {expected}")


cdef LookupTable look_up(dict arrays, str name, str numbers, int64_t limit) except *:
    """A table whose numbers name one of `limit` things."""
    cdef const uint64_t[::1] key_view = arrays[f"{name}/keys"]
    cdef const int32_t[::1] number_view = arrays[f"{name}/{numbers}"]
    if not fits_lookup(key_view.shape[0], number_view.shape[0]):
        refuse(f"{name}/keys", f"a power of two of at least 2, and as many numbers in {name}/{numbers}")
    return LookupTable(&key_view[0], &number_view[0], key_view.shape[0], limit)


cdef NumberLists lists(dict arrays, str name, str numbers, int32_t limit, int32_t least) except *:
    """Lists of at least `least` numbers below a limit."""
    cdef NumberLists number_lists
    cdef const int32_t[::1] begin = arrays[f"{name}/begin"]
    cdef const int32_t[::1] number_view = arrays[f"{name}/{numbers}"]
    number_lists.count = begin.shape[0] - 1
    if number_lists.count < 0 or not are_lists(
            &begin[0], number_lists.count, &number_view[0], number_view.shape[0], limit, least):
        refuse(f"{name}/{numbers}", f"number_lists of at least {least} numbers, ascending within 0..{limit - 1}")
    number_lists.begin = &begin[0]
    number_lists.numbers = &number_view[0]
    return number_lists


cdef const int32_t* column(dict arrays, str name, int64_t size, int64_t limit) except *:
    """Numbers below a limit, or any if that is below 0."""
    cdef const int32_t[::1] view = arrays[name]
    if view.shape[0] != size or (limit >= 0 and not are_below(&view[0], size, limit)):
        refuse(name, f"{size} numbers" + (f" in 0..{limit - 1}" if limit >= 0 else ""))
    return &view[0]


cdef class TaggerTables:
    """The lexicon and the classes of a tagger; their arrays are checked and kept alive.

    Parameters
    ----------
    arrays : dict
        Those of wnparse.tagger.tagger.ARRAYS that are not weights.
    tags, values, fine_tags, bundles, scripts : int
        How many there are of each; atoms are the values and behind them the fine tags.
    """

    def __cinit__(self, dict arrays, int32_t tags, int32_t values, int32_t fine_tags, int32_t bundles,
                  int32_t scripts):
        cdef int32_t class_count = <int32_t> len(arrays["class_bundles"])
        self.arrays = arrays
        if not (tags and fine_tags and bundles and class_count):
            raise ValueError("a tagger without tags, fine tags, bundles or classes; expected at least one of each")
        if tags > most_labels or values + fine_tags + class_count > most_labels:
            raise ValueError(f"tagger: expected at most {most_labels} tags, and as many atoms and classes")
        self.lexicon.tag_count = tags
        self.lexicon.tag_lists = lists(arrays, "tag_lists", "tags", tags, 1)
        if self.lexicon.tag_lists.count < 2:
            refuse("tag_lists/begin", "at least two lists: of all tags, and of open classes")
        self.lexicon.word_tags = look_up(arrays, "words", "tag_lists", self.lexicon.tag_lists.count)
        self.lexicon.seen_tags = column(arrays, "words/seen_tag_lists", len(arrays["words/keys"]), -1)
        self.lexicon.stems = look_up(arrays, "stems", "tag_lists", ANY_NUMBER)
        self.lexicon.class_lists = lists(arrays, "class_lists", "classes", class_count, 0)
        if (self.lexicon.class_lists.count <= tags
                or self.lexicon.class_lists.begin[tags] == self.lexicon.class_lists.begin[tags + 1]):
            refuse("class_lists/begin", f"at least {tags + 1} lists, of which number {tags} contains all classes")
        self.lexicon.word_classes = look_up(arrays, "word_classes", "class_lists", self.lexicon.class_lists.count)
        self.lexicon.known_scripts = look_up(arrays, "known_lemmas", "scripts", scripts)
        self.classes.atom_count = values + fine_tags
        self.classes.class_count = class_count
        self.classes.atoms = lists(arrays, "class_atoms", "atoms", values + fine_tags, 1)
        if self.classes.atoms.count != class_count:
            refuse("class_atoms/begin", f"{class_count} lists")
        self.classes.tag_values = lists(arrays, "tag_values", "values", values, 0)
        if self.classes.tag_values.count != tags + 1:
            refuse("tag_values/begin", f"{tags + 1} lists")
        self.classes.attributes = column(arrays, "atom_attributes", values + fine_tags, -1)
        self.classes.fine_tags = column(arrays, "class_fine_tags", class_count, fine_tags)
        self.classes.bundles = column(arrays, "class_bundles", class_count, bundles)
        self.classes.width = padded(values + fine_tags + class_count)


cdef FrozenLabelWeights open_weights(dict arrays, str name, int32_t count) except *:
    """The weights of `count` labels."""
    cdef const uint16_t[::1] fingerprints = arrays[f"{name}/fingerprints"]
    cdef const uint32_t[::1] places = arrays[f"{name}/places"]
    cdef const uint32_t[::1] entries = arrays[f"{name}/rows"]
    cdef int32_t labels = (count + VECTOR - 1) // VECTOR * VECTOR
    if not fits_label_weights(fingerprints.shape[0], places.shape[0], entries.shape[0], labels):
        refuse(f"{name}/fingerprints", f"8 times a power of two, as many places, and rows for {labels} labels")
    return FrozenLabelWeights(
        &fingerprints[0], &places[0], fingerprints.shape[0], &entries[0], entries.shape[0], labels)


cdef LookupTable by_name(list names, list name_tables) except *:
    """Return the numbers of names by their hashes; `name_tables` keeps the arrays alive."""
    cdef uint64_t[::1] keys = np.empty(len(names), np.uint64)
    cdef bytes text
    cdef Py_ssize_t i
    for i in range(len(names)):
        text = names[i].encode()
        keys[i] = name_key(string_view(text, len(text)))
    table = look_up_table(keys, np.arange(len(names), dtype=np.int32))
    name_tables.append(table)
    return look_up({"/keys": table[0], "/numbers": table[1]}, "", "numbers", len(names))


cdef vector[string] as_strings(list names) except *:
    cdef vector[string] encoded
    for name in names:
        encoded.push_back(<string> (<str> name).encode())
    return encoded


cdef const int32_t* rows_of(object table, int32_t* rows) except NULL:
    """Where an array int32[rows][11] begins, while it lives; a view would take ten times as long."""
    cdef Py_buffer buffer
    PyObject_GetBuffer(table, &buffer, PyBUF_ND)
    try:
        if buffer.ndim != 2 or buffer.itemsize != sizeof(int32_t) or buffer.shape[1] != COLUMNS:
            raise ValueError("fields: expected an array of int32 with rows of 11")
        rows[0] = <int32_t> buffer.shape[0]
        return <const int32_t*> buffer.buf
    finally:
        PyBuffer_Release(&buffer)


cdef class Tagger:
    """A finished tagger; threads may share it.

    Parameters
    ----------
    arrays : dict
        Tables of weights, ``tags/fingerprints`` and so on, and those of `TaggerTables`.
    names : dict
        Lists of str: ``tags``, ``fine_tags``, ``bundles``, ``values``, ``scripts``.
    columns : sequence of bool
        Whether LEMMA, UPOS, XPOS, FEATS were learned.
    open_scripts, beam, drop, threshold : int
        See tagger/frozen_tagger.hpp.
    """

    cdef FrozenTagger tagger
    cdef TaggerTables tables
    cdef list name_tables

    def __cinit__(self, dict arrays, dict names, columns, int32_t open_scripts, int32_t beam, int32_t drop,
                  int32_t threshold):
        cdef bytes text
        cdef LemmaScript script
        cdef int32_t i, tag_count = <int32_t> len(names["tags"])
        self.name_tables = []
        self.tables = TaggerTables(
            arrays, *(len(names[kind]) for kind in ("tags", "values", "fine_tags", "bundles", "scripts")))
        self.tagger.lexicon = self.tables.lexicon
        self.tagger.classes = self.tables.classes
        if not self.tagger.share_prefixes():
            refuse("class_atoms/atoms", "fewer atoms of all classes of all tags")
        self.tagger.tags = as_strings(names["tags"])
        self.tagger.fine_tags = as_strings(names["fine_tags"])
        self.tagger.bundles = as_strings(names["bundles"])
        self.tagger.values = as_strings(names["values"])
        for name in names["scripts"]:
            text = name.encode()
            if not parse_script(string_view(text, len(text)), &script):
                raise ValueError(f"{name[:40]!r} is not a lemma script")
            self.tagger.scripts.push_back(script)
        if not 0 < open_scripts <= <int32_t> self.tagger.scripts.size():
            raise ValueError(f"{open_scripts} open scripts; expected 1 to {self.tagger.scripts.size()}")
        self.tagger.tag_numbers = by_name(names["tags"], self.name_tables)
        self.tagger.fine_numbers = by_name(names["fine_tags"], self.name_tables)
        self.tagger.bundle_numbers = by_name(names["bundles"], self.name_tables)
        for i in range(4):
            self.tagger.learned[i] = columns[i]
        self.tagger.tag_weights = open_weights(arrays, "tags", tag_count)
        self.tagger.class_weights = open_weights(
            arrays, "classes", self.tables.classes.atom_count + self.tables.classes.class_count)
        self.tagger.lemma_weights = open_weights(arrays, "lemmas", open_scripts)
        self.tagger.tag_width = padded(tag_count)
        self.tagger.script_width = padded(open_scripts)
        self.tagger.open_scripts = open_scripts
        self.tagger.beam = beam
        self.tagger.drop = drop
        self.tagger.threshold = threshold

    def tag(self, list sentences, bint retag=False, double inverse_temperature=0, int32_t count=1, int32_t gap=0):
        """Fill the columns of sentences, which have `raw` and `fields`.

        Returns
        -------
        list of list of tuple
            For each sentence one tuple per sequence of tags: its new bytes; its new fields; with an
            `inverse_temperature` above 0, the probability of the tag of each word (-1 for tags that were given);
            and how far the score of its tags is behind the best. The best sequence is first, and up to `count` - 1
            others follow that are behind by at most `gap`. The list is empty if there was nothing to fill.
        """
        cdef Py_ssize_t i
        cdef vector[string_view] texts
        cdef vector[const int32_t*] fields
        cdef vector[int32_t] words
        cdef vector[vector[TaggedSentence]] tagged = vector[vector[TaggedSentence]](len(sentences))
        cdef int32_t rows
        cdef bytes raw
        cdef list alive = []  # the objects must live while the lock is not held
        for sentence in sentences:
            raw, table = sentence.raw, sentence.fields
            alive.append((raw, table))
            texts.push_back(string_view(<const char*> raw, len(raw)))
            fields.push_back(rows_of(table, &rows))
            words.push_back(rows - 1)
        with nogil:
            self.run(texts, fields, words, retag, inverse_temperature, count, gap, tagged)
        return [as_tuples(tagged[i]) for i in range(len(sentences))]

    cdef int run(self, vector[string_view]& texts, vector[const int32_t*]& fields, vector[int32_t]& words,
                 bint retag, double inverse_temperature, int32_t count, int32_t gap,
                 vector[vector[TaggedSentence]]& tagged) except -1 nogil:
        cdef size_t i
        cdef TaggerWorker* worker = new TaggerWorker(self.tagger)
        try:
            for i in range(texts.size()):
                worker.tag(texts[i], fields[i], words[i], retag, inverse_temperature, count, gap, &tagged[i])
        finally:
            del worker
        return 0


cdef list as_tuples(const vector[TaggedSentence]& results):
    cdef list tuples = []
    cdef int32_t rows
    cdef size_t i
    for i in range(results.size()):
        new = np.empty((results[i].fields.size() // COLUMNS, COLUMNS), np.int32)
        memcpy(<int32_t*> rows_of(new, &rows), results[i].fields.data(), new.nbytes)
        probabilities = list(results[i].tag_confidence) if results[i].tag_confidence.size() else None
        tuples.append((<bytes> results[i].text, new, probabilities, results[i].behind))
    return tuples
