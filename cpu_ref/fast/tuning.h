/* SPDX-License-Identifier: MIT
 * What cpu.fast does differently on the CPUs of different makers: a row of tuning.def for each
 * maker. Speed and workspaces depend on it; no bits do. In arrays of two, forward is first, inverse
 * second.
 */
#ifndef WEFT_CPU_REF_FAST_TUNING_H
#define WEFT_CPU_REF_FAST_TUNING_H

#include <stddef.h>

#include "fast/caches.h"

enum { OF_ANY_SIZE = -1 };

typedef struct cpu_tuning {
    size_t outgrown_part[2];   /* images of at least 1/this of the last cache are stored past the
                                  caches */
    size_t streamed_lines;     /* cache lines of each row of a tile that is stored past them */
    int fetched_halves[2];     /* columns prefetch what they write if the image is at most this many
                                  halves of the second-level cache, or OF_ANY_SIZE */
    size_t rows_ahead_of_long; /* how far columns prefetch rows that are LONG_PITCH or more apart */
    int prefetches_far;        /* the next rows are prefetched in an early stage (rows.inc) */
    int wants_more_lines; /* one thread's tiles are wider where rows share sets of the first-level
                             cache */
} cpu_tuning;

cpu_tuning tuning_of(const cpu_caches *caches);

/* Whether what a pass writes of an image of so many bytes would mostly have left the caches when
 * the next pass reads it. Then it is better stored past the caches. Forward, the next pass reads
 * whole rows; of an inverse it reads pieces of rows, which take longer from memory. */
int are_outgrown(const cpu_caches *caches, size_t bytes, int is_inverse);

/* Whether columns prefetch what they are about to write of such an image. */
int are_outputs_fetched(const cpu_caches *caches, size_t bytes, int is_inverse);

#endif
