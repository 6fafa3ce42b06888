/* SPDX-License-Identifier: MIT
 * How many blocks of a kernel a multiprocessor should hold: as many as its registers and its shared
 * memory allow. With __launch_bounds__ this decides how many registers a thread gets.
 */
#ifndef WEFT_CUDA_BASE_RESIDENCE_CUH
#define WEFT_CUDA_BASE_RESIDENCE_CUH

#include "base/instructions.cuh"

#define WEFT_DEVICE_CONSTANT static constexpr __host__ __device__ __forceinline__

WEFT_DEVICE_CONSTANT size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Threads for which there are enough registers when the values of each fill so many. */
WEFT_DEVICE_CONSTANT unsigned resident_threads(unsigned registers) {
    return registers <= 16 ? 1024 : registers <= 32 ? 896 : registers <= 64 ? 512 : 256;
}

/* At least one. */
WEFT_DEVICE_CONSTANT unsigned blocks_of(unsigned resident, unsigned threads, size_t shared) {
    unsigned fit = (unsigned)(SHARED_BYTES / (shared + SHARED_BYTES_OF_SYSTEM));
    unsigned blocks = resident / threads < fit ? resident / threads : fit;
    unsigned most = MOST_RESIDENT_BLOCKS;
    return blocks < 1 ? 1 : blocks > most ? most : blocks;
}

WEFT_DEVICE_CONSTANT unsigned resident_blocks(unsigned registers, unsigned threads, size_t shared) {
    return blocks_of(resident_threads(registers), threads, shared);
}

/* How many blocks, or clusters of `parts` blocks, share `tasks`: one for each task; or, where
 * blocks are persistent, no more than the GPU holds concurrently. */
static inline unsigned workers(unsigned tasks, bool is_persistent, unsigned resident,
                               unsigned processors, unsigned parts) {
    unsigned held = resident * processors / parts;
    return !is_persistent || tasks < held ? tasks : held < 1 ? 1 : held;
}

#endif
