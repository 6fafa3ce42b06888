/* SPDX-License-Identifier: MIT
 * Two neighbouring complex numbers in as few loads and stores as there can be. The pointers are
 * aligned to two numbers of single or one of double precision: 16 bytes.
 */
#ifndef WEFT_CUDA_LINE_PAIRS_CUH
#define WEFT_CUDA_LINE_PAIRS_CUH

#include "arith/numbers.h"
#include "base/kernel.cuh"

namespace {

/* CUDA's own type of two scalars: the compiler splits a struct of ours in two, and with it the
 * store.
 */
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

/* What no kernel writes. */
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

/* From global memory; what is not to stay in the cache leaves room to what will be read there. */
template <bool STAYS>
__device__ __forceinline__ void read_two(const cpx *from, cpx *first, cpx *second) {
#if WEFT_REAL_BITS == 32
    float4 both = STAYS ? *(const float4 *)from : __ldcs((const float4 *)from);
    *first = cpx_of(both.x, both.y);
    *second = cpx_of(both.z, both.w);
#else
    for (int i = 0; i < 2; i++) {
        double2 value = STAYS ? ((const double2 *)from)[i] : __ldcs((const double2 *)from + i);
        *(i == 0 ? first : second) = cpx_of(value.x, value.y);
    }
#endif
}

/* To global memory; as one store, which the compiler would not always make of a plain one. */
template <bool STAYS = true>
__device__ __forceinline__ void write_two(cpx *to, cpx first, cpx second) {
#if WEFT_REAL_BITS == 32
    float4 both = make_float4(first.re, first.im, second.re, second.im);
    STAYS ? __stwb((float4 *)to, both) : __stcs((float4 *)to, both);
#else
    for (int i = 0; i < 2; i++) {
        double2 value =
            i == 0 ? make_double2(first.re, first.im) : make_double2(second.re, second.im);
        STAYS ? __stwb((double2 *)to + i, value) : __stcs((double2 *)to + i, value);
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

/* Two neighbouring reals: as one where they are aligned to be. A template's argument, so that no
 * load asks. */
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
