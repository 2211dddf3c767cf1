from decoder_types cimport KernelSettings


cdef class Settings:
    cdef KernelSettings kernel
    cdef readonly object function  # of a problem (external.pyx), if the decoder is written in Python
    cdef bint searches  # may run long enough for Ctrl-C to matter
