/* SPDX-License-Identifier: MIT
 * Ranges on the GPU: pixels of a padded plane -> the words of a range that a search kernel holds in
 * registers, and the key that every domain has to beat, which is that of a flat range. A form says
 * what words are made of sixteen values: packed.cuh and floats.cuh.
 * Keys order answers as search.h does. One of a search has 64 bits: the sum, the number of the
 * entry in the codebook plus 1 (0: flat), and z. So answers may come in any order: the least of
 * their keys is the one that seq finds.
 */
#ifndef WEFT_FRACTAL_CUDA_RANGES_CUH
#define WEFT_FRACTAL_CUDA_RANGES_CUH

#include "base/kernel.cuh"

namespace {

enum {
    RANGE_SIDE = 4,
    RANGE_PIXELS = 16,
    SCALES = 7,
    FLAT_Z = 7,
    LOG2_Z = 3,
    LOG2_ENTRY = 32,
    /* Of the sum of a flat range where there are none; search.h calls it NO_FLAT_SUM. */
    SUM_ABOVE_ALL = 1 << 15
};

typedef unsigned long long search_key;

/* Number z of -4, -3, -2, 1, 2, 3, 4. */
constexpr __host__ __device__ __forceinline__ int scale_of(int z) {
    return z < 3 ? z - 4 : z - 2;
}

constexpr __host__ __device__ __forceinline__ search_key key_of(unsigned sum, unsigned entry_plus_1,
                                                                unsigned z) {
    return (search_key)sum << (LOG2_ENTRY + LOG2_Z) | (search_key)entry_plus_1 << LOG2_Z | z;
}

/* The ranges that are searched. */
typedef struct range_job {
    const uint8_t *plane; /* padded: rows are whole words */
    unsigned pitch, range_columns;
    const uint32_t *number;
    unsigned count;
    int trunc_mean, no_flat;
    uint32_t *words; /* word w of range i is words[w * count + i]; NULL: nobody wants them */
    search_key *best;
} range_job;

/* The pixels of the i-th range that is searched, less their mean. */
__device__ __forceinline__ void load_range(const range_job &job, unsigned i,
                                           int values[RANGE_PIXELS]) {
    const unsigned number = job.number[i], row = number / job.range_columns * RANGE_SIDE;
    const uint8_t *first =
        job.plane + (size_t)row * job.pitch + (size_t)(number % job.range_columns) * RANGE_SIDE;
    int sum = job.trunc_mean ? 0 : RANGE_PIXELS / 2;
#pragma unroll
    for (int m = 0; m < RANGE_SIDE; m++) {
        const uchar4 four = *(const uchar4 *)(first + (size_t)m * job.pitch);
        values[4 * m] = four.x;
        values[4 * m + 1] = four.y;
        values[4 * m + 2] = four.z;
        values[4 * m + 3] = four.w;
        sum += four.x + four.y + four.z + four.w;
    }
#pragma unroll
    for (int k = 0; k < RANGE_PIXELS; k++) {
        values[k] -= sum / RANGE_PIXELS;
    }
}

__device__ __forceinline__ search_key key_of_flat(const int values[RANGE_PIXELS], int no_flat) {
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < RANGE_PIXELS; k++) {
        sum += (unsigned)(4 * abs(values[k]));
    }
    return key_of(no_flat ? (unsigned)SUM_ABOVE_ALL : sum, 0, FLAT_Z);
}

/* in: numbers of ranges, a plane; out: best[i] of each range, and its words, if wanted.
 * Grid and block: a thread per range. Shared memory: none. DRAM: 20 bytes read of each range, 8 and
 * its words written. Syncs: none. */
template <class Form> __global__ void __launch_bounds__(256) prepare_ranges(range_job job) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= job.count) {
        return;
    }
    int values[RANGE_PIXELS];
    load_range(job, i, values);
    job.best[i] = key_of_flat(values, job.no_flat);
    if (job.words != NULL) {
        uint32_t words[Form::WORDS];
        Form::words_of(values, words);
#pragma unroll
        for (int w = 0; w < Form::WORDS; w++) {
            job.words[(size_t)w * job.count + i] = words[w];
        }
    }
}

} // namespace

#endif
