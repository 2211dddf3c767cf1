from common cimport int32_t
from decoder_types cimport CProblem, Options, Result
from wnparse._core.rules cimport CompiledRules
from wnparse._core.settings cimport Settings


cdef class Caller:
    cdef Settings settings
    cdef CompiledRules rules
    cdef object error  # what the decoder raised
    cdef void hook(self, Options* options) noexcept
    cdef Result answer(self, const CProblem& problem, const Options& options, int32_t* heads) except *
    cdef int check(self) except -1
