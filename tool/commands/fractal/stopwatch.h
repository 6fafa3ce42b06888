/* SPDX-License-Identifier: MIT
 * Seconds since a moment.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_STOPWATCH_H
#define WEFT_TOOL_COMMANDS_FRACTAL_STOPWATCH_H

#include <time.h>

typedef struct timespec stopwatch;

static inline stopwatch stopwatch_start(void) {
    stopwatch now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

static inline double stopwatch_seconds(const stopwatch *since) {
    const stopwatch now = stopwatch_start();

    return (double)(now.tv_sec - since->tv_sec) + 1e-9 * (double)(now.tv_nsec - since->tv_nsec);
}

#endif
