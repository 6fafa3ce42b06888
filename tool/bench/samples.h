/* SPDX-License-Identifier: MIT
 * Samples of a time: how many executions make one, and what is said of all of them.
 */
#ifndef WEFT_TOOL_BENCH_SAMPLES_H
#define WEFT_TOOL_BENCH_SAMPLES_H

#include <stddef.h>

#include "weft.h"

/* Samples of an execution that takes run_us: repeat, but of one that takes long only as many as end
 * within some seconds, and at least fewest; fewest 0: repeat. */
size_t samples_to_take(double run_us, size_t repeat, size_t fewest);

/* Executions in one sample: enough to outlast the clock's coarseness. */
size_t executions_per_sample(double run_us, double sample_us);

typedef struct sample_summary {
    double min_us, median_us, p95_us;
} sample_summary;

/* Of at least one sample. WEFT_NO_MEMORY. */
weft_status samples_summarize(sample_summary *of, const double *samples_us, size_t count);

#endif
