"""Splitting a text into sentences, tokens and words, and learning how (tokenizer/)."""
import unicodedata

import numpy as np

from libc.stdlib cimport calloc
from libc.string cimport memcpy
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from frozen_types cimport FrozenWeights, fits_weights
from tagger_types cimport LookupTable, are_below, are_lists, fits_lookup
from tokenizer_types cimport (
    Character, CoreTokenizerLearner, FrozenTokenizer, GoldParagraph, GoldPassage, SplitTokens, TokenizerStage,
    TokenizerText, TokenTables, affix_key, apostrophe_kind, class_limit, close_kind, code_points, comma_kind,
    dash_kind, digit_kind, final_kind, form_key, hash_characters, letter_kind, lower_kind, mark_kind, most_status,
    open_kind, other_kind, punctuation_kind, quote_kind, space_kind, stop_kind, symbol_kind, unspaced_kind,
    upper_kind,
)

cdef enum:
    MOST_AFFIXES = 256  # pairs of lengths
    LONGEST_AFFIX = 16

PAIRS = class_limit
STAGES = ("breaks", "sentences", "multiwords")
MOST_STATUS = most_status
CATEGORIES = {
    "Lu": upper_kind, "Lt": upper_kind, "Ll": lower_kind, "Nd": digit_kind, "Nl": digit_kind, "No": digit_kind,
    "Ps": open_kind, "Pe": close_kind, "Pi": quote_kind, "Pf": quote_kind, "Pd": dash_kind,
}
GROUPS = {"L": letter_kind, "M": mark_kind, "P": punctuation_kind, "S": symbol_kind, "Z": space_kind}
SINGLE = {
    **dict.fromkeys(".", stop_kind),
    **dict.fromkeys("!?\u2026\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965", final_kind),
    **dict.fromkeys("\u203c\u2047\u2048\u2049", final_kind),
    **dict.fromkeys(",;:\u3001\uff0c\uff1b\uff1a\u060c\u061b", comma_kind),
    **dict.fromkeys("'\u2019\u02bc", apostrophe_kind),
    **dict.fromkeys("\"\u201e\u201a", quote_kind),
}
# Scripts that are written without spaces: Thai and Lao, Tibetan, Myanmar, Khmer, Kana, Han.
UNSPACED = [
    (0x0e00, 0x0eff), (0x0f00, 0x0fff), (0x1000, 0x109f), (0x1780, 0x17ff), (0x3005, 0x3007), (0x3040, 0x30ff),
    (0x31f0, 0x31ff), (0x3400, 0x4dbf), (0x4e00, 0x9fff), (0xf900, 0xfaff), (0xff66, 0xff9f), (0x20000, 0x3ffff),
]
cdef Character* characters = <Character*> calloc(code_points, sizeof(Character))
if characters == NULL:
    raise MemoryError


def describe_character(str character):
    """The kind of a character, and its lower case as one code point."""
    lower = ord(character.lower()[0])
    if character.isspace():
        return space_kind, lower
    if character in SINGLE:
        return SINGLE[character], lower
    category = unicodedata.category(character)
    kind = CATEGORIES.get(category) or GROUPS.get(category[0], other_kind)
    if kind == letter_kind and any(first <= ord(character) <= last for first, last in UNSPACED):
        kind = unspaced_kind
    return kind, lower


cdef int read_text(str text, TokenizerText* target) except -1:
    """Read a text; what is known of its characters is looked up once for all texts."""
    cdef bytes encoded = text.encode("utf-32-le", "surrogatepass")
    cdef const char* data = encoded
    cdef uint32_t missing = 0
    cdef int32_t n = <int32_t> len(text)
    if len(text) > 0x3fffffff:
        raise ValueError("a paragraph of more than a thousand million characters; expected fewer")
    while not target.read(<const uint32_t*> data, n, characters, &missing):
        kind, lower = describe_character(chr(missing))
        characters[missing].lower = lower
        characters[missing].kind = kind
    return 0


cdef uint64_t lower_hash(str text) except? 0:
    """The hash of a text in lower case, as the core makes it of tokens."""
    cdef uint32_t[::1] lower = np.array([describe_character(c)[1] for c in text] + [0], np.uint32)
    return hash_characters(&lower[0], &lower[0] + len(text))


def form_keys(list forms):
    """The keys of forms in lower case in look-up tables: uint64[forms]."""
    return np.array([form_key(lower_hash(form)) for form in forms], np.uint64)


def affix_keys(list affixes):
    """The keys of pairs of what is removed at front and back in look-up tables: uint64[affixes]."""
    return np.array([affix_key(lower_hash(front), lower_hash(back)) for front, back in affixes], np.uint64)


cdef int refuse(str name, str expected) except -1:
    raise ValueError(f"array tokenizer/{name}: expected {expected}")


