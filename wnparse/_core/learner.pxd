from learner_types cimport LearnerState, OnlineLearner
from wnparse._core.first_pass cimport FirstPassTables
from wnparse._core.tables cimport Tables


cdef class Learner:
    cdef OnlineLearner learner
    cdef LearnerState* core  # what all learners share
    cdef Tables tables
    cdef FirstPassTables first_pass
