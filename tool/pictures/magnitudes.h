/* SPDX-License-Identifier: MIT
 * The magnitudes of a half spectrum, each where a picture of the spectrum shows it. For a picture
 * that is smaller than the spectrum the power of neighbouring bins is averaged, so that a single
 * peak among many bins is not lost, as it would be by averaging shades of gray.
 */
#ifndef WEFT_TOOL_PICTURES_MAGNITUDES_H
#define WEFT_TOOL_PICTURES_MAGNITUDES_H

#include "files/spectrum.h"

typedef struct magnitudes {
    size_t height, width, planes;
    size_t mean;       /* the place of frequency 0 in a plane */
    int mean_alone;    /* no other bin is drawn there */
    double largest;    /* of all |X| */
    double rounding;   /* ln of the error that the transform's rounding may leave in a bin */
    float *logarithms; /* [planes][height][width] ln |X|, -INFINITY for 0 */
} magnitudes;

/* fit: no side is longer; 0: as large as the spectrum. is_shifted: frequency 0 is in the middle, at
 * row height/2 and column width/2. It has the largest value around it, as a mean would outshine
 * everything. An exit code, after a complaint. */
int magnitudes_find(magnitudes *m, const spectrum *s, size_t fit, int is_shifted);
void magnitudes_free(magnitudes *m); /* fine when zeroed */

#endif
