from decoder_types cimport KernelSettings


cdef class Settings:
    cdef KernelSettings kernel
    cdef bint searches  # may run long enough for Ctrl-C to matter
