"""Learning the weights of a tagger (tagger/tagger_learner.hpp), many sentences per call, and lemma scripts."""
import numpy as np

from libcpp.string cimport string
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint64_t
from tagger_types cimport (
    CoreClassLearner, CoreLemmaLearner, CoreTagLearner, LearnedStage, LemmaScript, WordHashes, hash_bytes,
    lower_case, make_script, most_open, parse_script, string_view, word_class_key, word_key,
)
from wnparse._core.tagger cimport TaggerTables

cdef enum:
    VECTOR = 8

MOST_OPEN = most_open
AS_IT_IS = "k\t0\t\t0\t"  # the script that changes nothing


cdef class TreebankWords:
    """The words of a treebank, hashed once; `begin` int32[sentences + 1] counts them."""

    cdef vector[WordHashes] sentences
    cdef readonly object begin

    def __cinit__(self, list sentences):
        cdef const int32_t[:, ::1] fields
        cdef Py_ssize_t i
        self.sentences.resize(len(sentences))
        for i in range(len(sentences)):
            fields = sentences[i].fields
            self.sentences[i].read(<bytes?> sentences[i].raw, &fields[0, 0], <int32_t> fields.shape[0] - 1)
        self.begin = np.cumsum([0, *map(len, sentences)]).astype(np.int32)

    @property
    def hashes(self):
        """Form and lower-cased form of each word: uint64[words, 2]."""
        cdef uint64_t[:, ::1] hashes = np.empty((int(self.begin.max()), 2), np.uint64)
        cdef Py_ssize_t at = 0
        cdef size_t s
        cdef int32_t i
        for s in range(self.sentences.size()):
            for i in range(1, self.sentences[s].size() + 1):
                hashes[at, 0] = self.sentences[s][i].form
                hashes[at, 1] = self.sentences[s][i].lower
                at += 1
        return hashes.base


cdef object averaged(LearnedStage& stage):
    """Averaged weights, w - u / T, as rows: (keys, begin, labels, weights), in the order of their first update."""
    cdef size_t count = stage.weights.keys().size(), i, k, size
    cdef uint64_t[::1] keys = np.empty(count, np.uint64)
    cdef int64_t[::1] begin = np.zeros(count + 1, np.int64)
    cdef int32_t[::1] labels = np.empty(stage.weights.size() + 1, np.int32)
    cdef float[::1] weights = np.empty(stage.weights.size() + 1, np.float32)
    cdef double[::1] sums = np.empty(stage.weights.size() + 1, np.float64)
    for i in range(count):
        keys[i] = stage.weights.keys()[i]
        size = stage.weights.copy_row(keys[i], &labels[begin[i]], &weights[begin[i]], &sums[begin[i]])
        begin[i + 1] = begin[i] + <int64_t> size
        for k in range(begin[i], begin[i + 1]):
            sums[k] = weights[k] - sums[k] / stage.step
    size = stage.weights.size()
    return keys.base, begin.base, labels.base[:size], sums.base[:size]


cdef class TagLearner:
    """Learns universal tags; `gold` is int32[words] of all sentences."""

    cdef CoreTagLearner core
    cdef TreebankWords words
    cdef TaggerTables tables
    cdef const int32_t[::1] gold

    def __cinit__(self, TreebankWords words not None, TaggerTables tables not None, const int32_t[::1] gold,
                  float margin, int32_t beam):
        self.words, self.tables, self.gold = words, tables, gold
        self.core.stage.margin = margin
        self.core.lexicon = tables.lexicon
        self.core.beam = beam
        self.core.width = (tables.lexicon.tag_count + VECTOR) // VECTOR * VECTOR

    def learn(self, const int32_t[::1] order):
        """Learn from these sentences; how many tags were wrong."""
        cdef const int32_t[::1] begin = self.words.begin
        cdef Py_ssize_t k
        cdef int64_t wrong = 0
        with nogil:
            for k in range(order.shape[0]):
                if begin[order[k] + 1] > begin[order[k]]:
                    wrong += self.core.learn(self.words.sentences[order[k]], &self.gold[0] + begin[order[k]] - 1)
        return wrong

    def find(self, int32_t sentence):
        """The best tags of a sentence with the weights so far, and their score."""
        cdef int32_t[::1] tags = np.zeros(self.words.sentences[sentence].size() + 1, np.int32)
        cdef float score = self.core.find(self.words.sentences[sentence], NULL, 0, &tags[0])
        return tags.base[1:], score

    def alternatives(self, int32_t sentence, int32_t count, float gap):
        """Up to `count` other tags of a sentence and their scores, behind the best by at most `gap`."""
        return [(list(sequence.tags)[1:], sequence.score)
                for sequence in self.core.alternatives(self.words.sentences[sentence], count, gap)]

    def score(self, int32_t sentence, tags):
        """The score of tags, feature by feature."""
        cdef const int32_t[::1] given = np.ascontiguousarray([0, *tags], np.int32)
        return self.core.score(self.words.sentences[sentence], &given[0])

    def averaged(self):
        """The averaged weights."""
        return averaged(self.core.stage)


