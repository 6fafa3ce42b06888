/* SPDX-License-Identifier: MIT
 * The kernels of cpu.fast: each transforms a tile of columns or a pair of rows. They are compiled
 * once for each precision, instruction set and number of lanes (kernels.c) and called through a
 * table of functions, fast_kernels. plan.c chooses the table, and fast.c says which thread runs
 * which tile.
 */
#ifndef WEFT_CPU_REF_FAST_KERNELS_H
#define WEFT_CPU_REF_FAST_KERNELS_H

#include <stdint.h>

#include "arith/factors.h"
#include "layout.h"
#include "sizes.h"
#include "weft.h"

/* The tables of a line in one direction. The twiddles of a stage lie as twiddle.h says, sub-line
 * after sub-line. But in a stage of a row with fewer neighbouring butterflies than lanes, they lie
 * as vectors, each for as many butterflies as there are lanes: number by number a vector of real
 * parts and one of imaginary parts. */
typedef struct REAL_NAME(fast_line) {
    size_t length;
    factor_list factors;
    const scalar *twiddles[MAX_STAGES];
} fast_line;

/* Rows of pairs of reals, which are complex columns side by side. A butterfly prefetches rows that
 * are `ahead` rows beyond its own inputs; `in_turn` is how far apart those rows are that
 * neighbouring inputs prefetch: a pitch, or 0 if they are the same (columns.inc). */
typedef struct REAL_NAME(pair_rows) {
    scalar *values;
    size_t pitch, ahead, in_turn;
} pair_rows;

/* What lies between the two passes: the columns' spectra, tangled. Rows that are a power of two
 * apart share few sets of the caches. Therefore tile t of a row lies where tile t ^ turn of it
 * would lie: the tiles that a butterfly writes, and those after them, are in different sets, as far
 * as there are enough tiles. */
typedef struct REAL_NAME(intermediate_view) {
    scalar *values;
    size_t pitch, height;
    /* W less a tile's width, which are the bits of a column that say which tile it is in; 0 if
     * tiles do not turn. */
    size_t turns;
    int log2_tile;
    int log2_part;  /* of H / LARGEST_RADIX, the distance between rows that a butterfly writes */
    int is_cached;  /* it fits into the second-level cache together with the image */
    int streams;    /* it may be stored past the caches: its rows are whole cache lines */
    int is_fetched; /* columns prefetch what they are about to write */
    int prefetches_far; /* the next rows are prefetched in an early stage (rows.inc) */
} intermediate_view;

/* Column l of row k lies at l ^ this, counted in reals from the row's beginning. */
static inline size_t turn_of_row(const intermediate_view *intermediate, size_t k) {
    return ((k ^ k >> intermediate->log2_part) << intermediate->log2_tile) & intermediate->turns;
}

/* Widths of a tile in reals: the largest; and two cache lines, for which kernels have code of their
 * own. */
enum { MOST_TILE_WIDTH = 128, NARROW_TILE = 2 * CACHE_LINE / sizeof(scalar) };
enum { MOST_CLASSES = LARGEST_RADIX };

/* A tile of U8 or U16 pixels. */
typedef struct pixel_tile {
    void *image;
    weft_pixel type;
    size_t first, pitch; /* elements of image */
    size_t height, width;
} pixel_tile;

/* The exact sums of the pixels of its columns: of each class, and of all. */
typedef struct tile_sums {
    size_t classes;
    uint64_t of_class[MOST_CLASSES][MOST_TILE_WIDTH], of_column[MOST_TILE_WIDTH];
} tile_sums;

/* Unused rows behind each sub-line in a tile's buffer. Long columns have one, so that the first
 * rows of their sub-lines lie in different sets of the cache. */
static inline size_t rows_apart(size_t length) {
    return length < 512 ? 0 : 1;
}

static inline size_t tile_rows_of(size_t length) {
    return length + rows_apart(length) * LARGEST_RADIX;
}

