/* SPDX-License-Identifier: MIT
 * How many fused multiply-adds of floats a GPU issues in a second, over all its lanes: what bounds
 * a kernel that computes more than it moves. weft fractal bench holds the search cuda against it.
 */
#ifndef WEFT_TOOL_BENCH_ISSUE_RATE_H
#define WEFT_TOOL_BENCH_ISSUE_RATE_H

#include "weft.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ISSUE_ROUNDS = 400, /* about two milliseconds on an H100, as long as what it is held against */
    MOST_ISSUE_ROUNDS = 1 << 15 /* counts of a lane stay exact in a float */
};

/* *instructions of all lanes in each of so many samples, whose seconds are measured by events. That
 * every lane did its share is checked. */
weft_status issue_rate_measure(int device, unsigned rounds, size_t samples, double *seconds,
                               double *instructions);

#ifdef __cplusplus
}
#endif

#endif
