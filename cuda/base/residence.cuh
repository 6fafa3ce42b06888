/* SPDX-License-Identifier: MIT
 * How many blocks of a kernel a multiprocessor should hold at once: what its registers and its
 * shared memory allow. With __launch_bounds__ this decides how many registers a thread gets.
 */
#ifndef WEFT_CUDA_BASE_RESIDENCE_CUH
#define WEFT_CUDA_BASE_RESIDENCE_CUH

#include "arith/numbers.h"

/* Of sm_90. */
enum { SHARED_BYTES = 227 * 1024, SHARED_BYTES_OF_SYSTEM = 1024 };

static WEFT_CONSTANT size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Threads for which there are enough registers when each holds so many complex values. */
static WEFT_CONSTANT unsigned resident_threads(unsigned values) {
    unsigned registers = values * (2 * WEFT_REAL_BITS / 32);
    return registers <= 16 ? 1024 : registers <= 32 ? 896 : registers <= 64 ? 512 : 256;
}

/* So few under cuemu that even a small image has work for a block that stays. */
#if defined(WEFT_CUEMU)
static const unsigned MOST_BLOCKS = 2;
#else
static const unsigned MOST_BLOCKS = 16;
#endif

/* At least one. */
static WEFT_CONSTANT unsigned blocks_of(unsigned resident, unsigned threads, size_t shared) {
    unsigned fit = (unsigned)(SHARED_BYTES / (shared + SHARED_BYTES_OF_SYSTEM));
    unsigned blocks = resident / threads < fit ? resident / threads : fit;
    return blocks < 1 ? 1 : blocks > MOST_BLOCKS ? MOST_BLOCKS : blocks;
}

/* How many blocks, or clusters of `parts`, share `tasks`: one each, or, where blocks stay, no more
 * than there is room for at once. */
static inline unsigned workers(unsigned tasks, bool stay, unsigned resident, unsigned processors,
                               unsigned parts) {
    unsigned room = resident * processors / parts;
    return !stay || tasks < room ? tasks : room < 1 ? 1 : room;
}

static WEFT_CONSTANT unsigned resident_blocks(unsigned values, unsigned threads, size_t shared) {
    return blocks_of(resident_threads(values), threads, shared);
}

#endif
