from feature_types cimport CTokens, ExtraScores, TokenHashes


cdef class Tokens:
    cdef TokenHashes hashes
    cdef CTokens tokens
    cdef ExtraScores extra
    cdef tuple extra_arrays
    cdef double extra_seconds
