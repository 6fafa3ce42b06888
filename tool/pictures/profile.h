/* SPDX-License-Identifier: MIT
 * The power of a spectrum by frequency alone, whatever the direction: the mean of each ring of bins
 * around frequency 0, as a table in a CSV file, and the slope of power over frequency.
 */
#ifndef WEFT_TOOL_PICTURES_PROFILE_H
#define WEFT_TOOL_PICTURES_PROFILE_H

#include "files/spectrum.h"
#include "shell/output.h"

typedef struct profile {
    size_t rings, planes; /* frequency of a ring i: i / longest cycles per pixel, up to 0.5 */
    size_t longest;       /* side of the picture */
    double *bins;         /* [rings] of the whole spectrum */
    double *powers;       /* [planes][rings] mean |X|^2 / (H W): of noise, its variance */
} profile;

int profile_find(profile *p, const spectrum *s); /* an exit code, after a complaint */
void profile_free(profile *p);                   /* fine when zeroed */
int profile_write(const profile *p, output *out);
/* The exponent of a power law through the rings from 4 cycles across the picture to 0.25 cycles per
 * pixel, on logarithmic axes, each octave with the same weight; NAN where there are less than two
 * rings. */
double profile_slope(const profile *p);

#endif
