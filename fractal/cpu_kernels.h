/* SPDX-License-Identifier: MIT
 * The kernels of the search cpu, compiled once for each instruction set (cpu_kernels.c, and
 * cpu_float_kernels.c for the arithmetic of the paper's other version) and called through tables of
 * functions. cpu.c chooses the table, and says which thread searches which ranges.
 */
#ifndef WEFT_FRACTAL_CPU_KERNELS_H
#define WEFT_FRACTAL_CPU_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "blocks.h"

enum {
    MOST_LANES = 32,
    MOST_SUM = 8 * 255 * BLOCK_PIXELS, /* of |q d - 4 r| over a block */
    NO_ENTRY = -1
};

/* The best so far of a range. */
typedef struct cpu_best {
    int32_t sum;   /* what an entry has to stay below, MOST_SUM + 1 at most */
    int32_t entry; /* of the codebook; NO_ENTRY: none did */
} cpu_best;

/* Entries lie in groups of as many as there are lanes: of a group value after value, each as a
 * vector, and behind them their sums, which kernels of floats have no use for. */
enum { GROUP_VECTORS = BLOCK_PIXELS + 1 };

typedef struct cpu_kernels {
    int lanes;
    int is_float; /* entries are floats, not int16_t */
    /* Holds `count` ranges of BLOCK_PIXELS values against the groups first to end - 1. */
    void (*find)(const void *entries, size_t first, size_t end, const int16_t *ranges, size_t count,
                 cpu_best *best);
} cpu_kernels;

#endif