/* In work a row lies as real parts and, parts_apart() behind them, imaginary parts; row_work() is
 * the size of two such rows, in reals. Neither is a power of two, so that the values of a butterfly
 * lie in different sets of the cache. */
enum { PARTS_GAP = 16 };

static inline size_t parts_apart(size_t width) {
    return width + PARTS_GAP;
}

static inline size_t row_work(size_t width) {
    return 4 * parts_apart(width) + PARTS_GAP;
}

/* `work` is memory of the calling thread. */
typedef struct REAL_NAME(fast_kernels) {
    int lanes;
    int can_stream; /* columns can be stored past the caches */
    /* Transforms width/2 complex columns, a multiple of the lanes; their spectra go to the
     * intermediate, from `column` on. work: tile_rows_of() rows of `width` reals. */
    void (*columns)(const fast_line *line, pair_rows from, const intermediate_view *to,
                    size_t column, size_t width, scalar *work);
    /* The same for an inverse: real and imaginary parts are swapped before and after, and results
     * are multiplied by scale. `to` is the image, whose tiles do not turn. */
    void (*columns_inverse)(const fast_line *line, pair_rows from, const intermediate_view *to,
                            size_t column, size_t width, scalar *work, scalar scale);
    /* Transforms rows k and H - k of the intermediate into rows k_of_spectrum and its mirror image
     * of the spectrum, times scale. Both may be the same memory. Meanwhile rows k + 1 and H - k - 1
     * are prefetched. work: row_work(W) reals. */
    void (*rows)(const fast_line *row, const intermediate_view *intermediate, size_t k,
                 spectrum_view spectrum, size_t k_of_spectrum, scalar scale, scalar *work);
    void (*rows_inverse)(const fast_line *row, spectrum_view spectrum, size_t k_of_spectrum,
                         const intermediate_view *intermediate, size_t k, scalar *work);
    /* Multiplies rows k and H - k of the spectrum by those of the transfer, or by `gain` where that
     * is not NULL, in the columns from `lanes` on and before W/2. */
    void (*multiply)(spectrum_view spectrum, size_t k, spectrum_view transfer, size_t k_of_transfer,
                     const scalar *gain);
    /* Integer pixels: sum_pixels() makes the exact sums of a tile. restore_classes() puts into the
     * intermediate what the spectra of the tile's columns miss without the classes' means.
     * load_pixels() turns the tile into `height` rows of `width` reals, each less the mean of its
     * class, and store_pixels() turns such rows into pixels. */
    void (*sum_pixels)(const pixel_tile *tile, tile_sums *sums);
    void (*restore_classes)(const tile_sums *sums, const intermediate_view *intermediate,
                            size_t column, size_t width);
    void (*load_pixels)(const pixel_tile *tile, const tile_sums *sums, scalar *to);
    void (*store_pixels)(const pixel_tile *tile, const scalar *from);
    /* The DFT of slot 0, rows 0 and H/2 of the intermediate. Returns where in work it lies: W real
     * parts and, parts_apart(W) behind them, W imaginary parts. */
    scalar *(*folded_rows)(const fast_line *row, const intermediate_view *intermediate,
                           scalar *work);
    /* The inverse DFT; its input is at the beginning of work, in the same order. */
    void (*folded_rows_inverse)(const fast_line *row, const intermediate_view *intermediate,
                                scalar *work);
    /* part_folded() takes such a DFT apart into rows 0 and H/2 of the spectrum, times scale, which
     * includes untangle()'s 1/2; join_folded() is the way back. Both do columns from `lanes` on and
     * before W/2, and their mirror images. */
    void (*part_folded)(const scalar *folded, spectrum_view spectrum, scalar scale);
    void (*join_folded)(spectrum_view spectrum, scalar *folded);
    /* The largest absolute value of rows of `width` reals that lie `pitch` apart. */
    scalar (*largest)(const scalar *values, size_t height, size_t pitch, size_t width);
} fast_kernels;

#endif
