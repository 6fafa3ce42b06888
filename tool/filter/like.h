/* SPDX-License-Identifier: MIT
 * The conventions of other programs, so that a filter gives what theirs gives: what a bare number
 * means, how a band ends, what lies beyond the border, how a result is rounded. A row of a table
 * for each filter of a program.
 */
#ifndef WEFT_TOOL_FILTER_LIKE_H
#define WEFT_TOOL_FILTER_LIKE_H

#include "filter/borders.h"
#include "filter/gains.h"

typedef struct like {
    const char *filter; /* the name of its option */
    border border;
    unit unit;
    bell bell;
    unsigned shapes; /* a bit for each gain_shape that the program has; the lowest is the default */
    int keeps_mean;
    int rounds_down;   /* results of 8 bits */
    unsigned bins;     /* by which a result is spread, the last all white; or 0 */
    int of_square;     /* the mean that is kept is that of the picture mirrored into a square */
    const char *about; /* for people: what else is meant */
} like;

extern const char *const like_words[]; /* the programs; NULL at the end */
/* What the program, an index of like_words, does for this filter; NULL: it has none. */
const like *like_of(int program, const char *filter);
/* "--gaussian, --lowpass": all that it has. */
const char *like_filters(int program, char *text, size_t size);

#endif
