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
    cdef PartList part_list
    part_list.count = index.shape[0]
    if part_list.count:
        part_list.rows = &index[0, 0]
        part_list.scores = &scores[0]
    return part_list


cdef inline PartLists open_parts(parts):
    """The rows of all kinds as `Parts.arrays` gives them; none for None."""
    cdef PartLists part_lists
    if parts is not None:
        part_lists.siblings = open_rows(parts[0])
        part_lists.grandparents = open_rows(parts[1])
        part_lists.grandsiblings = open_rows(parts[2])
    return part_lists