cdef LookupTable look_up(dict arrays, str name, str numbers, int64_t limit) except *:
    """A table whose numbers are below a limit."""
    cdef const uint64_t[::1] key_view = arrays[f"{name}/keys"]
    cdef const int32_t[::1] number_view = arrays[f"{name}/{numbers}"]
    if not fits_lookup(key_view.shape[0], number_view.shape[0]):
        refuse(f"{name}/keys", f"a power of two of at least 2, and as many numbers in {name}/{numbers}")
    return LookupTable(&key_view[0], &number_view[0], key_view.shape[0], limit)


cdef const uint32_t* pairs(dict arrays, str name, int64_t size) except NULL:
    cdef const uint32_t[::1] view = arrays[name]
    if view.shape[0] != size:
        refuse(name, f"{size} numbers")
    return &view[0]


cdef TokenTables open_tables(dict arrays, int32_t scripts) except *:
    """The tables of a tokenizer with so many scripts; the arrays must live as long."""
    cdef TokenTables tables
    cdef const int32_t[::1] begin = arrays["script_lists/begin"]
    cdef const int32_t[::1] numbers = arrays["script_lists/scripts"]
    cdef const int32_t[::1] lengths = arrays["affix_lengths"]
    cdef const int32_t[::1] script_affixes = arrays["script_affixes"]
    tables.break_pairs = pairs(arrays, "break_pairs", class_limit)
    tables.sentence_pairs = pairs(arrays, "sentence_pairs", 2 * class_limit)
    tables.script_lists.count = begin.shape[0] - 1
    if tables.script_lists.count < 0 or numbers.shape[0] == 0 or not are_lists(
            &begin[0], tables.script_lists.count, &numbers[0], numbers.shape[0], scripts, 0):
        refuse("script_lists/scripts", f"lists of numbers, ascending within 0..{scripts - 1}")
    tables.script_lists.begin = &begin[0]
    tables.script_lists.numbers = &numbers[0]
    tables.words = look_up(arrays, "words", "status", most_status)
    tables.script_words = look_up(arrays, "script_words", "script_lists", tables.script_lists.count)
    tables.affixes = look_up(arrays, "affixes", "script_lists", tables.script_lists.count)
    if lengths.shape[0] % 2 != 0 or not 0 < lengths.shape[0] <= 2 * MOST_AFFIXES or not are_below(
            &lengths[0], lengths.shape[0], LONGEST_AFFIX + 1):
        refuse("affix_lengths", f"1 to {MOST_AFFIXES} pairs of numbers within 0..{LONGEST_AFFIX}")
    tables.affix_lengths = &lengths[0]
    tables.affix_count = <int32_t> (lengths.shape[0] // 2)
    if script_affixes.shape[0] != 2 * scripts or not are_below(
            &script_affixes[0], script_affixes.shape[0], 1 << 20):
        refuse("script_affixes", f"{scripts} pairs of numbers")
    tables.script_affixes = &script_affixes[0]
    return tables


cdef FrozenWeights open_weights(dict arrays, str name) except *:
    cdef const uint32_t[::1] slots = arrays[f"{name}/slots"]
    if slots.shape[0] == 0 or not fits_weights(&slots[0], slots.shape[0]):
        refuse(f"{name}/slots", "4 times a power of two")
    return FrozenWeights(&slots[0], slots.shape[0])


cdef object as_array(const vector[int32_t]& numbers):
    copied = np.empty(numbers.size(), np.int32)
    cdef int32_t[::1] view = copied
    if numbers.size():
        memcpy(&view[0], numbers.data(), numbers.size() * sizeof(int32_t))
    return copied


cdef class Tokenizer:
    """A finished tokenizer; threads may share it.

    Parameters
    ----------
    arrays : dict
        Those of wnparse.tokenizer.tokenizer.ARRAYS.
    scripts : int
        How many scripts there are, with that of tokens of one word.
    """

    cdef FrozenTokenizer tokenizer
    cdef dict arrays

    def __cinit__(self, dict arrays, int32_t scripts):
        self.arrays = arrays
        self.tokenizer.tables = open_tables(arrays, scripts)
        self.tokenizer.break_weights = open_weights(arrays, "breaks")
        self.tokenizer.sentence_weights = open_weights(arrays, "sentences")
        self.tokenizer.script_weights = open_weights(arrays, "multiwords")

    def split(self, str text not None, bint one_sentence=False):
        """Split a text: int32 arrays of where tokens begin and end, of their scripts, and whether each is last.

        The last token of each sentence has a 1 in the fourth array.
        """
        cdef TokenizerText read
        cdef SplitTokens tokens
        read_text(text, &read)
        with nogil:
            self.tokenizer.split(read, one_sentence, &tokens)
        last = np.empty(tokens.last.size(), np.uint8)
        cdef uint8_t[::1] view = last
        if tokens.last.size():
            memcpy(&view[0], tokens.last.data(), tokens.last.size())
        return as_array(tokens.begins), as_array(tokens.ends), as_array(tokens.scripts), last

    def count_tokens(self, str text not None):
        """How many tokens a text has; for measuring, without arrays."""
        cdef TokenizerText read
        cdef SplitTokens tokens
        read_text(text, &read)
        with nogil:
            self.tokenizer.split(read, False, &tokens)
        return tokens.begins.size()


cdef class TokenizerLearner:
    """Learns from paragraphs with their tokens."""

    cdef CoreTokenizerLearner core
    cdef dict arrays

    def __cinit__(self, float break_margin, float sentence_margin, float script_margin):
        self.core.breaks.margin = break_margin
        self.core.sentences.margin = sentence_margin
        self.core.scripts.margin = script_margin

    def add(self, str text, const int32_t[::1] begins, const int32_t[::1] ends, const int32_t[::1] scripts,
            const uint8_t[::1] last):
        """Add a paragraph; `scripts` are the numbers of the scripts of tokens, `last` those that end sentences."""
        cdef GoldParagraph* paragraph
        cdef Py_ssize_t k
        self.core.paragraphs.emplace_back()
        paragraph = &self.core.paragraphs.back()
        read_text(text, &paragraph.text)
        for k in range(begins.shape[0]):
            paragraph.begins.push_back(begins[k])
            paragraph.ends.push_back(ends[k])
            paragraph.scripts.push_back(scripts[k])
            paragraph.last.push_back(last[k])

    def cut(self, int sentences):
        """Cut the paragraphs into passages of at most so many sentences, from which it learns; how many."""
        cdef GoldPassage passage
        cdef size_t p, k
        cdef int count
        for p in range(self.core.paragraphs.size()):
            passage.paragraph, passage.first, count = <int32_t> p, 0, 0
            for k in range(self.core.paragraphs[p].last.size()):
                count += self.core.paragraphs[p].last[k]
                if count == sentences or k + 1 == self.core.paragraphs[p].last.size():
                    passage.last = <int32_t> k + 1
                    self.core.passages.push_back(passage)
                    passage.first, count = <int32_t> k + 1, 0
        return self.core.passages.size()

    def token_facts(self):
        """Of all tokens: keys, classes, and whether they begin a sentence: uint64, uint8, uint8 arrays."""
        self.core.describe(NULL)
        cdef size_t count = 0, p, at = 0
        cdef int32_t k
        for p in range(self.core.paragraphs.size()):
            count += self.core.paragraphs[p].begins.size()
        cdef uint64_t[::1] keys = np.zeros(count + 1, np.uint64)
        cdef uint8_t[::1] classes = np.zeros(count + 1, np.uint8)
        cdef uint8_t[::1] first = np.zeros(count + 1, np.uint8)
        for p in range(self.core.paragraphs.size()):
            for k in range(self.core.paragraphs[p].facts.size()):
                keys[at] = form_key(self.core.paragraphs[p].facts[k].lower)
                classes[at] = self.core.paragraphs[p].facts[k].token_class
                first[at] = k == 0 or self.core.paragraphs[p].last[k - 1]
                at += 1
        return keys.base[:count], classes.base[:count], first.base[:count]

    def pair_counts(self):
        """How often pairs stand side by side, and are broken: int64[2, 32, 32] and int64[2, 2, 32, 32]."""
        cdef int64_t[:, :, ::1] breaks = np.zeros((2, class_limit, class_limit), np.int64)
        cdef int64_t[:, :, :, ::1] ends = np.zeros((2, 2, class_limit, class_limit), np.int64)
        self.core.count_breaks(&breaks[0, 0, 0])
        self.core.count_ends(&ends[0, 0, 0, 0])
        return breaks.base, ends.base

    def use(self, dict arrays, int32_t scripts):
        """Learn with these tables from now on."""
        self.arrays = arrays
        self.core.tables = open_tables(arrays, scripts)
        self.core.describe(&self.core.tables)

    def learn(self, str stage, const int32_t[::1] order):
        """Let a stage of `STAGES` learn from these passages; how many places were wrong."""
        cdef Py_ssize_t k
        cdef int64_t wrong = 0
        cdef int number = STAGES.index(stage)
        with nogil:
            for k in range(order.shape[0]):
                if number == 0:
                    wrong += self.core.learn_breaks(self.core.passages[order[k]])
                elif number == 1:
                    wrong += self.core.learn_sentences(self.core.passages[order[k]])
                else:
                    wrong += self.core.learn_scripts(self.core.passages[order[k]])
        return wrong

    def averaged(self, str stage):
        """The averaged weights of a stage, w - u / T: keys and weights, in the order of their first update."""
        cdef int number = STAGES.index(stage)
        if number == 0:
            return averaged(&self.core.breaks)
        return averaged(&self.core.sentences if number == 1 else &self.core.scripts)


cdef object averaged(TokenizerStage* stage):
    cdef size_t count = stage.weights.keys().size(), i
    cdef uint64_t[::1] keys = np.zeros(count + 1, np.uint64)
    cdef double[::1] weights = np.zeros(count + 1, np.float64)
    for i in range(count):
        keys[i] = stage.weights.keys()[i]
        weights[i] = stage.weights.entry(keys[i]).weight - stage.weights.entry(keys[i]).sum / stage.step
    return keys.base[:count], weights.base[:count]
