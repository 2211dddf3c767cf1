"""Ending long work of the core: what a handler of a signal raises, or the word of another thread."""
import threading

from cpython.exc cimport PyErr_CheckSignals
from libcpp cimport bool as cbool

cimport cython


cdef extern from "pythread.h":
    unsigned long PyThread_get_thread_ident() noexcept nogil


cdef unsigned long MAIN_THREAD = threading.main_thread().ident


cdef cbool poll_signals(void* context) noexcept with gil:
    """Let Python run its handlers of signals; whether one of them raised."""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<Watcher> context).error = error
        return True
    return False


@cython.freelist(4)
cdef class Watcher:
    """Watches over calls of the core: Ctrl-C in the main thread, and `stop` in any, ends them."""

    def __cinit__(self):
        # Python runs handlers of signals in the main thread alone.
        if PyThread_get_thread_ident() == MAIN_THREAD:
            self.watch.poll_by(poll_signals, <void*> self)

    def stop(self):
        """End what is going on, in whatever thread; what comes of it counts for nothing."""
        self.watch.raise_flag()

    cdef int check(self) except -1:
        """Raise what a handler has raised."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0
