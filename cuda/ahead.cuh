/* SPDX-License-Identifier: MIT
 * Shared memory in which the values wait that threads will begin their next task with. Each thread
 * copies what it will take itself, so that no barrier is wanted between.
 */
#ifndef WEFT_CUDA_AHEAD_CUH
#define WEFT_CUDA_AHEAD_CUH

#include "kernel.cuh"

namespace {

/* `values` of each of a block's threads, as many neighbours as a copy brings at once. */
template <unsigned THREADS, unsigned VALUES, unsigned NEIGHBOURS> struct waiting_room {
    cpx *values;
    static constexpr unsigned size = THREADS * VALUES;
    __device__ __forceinline__ cpx *place(unsigned i) const {
        return values + (i * THREADS + threadIdx.x) * NEIGHBOURS;
    }
};

} // namespace

#endif
