/* SPDX-License-Identifier: MIT
 * A vector of WEFT_LANES scalars, by the compiler's vector extension: the arithmetic of src/arith
 * then transforms as many lines side by side, each with the bits that it has alone. For executors
 * on the CPU; included by numbers.h only.
 */
#ifndef WEFT_ARITH_VECTOR_H
#define WEFT_ARITH_VECTOR_H

#if defined(__FMA__)
#include <immintrin.h>
#endif

typedef scalar vector __attribute__((vector_size(WEFT_LANES * sizeof(scalar))));

/* The number x in every lane. */
#define vector_of(x) ((scalar)(x) - (vector){0})

/* a * b + c and c - a * b, rounded once. WEFT_UNFUSED is for an instruction set without fused
 * operations: these round twice, so that its bits differ. */
#if defined(WEFT_UNFUSED)
static WEFT_HD vector fused(vector a, vector b, vector c) {
    return a * b + c;
}

static WEFT_HD vector fused_off(vector a, vector b, vector c) {
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
static WEFT_HD vector fused(vector a, vector b, vector c) {
    return (vector)LANES_INTRINSIC(fmadd)(a, b, c);
}

static WEFT_HD vector fused_off(vector a, vector b, vector c) {
    return (vector)LANES_INTRINSIC(fnmadd)(a, b, c);
}
#else
/* Where fma() of a scalar is a call of the C library, fused() is a function of its own too, since
 * expanded in place it would make the kernels' code many times as long. */
#if (WEFT_REAL_BITS == 32 && defined(FP_FAST_FMAF)) ||                                             \
    (WEFT_REAL_BITS == 64 && defined(FP_FAST_FMA))
#define FUSED static WEFT_HD
#else
#define FUSED static __attribute__((noinline))
#endif
FUSED vector fused(vector a, vector b, vector c) {
    vector sum;
    for (int i = 0; i < WEFT_LANES; i++) {
#if WEFT_REAL_BITS == 32
        sum[i] = fmaf(a[i], b[i], c[i]);
#else
        sum[i] = fma(a[i], b[i], c[i]);
#endif
    }
    return sum;
}

static WEFT_HD vector fused_off(vector a, vector b, vector c) {
    return fused(-a, b, c);
}
#endif

#endif
