"""Interruption of long calls of the core: by an exception of a signal handler, or by another thread."""
import threading

from cpython.exc cimport PyErr_CheckSignals
from libcpp cimport bool as cbool

cimport cython


cdef extern from "pythread.h":
    unsigned long PyThread_get_thread_ident() noexcept nogil


cdef unsigned long MAIN_THREAD = threading.main_thread().ident


cdef cbool poll_signals(void* context) noexcept with gil:
    """Let Python run its signal handlers; return whether one of them raised an exception."""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<Watcher> context).error = error
        return True
    return False


@cython.freelist(4)
cdef class Watcher:
    """Interrupts calls of the core: Ctrl-C in the main thread, and `stop` in any thread, ends them."""

    def __cinit__(self):
        # Python runs handlers of signals in the main thread alone.
        if PyThread_get_thread_ident() == MAIN_THREAD:
            self.watch.poll_by(poll_signals, <void*> self)

    def stop(self):
        """End the current calls, in any thread; their results are not valid."""
        self.watch.raise_flag()

    cdef int check(self) except -1:
        """Raise the exception that a handler has raised, if any."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return 0
