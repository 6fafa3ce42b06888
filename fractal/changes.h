/* SPDX-License-Identifier: MIT
 * Which ranges of a plane changed since the reference, and what of them is to be searched.
 */
#ifndef WEFT_FRACTAL_CHANGES_H
#define WEFT_FRACTAL_CHANGES_H

#include <stdint.h>

#include "blocks.h"

/* The threshold T that fits two frames: one and a half times the median difference of their ranges,
 * within limits. Noise then marks few ranges as changed; and where all moves, they still are. */
int change_threshold(const plane_blocks *b, const uint8_t *now, const uint8_t *before);

/* Sets the mode of all codes: UNCHANGED, CODED for what is to be searched, or REPEATED. original
 * is the reference before it was coded, searched what the last codes were found for; NULL: nothing
 * is repeated. threshold: T, or WEFT_FRACTAL_EVERY. Returns how many changed. */
size_t changes_mark(const plane_blocks *b, const uint8_t *now, const uint8_t *original,
                    const uint8_t *searched, int threshold, weft_fractal_code *codes);

#endif
