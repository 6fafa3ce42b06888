/* SPDX-License-Identifier: MIT
 * Loads and stores two neighbouring complex numbers by as few instructions as there can be. The
 * pointers are aligned to 16 bytes: two numbers of single or one of double precision.
 */
#ifndef WEFT_CUDA_LINE_PAIRS_CUH
#define WEFT_CUDA_LINE_PAIRS_CUH

#include "arith/numbers.h"
#include "base/kernel.cuh"

namespace {

/* CUDA's own type of two scalars: the compiler would split another struct in two, and with it the
 * store. */
#if WEFT_REAL_BITS == 32
typedef float2 scalar_2;
__device__ __forceinline__ scalar_2 scalar_2_of(scalar x, scalar y) {
    return make_float2(x, y);
}
#else
typedef double2 scalar_2;
__device__ __forceinline__ scalar_2 scalar_2_of(scalar x, scalar y) {
    return make_double2(x, y);
}
#endif

/* Loads what no kernel writes. */
__device__ __forceinline__ cpx load_constant(const cpx *from) {
    scalar_2 value = __ldg((const scalar_2 *)from);
    return cpx_of(value.x, value.y);
}

__device__ __forceinline__ void load_two_constant(const cpx *from, cpx *first, cpx *second) {
#if WEFT_REAL_BITS == 32
    float4 both = __ldg((const float4 *)from);
    *first = cpx_of(both.x, both.y);
    *second = cpx_of(both.z, both.w);
#else
    *first = load_constant(from);
    *second = load_constant(from + 1);
#endif
}

__device__ __forceinline__ void load_two(const cpx *from, cpx *first, cpx *second) {
#if WEFT_REAL_BITS == 32
    float4 both = *(const float4 *)from;
    *first = cpx_of(both.x, both.y);
    *second = cpx_of(both.z, both.w);
#else
    *first = from[0];
    *second = from[1];
#endif
}

/* Loads from global memory; where not IS_CACHED, L2 evicts the line first and keeps others. */
template <bool IS_CACHED>
__device__ __forceinline__ void read_two(const cpx *from, cpx *first, cpx *second) {
#if WEFT_REAL_BITS == 32
    float4 both = IS_CACHED ? *(const float4 *)from : __ldcs((const float4 *)from);
    *first = cpx_of(both.x, both.y);
    *second = cpx_of(both.z, both.w);
#else
    for (int i = 0; i < 2; i++) {
        double2 value = IS_CACHED ? ((const double2 *)from)[i] : __ldcs((const double2 *)from + i);
        *(i == 0 ? first : second) = cpx_of(value.x, value.y);
    }
#endif
}

/* Stores to global memory, as one instruction, which the compiler would not always make of a plain
 * store. */
template <bool IS_CACHED = true>
__device__ __forceinline__ void write_two(cpx *to, cpx first, cpx second) {
#if WEFT_REAL_BITS == 32
    float4 both = make_float4(first.re, first.im, second.re, second.im);
    IS_CACHED ? __stwb((float4 *)to, both) : __stcs((float4 *)to, both);
#else
    for (int i = 0; i < 2; i++) {
        double2 value =
            i == 0 ? make_double2(first.re, first.im) : make_double2(second.re, second.im);
        IS_CACHED ? __stwb((double2 *)to + i, value) : __stcs((double2 *)to + i, value);
    }
#endif
}

__device__ __forceinline__ void store_two(cpx *to, cpx first, cpx second) {
#if WEFT_REAL_BITS == 32
    *(float4 *)to = make_float4(first.re, first.im, second.re, second.im);
#else
    to[0] = first;
    to[1] = second;
#endif
}

/* Loads two neighbouring reals, as one where they are aligned. IS_PAIRED is a template's argument,
 * so that no load depends on a branch. */
template <int IS_PAIRED> __device__ __forceinline__ cpx load_reals(const scalar *from) {
    if (IS_PAIRED) {
        scalar_2 value = *(const scalar_2 *)from;
        return cpx_of(value.x, value.y);
    }
    return cpx_of(from[0], from[1]);
}

template <int IS_PAIRED>
__device__ __forceinline__ void store_reals(scalar *to, scalar first, scalar second) {
    if (IS_PAIRED) {
        __stwb((scalar_2 *)to, scalar_2_of(first, second));
    } else {
        to[0] = first;
        to[1] = second;
    }
}

} // namespace

#endif
