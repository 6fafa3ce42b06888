/* SPDX-License-Identifier: MIT
 * Least, middle and nearly largest of some samples; see samples.h.
 */
#include "bench/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

static const double long_us = 3e6;

size_t samples_to_take(double run_us, size_t repeat, size_t fewest) {
    if (fewest == 0 || (double)repeat * run_us <= long_us) {
        return repeat;
    }
    return (size_t)fmin((double)repeat, fmax((double)fewest, long_us / run_us));
}

size_t executions_per_sample(double run_us, double sample_us) {
    return run_us >= sample_us ? 1 : (size_t)ceil(sample_us / fmax(run_us, 0.5));
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

weft_status samples_summarize(sample_summary *of, const double *samples_us, size_t count) {
    double *sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for samples");
    }
    memcpy(sorted, samples_us, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_size);
    *of = (sample_summary){.min_us = sorted[0],
                           .median_us = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2,
                           .p95_us = sorted[(size_t)ceil(0.95 * (double)count) - 1]};
    free(sorted);
    return WEFT_OK;
}
