/* SPDX-License-Identifier: MIT
 * Two neighbouring complex numbers in as few loads and stores as there can be. The pointers are
 * aligned to two numbers of single or one of double precision: 16 bytes.
 */
#ifndef WEFT_CUDA_VECTORS_CUH
#define WEFT_CUDA_VECTORS_CUH

#include "arith/real.h"
#include "kernel.cuh"

namespace {

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

/* The same for what no kernel writes. */
__device__ __forceinline__ void load_two_constant(const cpx *from, cpx *first, cpx *second) {
#if WEFT_REAL_BITS == 32
    float4 both = __ldg((const float4 *)from);
    *first = cpx_of(both.x, both.y);
    *second = cpx_of(both.z, both.w);
#else
    double2 one = __ldg((const double2 *)from), other = __ldg((const double2 *)from + 1);
    *first = cpx_of(one.x, one.y);
    *second = cpx_of(other.x, other.y);
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

} // namespace

#endif
