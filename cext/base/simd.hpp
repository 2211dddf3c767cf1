// Vectors of scores, and which of them this machine has.
//
// Kernels are written once for the vectors that every machine has, by the compiler's own extension (plain
// operators, unaligned; a `Pack` is a single score where the compiler lacks it), or in plain C++; and, on x86-64,
// compiled or written once more for AVX2, which is chosen at run time.
#pragma once

#include <cstdint>
#include <cstdlib>

#if defined(__GNUC__)
#define WNPARSE_INLINE inline __attribute__((always_inline))
#define WNPARSE_PREFETCH(address) __builtin_prefetch(address)
#else
#define WNPARSE_INLINE inline
#define WNPARSE_PREFETCH(address) (void)0
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define WNPARSE_AVX2 1
#define WNPARSE_TARGET_AVX2 __attribute__((target("avx2,bmi")))
#else
#define WNPARSE_AVX2 0
#endif

namespace wnparse {

#if WNPARSE_AVX2
// WNPARSE_NO_AVX2 in the environment, when the core is loaded, leaves the plain loops to do the work: the same
// bits.
inline const bool uses_avx2 =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && std::getenv("WNPARSE_NO_AVX2") == nullptr;
inline bool has_avx2() { return uses_avx2; }
#else
inline bool has_avx2() { return false; }
#endif

#if defined(__GNUC__)
template <class Score, int Bytes>
struct VectorOf {
    typedef Score Pack __attribute__((vector_size(Bytes), aligned(alignof(Score)), may_alias));
};
template <class Score>
using PlainPack = typename VectorOf<Score, 16>::Pack;
#else
template <class Score>
using PlainPack = Score;
#endif

#if WNPARSE_AVX2
template <class Score>
using WidePack = typename VectorOf<Score, 32>::Pack;
#endif

// The vector that starts at `score`.
template <class Pack, class Score>
WNPARSE_INLINE Pack& pack_at(Score* score) {
    return *reinterpret_cast<Pack*>(score);
}

template <class Pack, class Score>
WNPARSE_INLINE const Pack& pack_at(const Score* score) {
    return *reinterpret_cast<const Pack*>(score);
}

}  // namespace wnparse
