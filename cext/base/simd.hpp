// Vectors of scores by the compiler's own extension: plain operators, unaligned, no intrinsics. A kernel written
// for a type `Pack` is compiled for the vectors that every machine has (Pack is a single score where the compiler
// lacks the extension) and, on x86-64, for AVX2, which is chosen at run time.
#pragma once

#include <cstdint>

#if defined(__GNUC__)
#define WNPARSE_INLINE inline __attribute__((always_inline))
#else
#define WNPARSE_INLINE inline
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define WNPARSE_WIDE_VECTORS 1
#define WNPARSE_TARGET_WIDE __attribute__((target("avx2")))
#else
#define WNPARSE_WIDE_VECTORS 0
#endif

namespace wnparse {

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

#if WNPARSE_WIDE_VECTORS
template <class Score>
using WidePack = typename VectorOf<Score, 32>::Pack;

inline bool has_wide_vectors() { return __builtin_cpu_supports("avx2"); }
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
