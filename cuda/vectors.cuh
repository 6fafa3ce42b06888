/* SPDX-License-Identifier: MIT
 * Two neighbouring complex numbers in as few loads and stores as there can be. The pointers are
 * aligned to two numbers of single or one of double precision: 16 bytes.
 */
#ifndef WEFT_CUDA_VECTORS_CUH
#define WEFT_CUDA_VECTORS_CUH

#include "arith/real.h"
#include "kernel.cuh"

namespace {

/* What no kernel writes. */
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

/* Two neighbouring reals: as one where they are aligned to be. A template's argument, so that no
 * load asks. */
template <int IS_PAIRED> __device__ __forceinline__ cpx load_reals(const real *from) {
    return IS_PAIRED ? *(const cpx *)from : cpx_of(from[0], from[1]);
}

template <int IS_PAIRED>
__device__ __forceinline__ void store_reals(real *to, real first, real second) {
    if (IS_PAIRED) {
        *(cpx *)to = cpx_of(first, second);
    } else {
        to[0] = first;
        to[1] = second;
    }
}

} // namespace

#endif
