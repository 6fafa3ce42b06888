/* SPDX-License-Identifier: MIT
 * Codes and a plane -> the next plane, on the GPU, as reconstruct.c does it, in the same integers.
 * One launch is one iteration of all planes: it reads one copy of a plane and writes the other one,
 * so that no half image lies between two launches.
 */
#ifndef WEFT_FRACTAL_CUDA_RECONSTRUCT_CUH
#define WEFT_FRACTAL_CUDA_RECONSTRUCT_CUH

#include "base/kernel.cuh"
#include "weft_fractal.h"

namespace {

enum { PIXELS_A_WORD = 4, RECONSTRUCT_THREADS = 128 };

typedef struct reconstruct_plane {
    const uint8_t *from;
    uint8_t *to;
    const weft_fractal_code *codes;
    unsigned pitch, range_columns, ranges, domain_columns, step; /* in pixels, and blocks */
} reconstruct_plane;

typedef struct reconstruct_job {
    reconstruct_plane plane[WEFT_FRACTAL_PLANES]; /* those that are not there have no ranges */
    int log2_unit;
} reconstruct_job;

/* Four pixels of a row, of which bytes are taken in any order that the hardware has. */
__device__ __forceinline__ unsigned word_of_pixels(const int pixels[PIXELS_A_WORD]) {
    unsigned word = 0;
#pragma unroll
    for (int i = 0; i < PIXELS_A_WORD; i++) {
        const int clamped = pixels[i] < 0 ? 0 : pixels[i] > 255 ? 255 : pixels[i];
        word |= (unsigned)clamped << (8 * i);
    }
    return word;
}

/* The sum of 2 x 2 pixels, of which the first has an even column. */
__device__ __forceinline__ int sum_of_four(const uint8_t *first, size_t pitch) {
    const unsigned upper = *(const uint16_t *)first, lower = *(const uint16_t *)(first + pitch);
    return (int)((upper & 0xff) + (upper >> 8) + (lower & 0xff) + (lower >> 8));
}

template <int SIDE>
__device__ __forceinline__ void copy_block(const uint8_t *from, uint8_t *to, size_t pitch) {
    for (int m = 0; m < SIDE; m++) {
        for (int n = 0; n < SIDE; n += PIXELS_A_WORD) {
            const size_t at = (size_t)m * pitch + (size_t)n;
            *(unsigned *)(to + at) = *(const unsigned *)(from + at);
        }
    }
}

/* scale 0: all pixels are the mean. Small blocks keep what they have read. */
template <int SIDE>
__device__ __forceinline__ void make_block(const weft_fractal_code &code, int log2_unit,
                                           const uint8_t *domain, uint8_t *to, size_t pitch) {
    constexpr int COUNT = SIDE * SIDE, KEPT = SIDE == PIXELS_A_WORD ? COUNT : 1;
    constexpr int LOG2_SUM = SIDE == 4 ? 6 : SIDE == 8 ? 8 : 10; /* of COUNT times 4 pixels */
    int kept[KEPT], sum = 0;
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        const int four =
            sum_of_four(domain + (size_t)(2 * (k / SIDE)) * pitch + 2 * (k % SIDE), pitch);
        if (KEPT > 1) {
            kept[k % KEPT] = four;
        }
        sum += four;
    }
    const int log2_one = LOG2_SUM + log2_unit;
    const int scale = code.scale * COUNT, off = (1 << (log2_one - 1)) - code.scale * sum;
#pragma unroll
    for (int k = 0; k < COUNT; k += PIXELS_A_WORD) {
        int pixels[PIXELS_A_WORD];
#pragma unroll
        for (int i = 0; i < PIXELS_A_WORD; i++) {
            const int m = k / SIDE, n = k % SIDE + i;
            const int four = KEPT > 1
                                 ? kept[(k + i) % KEPT]
                                 : sum_of_four(domain + (size_t)(2 * m) * pitch + 2 * n, pitch);
            pixels[i] = code.mean + ((scale * four + off) >> log2_one);
        }
        *(unsigned *)(to + (size_t)(k / SIDE) * pitch + k % SIDE) = word_of_pixels(pixels);
    }
}

template <int SIDE>
__device__ __forceinline__ void make_range(const reconstruct_plane &p, int log2_unit,
                                           unsigned range) {
    const weft_fractal_code code = p.codes[range];
    const size_t first = (size_t)(range / p.range_columns * SIDE) * p.pitch +
                         (size_t)(range % p.range_columns) * SIDE;
    if (code.mode == WEFT_FRACTAL_UNCHANGED) {
        copy_block<SIDE>(p.from + first, p.to + first, p.pitch);
        return;
    }
    const unsigned domain = code.scale == 0 ? 0 : code.domain;
    make_block<SIDE>(code, log2_unit,
                     p.from + (size_t)(domain / p.domain_columns * p.step) * p.pitch +
                         (size_t)(domain % p.domain_columns) * p.step,
                     p.to + first, p.pitch);
}

/* in: codes and planes; out: planes, all pixels of them.
 * Grid and block: a thread per range of all planes. Shared memory: none. DRAM: of each range 8
 * bytes and its domain read, from L2, and its pixels written. Syncs: none. */
template <int SIDE>
__global__ void __launch_bounds__(RECONSTRUCT_THREADS) reconstruct_ranges(reconstruct_job job) {
    unsigned range = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < WEFT_FRACTAL_PLANES; i++) {
        if (range < job.plane[i].ranges) {
            make_range<SIDE>(job.plane[i], job.log2_unit, range);
            return;
        }
        range -= job.plane[i].ranges;
    }
}

} // namespace

#endif
