# The C++ types of the learners and of the weights that they change.
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from common cimport int32_t, int64_t, uint64_t
from decoder_types cimport KernelSettings
from feature_types cimport CTokens
from scorer_types cimport Candidates, FirstPass, ParserTables

cdef extern from "scorer/weights/learned_weights.hpp" namespace "wnparse" nogil:
    cppclass Entry "wnparse::LearnedWeights::Entry":
        float weight
        double sum

    cppclass LearnedWeights:
        size_t size()
        const vector[uint64_t]& keys()
        Entry entry(uint64_t)
        void restore(uint64_t, float, double) except +

cdef extern from "scorer/weights/learned_label_weights.hpp" namespace "wnparse" nogil:
    cppclass LearnedLabelWeights:
        size_t size()
        const vector[uint64_t]& keys()
        size_t copy_row(uint64_t, int32_t*, float*, double*)
        void restore(uint64_t, int32_t, float, double) except +

cdef extern from "learning/learner_state.hpp" namespace "wnparse" nogil:
    cppclass KeptArcs:
        Candidates candidates
        const int32_t* tree

    cppclass LearnerState:
        ParserTables tables
        FirstPass first_pass
        LearnedWeights weights
        LearnedLabelWeights label_weights
        float margin
        double step

cdef extern from "learning/learners.hpp" namespace "wnparse" nogil:
    enum Method "wnparse::Method":
        pass

    cppclass LearnerEntry:
        Method method
        const char* name
        cbool augments
        cbool clips
        cbool ranks
        cbool factors

    const LearnerEntry* learner_table
    int32_t learner_count

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
        cbool completes
        cbool learn(const CTokens&, const int32_t*, const int32_t*, const KeptArcs*, const KernelSettings&,
                    Counts*) except +

cdef extern from "learning/head_selection.hpp" namespace "wnparse" nogil:
    cppclass HeadSelection:
        ParserTables tables
        FirstPass first_pass
        LearnedWeights weights
        double step
        int32_t learn(const CTokens&, const int32_t*, float) except +


cdef inline KeptArcs open_kept(kept) except *:
    """Open what `Scorer.choose` returns, which the caller keeps."""
    cdef const int32_t[::1] begin = kept[0], heads = kept[1], tree = kept[2]
    cdef KeptArcs arcs
    arcs.candidates.begin.assign(&begin[0], &begin[0] + begin.shape[0])
    arcs.candidates.heads.assign(&heads[0], &heads[0] + heads.shape[0])
    arcs.tree = &tree[0]
    return arcs
