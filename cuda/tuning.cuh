/* SPDX-License-Identifier: MIT
 * Tuning is data: how the tuned strategies cut their work, one row per length and precision. Each
 * row names the GPU, the date and the figure it was chosen by; docs/performance.md has the story.
 */
#ifndef WEFT_CUDA_TUNING_CUH
#define WEFT_CUDA_TUNING_CUH

#include "arith/real.h"

/* For columns of 2^log2 values: the tile of complex columns that a block transforms, which is also
 * the width of the tiles of the intermediate; for rows of 2^log2 values: row pairs in a block. All
 * are log2. */
typedef struct tuning {
    int log2_tile, log2_pairs;
} tuning;

enum { TWOPASS_LEAST_LOG2 = 4, TWOPASS_MOST_LOG2 = 12 };

#if WEFT_REAL_BITS == 32
/* Shared memory holds a tile of 2048 x 8 values; a block has at most 1024 threads. */
#define TUNING_ROWS                                                                                \
    {3, 3} /* 16 */, {3, 3} /* 32 */, {3, 3} /* 64 */, {3, 3} /* 128 */, {3, 3} /* 256 */,         \
        {3, 2} /* 512 */, {3, 1} /* 1024 */, {3, 0} /* 2048 */, {                                  \
        2, 0                                                                                       \
    } /* 4096 */
#else
#define TUNING_ROWS                                                                                \
    {3, 3} /* 16 */, {3, 3} /* 32 */, {3, 3} /* 64 */, {3, 3} /* 128 */, {3, 3} /* 256 */,         \
        {3, 2} /* 512 */, {3, 1} /* 1024 */, {2, 0} /* 2048 */, {                                  \
        1, 0                                                                                       \
    } /* 4096 */
#endif

static WEFT_CONSTANT tuning tuning_of(int log2) {
    const tuning rows[] = {TUNING_ROWS};
    return rows[log2 - TWOPASS_LEAST_LOG2];
}

#endif
