/* SPDX-License-Identifier: MIT
 * The intermediate between rows and columns: half spectra of all rows, folded, in tiles of columns,
 * work[image][tile][row][column within the tile]. A row pair writes whole lines of it, and a
 * block's tile of columns is one contiguous piece. Private to cuda.twopass, which is free to change
 * it.
 */
#ifndef WEFT_CUDA_TILES_CUH
#define WEFT_CUDA_TILES_CUH

#include "layout.h"

typedef struct REAL_NAME(tiles) {
    cpx *work;
    size_t image_values; /* H W / 2 */
    unsigned height;
    int log2_tile;
} tiles;

/* Slot `slot` (column `slot`, or both self-paired ones for 0) of row `row`. */
static WEFT_HD cpx *tile_value(tiles t, size_t image, unsigned row, unsigned slot) {
    unsigned tile = slot >> t.log2_tile, within = slot & ((1u << t.log2_tile) - 1);
    return t.work + image * t.image_values + (((size_t)tile * t.height + row) << t.log2_tile) +
           within;
}

/* From a slot to the one `slots` further, which must be a multiple of the tile's width: add this.
 */
static WEFT_HD size_t tile_step(tiles t, unsigned slots) {
    return (size_t)slots * t.height;
}

/* From a row to the next, in the same slot: add this. */
static WEFT_HD size_t tile_row_step(tiles t) {
    return (size_t)1 << t.log2_tile;
}

#endif
