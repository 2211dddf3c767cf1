# What goes into a decoder and comes out of it; KernelSettings because Python's own class has the name Settings.
from libcpp cimport bool as cbool
from libcpp.atomic cimport atomic
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint8_t, uint64_t
from matrices cimport ScoreMatrix
from part_types cimport PartTables
from rule_types cimport Labelling
from wnparse._core.watching cimport Stop

cdef extern from "base/chaos.hpp" namespace "wnparse::chaos" nogil:
    cbool chaos_built "wnparse::chaos::built"

    cppclass Seeds:
        atomic[uint64_t] next
        atomic[cbool] stops

cdef extern from "problem/settings.hpp" namespace "wnparse" nogil:
    enum Decoder "wnparse::Decoder":
        decoder_external "wnparse::Decoder::external"

    cppclass DecoderEntry:
        Decoder decoder
        const char* name
        cbool structural
        cbool searches
        cbool ranks

    const DecoderEntry* decoder_table
    int32_t decoder_count

    cppclass Constraints:
        int32_t block_degree
        cbool well_nested
        cbool single_root

    # CProblem because Python's own class has the name Problem; of problem/problem.hpp.
    cppclass CProblem "wnparse::Problem":
        ScoreMatrix scores
        Constraints constraints
        const PartTables* parts
        Labelling* labelling

    cppclass External:
        Result (*run)(void*, const CProblem&, const Options&, int32_t*) noexcept
        void* context

    cppclass Options:
        External external
        const int32_t* known
        int32_t broken_nodes
        int32_t max_iterations
        int32_t max_nodes
        cbool paper_cuts
        cbool paper_fixing
        cbool camerini
        cbool local_search
        double time_limit
        Stop stop
        Seeds* seeds

    cppclass KernelSettings "wnparse::Settings":
        Decoder decoder
        Constraints constraints
        Options options
        cbool searches()

cdef extern from "problem/result.hpp" namespace "wnparse" nogil:
    cppclass Result:
        double score
        double upper_bound
        int32_t iterations
        int32_t nodes
        cbool feasible
        double tolerance
        int32_t broken
        cbool has_tree()

    enum:
        state_limited "wnparse::state_limited"
        state_infeasible "wnparse::state_infeasible"
        state_invalid "wnparse::state_invalid"
        state_overpriced "wnparse::state_overpriced"

cdef extern from "decoders/decoder.hpp" namespace "wnparse" nogil:
    cppclass Outcome:
        Result result
        cbool certified
        cbool valid_scores

cdef extern from "decoders/ranking.hpp" namespace "wnparse" nogil:
    cppclass RankedTrees:
        int32_t n
        vector[int32_t] labels
        vector[Result] results
        int64_t count()
        const int32_t* tree(int64_t)
        cbool unsettled
        double bound
        cbool complete
