from scorer_types cimport FirstPass


cdef class FirstPassTables:
    cdef FirstPass first_pass
    cdef object arrays
