/* SPDX-License-Identifier: MIT
 * What one bench measures, as the options say it.
 */
#ifndef WEFT_TOOL_BENCH_TASK_H
#define WEFT_TOOL_BENCH_TASK_H

#include "weft.h"

#include <stddef.h>
#include <stdint.h>

#include "operation.h"

/* Pictures and random numbers come from it: every bench and every verification is the same one. */
static const uint64_t bench_seed = 1;

/* How many numbers of threads one bench compares. */
enum { MOST_THREAD_COUNTS = 32 };

typedef struct bench_task {
    size_t height, width, batch;
    weft_precision precision;
    weft_pixel pixel;
    weft_layout layout;
    operation what;
    size_t threads[MOST_THREAD_COUNTS], thread_counts; /* none: both 1 and all */
    size_t repeat, fewest; /* samples, and of what takes seconds; fewest 0: as many as of all */
    size_t max_pixels;     /* of a picture */
    int to_file;           /* also PNG to PNG */
    int verbose;           /* each plan is described on standard error */
    int is_sweep;          /* one of many sizes: only what the table of sweeps shows is timed */
    int peers_alone;       /* peers run on one thread only: to plan for more takes FFTW long */
    const char *picture, *json;
} bench_task;

/* A weft_desc of the task's shape; the strategy is left open. */
static inline weft_desc task_desc(const bench_task *t) {
    return (weft_desc){.height = t->height,
                       .width = t->width,
                       .batch = t->batch,
                       .precision = t->precision,
                       .pixel = t->pixel,
                       .layout = t->layout};
}

#endif
