/* SPDX-License-Identifier: MIT
 * Planes of pixels: padded ones, which blocks are cut from, and half images, which domains are
 * taken from. Both lie without gaps between their rows.
 */
#ifndef WEFT_FRACTAL_PLANE_H
#define WEFT_FRACTAL_PLANE_H

#include <stdint.h>
#include <string.h>

#include "blocks.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pads height x width pixels by their last column and row. */
void plane_load(const plane_blocks *b, const uint8_t *from, size_t pitch, uint8_t *plane);

/* Cuts the padding off. */
void plane_store(const plane_blocks *b, const uint8_t *plane, uint8_t *to, size_t pitch);

/* The sum of the squares of all differences, without the padding. */
uint64_t plane_squared_error(const plane_blocks *b, const uint8_t *x, const uint8_t *y);

/* Of each 2 x 2 pixels of the padded plane their sum. */
void plane_halve(const plane_blocks *b, const uint8_t *plane, uint16_t *half);

/* The pixels of a range, moved together, so that compilers make vectors of what is done to them. */
static inline void range_block(const plane_blocks *b, size_t range, const uint8_t *plane,
                               uint8_t pixels[BLOCK_PIXELS]) {
    const uint8_t *first = plane + first_of_range(b, range);
    for (size_t m = 0; m < BLOCK_SIDE; m++) {
        memcpy(pixels + m * BLOCK_SIDE, first + m * b->padded_width, BLOCK_SIDE);
    }
}

/* Ranges of a row that are compared together. */
enum { RANGES_TOGETHER = 64, MOST_DIFFERENCE = 255 * BLOCK_PIXELS };

/* How many they are from range `first` on. */
static inline size_t ranges_together(const plane_blocks *b, size_t first) {
    size_t left = b->range_columns - first % b->range_columns;
    return left < RANGES_TOGETHER ? left : RANGES_TOGETHER;
}

/* The sums of the absolute differences of these ranges in two planes, each MOST_DIFFERENCE at
 * most. */
void range_differences(const plane_blocks *b, size_t first, const uint8_t *x, const uint8_t *y,
                       uint16_t sums[RANGES_TOGETHER]);

/* Whether such a plane can be in a caller's picture as it is said there. */
weft_status picture_check(const weft_fractal_picture *picture, const plane_blocks *b, int plane);

#ifdef __cplusplus
}
#endif

#endif
