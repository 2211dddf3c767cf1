# The C++ types of the scorer: tables, the first pass, a finished model.
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from decoder_types cimport KernelSettings, Outcome, RankedTrees
from feature_types cimport CTokens, PartKind, PartTemplate, Template
from frozen_types cimport FrozenLabelWeights, FrozenWeights
from rule_types cimport NodeBits, Rules

cdef extern from "base/table_checks.hpp" namespace "wnparse" nogil:
    cbool are_lists(const int32_t* begin, int64_t lists, const int32_t* numbers, int64_t size, int32_t limit,
                    int32_t least)

cdef extern from "scorer/label_tables.hpp" namespace "wnparse" nogil:
    cppclass LabelTable:
        const uint64_t* keys
        const int32_t* begin
        const int32_t* labels
        int64_t count

    uint64_t label_pair_key(uint64_t, uint64_t, cbool, cbool)
    uint64_t label_modifier_key(uint64_t, cbool)
    uint64_t label_any_key(cbool)

cdef extern from "scorer/parser_tables.hpp" namespace "wnparse" nogil:
    cppclass ParserTables:
        LabelTable labels
        int32_t label_count
        int32_t order
        void add(const Template&) except +
        void add_part "add"(PartKind, const PartTemplate&) except +
        void add_pair(PartKind, const Template&) except +

cdef extern from "scorer/first_pass/first_pass_scores.hpp" namespace "wnparse" nogil:
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
        most_tags "wnparse::FirstPassLayout::most_tags"
        most_types "wnparse::FirstPassLayout::most_types"

    cppclass CFirstPassLearner "wnparse::FirstPassLearner":
        CFirstPassLearner()
        CFirstPassLearner(vector[uint64_t], vector[uint64_t]) except +
        void learn(const CTokens&, const int32_t*, float) except +
        size_t size()
        double averaged(size_t)

cdef extern from "scorer/first_pass/candidates.hpp" namespace "wnparse" nogil:
    cppclass Candidates:
        vector[int32_t] begin
        vector[int32_t] heads

cdef extern from "scorer/arc_pruner.hpp" namespace "wnparse" nogil:
    cppclass CPruner "wnparse::Pruner":
        FrozenWeights weights
        int32_t cutoff
        int32_t most

cdef extern from "scorer/ruled_sentence.hpp" namespace "wnparse" nogil:
    cppclass Ruling:
        const int32_t* labels
        const Rules* rules
        NodeBits nodes

cdef extern from "scorer/frozen_model.hpp" namespace "wnparse" nogil:
    cppclass Request "wnparse::FrozenModel::Request":
        const CTokens* tokens
        KernelSettings settings
        cbool prune
        const int32_t* given
        Ruling ruling
        int64_t k
        cbool explain

    cppclass Times "wnparse::FrozenModel::Times":
        double features
        double decoding
        double labels

    cppclass CParses "wnparse::FrozenModel::Parses":
        RankedTrees trees
        vector[uint8_t] certified
        vector[double] head_scores
        Times times

    cppclass FrozenModel:
        ParserTables tables
        FrozenWeights weights
        FrozenLabelWeights label_weights
        FirstPass first_pass
        CPruner pruner
        float scale
        void score(const CTokens&, cbool, float*, int32_t*) except +
        void parse(const Request&, CParses&) except +
        Outcome choose(const CTokens&, const KernelSettings&, const int32_t*, Candidates&, int32_t*) except +
        void label(const CTokens&, const int32_t*, int32_t*) except +
        void score_labels(const CTokens&, const int32_t*, int32_t, float*) except +
