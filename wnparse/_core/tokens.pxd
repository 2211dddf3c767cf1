from feature_types cimport CTokens, TokenHashes


cdef class Tokens:
    cdef TokenHashes hashes
    cdef CTokens tokens
