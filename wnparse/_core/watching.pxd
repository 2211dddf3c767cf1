from libcpp cimport bool as cbool


cdef extern from "base/stop.hpp" namespace "wnparse" nogil:
    cppclass Watch:
        void poll_by(cbool (*)(void*) noexcept nogil, void*)
        void raise_flag "raise"()

    cppclass Stop:
        Stop()
        Stop(Watch*)
        cbool stopped()


cdef class Watcher:
    cdef Watch watch
    cdef object error  # what a handler of a signal raised meanwhile
    cdef int check(self) except -1
