/* SPDX-License-Identifier: MIT
 * Which magnitude is drawn black and which white: of shares of the bins, as a picture has more
 * frequencies that are weak than strong ones, or of magnitudes themselves.
 */
#ifndef WEFT_TOOL_PICTURES_SCALE_H
#define WEFT_TOOL_PICTURES_SCALE_H

#include "pictures/magnitudes.h"

/* An end of the scale: a magnitude, or the one below which so many percent of the bins lie. */
typedef struct scale_end {
    int is_magnitude;
    double value;
} scale_end;

typedef struct scale {
    double black, white; /* ln |X| */
} scale;

/* Frequency 0 does not count where no other is drawn there, and no share of the bins makes what
 * rounding has left brighter than black. An exit code, after a complaint. */
int scale_find(scale *found, const magnitudes *m, scale_end black, scale_end white);

/* 0 for black to 1 for white, of ln |X|: by the logarithm, or by the power. */
double scale_level(const scale *by, double logarithm);
double scale_level_of_power(const scale *by, double logarithm);

#endif
