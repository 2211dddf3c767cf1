# Rules over labelled arcs, and the labels that arcs may have.
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint64_t

cdef extern from "problem/rules.hpp" namespace "wnparse" nogil:
    cppclass NodeBits:
        const uint64_t* bits
        int32_t words

        @staticmethod
        NodeBits of(const uint64_t*, int32_t, int32_t, int32_t)

    cppclass Rules:
        vector[int32_t] label_class
        void add(const int32_t*, const uint64_t*, double, const int32_t*)
        cbool empty()

cdef extern from "problem/labelling.hpp" namespace "wnparse" nogil:
    cppclass LabelChoice:
        double score
        int32_t label
        int32_t label_class
        int32_t broken

    cppclass LabelledArc "wnparse::Labelling::LabelledArc":
        int32_t h
        int32_t m
        int32_t begin
        int32_t end

    cppclass Labelling:
        void start(const Rules&, const NodeBits&, int32_t)
        void begin_arc(int32_t, int32_t)
        void offer(int32_t, double)
        double end_arc(cbool)
        void finish(double)
        double range()
        cbool penalties_fit()
        int32_t words()
        const NodeBits& nodes()
        const vector[LabelledArc]& arcs()
        const vector[LabelChoice]& choices()
        const LabelChoice& choice(int32_t)
        double score(const LabelledArc&)
        int32_t label(int32_t)
        int32_t broken()

cdef extern from "decoders/rules/occasions.hpp" namespace "wnparse" nogil:
    cppclass CCountedRules "wnparse::CountedRules":
        int32_t count
        void add(const int32_t*, const int32_t*, int32_t, int32_t, int32_t) except +

    cppclass OccasionPlace:
        int32_t node
        int32_t dependent

    cppclass BrokenOccasion:
        OccasionPlace place
        int64_t units
        vector[int32_t] words

    cppclass RuleOccasions:
        vector[OccasionPlace] all
        vector[BrokenOccasion] broken

    cppclass NumberedTree:
        const int32_t* heads
        const int32_t* labels
        int32_t n
        NodeBits label_sets
        NodeBits nodes

    cppclass OccasionFinder:
        vector[RuleOccasions] find(const CCountedRules&, const NumberedTree&) except +
