/* SPDX-License-Identifier: MIT
 * The numbers of one translation unit. Whatever depends on the precision is compiled once per
 * precision, with WEFT_REAL_BITS 32 or 64, by gcc and by nvcc from the same text: `real`, `cpx`,
 * and the few operations whose rounding is part of Weft's promise of equal bits. Every fused
 * multiply-add is written fused(); contraction is off. Where WEFT_LANES is defined a real is a
 * vector of as many, see lanes.h, and the same text transforms as many lines at once.
 */
#ifndef WEFT_ARITH_NUMBERS_H
#define WEFT_ARITH_NUMBERS_H

#include <math.h>
#include <stddef.h>

#include "arith/dialect.h"

#if WEFT_REAL_BITS == 32
typedef float lane;
#define REAL_NAME(name) name##_f32
#elif WEFT_REAL_BITS == 64
typedef double lane;
#define REAL_NAME(name) name##_f64
#else
#error "WEFT_REAL_BITS must be 32 or 64"
#endif

#if defined(WEFT_LANES)
#include "arith/vector.h"
#else
typedef lane real;
#define real_of(x) ((real)(x))

/* a * b + c, rounded once. */
static WEFT_HD real fused(real a, real b, real c) {
#if WEFT_REAL_BITS == 32
    return fmaf(a, b, c);
#else
    return fma(a, b, c);
#endif
}

/* c - a * b, rounded once. */
static WEFT_HD real fused_off(real a, real b, real c) {
    return fused(-a, b, c);
}
#endif

/* The struct tags differ so that C++ never takes the two precisions' functions for one another. On
 * a GPU a cpx is loaded and stored in one piece. */
#if defined(__CUDACC__)
typedef struct __align__(2 * sizeof(real)) REAL_NAME(cpx) {
    real re, im;
}
cpx;
#else
typedef struct REAL_NAME(cpx) {
    real re, im;
} cpx;
#endif

static WEFT_HD cpx cpx_of(real re, real im) {
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

static WEFT_HD cpx cpx_scale(cpx a, real s) {
    return cpx_of(a.re * s, a.im * s);
}

/* s a + b, rounded once. */
static WEFT_HD cpx cpx_fused(real s, cpx a, cpx b) {
    return cpx_of(fused(s, a.re, b.re), fused(s, a.im, b.im));
}

/* b - s a, rounded once. */
static WEFT_HD cpx cpx_fused_off(real s, cpx a, cpx b) {
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
