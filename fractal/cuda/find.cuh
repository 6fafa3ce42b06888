/* SPDX-License-Identifier: MIT
 * The kernel of the search: a tile of ranges against a chunk of the codebook. Ranges stay in
 * registers, several of each thread; the chunk lies in shared memory, from which all threads of a
 * warp read the same word. A form (packed.cuh, floats.cuh) says what the words are, and what is
 * done for each term. In the loop keys have 32 bits: the sum (15), the entry in its chunk (14), z
 * (3).
 */
#ifndef WEFT_FRACTAL_CUDA_FIND_CUH
#define WEFT_FRACTAL_CUDA_FIND_CUH

#include "ranges.cuh"

namespace {

enum {
    MOST_BLOCK = 256,
    WARP = 32,
    LOG2_IN_CHUNK = 14,
    SUM_SHIFT = LOG2_IN_CHUNK + LOG2_Z,
    BLOCK_VALUES_BYTES = 2 * RANGE_PIXELS /* an entry, or a copy of it, in global memory */
};

typedef struct find_job {
    range_job ranges;     /* their words are there, or NULL: they are made of the plane */
    const uint4 *entries; /* int16 values of all entries, two uint4 for each */
    int is_scaled;        /* instead of an entry there are all its scaled copies */
    const unsigned *kept; /* how many entries there are; NULL: most_entries */
    unsigned most_entries;
    unsigned tiles, chunk; /* of ranges; entries in a chunk, a multiple of those of a turn */
    unsigned one;          /* 1, which the compiler does not know: see packed.cuh */
} find_job;

/* The entries of a block. */
typedef struct chunk_of_book {
    unsigned first, count;
    unsigned filled; /* up to here copies of the last one follow, which are never better than it */
} chunk_of_book;

/* One of the words in which an entry has two of its values. */
__device__ __forceinline__ uint32_t word_of(const uint4 halves[2], int w) {
    const uint4 half = halves[w / 4];
    return w % 4 == 0 ? half.x : w % 4 == 1 ? half.y : w % 4 == 2 ? half.z : half.w;
}

__device__ __forceinline__ int lower_of(uint32_t word) {
    return (int)(int16_t)(word & 0xffff);
}

__device__ __forceinline__ int upper_of(uint32_t word) {
    return (int)(int16_t)(word >> 16);
}

/* The words of a thread's ranges, 32 apart. Those beyond the last range have some, too. */
template <class Form>
__device__ __forceinline__ void take_ranges(const range_job &job, unsigned first,
                                            uint32_t words[Form::RANGES][Form::WORDS]) {
#pragma unroll
    for (int k = 0; k < Form::RANGES; k++) {
        const unsigned wanted = first + (unsigned)k * WARP;
        const unsigned i = wanted < job.count ? wanted : job.count - 1;
        if (job.words == NULL) {
            int values[RANGE_PIXELS];
            load_range(job, i, values);
            Form::words_of(values, words[k]);
            continue;
        }
#pragma unroll
        for (int w = 0; w < Form::WORDS; w++) {
            words[k][w] = job.words[(size_t)w * job.count + i];
        }
    }
}

template <class Form>
__device__ __forceinline__ void give_best(const range_job &job, unsigned first,
                                          unsigned first_entry, const uint32_t keys[Form::RANGES]) {
#pragma unroll
    for (int k = 0; k < Form::RANGES; k++) {
        const unsigned i = first + (unsigned)k * WARP;
        if (i < job.count) {
            const unsigned entry = keys[k] >> LOG2_Z & ((1u << LOG2_IN_CHUNK) - 1);
            atomicMin(job.best + i, key_of(keys[k] >> SUM_SHIFT, first_entry + entry + 1,
                                           keys[k] & ((1u << LOG2_Z) - 1)));
        }
    }
}

/* in: words of ranges, the codebook; out: best[i] becomes the least key, if a smaller one is found.
 * Grid and block: a block of whole warps for each tile of Form::RANGES ranges a thread and each
 * chunk, tiles running fastest. Shared memory: Form::ENTRY_BYTES for each entry of the chunk, of
 * which all threads of a warp read the same: no bank conflicts. DRAM: the words of its ranges, 32
 * bytes an entry; all of it from L2, but for the first time. Syncs: one. */
template <class Form, int UNROLL>
__global__ void __launch_bounds__(MOST_BLOCK, Form::BLOCKS) find_best(find_job job) {
    WEFT_SHARED(uint4, shared);
    const unsigned all = job.kept != NULL ? *job.kept : job.most_entries;
    const unsigned tile = blockIdx.x % job.tiles, chunk = blockIdx.x / job.tiles;
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    chunk_of_book book;
    book.first = chunk * job.chunk;
    if (book.first >= all) {
        return;
    }
    book.count = all - book.first < job.chunk ? all - book.first : job.chunk;
    book.filled = (book.count + UNROLL - 1) / UNROLL * UNROLL;
    Form::load_chunk(job, book, shared);
    __syncthreads();
    const unsigned first_of_warp = (tile * (blockDim.x / WARP) + warp) * (Form::RANGES * WARP);
    if (first_of_warp >= job.ranges.count) {
        return;
    }
    uint32_t words[Form::RANGES][Form::WORDS], keys[Form::RANGES];
    take_ranges<Form>(job.ranges, first_of_warp + lane, words);
#pragma unroll
    for (int k = 0; k < Form::RANGES; k++) {
        keys[k] = ~0u;
    }
    for (unsigned entry = 0; entry < book.filled; entry += UNROLL) {
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            Form::hold_against(shared, entry + i, words, job.one, keys);
        }
    }
    give_best<Form>(job.ranges, first_of_warp + lane, book.first, keys);
}

} // namespace

#endif
