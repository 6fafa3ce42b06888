/* SPDX-License-Identifier: MIT
 * Seconds since some moment, which goes on evenly whatever the system's time is set to.
 */
#ifndef WEFT_TOOL_SHELL_CLOCK_H
#define WEFT_TOOL_SHELL_CLOCK_H

#include <time.h>

static inline double clock_seconds(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
