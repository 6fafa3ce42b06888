/* SPDX-License-Identifier: MIT
 * Means of U8 and U16 images are taken out exactly, because DC would swamp all other bins of a
 * bright picture. Each column, or each of its classes (classes_of_column()), since these may be
 * transformed apart, loses its own rounded mean, an integer, before it is transformed. Only value 0
 * of its spectrum misses that. The last stage makes rows v H/classes of the columns' spectra of
 * these values: it gets the classes' exact sums instead, less the mean of these sums. Only row 0
 * misses that: it is made anew of the columns' exact sums, less the mean of these, and X[0][0],
 * which misses that, is set to the exact sum of all pixels. So no other bin sees more than the
 * picture's contrast, and nothing is rounded but what is transformed.
 */
#ifndef WEFT_MEANS_H
#define WEFT_MEANS_H

#include <stdint.h>

#include "arith/numbers.h"

/* The rounded mean of `count` pixels, or of `count` sums, that add up to `sum`. */
static WEFT_HD uint64_t rounded_mean(uint64_t sum, uint64_t count) {
    return (sum + count / 2) / count;
}

/* What the last stage gets for value 0 of a class; what row 0 of the columns' spectra holds for a
 * column. */
static WEFT_HD scalar sum_off_mean(uint64_t sum, uint64_t mean_of_sums) {
    return (scalar)((int64_t)sum - (int64_t)mean_of_sums);
}

/* X[0][0]. */
static WEFT_HD scalar dc_of(uint64_t sum, double forward_scale) {
    return (scalar)((double)sum * forward_scale);
}

#endif
