/* SPDX-License-Identifier: MIT
 * What cpu.fast does otherwise on the CPUs of one maker than on those of others: a row of
 * tuning.def. Speed depends on it, and workspaces; no bits do. Pairs are of forward and inverse.
 */
#ifndef WEFT_CPU_REF_FAST_TUNING_H
#define WEFT_CPU_REF_FAST_TUNING_H

#include <stddef.h>

#include "fast/caches.h"

enum { OF_ANY_SIZE = -1 };

typedef struct cpu_tuning {
    size_t outgrown_part[2]; /* of the last cache: from that on images are stored past the caches */
    size_t streamed_lines;   /* of the cache, of each row of a tile that is stored so */
    int fetched_halves[2];   /* of the second-level cache: columns fetch what they are about to
                                write of images no larger; or OF_ANY_SIZE */
    size_t rows_ahead_of_long; /* that columns fetch, where rows are LONG_PITCH apart or more */
    int prefetches_far;        /* rows that come next are better fetched early (rows.inc) */
    int wants_more_lines;      /* in a row of one thread's tile, where rows share sets of the
                                  first-level cache */
} cpu_tuning;

cpu_tuning tuning_of(const cpu_caches *caches);

/* Whether what a pass writes of an image of so many bytes would not be there any more when the next
 * one reads it, or mostly: then it is better stored past the caches. Forward the next one reads
 * whole rows, of an inverse pieces of them, which take longer from memory. */
int are_outgrown(const cpu_caches *caches, size_t bytes, int is_inverse);

/* Whether columns fetch what they are about to write of such an image. */
int are_outputs_fetched(const cpu_caches *caches, size_t bytes, int is_inverse);

#endif
