/* SPDX-License-Identifier: MIT
 * Division by a number that a kernel gets as an argument, without a division instruction.
 */
#ifndef WEFT_CUDA_BASE_DIVIDER_CUH
#define WEFT_CUDA_BASE_DIVIDER_CUH

#include "base/kernel.cuh"

/* Granlund and Montgomery, Division by invariant integers using multiplication, 1994, figure 4.1.
 */
typedef struct divider {
    unsigned divisor, factor, half_shift, shift;
} divider;

/* 0 < divisor */
static constexpr __host__ __device__ divider divider_of(unsigned divisor) {
    divider d = {};
    unsigned log2 = 0;
    while (log2 < 32 && ((unsigned long long)1 << log2) < divisor) {
        log2++;
    }
    d.divisor = divisor;
    d.factor = (unsigned)(((((unsigned long long)1 << log2) - divisor) << 32) / divisor + 1);
    d.half_shift = log2 < 1 ? log2 : 1;
    d.shift = log2 > 1 ? log2 - 1 : 0;
    return d;
}

static constexpr __host__ __device__ __forceinline__ unsigned quotient(unsigned number, divider d) {
    unsigned high = (unsigned)((unsigned long long)d.factor * number >> 32);
    return (high + ((number - high) >> d.half_shift)) >> d.shift;
}

static __device__ __forceinline__ unsigned remainder_of(unsigned number, divider d) {
    return number - quotient(number, d) * d.divisor;
}

#endif
