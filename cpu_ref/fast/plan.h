/* SPDX-License-Identifier: MIT
 * What cpu.fast prepares for a problem: which kernels, the tables of its lines, and how many
 * threads with how much room each.
 */
#ifndef WEFT_CPU_REF_FAST_PLAN_H
#define WEFT_CPU_REF_FAST_PLAN_H

#include "fast/kernels.h"
#include "fast/tuning.h"
#include "strategy.h"

typedef struct REAL_NAME(fast_plan) {
    problem problem;
    const fast_kernels *column_kernels, *row_kernels;
    fast_line column[2], row[2]; /* forward, inverse */
    scalar *tables;
    cpu_caches caches;
    cpu_tuning tuning;
    /* A tile's real columns, and, forward and of an inverse, where its rows in memory are whole
     * lines of the cache. */
    size_t tile_width, width_of_lines[2];
    int is_cached;          /* the image and the intermediate have room in the second-level cache */
    int fetches_outputs[2]; /* columns do, before they write them: of an inverse, the image */
    /* Passes are stored past the caches where memory's rows are whole lines: columns forward; rows
     * of an inverse, and columns on the way back. */
    int streams[2];
    int threads;           /* of an image */
    int concurrent_images; /* if more than one, with one thread each */
    /* Bytes of an image's part of the workspace, in this order, each whole lines of the cache: of
     * each thread; of the intermediate and of the columns' sums, of integer pixels. */
    size_t thread_scratch, intermediate_bytes, sums_bytes;
} fast_plan;

static inline size_t scratch_of_image(const fast_plan *plan) {
    return (size_t)plan->threads * plan->thread_scratch + plan->intermediate_bytes +
           plan->sums_bytes;
}

weft_status REAL_NAME(fast_plan_create)(const problem *p, fast_plan **made);
#define fast_plan_create REAL_NAME(fast_plan_create)
void REAL_NAME(fast_plan_destroy)(fast_plan *plan);
#define fast_plan_destroy REAL_NAME(fast_plan_destroy)

#endif
