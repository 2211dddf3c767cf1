# The tokenizer of the core (tokenizer/).
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from frozen_types cimport FrozenWeights
from tagger_types cimport LookupTable, NumberLists


cdef extern from "tokenizer/characters.hpp" namespace "wnparse" nogil:
    enum:
        code_points
        space_kind
        upper_kind
        lower_kind
        letter_kind
        unspaced_kind
        digit_kind
        mark_kind
        stop_kind
        final_kind
        comma_kind
        apostrophe_kind
        quote_kind
        open_kind
        close_kind
        dash_kind
        punctuation_kind
        symbol_kind
        other_kind

    cdef cppclass Character:
        uint32_t lower, kind

    cdef cppclass TokenizerText:
        TokenizerText()
        cbool read(const uint32_t* text, int32_t n, const Character* table, uint32_t* missing)

    uint64_t hash_characters(const uint32_t* first, const uint32_t* last)


cdef extern from "tokenizer/token_tables.hpp" namespace "wnparse" nogil:
    enum:
        class_limit
        most_status

    cdef cppclass TokenTables:
        const uint32_t* break_pairs
        const uint32_t* sentence_pairs
        LookupTable words, script_words, affixes
        NumberLists script_lists
        const int32_t* affix_lengths
        int32_t affix_count
        const int32_t* script_affixes

    uint64_t form_key(uint64_t hash)
    uint64_t affix_key(uint64_t front, uint64_t back)


cdef extern from "tokenizer/token_facts.hpp" namespace "wnparse" nogil:
    cdef cppclass TokenFact:
        int32_t begin, end
        uint64_t lower
        uint8_t token_class
        cbool capital

    cdef cppclass TokenFacts:
        int32_t size()
        const TokenFact& operator[](int32_t k)


cdef extern from "tokenizer/splitter.hpp" namespace "wnparse" nogil:
    cdef cppclass SplitTokens:
        SplitTokens()
        vector[int32_t] begins, ends, scripts
        vector[uint8_t] last


cdef extern from "tokenizer/frozen_tokenizer.hpp" namespace "wnparse" nogil:
    cdef cppclass FrozenTokenizer:
        TokenTables tables
        FrozenWeights break_weights, sentence_weights, script_weights
        void split(const TokenizerText& text, cbool one_sentence, SplitTokens* tokens)


cdef extern from "tokenizer/tokenizer_learner.hpp" namespace "wnparse" nogil:
    cdef cppclass LearnedEntry "wnparse::LearnedWeights::Entry":
        float weight
        double sum

    cdef cppclass LearnedWeights:
        const vector[uint64_t]& keys()
        LearnedEntry entry(uint64_t key)

    cdef cppclass TokenizerStage:
        LearnedWeights weights
        float margin
        double step

    cdef cppclass GoldParagraph:
        TokenizerText text
        vector[int32_t] begins, ends, scripts
        vector[uint8_t] last
        TokenFacts facts

    cdef cppclass GoldPassage:
        int32_t paragraph, first, last

    cdef cppclass CoreTokenizerLearner "wnparse::TokenizerLearner":
        TokenTables tables
        TokenizerStage breaks, sentences, scripts
        vector[GoldParagraph] paragraphs
        vector[GoldPassage] passages
        void describe(const TokenTables* lexicon)
        void count_breaks(int64_t* counts)
        void count_ends(int64_t* counts)
        int64_t learn_breaks(const GoldPassage& passage)
        int64_t learn_sentences(const GoldPassage& passage)
        int64_t learn_scripts(const GoldPassage& passage)
