# The C++ types of the parser's core, for parser.pyx.
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int16_t, int32_t, int64_t, uint64_t
from decoder_types cimport KernelSettings, Outcome
from frozen_types cimport FrozenLabelRows, FrozenWeights

cdef extern from "features/templates.hpp" namespace "wnparse" nogil:
    enum:
        atom_count "wnparse::atom_count"
        most_atoms "wnparse::most_atoms"

    enum Shape "wnparse::Shape":
        pass

    cppclass CTokens "wnparse::Tokens":
        int32_t n
        const uint64_t* atoms
        const uint64_t* morphs
        const uint64_t* morph_names
        const int32_t* morph_begin
        const int32_t* class_counts

    cppclass Side:
        int32_t count
        int32_t* atom
        int32_t* offset
        cbool morph
        uint64_t start

    cppclass Template:
        Side head
        Side modifier
        uint64_t start
        cbool binned
        cbool between
        cbool arc
        cbool label
        cbool counted
        cbool agreeing
        Shape shape
        Shape find_shape()

    uint64_t mix(uint64_t)
    uint64_t token_type(const CTokens&, int32_t)

cdef extern from "features/token_hashes.hpp" namespace "wnparse" nogil:
    cppclass UsedColumns:
        cbool lemma
        cbool fine_tag
        cbool feats

    cppclass TokenHashes:
        void read(const char*, const int32_t*, int32_t, const UsedColumns&) except +
        CTokens tokens()
        double seconds()

cdef extern from "scorer/label_scores.hpp" namespace "wnparse" nogil:
    cppclass LabelTable:
        const uint64_t* keys
        const int32_t* begin
        const int32_t* labels
        int64_t count

    uint64_t label_pair_key(uint64_t, uint64_t, cbool, cbool)
    uint64_t label_modifier_key(uint64_t, cbool)
    uint64_t label_any_key(cbool)

cdef extern from "scorer/weights/learned_weights.hpp" namespace "wnparse" nogil:
    cppclass Entry "wnparse::LearnedWeights::Entry":
        float weight
        double sum

    cppclass LearnedWeights:
        size_t size()
        const vector[uint64_t]& keys()
        Entry entry(uint64_t)
        void restore(uint64_t, float, double) except +

cdef extern from "scorer/weights/learned_label_rows.hpp" namespace "wnparse" nogil:
    cppclass LearnedLabelRows:
        size_t size()
        const vector[uint64_t]& keys()
        size_t copy_row(uint64_t, int32_t*, float*, double*)
        void restore(uint64_t, int32_t, float, double) except +

cdef extern from "scorer/sentence_scorer.hpp" namespace "wnparse" nogil:
    cppclass ParserTables:
        LabelTable labels
        int32_t label_count
        void add(const Template&) except +

    cppclass FirstPassLayout:
        int32_t tags
        int32_t types
        size_t size()

    cppclass FirstPassSymbols:
        const uint64_t* tags
        const uint64_t* types

    cppclass FirstPass:
        FirstPassLayout layout
        FirstPassSymbols symbols
        const int16_t* weights
        int32_t cutoff
        int32_t most
        float close

cdef extern from "scorer/first_pass/first_pass_learner.hpp" namespace "wnparse" nogil:
    enum:
        first_tag "wnparse::first_tag"

    cppclass CFirstPassLearner "wnparse::FirstPassLearner":
        CFirstPassLearner()
        CFirstPassLearner(vector[uint64_t], vector[uint64_t]) except +
        void learn(const CTokens&, const int32_t*, float) except +
        size_t size()
        double averaged(size_t)

cdef extern from "scorer/frozen_model.hpp" namespace "wnparse" nogil:
    cppclass Times "wnparse::FrozenModel::Times":
        double features
        double decoding
        double labels

    cppclass FrozenModel:
        ParserTables tables
        FrozenWeights weights
        FrozenLabelRows rows
        FirstPass first_pass
        float scale
        void score(const CTokens&, cbool, float*, int32_t*) except +
        Outcome parse(const CTokens&, const KernelSettings&, cbool, int32_t*, int32_t*, Times*) except +
        void label(const CTokens&, const int32_t*, int32_t*) except +

cdef extern from "learning/learner_state.hpp" namespace "wnparse" nogil:
    cppclass LearnerState:
        ParserTables tables
        FirstPass first_pass
        LearnedWeights weights
        LearnedLabelRows rows
        float margin
        double step

cdef extern from "learning/learners.hpp" namespace "wnparse" nogil:
    enum Method "wnparse::Method":
        pass

    cppclass KbestMira:
        int64_t k

    cppclass Counts "wnparse::OnlineLearner::Counts":
        int32_t heads
        int32_t labels

    cppclass OnlineLearner:
        LearnerState state
        KbestMira kbest
        Method method
        double limit
        cbool changed
        cbool learn(const CTokens&, const int32_t*, const int32_t*, const KernelSettings&, Counts*) except +
