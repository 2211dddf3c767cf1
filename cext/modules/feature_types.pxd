# The C++ types of tokens and templates.
from libcpp cimport bool as cbool

from common cimport int32_t, uint64_t

cdef extern from "features/extra_scores.hpp" namespace "wnparse" nogil:
    cppclass ExtraScores:
        int32_t n
        const float* arcs
        int32_t labels
        int32_t rank
        const float* of_modifier
        const float* of_head
        double unit
        float likely

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
        const ExtraScores* extra

    cppclass TemplateSide:
        int32_t count
        int32_t* atom
        int32_t* offset
        cbool morph
        uint64_t start

    cppclass Template:
        TemplateSide head
        TemplateSide modifier
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

cdef extern from "features/part_templates.hpp" namespace "wnparse" nogil:
    enum:
        role_count "wnparse::role_count"

    enum PartKind "wnparse::PartKind":
        pass

    cppclass PartTemplate:
        int32_t* atom
        uint64_t start

cdef extern from "features/token_hashes.hpp" namespace "wnparse" nogil:
    cppclass UsedColumns:
        cbool lemma
        cbool fine_tag
        cbool feats

    cppclass TokenHashes:
        void read(const char*, const int32_t*, int32_t, const UsedColumns&) except +
        CTokens tokens()
        double seconds()
