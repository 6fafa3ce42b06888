/* SPDX-License-Identifier: MIT
 * What moves in the sequences of sequence.h: leaves and masts. Where they are follows from the seed
 * and the number of the frame alone.
 */
#ifndef WEFT_TOOL_FILES_MOVERS_H
#define WEFT_TOOL_FILES_MOVERS_H

#include <stddef.h>
#include <stdint.h>

/* Twice as many rows and columns as the picture, so that edges fall between pixels. */
typedef struct view {
    size_t rows, columns;
    uint8_t *samples; /* [3][rows][columns]: Y, Cb, Cr */
} view;

/* Discs, each of one shade, that cross the view; speed: pixels of the picture that one moves in a
 * frame at most, along each axis. One that leaves comes back on the other side. */
void movers_draw_leaves(view *v, size_t count, int64_t speed, uint64_t seed, size_t frame);

/* Upright thin bars that swing about their feet at the lower edge. */
void movers_draw_masts(view *v, size_t count, uint64_t seed, size_t frame);

#endif
