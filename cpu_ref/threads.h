/* SPDX-License-Identifier: MIT
 * How many threads a plan of a cpu.* strategy may use.
 */
#ifndef WEFT_CPU_REF_THREADS_H
#define WEFT_CPU_REF_THREADS_H

#include <omp.h>

#include "problem.h"

/* The number that the problem asks for, or else the one that OpenMP is set to; at most OpenMP's
 * limit and WEFT_MOST_THREADS. */
static inline size_t threads_asked_for(const problem *p) {
    int threads = p->threads > 0 ? p->threads : omp_get_max_threads(),
        limit = omp_get_thread_limit();
    threads = threads < limit ? threads : limit;
    return (size_t)(threads < WEFT_MOST_THREADS ? threads : WEFT_MOST_THREADS);
}

#endif
