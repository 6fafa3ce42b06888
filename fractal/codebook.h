/* SPDX-License-Identifier: MIT
 * The domain pool of a plane as a search wants it: of each domain the means of its 2 x 2 pixels,
 * less their own mean, rounded to integers; and the same of ranges.
 */
#ifndef WEFT_FRACTAL_CODEBOOK_H
#define WEFT_FRACTAL_CODEBOOK_H

#include <stdint.h>

#include "blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct codebook {
    size_t count;         /* of the domains that are searched, in the order of their numbers: */
    uint32_t *number;     /* these */
    int16_t *values;      /* count x BLOCK_PIXELS, from -255 to 255 */
    const uint8_t *plane; /* what it was made of, padded */
} codebook;

/* From a plane and its half image. `number` and `values` have room for all domains. pruning: in
 * percent, see weft_fractal_desc; 0 keeps all. */
void codebook_make(codebook *book, const plane_blocks *b, const uint8_t *plane,
                   const uint16_t *half, int pruning);

/* The pixels of a range less their mean, which is returned. */
uint8_t range_values(const plane_blocks *b, size_t range, const uint8_t *plane, int trunc_mean,
                     int16_t values[BLOCK_PIXELS]);

#ifdef __cplusplus
}
#endif

#endif
