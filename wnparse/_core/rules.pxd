from rule_types cimport CCountedRules, Rules


cdef class CompiledRules:
    cdef Rules rules
    cdef readonly int words  # of the predicates of a node
    cdef readonly int features  # that are compared
    cdef readonly object table, masks, penalties, classes  # as they came


cdef class CountedRules:
    cdef CCountedRules rules
    cdef int words, features
