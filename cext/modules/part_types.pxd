# Parts of higher order as Python hands them over.
from common cimport int32_t, int64_t
from matrices cimport ScoreMatrix

cdef extern from "problem/part_lists.hpp" namespace "wnparse" nogil:
    cppclass PartTables:
        double size()

    cppclass PartList:
        const int32_t* rows
        const double* scores
        int64_t count

    cppclass PartLists:
        PartList siblings
        PartList grandparents
        PartList grandsiblings

    void load_parts(const PartLists&, const ScoreMatrix&, PartTables&) except +


cdef inline PartList open_rows(rows):
    """The rows of one kind of part, (index, scores), which the caller keeps."""
    cdef const int32_t[:, ::1] index = rows[0]
    cdef const double[::1] scores = rows[1]
    cdef PartList found
    found.count = index.shape[0]
    if found.count:
        found.rows = &index[0, 0]
        found.scores = &scores[0]
    return found


cdef inline PartLists open_parts(parts):
    """The rows of all kinds as `Parts.arrays` gives them; none for None."""
    cdef PartLists found
    if parts is not None:
        found.siblings = open_rows(parts[0])
        found.grandparents = open_rows(parts[1])
        found.grandsiblings = open_rows(parts[2])
    return found
