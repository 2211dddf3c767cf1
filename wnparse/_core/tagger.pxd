from tagger_types cimport ClassTables, Lexicon


cdef class TaggerTables:
    cdef dict arrays
    cdef Lexicon lexicon
    cdef ClassTables classes
