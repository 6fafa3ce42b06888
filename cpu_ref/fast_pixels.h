/* SPDX-License-Identifier: MIT
 * A tile of whole pixels: its exact sums, its numbers less the means of their classes, what the
 * spectra of its columns miss by that, see means.h, and numbers back to pixels. But for butterflies
 * the text has one lane at a time; the compiler makes vectors of its loops.
 */
#ifndef WEFT_CPU_FAST_PIXELS_H
#define WEFT_CPU_FAST_PIXELS_H

#include <string.h>

#include "fast_kernels.h"
#include "means.h"
#include "pieces.h"
#include "pixels.h"

enum { ROWS_OF_32_BITS = 1 << 16 }; /* that many pixels of 65535 add up to 32 bits */

/* call(type) with the type of pixel as a constant. */
#define ANY_PIXEL(type, call)                                                                      \
    if ((type) == WEFT_PIXEL_U8) {                                                                 \
        call(WEFT_PIXEL_U8);                                                                       \
    } else {                                                                                       \
        call(WEFT_PIXEL_U16);                                                                      \
    }

/* ---- sums and means ---------------------------------------------------------------------------
 */

static WEFT_HD size_t class_after(size_t class, size_t classes) {
    return class + 1 < classes ? class + 1 : 0;
}

/* Rows `row` to `end` of the tile into sums of their classes. */
static WEFT_HD void add_rows_of(const pixel_tile *tile, size_t row, size_t end, tile_sums *sums,
                                weft_pixel type) {
    uint32_t of_class[MOST_CLASSES][MOST_TILE_WIDTH];
    memset(of_class, 0, sums->classes * sizeof *of_class);
    for (size_t class = row % sums->classes; row < end; row++) {
        size_t first = tile->first + row * tile->pitch;
        for (size_t n = 0; n < tile->width; n++) {
            of_class[class][n] += whole_pixel(tile->image, type, first + n);
        }
        class = class_after(class, sums->classes);
    }
    for (size_t c = 0; c < sums->classes; c++) {
        for (size_t n = 0; n < tile->width; n++) {
            sums->of_class[c][n] += of_class[c][n];
        }
    }
}

static void sum_pixels(const pixel_tile *tile, tile_sums *sums) {
    sums->classes = classes_of_column(tile->height);
    memset(sums->of_class, 0, sums->classes * sizeof *sums->of_class);
    memset(sums->of_column, 0, sizeof sums->of_column);
    for (size_t row = 0; row < tile->height; row += ROWS_OF_32_BITS) {
        size_t left = tile->height - row,
               end = row + (left < ROWS_OF_32_BITS ? left : ROWS_OF_32_BITS);
#define ADD_ROWS(type) add_rows_of(tile, row, end, sums, type)
        ANY_PIXEL(tile->type, ADD_ROWS)
    }
    for (size_t c = 0; c < sums->classes; c++) {
        for (size_t n = 0; n < tile->width; n++) {
            sums->of_column[n] += sums->of_class[c][n];
        }
    }
}

/* The means of `count` values each, rounded_mean() without a division: counts are powers of two, as
 * all sizes of cpu.fast are. */
static void means_of(const uint64_t *sums, size_t count, size_t width, uint64_t *means) {
    int shift = __builtin_ctzll(count);
    for (size_t n = 0; n < width; n++) {
        means[n] = (sums[n] + count / 2) >> shift;
    }
}

/* ---- what the spectra miss --------------------------------------------------------------------
 */

/* What the last stage makes of value 0 of each class out of their sums, rows H/classes apart. */
static WEFT_HD void restore_classes_of(const tile_sums *sums, const mid_view *mid, size_t column,
                                       size_t width, int classes) {
    size_t apart = mid->height / (size_t)classes;
    uint64_t means[MOST_TILE_WIDTH];
    means_of(sums->of_column, (size_t)classes, width, means);
    for (size_t n = 0; n < width; n += 2 * LANES) {
        cpx z[LARGEST_RADIX];
        for (int c = 0; c < classes; c++) {
            lane values[2 * LANES];
            for (size_t i = 0; i < 2 * LANES; i++) {
                values[i] = sum_off_mean(sums->of_class[c][n + i], means[n + i]);
            }
            z[c] = load_pairs(values, IN_ORDER);
        }
        butterfly(z, classes);
        for (int v = 0; v < classes; v++) {
            size_t k = (size_t)v * apart;
            store_pairs(mid->values + k * mid->pitch + (column ^ turn_of_row(mid, k)) + n, z[v],
                        IN_ORDER);
        }
    }
}

static void restore_classes(const tile_sums *sums, const mid_view *mid, size_t column,
                            size_t width) {
#define RESTORE(classes) restore_classes_of(sums, mid, column, width, classes)
    if (sums->classes > 1) {
        ANY_RADIX((int)sums->classes, RESTORE)
    }
}

/* ---- pixels to reals and back -----------------------------------------------------------------
 */

static WEFT_HD void load_pixels_of(const pixel_tile *tile, const lane (*means)[MOST_TILE_WIDTH],
                                   size_t classes, lane *restrict to, weft_pixel type) {
    size_t class = 0;
    for (size_t row = 0; row < tile->height; row++, to += tile->width) {
        size_t first = tile->first + row * tile->pitch;
        for (size_t n = 0; n < tile->width; n++) {
            to[n] = load_pixel(tile->image, type, first + n, means[class][n]);
        }
        class = class_after(class, classes);
    }
}

static void load_pixels(const pixel_tile *tile, const tile_sums *sums, lane *to) {
    lane means[MOST_CLASSES][MOST_TILE_WIDTH];
    for (size_t c = 0; c < sums->classes; c++) {
        uint64_t of_class[MOST_TILE_WIDTH];
        means_of(sums->of_class[c], tile->height / sums->classes, tile->width, of_class);
        for (size_t n = 0; n < tile->width; n++) {
            means[c][n] = (lane)of_class[n];
        }
    }
#define LOAD_PIXELS(type) load_pixels_of(tile, means, sums->classes, to, type)
    ANY_PIXEL(tile->type, LOAD_PIXELS)
}

static WEFT_HD void store_pixels_of(const pixel_tile *tile, const lane *restrict from,
                                    weft_pixel type) {
    for (size_t row = 0; row < tile->height; row++, from += tile->width) {
        size_t first = tile->first + row * tile->pitch;
        for (size_t n = 0; n < tile->width; n++) {
            store_pixel(tile->image, type, first + n, from[n]);
        }
    }
}

static void store_pixels(const pixel_tile *tile, const lane *from) {
#define STORE_PIXELS(type) store_pixels_of(tile, from, type)
    ANY_PIXEL(tile->type, STORE_PIXELS)
}

#endif
