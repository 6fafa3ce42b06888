/* SPDX-License-Identifier: MIT
 * Vectors of WEFT_LANES numbers in place of reals, by the compiler's vector extension, so that the
 * arithmetic of this room transforms as many lines at once, each with the bits that it has alone.
 * For executors on the CPU; included by real.h only.
 */
#ifndef WEFT_ARITH_VECTOR_H
#define WEFT_ARITH_VECTOR_H

#if defined(__FMA__)
#include <immintrin.h>
#endif

typedef lane real __attribute__((vector_size(WEFT_LANES * sizeof(lane))));

static WEFT_HD real lanes_of(lane x) {
    return x - (real){0};
}

#define real_of(x) lanes_of((lane)(x))

/* a * b + c and c - a * b, rounded once; but where the instruction set cannot and WEFT_UNFUSED says
 * so, twice. */
#if defined(WEFT_UNFUSED)
static WEFT_HD real fused(real a, real b, real c) {
    return a * b + c;
}

static WEFT_HD real fused_off(real a, real b, real c) {
    return c - a * b;
}
#elif defined(__FMA__)
#if WEFT_LANES * WEFT_REAL_BITS == 512
#define LANES_INTRINSIC(name) WEFT_REAL_INTRINSIC(_mm512, name)
#elif WEFT_LANES * WEFT_REAL_BITS == 256
#define LANES_INTRINSIC(name) WEFT_REAL_INTRINSIC(_mm256, name)
#else
#define LANES_INTRINSIC(name) WEFT_REAL_INTRINSIC(_mm, name)
#endif
#if WEFT_REAL_BITS == 32
#define WEFT_REAL_INTRINSIC(width, name) width##_##name##_ps
#else
#define WEFT_REAL_INTRINSIC(width, name) width##_##name##_pd
#endif
static WEFT_HD real fused(real a, real b, real c) {
    return (real)LANES_INTRINSIC(fmadd)(a, b, c);
}

static WEFT_HD real fused_off(real a, real b, real c) {
    return (real)LANES_INTRINSIC(fnmadd)(a, b, c);
}
#else
/* Where a lane's fma is a call, so is this: the kernels' code would be many times as long. */
#if (WEFT_REAL_BITS == 32 && defined(FP_FAST_FMAF)) ||                                             \
    (WEFT_REAL_BITS == 64 && defined(FP_FAST_FMA))
#define FUSED static WEFT_HD
#else
#define FUSED static __attribute__((noinline))
#endif
FUSED real fused(real a, real b, real c) {
    real sum;
    for (int i = 0; i < WEFT_LANES; i++) {
#if WEFT_REAL_BITS == 32
        sum[i] = fmaf(a[i], b[i], c[i]);
#else
        sum[i] = fma(a[i], b[i], c[i]);
#endif
    }
    return sum;
}

static WEFT_HD real fused_off(real a, real b, real c) {
    return fused(-a, b, c);
}
#endif

#endif
