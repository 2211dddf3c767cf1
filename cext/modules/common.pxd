# C types and constants of the core; each stands for one NumPy dtype.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t  # noqa: F401

ctypedef fused score_t:  # float32 or float64: the dtype of a score matrix
    float
    double
