/* SPDX-License-Identifier: MIT
 * Means, taken out exactly: DC would swamp all other bins of a bright picture. Every column of U8
 * and U16 pixels loses its own mean, an integer, before it is transformed; or each of its classes
 * does, see classes_of_column(), because those may be transformed apart from one another. Only
 * value 0 of each class misses it. The last stage, which makes rows v H/classes of the columns'
 * spectra of these, gets the classes' exact sums for them, less the mean of those; only row 0
 * misses that: it is made anew of the columns' exact sums, less the mean of these, which X[0][0]
 * alone misses: it is the exact sum of all pixels. So no bin but that one sees more than the
 * picture's contrast, and nothing is rounded but what is transformed.
 */
#ifndef WEFT_MEANS_H
#define WEFT_MEANS_H

#include <stdint.h>

#include "arith/numbers.h"

/* Of pixels in a column or a class, or of sums. */
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
