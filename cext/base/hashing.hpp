// 64-bit hashes of strings and of their combinations.
//
// A string is hashed once per token.  A template adds a hash of what it takes from the head, one of what it takes
// from the modifier and one of direction and distance: sums of well-mixed words collide no more often than
// the words themselves, and the addition is all that is left to do per arc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wnparse {

constexpr uint64_t odd_constant = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio

// A bijection of 64-bit words in which every bit of the result depends on every bit of x.
inline uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

// Little-endian whatever the machine, so that a model serves everywhere.
inline uint64_t load_bytes(const char* text, size_t size) {
    uint64_t word = 0;
    for (size_t i = 0; i < size; ++i)
        word |= static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
    return word;
}

inline uint64_t hash_bytes(const char* text, size_t size, uint64_t seed) {
    uint64_t hash = mix(seed * odd_constant + size);
    for (; size > 8; text += 8, size -= 8) hash = mix(hash ^ load_bytes(text, 8)) + odd_constant;
    return mix(hash ^ load_bytes(text, size));
}

// Four lanes side by side, so that one multiplication need not wait for the last.
inline uint64_t hash_block(const char* data, size_t size) {
    uint64_t lane[4] = {1, 2, 3, 4};
    const size_t whole = size / 32 * 32;
    for (size_t at = 0; at < whole; at += 32) {
        for (size_t k = 0; k < 4; ++k) {
            lane[k] = (lane[k] ^ load_bytes(data + at + 8 * k, 8)) * 0xd6e8feb86659fd93u;
            lane[k] ^= lane[k] >> 32;
        }
    }
    const uint64_t rest = hash_bytes(data + whole, size - whole, size);
    return mix(mix(mix(mix(lane[0]) + lane[1]) + lane[2]) + lane[3]) ^ rest;
}

}  // namespace wnparse
