/* SPDX-License-Identifier: MIT
 * Tuning is data: how the tuned strategies cut their work, one row per length and precision; the
 * story is in docs/performance.md. Chosen on an H200 on 2026-11-21 for 2048x2048 f32, 24.0 us cold;
 * every other row is the widest tile that fits, and waits to be measured.
 */
#ifndef WEFT_CUDA_TUNING_CUH
#define WEFT_CUDA_TUNING_CUH

#include "arith/real.h"

/* Tiles are as wide as shared memory and 1024 threads a block allow.
 * For columns of 2^log2 values, log2_tile: the tile of complex columns, two real ones each, that a
 * block transforms. For rows of 2^log2 values, log2_slots: rows in a block; log2_pad: one value of
 * padding after so many in the exchange. All are log2. */
typedef struct tuning {
    int log2_tile, log2_slots, log2_pad;
} tuning;

/* Threads of the row pass that a multiprocessor is to hold at once: it bounds their registers.
 * Seven blocks of 2048 values each leave 72, eight would spill (H200, 2026-11-21: 0.6 us). */
enum { ROWS_RESIDENT_THREADS = WEFT_REAL_BITS == 32 ? 896 : 512 };

enum { TWOPASS_LEAST_LOG2 = 4, TWOPASS_MOST_LOG2 = 12 };

static WEFT_CONSTANT tuning tuning_of(int log2) {
    const tuning rows[] = {
#if WEFT_REAL_BITS == 32
        {3, 6, 3}, // 16
        {3, 5, 3}, // 32
        {3, 4, 3}, // 64
        {3, 3, 3}, // 128
        {3, 3, 3}, // 256
        {3, 2, 3}, // 512
        {3, 1, 3}, // 1024
        {3, 0, 4}, // 2048
        {2, 0, 3}, // 4096
#else
        {3, 6, 3}, // 16
        {3, 5, 3}, // 32
        {3, 4, 3}, // 64
        {3, 3, 3}, // 128
        {3, 3, 3}, // 256
        {3, 2, 3}, // 512
        {3, 1, 3}, // 1024
        {2, 0, 3}, // 2048
        {1, 0, 3}, // 4096
#endif
    };
    return rows[log2 - TWOPASS_LEAST_LOG2];
}

#endif
