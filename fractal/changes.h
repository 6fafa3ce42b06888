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

typedef struct change_counts {
    size_t changed, coded; /* ranges; coded: of the former, those to be searched */
} change_counts;

/* Sets the mode of the codes first .. end - 1, which are whole rows: UNCHANGED, CODED for what is
 * to be searched, or REPEATED. original is the reference before it was coded, searched what the
 * last codes were found for; NULL: nothing is repeated. threshold: T, or WEFT_FRACTAL_EVERY. */
change_counts changes_mark(const plane_blocks *b, size_t first, size_t end, const uint8_t *now,
                           const uint8_t *original, const uint8_t *searched, int threshold,
                           weft_fractal_code *codes);

#endif
