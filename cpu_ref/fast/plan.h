/* SPDX-License-Identifier: MIT
 * What cpu.fast prepares for a problem: which kernels it calls, the tables of its lines, how wide
 * its tiles are, and how many threads work, with how much scratch each. plan.c makes a plan, and
 * fast.c runs it.
 */
#ifndef WEFT_CPU_REF_FAST_PLAN_H
#define WEFT_CPU_REF_FAST_PLAN_H

#include "fast/across.h"
#include "fast/kernels.h"
#include "fast/tuning.h"
#include "isa.h"
#include "strategy.h"

typedef struct REAL_NAME(fast_plan) {
    problem problem;
    const fast_kernels *column_kernels, *row_kernels;
    fast_line column[2], row[2]; /* forward, inverse */
    scalar *tables;
    /* NULL where kernels of powers of two take both sides. Otherwise the lines of the axes, their
     * tables, and where the spectrum's reals lie in a buffer. */
    const across_kernels *across;
    struct REAL_NAME(line) * lines[2];
    across_line across_column[2], across_row[2];
    spectrum_places to_spectrum, from_spectrum;
    cpu_caches caches;
    cpu_tuning tuning;
    /* A tile's width in reals; and, forward and of an inverse, its width where rows in memory are
     * whole cache lines. */
    size_t tile_width, width_of_lines[2];
    int is_cached;          /* the image and the intermediate fit into the second-level cache */
    int fetches_outputs[2]; /* whether columns prefetch what they write: of an inverse, the image */
    /* Whether what is written goes past the caches, where rows in memory are whole cache lines: by
     * columns forward; by rows of an inverse, and by columns on the way back. */
    int streams[2];
    int threads;           /* that share an image */
    int concurrent_images; /* if more than one, each has one thread */
    /* An image's part of the workspace, in bytes and in this order, each part whole cache lines:
     * the scratch of each thread; of integer pixels, the intermediate and the sums of the columns;
     * of small images, the input where it is overwritten (fast.c).
     */
    size_t thread_scratch, intermediate_bytes, sums_bytes, kept_bytes;
    /* Where parts of a thread's scratch begin, in reals, with lines of any length. Of columns: the
     * rows of a tile that is not loaded from the image itself. Of rows: a second buffer; a row that
     * nobody reads, and behind it slot 0. */
    size_t staging, second_buffer, spare_row;
} fast_plan;

static inline size_t scratch_of_image(const fast_plan *plan) {
    return (size_t)plan->threads * plan->thread_scratch + plan->intermediate_bytes +
           plan->sums_bytes + whole_lines(plan->kept_bytes);
}

/* Columns of a row of the spectrum, in reals. */
static inline size_t reals_of_spectrum_row(const problem *p) {
    return p->layout == WEFT_HALF ? 2 * (p->width / 2 + 1) : p->width;
}

/* Completes a plan whose kernels are those of lines of any length (across_plan.c). On failure what
 * it has made is left for fast_plan_destroy(). */
weft_status REAL_NAME(across_plan)(fast_plan *plan, isa set, size_t threads);
#define across_plan REAL_NAME(across_plan)

/* Frees what across_plan() made. */
void REAL_NAME(across_plan_clear)(fast_plan *plan);
#define across_plan_clear REAL_NAME(across_plan_clear)

/* Tiles of columns, and blocks of as many slots as there are lanes. */
size_t REAL_NAME(across_tiles)(const fast_plan *plan);
#define across_tiles REAL_NAME(across_tiles)
size_t REAL_NAME(across_blocks)(const fast_plan *plan);
#define across_blocks REAL_NAME(across_blocks)

weft_status REAL_NAME(fast_plan_create)(const problem *p, fast_plan **made);
#define fast_plan_create REAL_NAME(fast_plan_create)
/* Of strategy.describe: both passes (describe.c). */
void REAL_NAME(fast_plan_describe)(const void *plan, struct text *to);
#define fast_plan_describe REAL_NAME(fast_plan_describe)
void REAL_NAME(fast_plan_destroy)(fast_plan *plan);
#define fast_plan_destroy REAL_NAME(fast_plan_destroy)

#endif
