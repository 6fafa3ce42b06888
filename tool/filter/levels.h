/* SPDX-License-Identifier: MIT
 * What is to be black and what white where a result is spread over all levels: its least and its
 * largest value; or, by how many values are in each of some bins between both, where some percent
 * of all may be black or white, and as ImageJ has it.
 */
#ifndef WEFT_TOOL_FILTER_LEVELS_H
#define WEFT_TOOL_FILTER_LEVELS_H

#include <stddef.h>

enum { LEVELS_MOST_BINS = 1 << 16 };

typedef struct levels {
    double black, white;
    size_t bins, count;
    size_t counts[LEVELS_MOST_BINS];
} levels;

/* All values are seen by one of these after the other, in parts; what is not finite counts not. */
typedef void levels_look(levels *s, const double *values, size_t count);
void levels_begin(levels *s);
levels_look levels_widen; /* black and white: the least and the largest */
levels_look levels_count; /* how many are in each of the bins */

/* Then black and white are brought together, so that as many values as that, in percent, become
 * black or white, half of them each. is_last_white: all that is in the last bin is white anyhow. */
void levels_narrow(levels *s, double saturated, int is_last_white);

#endif
