/* SPDX-License-Identifier: MIT
 * The numbers of one translation unit. Whatever depends on the precision is compiled once per
 * precision, with WEFT_REAL_BITS 32 or 64, by gcc and by nvcc from the same text. A `scalar` is one
 * float or double. A `vector` is what the arithmetic computes with: a scalar, or, where WEFT_LANES
 * is defined, a SIMD vector of that many scalars (vector.h), so that the same text transforms that
 * many lines side by side. A `cpx` is a complex number of two vectors. The operations below round
 * as the promise of equal bits needs it: every fused multiply-add is written fused(), and
 * contraction is off.
 */
#ifndef WEFT_ARITH_NUMBERS_H
#define WEFT_ARITH_NUMBERS_H

#include <math.h>
#include <stddef.h>

#include "arith/dialect.h"

#if WEFT_REAL_BITS == 32
typedef float scalar;
#define REAL_NAME(name) name##_f32
#elif WEFT_REAL_BITS == 64
typedef double scalar;
#define REAL_NAME(name) name##_f64
#else
#error "WEFT_REAL_BITS must be 32 or 64"
#endif

#if defined(WEFT_LANES)
#include "arith/vector.h"
#else
typedef scalar vector;
#define vector_of(x) ((vector)(x))

/* a * b + c, rounded once. */
static WEFT_HD vector fused(vector a, vector b, vector c) {
#if WEFT_REAL_BITS == 32
    return fmaf(a, b, c);
#else
    return fma(a, b, c);
#endif
}

/* c - a * b, rounded once. */
static WEFT_HD vector fused_off(vector a, vector b, vector c) {
    return fused(-a, b, c);
}
#endif

/* The struct tags differ so that C++ never takes the two precisions' functions for one another. On
 * a GPU a cpx is aligned so that one instruction loads or stores it. */
#if defined(__CUDACC__)
typedef struct __align__(2 * sizeof(vector)) REAL_NAME(cpx) {
    vector re, im;
}
cpx;
#else
typedef struct REAL_NAME(cpx) {
    vector re, im;
} cpx;
#endif

static WEFT_HD cpx cpx_of(vector re, vector im) {
    cpx z;
    z.re = re;
    z.im = im;
    return z;
}

static WEFT_HD cpx cpx_add(cpx a, cpx b) {
    return cpx_of(a.re + b.re, a.im + b.im);
}

static WEFT_HD cpx cpx_sub(cpx a, cpx b) {
    return cpx_of(a.re - b.re, a.im - b.im);
}

static WEFT_HD cpx cpx_conj(cpx a) {
    return cpx_of(a.re, -a.im);
}

static WEFT_HD cpx cpx_scale(cpx a, vector s) {
    return cpx_of(a.re * s, a.im * s);
}

/* s a + b, rounded once. */
static WEFT_HD cpx cpx_fused(vector s, cpx a, cpx b) {
    return cpx_of(fused(s, a.re, b.re), fused(s, a.im, b.im));
}

/* b - s a, rounded once. */
static WEFT_HD cpx cpx_fused_off(vector s, cpx a, cpx b) {
    return cpx_of(fused_off(s, a.re, b.re), fused_off(s, a.im, b.im));
}

/* -i a */
static WEFT_HD cpx cpx_turn(cpx a) {
    return cpx_of(a.im, -a.re);
}

/* i conj(a). DFT(swap(x)) = swap(inverse DFT(x)): an inverse transform is a forward one between two
 * swaps. */
static WEFT_HD cpx cpx_swap(cpx a) {
    return cpx_of(a.im, a.re);
}

static WEFT_HD cpx cpx_mul(cpx a, cpx b) {
    return cpx_of(fused(a.re, b.re, -(a.im * b.im)), fused(a.re, b.im, a.im * b.re));
}

#endif
