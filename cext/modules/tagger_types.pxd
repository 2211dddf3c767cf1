# The tagger of the core (tagger/).
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from frozen_types cimport FrozenLabelWeights


cdef extern from "<string_view>" namespace "std" nogil:
    cdef cppclass string_view:
        string_view()
        string_view(const char*, size_t)


cdef extern from "base/hashing.hpp" namespace "wnparse" nogil:
    uint64_t hash_bytes(const char* text, size_t size, uint64_t seed)


cdef extern from "tagger/word_hashes.hpp" namespace "wnparse" nogil:
    cdef cppclass WordHash:
        uint64_t form, lower
        int32_t length

    cdef cppclass WordHashes:
        void read(const char* text, const int32_t* fields, int32_t n)
        int32_t size()
        const WordHash& operator[](int32_t i)


cdef extern from "tagger/lookup_table.hpp" namespace "wnparse" nogil:
    cdef cppclass LookupTable:
        LookupTable()
        LookupTable(const uint64_t* keys, const int32_t* numbers, int64_t size, int64_t limit)

    cdef cppclass NumberLists:
        const int32_t* begin
        const int32_t* numbers
        int64_t count

    cbool fits_lookup "wnparse::LookupTable::fits"(int64_t size, int64_t number_count)
    void store_number "wnparse::LookupTable::store"(uint64_t* keys, int32_t* numbers, int64_t size, uint64_t key,
                                                    int32_t number)


cdef extern from "base/table_checks.hpp" namespace "wnparse" nogil:
    cbool are_below(const int32_t* numbers, int64_t size, int64_t limit)
    cbool are_lists(const int32_t* begin, int64_t lists, const int32_t* numbers, int64_t size, int32_t limit,
                    int32_t least)


cdef extern from "tagger/lexicon.hpp" namespace "wnparse" nogil:
    uint64_t word_key(uint64_t word, int32_t tag)
    uint64_t word_class_key "wnparse::word_key"(uint64_t word, int32_t tag, int32_t number)

    enum:
        most_open "wnparse::Lexicon::most_open"

    cdef cppclass Lexicon:
        LookupTable word_tags, stems, word_classes, known_scripts
        const int32_t* seen_tags
        NumberLists tag_lists, class_lists
        int32_t tag_count


cdef extern from "tagger/class_choice.hpp" namespace "wnparse" nogil:
    cdef cppclass ClassTables:
        int32_t atom_count, class_count, width
        NumberLists atoms, tag_values
        const int32_t* attributes
        const int32_t* fine_tags
        const int32_t* bundles


cdef extern from "tagger/lemma_scripts.hpp" namespace "wnparse" nogil:
    cdef cppclass LemmaScript:
        int32_t front_gone, back_gone
        string text()
        cbool apply(string_view form, string_view lower, string* lemma)

    LemmaScript make_script "wnparse::LemmaScript::make"(string_view form, string_view lemma)
    cbool parse_script "wnparse::LemmaScript::parse"(string_view text, LemmaScript* script)
    string lower_case(string_view text)


cdef extern from "scorer/weights/learned_label_weights.hpp" namespace "wnparse" nogil:
    cdef cppclass LearnedLabelWeights:
        size_t size()
        const vector[uint64_t]& keys()
        size_t copy_row(uint64_t key, int32_t* labels, float* weights, double* sums)


cdef extern from "tagger/tag_lattice.hpp" namespace "wnparse" nogil:
    cdef cppclass TagSequence "wnparse::TagSequence<float>":
        float score
        vector[int32_t] tags


cdef extern from "tagger/tagger_learner.hpp" namespace "wnparse" nogil:
    cdef cppclass LearnedStage:
        LearnedLabelWeights weights
        float margin
        double step

    cdef cppclass CoreTagLearner "wnparse::TagLearner":
        LearnedStage stage
        Lexicon lexicon
        int32_t beam, width
        int32_t learn(const WordHashes& words, const int32_t* gold)
        float find(const WordHashes& words, const int32_t* gold, float cost, int32_t* tags)
        vector[TagSequence] alternatives(const WordHashes& words, int32_t count, float gap)
        double score(const WordHashes& words, const int32_t* tags)

    cdef cppclass CoreClassLearner "wnparse::ClassLearner":
        LearnedStage stage
        Lexicon lexicon
        ClassTables tables
        int32_t learn(const WordHashes& words, const int32_t* tags, const int32_t* gold)

    cdef cppclass CoreLemmaLearner "wnparse::LemmaLearner":
        LearnedStage stage
        Lexicon lexicon
        vector[int32_t] lengths
        int32_t width
        cbool learn(const WordHashes& words, int32_t i, int32_t tag, int32_t number, int32_t gold)


cdef extern from "tagger/frozen_tagger.hpp" namespace "wnparse" nogil:
    cdef cppclass TaggedSentence:
        string text
        vector[int32_t] fields
        vector[double] tag_confidence
        int32_t behind

    cdef cppclass FrozenTagger:
        vector[string] tags, fine_tags, bundles, values
        vector[LemmaScript] scripts
        int32_t open_scripts
        cbool learned[4]
        LookupTable tag_numbers, fine_numbers, bundle_numbers
        Lexicon lexicon
        ClassTables classes
        FrozenLabelWeights tag_weights, class_weights, lemma_weights
        int32_t tag_width, script_width, beam, drop, threshold
        cbool share_prefixes() except +

    cdef cppclass TaggerWorker "wnparse::FrozenTagger::Worker":
        TaggerWorker(const FrozenTagger& tagger)
        void tag(string_view text, const int32_t* fields, int32_t n, cbool retag, double inverse_temperature,
                 int32_t count, int32_t gap, vector[TaggedSentence]* results) except +

    uint64_t name_key(string_view name)
