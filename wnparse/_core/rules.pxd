from rule_types cimport CCountedRules, Rules


cdef class CompiledRules:
    cdef Rules rules
    cdef readonly int words  # of the bits of a node
    cdef readonly object table, masks, penalties, classes  # as they came


cdef class CountedRules:
    cdef CCountedRules rules
