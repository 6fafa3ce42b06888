/* SPDX-License-Identifier: MIT
 * The intermediate between rows and columns: half spectra of all rows, folded, in tiles of columns,
 * work[image][tile][row pair][column within the tile][upper, lower row]. A thread of the row pass
 * has both values of a column and writes them at once, a row pair writes whole lines, and a tile of
 * columns is one contiguous piece. Private to cuda.twopass, which is free to change it.
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

/* The two values, upper and lower row of pair `pair`, in slot `slot`: column `slot`, or for 0 both
 * self-paired ones. */
static WEFT_HD cpx *tile_pair(tiles t, size_t image, unsigned pair, unsigned slot) {
    unsigned tile = slot >> t.log2_tile, within = slot & ((1u << t.log2_tile) - 1);
    size_t index = (((size_t)tile * (t.height / 2) + pair) << t.log2_tile) + within;
    return t.work + image * t.image_values + 2 * index;
}

/* From a slot to the one `slots` further, which must be a multiple of the tile's width: add this.
 */
static WEFT_HD size_t tile_step(tiles t, unsigned slots) {
    return (size_t)slots * t.height;
}

/* From row 0 to row `row` in the same slot: add this. */
static WEFT_CONSTANT unsigned tile_row(int log2_tile, unsigned row) {
    return ((row >> 1) << (log2_tile + 1)) + (row & 1);
}

#endif
