"""A fast 64-bit checksum of a file's bytes; see hashing.hpp. It finds damage, it does not resist an attacker."""
from common cimport uint8_t, uint64_t


cdef extern from "base/hashing.hpp" namespace "wnparse" nogil:
    uint64_t hash_block(const char*, size_t)


def hash_data(const uint8_t[::1] data):
    """Hash bytes, at several gigabytes a second."""
    cdef uint64_t result
    cdef const char* start = <const char*> &data[0] if data.shape[0] else NULL
    with nogil:
        result = hash_block(start, data.shape[0])
    return result
