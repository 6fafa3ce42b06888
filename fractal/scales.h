/* SPDX-License-Identifier: MIT
 * The scales of both profiles, as integers: quarters in the seed profile, sixteenths in the dense
 * one, where number z is z - DENSE_FLAT. Number `flat` has no domain.
 */
#ifndef WEFT_FRACTAL_SCALES_H
#define WEFT_FRACTAL_SCALES_H

#include "weft_fractal.h"

enum {
    SEED_SCALES = 7,
    SEED_FLAT = 7,
    DENSE_SCALES = 31,
    DENSE_FLAT = 15, /* also the largest scale, in sixteenths */
    LOG2_QUARTERS = 2,
    LOG2_SIXTEENTHS = 4
};

static const signed char seed_scales[SEED_SCALES] = {-4, -3, -2, 1, 2, 3, 4};

static inline int flat_of(weft_fractal_profile profile) {
    return profile == WEFT_FRACTAL_DENSE ? DENSE_FLAT : SEED_FLAT;
}

static inline int log2_of_unit(weft_fractal_profile profile) {
    return profile == WEFT_FRACTAL_DENSE ? LOG2_SIXTEENTHS : LOG2_QUARTERS;
}

#endif