cdef class ClassLearner:
    """Learns fine tags and FEATS given universal tags."""

    cdef CoreClassLearner core
    cdef TreebankWords words
    cdef TaggerTables tables
    cdef const int32_t[::1] tags
    cdef const int32_t[::1] gold

    def __cinit__(self, TreebankWords words not None, TaggerTables tables not None, const int32_t[::1] tags,
                  const int32_t[::1] gold, float margin):
        self.words, self.tables, self.tags, self.gold = words, tables, tags, gold
        self.core.stage.margin = margin
        self.core.lexicon = tables.lexicon
        self.core.tables = tables.classes

    def learn(self, const int32_t[::1] order):
        """Learn from these sentences; how many classes were wrong."""
        cdef const int32_t[::1] begin = self.words.begin
        cdef Py_ssize_t k, at
        cdef int64_t wrong = 0
        with nogil:
            for k in range(order.shape[0]):
                at = begin[order[k]]
                if begin[order[k] + 1] > at:
                    wrong += self.core.learn(self.words.sentences[order[k]], &self.tags[0] + at - 1,
                                             &self.gold[0] + at - 1)
        return wrong

    def averaged(self):
        """The averaged weights."""
        return averaged(self.core.stage)


cdef class LemmaLearner:
    """Learns which script makes the lemma of a word; `lengths` of scripts: characters that they take away."""

    cdef CoreLemmaLearner core
    cdef TreebankWords words
    cdef TaggerTables tables
    cdef const int32_t[::1] sentence
    cdef const int32_t[::1] tags
    cdef const int32_t[::1] classes
    cdef const int32_t[::1] gold

    def __cinit__(self, TreebankWords words not None, TaggerTables tables not None, const int32_t[::1] tags,
                  const int32_t[::1] classes, const int32_t[::1] gold, list lengths, float margin):
        self.words, self.tables, self.tags, self.classes, self.gold = words, tables, tags, classes, gold
        self.core.lexicon = tables.lexicon
        sizes = np.diff(words.begin)
        self.sentence = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        self.core.lengths = lengths
        self.core.width = (len(lengths) + VECTOR) // VECTOR * VECTOR
        self.core.stage.margin = margin

    def learn(self, const int32_t[::1] order):
        """Learn from these words of the treebank; how many scripts were wrong."""
        cdef const int32_t[::1] begin = self.words.begin
        cdef Py_ssize_t k
        cdef int32_t at, s
        cdef int64_t wrong = 0
        with nogil:
            for k in range(order.shape[0]):
                at = order[k]
                s = self.sentence[at]
                wrong += self.core.learn(self.words.sentences[s], at - begin[s] + 1, self.tags[at],
                                         self.classes[at], self.gold[at])
        return wrong

    def averaged(self):
        """The averaged weights."""
        return averaged(self.core.stage)


def word_tag_keys(const uint64_t[::1] words, const int32_t[::1] tags):
    """Keys of words with tags in a lexicon: uint64[n]."""
    cdef uint64_t[::1] keys = np.empty(words.shape[0], np.uint64)
    cdef Py_ssize_t i
    for i in range(words.shape[0]):
        keys[i] = word_key(words[i], tags[i])
    return keys.base


def word_class_keys(const uint64_t[::1] words, const int32_t[::1] tags, const int32_t[::1] classes):
    """Keys of words with tags and classes in a lexicon: uint64[n]."""
    cdef uint64_t[::1] keys = np.empty(words.shape[0], np.uint64)
    cdef Py_ssize_t i
    for i in range(words.shape[0]):
        keys[i] = word_class_key(words[i], tags[i], classes[i])
    return keys.base


cdef LemmaScript read_script(bytes text) except *:
    cdef LemmaScript script
    if not parse_script(string_view(text, len(text)), &script):
        raise ValueError(f"{text!r} is not a lemma script")
    return script


def make_lemma_script(str form, str lemma):
    """The script that makes a lemma of a form, as text; of a lemma that a model cannot hold, that of the form."""
    cdef bytes given = form.encode(), wanted = lemma.encode()
    cdef LemmaScript parsed
    cdef string text = make_script(string_view(given, len(given)), string_view(wanted, len(wanted))).text()
    return text.decode() if parse_script(string_view(text.data(), text.size()), &parsed) else AS_IT_IS


def apply_lemma_script(str script, str form):
    """The lemma that a script makes of a form; None if the form is too short."""
    cdef bytes text = script.encode(), given = form.encode()
    cdef string lower = lower_case(string_view(given, len(given))), lemma
    cdef LemmaScript parsed = read_script(text)
    if not parsed.apply(string_view(given, len(given)), string_view(lower.data(), lower.size()), &lemma):
        return None
    return lemma.decode()


def script_length(str script):
    """How many characters of a form a script takes away."""
    cdef bytes text = script.encode()
    cdef LemmaScript parsed = read_script(text)
    return parsed.front_gone + parsed.back_gone


def lower_hashes(list words):
    """Hashes of the lower case of words, as those of lower-cased forms: uint64[n]."""
    cdef uint64_t[::1] hashes = np.empty(len(words), np.uint64)
    cdef bytes text
    cdef string lower
    cdef Py_ssize_t i
    for i in range(len(words)):
        text = words[i].encode()
        lower = lower_case(string_view(text, len(text)))
        hashes[i] = hash_bytes(lower.data(), lower.size(), 1)
    return hashes.base
