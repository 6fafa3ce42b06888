/* SPDX-License-Identifier: MIT
 * Times whatever can be enqueued on a CUDA stream, by CUDA events around many executions: launched
 * one by one, or captured into a graph and replayed, which takes the launches' cost on the CPU out
 * of the picture. Used by timer_cuda.c for the bench and by the experiments of weft reproduce.
 */
#ifndef WEFT_TOOL_BENCH_GPU_TIMER_H
#define WEFT_TOOL_BENCH_GPU_TIMER_H

#include <stddef.h>

#include "weft.h"

typedef struct gpu_work {
    /* Enqueues the i-th execution of a sample, and returns. */
    weft_status (*enqueue)(void *context, size_t i, struct CUstream_st *stream);
    void *context;
    size_t executions; /* in a sample */
    int as_graph;
} gpu_work;

typedef struct gpu_timer gpu_timer;

/* *timer is NULL on failure. The context must live as long as the timer. */
weft_status gpu_timer_open(gpu_timer **timer, const gpu_work *work);
void gpu_timer_close(gpu_timer *timer); /* NULL is fine */

/* The time of one execution, the mean of one sample's, after a warm-up. */
weft_status gpu_timer_sample(gpu_timer *timer, double *us);

/* Kernels in one execution, copies and fills not counted; 0 unless it is a graph. */
size_t gpu_timer_kernels(const gpu_timer *timer);

#endif
