/* SPDX-License-Identifier: MIT
 * How many blocks of a kernel a multiprocessor should hold: as many as its registers and its shared
 * memory allow. With __launch_bounds__ this decides how many registers a thread gets.
 */
#ifndef WEFT_CUDA_BASE_RESIDENCE_CUH
#define WEFT_CUDA_BASE_RESIDENCE_CUH

#include "base/kernel.cuh"

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

WEFT_DEVICE_CONSTANT launch_shape block_shape(unsigned threads, size_t shared, unsigned resident,
                                              unsigned cluster = 1, int is_persistent = 0) {
    return {0, threads, cluster, shared, resident, is_persistent, 0, 0};
}

/* The launch of such blocks, or clusters of them: one for each task; or, where they are persistent,
 * no more than the GPU holds concurrently. */
static inline launch_shape launch_for(unsigned tasks, launch_shape block, unsigned processors) {
    unsigned parts = block.cluster > 1 ? block.cluster : 1;
    unsigned held = block.resident * processors / parts;
    block.blocks = parts * (!block.is_persistent || tasks < held ? tasks : held < 1 ? 1 : held);
    return block;
}

#endif
