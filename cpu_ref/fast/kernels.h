/* SPDX-License-Identifier: MIT
 * The kernels of cpu.fast, a tile of columns or a pair of rows each: compiled once for each
 * precision, instruction set and number of lanes, and found through this table of functions.
 * fast.c says who does which tile with which of them.
 */
#ifndef WEFT_CPU_REF_FAST_KERNELS_H
#define WEFT_CPU_REF_FAST_KERNELS_H

#include <stdint.h>

#include "arith/factors.h"
#include "layout.h"
#include "sizes.h"
#include "weft.h"

/* A line in one direction. Twiddles of a stage: as twiddle.h has them, a sub-line's after the
 * other's; but in a row, where neighbours in a stage are fewer than the lanes, vectors: number by
 * number those of as many butterflies as there are lanes, real parts and then imaginary ones. */
typedef struct REAL_NAME(fast_line) {
    size_t length;
    factor_list factors;
    const scalar *twiddles[MAX_STAGES];
} fast_line;

/* Rows of pairs of reals, complex columns side by side; how far ahead of the one in work, of each
 * of a butterfly's inputs, the first one is that is fetched; and how far apart those are that are
 * fetched in turn: a pitch, or 0. */
typedef struct REAL_NAME(pair_rows) {
    scalar *values;
    size_t pitch, ahead, in_turn;
} pair_rows;

/* What is between the passes: the columns' spectra, tangled. Rows a power of two apart share few
 * sets of the caches, so tile t of a row lies where tile t ^ turn of it would: as far as there are
 * tiles, those that a butterfly writes, and those after them, lie in different sets. */
typedef struct REAL_NAME(intermediate_view) {
    scalar *values;
    size_t pitch, height;
    /* W less a tile's width, the bits of a column that say which tile it is in; or 0. */
    size_t turns;
    int log2_tile;
    int log2_part;  /* of H / LARGEST_RADIX: so far apart are the rows that a butterfly writes */
    int is_cached;  /* with the image it has room in the second-level cache */
    int streams;    /* may be stored past the caches: its rows are whole lines of them */
    int is_fetched; /* columns fetch what they are about to write */
    int prefetches_far; /* rows that come next are better fetched early (rows.inc) */
} intermediate_view;

/* Where column l of row k lies, in reals from the row's beginning: at l ^ this. */
static inline size_t turn_of_row(const intermediate_view *intermediate, size_t k) {
    return ((k ^ k >> intermediate->log2_part) << intermediate->log2_tile) & intermediate->turns;
}

/* Reals of a tile's rows: the most; and two lines of the cache, for which kernels have code of
 * their own. */
enum { MOST_TILE_WIDTH = 128, NARROW_TILE = 2 * CACHE_LINE / sizeof(scalar) };
enum { MOST_CLASSES = LARGEST_RADIX };

/* A tile of U8 or U16 pixels. */
typedef struct pixel_tile {
    void *image;
    weft_pixel type;
    size_t first, pitch; /* elements of image */
    size_t height, width;
} pixel_tile;

/* The sums of its columns: of each class, and of all. */
typedef struct tile_sums {
    size_t classes;
    uint64_t of_class[MOST_CLASSES][MOST_TILE_WIDTH], of_column[MOST_TILE_WIDTH];
} tile_sums;

/* Rows that a tile's buffer has besides the column's: one behind each sub-line of a long one, so
 * that their first rows lie in different sets of the cache (5 to 9 % of columns of 2048 in double
 * precision, a Xeon). */
static inline size_t rows_apart(size_t length) {
    return length < 512 ? 0 : 1;
}

static inline size_t tile_rows_of(size_t length) {
    return length + rows_apart(length) * LARGEST_RADIX;
}

/* Reals from the real parts of a row in work to its imaginary ones, and room for two such rows: no
 * power of two, so that what a butterfly wants of them lies in different sets. */
enum { PARTS_GAP = 16 };

static inline size_t parts_apart(size_t width) {
    return width + PARTS_GAP;
}

static inline size_t row_work(size_t width) {
    return 4 * parts_apart(width) + PARTS_GAP;
}

/* Work is memory of the calling thread. */
typedef struct REAL_NAME(fast_kernels) {
    int lanes;
    int can_stream; /* columns, past the caches */
    /* The DFT of each of width/2 complex columns, a multiple of the lanes, to the columns of the
     * intermediate from `column` on. work: tile_rows_of() rows of `width` numbers. */
    void (*columns)(const fast_line *line, pair_rows from, const intermediate_view *to,
                    size_t column, size_t width, scalar *work);
    /* The same for an inverse: the parts of all values swapped before and after, times scale. `to`
     * is where the image is: it has no turns. */
    void (*columns_inverse)(const fast_line *line, pair_rows from, const intermediate_view *to,
                            size_t column, size_t width, scalar *work, scalar scale);
    /* Rows k and H - k of the intermediate to rows k_of_spectrum and its mirror image of the
     * spectrum, times scale. May be the same memory. Rows k + 1 and H - k - 1 are fetched
     * meanwhile. work: row_work(W) numbers. */
    void (*rows)(const fast_line *row, const intermediate_view *intermediate, size_t k,
                 spectrum_view spectrum, size_t k_of_spectrum, scalar scale, scalar *work);
    void (*rows_inverse)(const fast_line *row, spectrum_view spectrum, size_t k_of_spectrum,
                         const intermediate_view *intermediate, size_t k, scalar *work);
    /* Rows k and H - k of the spectrum times those of the transfer, or times `gain` where that is
     * not NULL: columns from `lanes` on and before the middle. */
    void (*multiply)(spectrum_view spectrum, size_t k, spectrum_view transfer, size_t k_of_transfer,
                     const scalar *gain);
    /* Exact sums of a tile. Its columns' spectra in the intermediate get what the classes' means
     * took from them. Its reals, each less the mean of its class, height rows of width; and such
     * rows back to pixels. */
    void (*sum_pixels)(const pixel_tile *tile, tile_sums *sums);
    void (*restore_classes)(const tile_sums *sums, const intermediate_view *intermediate,
                            size_t column, size_t width);
    void (*load_pixels)(const pixel_tile *tile, const tile_sums *sums, scalar *to);
    void (*store_pixels)(const pixel_tile *tile, const scalar *from);
    /* Slot 0, which are rows 0 and H/2 of the intermediate. Its DFT, W real parts and,
     * parts_apart(W) from them, W imaginary ones: returns where in work. */
    scalar *(*folded_rows)(const fast_line *row, const intermediate_view *intermediate,
                           scalar *work);
    /* And back; what comes is at the beginning of work, in the same order. */
    void (*folded_rows_inverse)(const fast_line *row, const intermediate_view *intermediate,
                                scalar *work);
    /* Such a DFT to rows 0 and H/2 of the spectrum, times scale, which has untangling's half in it,
     * and back: their columns from `lanes` on and before the middle, and the mirror images. */
    void (*part_folded)(const scalar *folded, spectrum_view spectrum, scalar scale);
    void (*join_folded)(spectrum_view spectrum, scalar *folded);
} fast_kernels;

#endif
