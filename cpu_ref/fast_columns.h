/* SPDX-License-Identifier: MIT
 * A tile of complex columns, one in each lane of one vector or several: every stage is butterflies
 * of rows of the tile, that share their twiddles. The first stage gathers the tile out of its rows
 * into a buffer of whole lines of the cache, where the next ones work in place, and the last one
 * scatters it. After the first stage each sub-line goes through all others by itself: it stays in
 * the first-level cache.
 */
#ifndef WEFT_CPU_FAST_COLUMNS_H
#define WEFT_CPU_FAST_COLUMNS_H

#include "fast_kernels.h"
#include "turned.h"

/* Rows that are fetched ahead of the one in work: of each of a butterfly's inputs, and of outputs.
 * Rows a power of two apart share few sets of the caches, so not many. */
enum { ROWS_AHEAD = 8 };

/* What a stage reads and writes: rows of an image or of mid, or of the buffer. */
typedef struct tile_rows {
    lane *values;
    size_t pitch;
    int is_buffer; /* vectors of real parts and of imaginary ones, else pairs */
    int is_swapped;
    int is_scaled;
    lane scale;
} tile_rows;

static WEFT_HD cpx load_row(const tile_rows *from, const lane *row) {
    if (from->is_buffer) {
        return cpx_of(load_lanes(row), load_lanes(row + LANES));
    }
    cpx z = load_pairs(row);
    return from->is_swapped ? cpx_swap(z) : z;
}

static WEFT_HD void store_row(const tile_rows *to, lane *row, cpx z) {
    if (to->is_buffer) {
        store_lanes(row, z.re);
        store_lanes(row + LANES, z.im);
    } else {
        z = to->is_swapped ? cpx_swap(z) : z;
        store_pairs(row, to->is_scaled ? cpx_scale(z, lanes_of(to->scale)) : z);
    }
}

/* Of a row, all that the tile has of it. */
static WEFT_HD void fetch_row(const lane *row, size_t width, int is_written) {
    for (size_t n = 0; n < width; n += 64 / sizeof(lane)) {
        if (is_written) {
            __builtin_prefetch(row + n, 1, 3);
        } else {
            __builtin_prefetch(row + n, 0, 2);
        }
    }
}

/* A butterfly of rows `in_step` apart, to rows `out_step` apart; twiddles of its sub-line, or NULL
 * where all are 1. */
static WEFT_HD void butterfly_of_rows(const tile_rows *from, const lane *in, size_t in_step,
                                      const tile_rows *to, lane *out, size_t out_step, size_t width,
                                      int radix, const lane *twiddles) {
    for (size_t n = 0; n < width; n += 2 * LANES) {
        cpx x[LARGEST_RADIX];
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            x[k] = load_row(from, in + n + (size_t)k * in_step);
        }
        if (twiddles == NULL) {
            butterfly(x, radix);
        } else {
            turned(x, radix, twiddles, 0);
        }
        WEFT_UNROLL
        for (int k = 0; k < radix; k++) {
            store_row(to, out + n + (size_t)k * out_step, x[k]);
        }
    }
}

/* ---- stages: each for all its radices ----------------------------------------------------------
 */

static WEFT_HD void first_stage_of(const tile_rows *from, const tile_rows *buffer, size_t length,
                                   size_t sub_line, size_t width, int radix) {
    size_t m = length / (size_t)radix, step = m * from->pitch;
    for (size_t j = 0; j < m; j++) {
        /* Of this tile, or of the one beside it. */
        size_t ahead = j + ROWS_AHEAD;
        const lane *next =
            from->values + (ahead < m ? ahead * from->pitch : (ahead - m) * from->pitch + width);
        if (m > ROWS_AHEAD) {
            WEFT_UNROLL
            for (int k = 0; k < radix; k++) {
                fetch_row(next + (size_t)k * step, width, 0);
            }
        }
        butterfly_of_rows(from, from->values + j * from->pitch, step, buffer,
                          buffer->values + j * buffer->pitch, sub_line, width, radix, NULL);
    }
}

/* A sub-line of radix m rows, in place. */
static WEFT_HD void next_stage_of(const tile_rows *buffer, size_t m, size_t width, int radix,
                                  const lane *twiddles) {
    size_t step = m * buffer->pitch;
    for (size_t j = 0; j < m; j++) {
        lane *first = buffer->values + j * buffer->pitch;
        butterfly_of_rows(buffer, first, step, buffer, first, step, width, radix, twiddles);
    }
}

/* Of `count` sub-lines, each of radix rows, `sub_line` apart in the buffer; they are sub-lines q, q
 * + apart, .., of `sub_lines`, and their outputs go where that says. */
static WEFT_HD void last_stage_of(const tile_rows *buffer, size_t sub_line, size_t count, size_t q,
                                  size_t apart, size_t sub_lines, const tile_rows *to, size_t width,
                                  int radix, const lane *twiddles) {
    size_t step = sub_lines * to->pitch;
    for (size_t i = 0; i < count; i++, q += apart) {
        lane *out = to->values + q * to->pitch;
        if (i + 1 < count) {
            WEFT_UNROLL
            for (int k = 0; k < radix; k++) {
                fetch_row(out + apart * to->pitch + (size_t)k * step, width, 1);
            }
        }
        butterfly_of_rows(buffer, buffer->values + i * sub_line, buffer->pitch, to, out, step,
                          width, radix, twiddles + 2 * q * stage_twiddles((size_t)radix));
    }
}

static void first_stage_of_tile(tile_rows from, tile_rows buffer, size_t length, size_t sub_line,
                                size_t width, int radix) {
#define FIRST(r) first_stage_of(&from, &buffer, length, sub_line, width, r)
    from.is_buffer = from.is_scaled = 0;
    buffer.is_buffer = 1;
    if (from.is_swapped) {
        from.is_swapped = 1;
        ANY_RADIX(radix, FIRST)
    } else {
        from.is_swapped = 0;
        ANY_RADIX(radix, FIRST)
    }
}

static void next_stage_of_tile(tile_rows buffer, size_t m, size_t width, int radix,
                               const lane *twiddles) {
#define NEXT(r) next_stage_of(&buffer, m, width, r, twiddles)
    buffer.is_buffer = 1;
    ANY_RADIX(radix, NEXT)
}

static void last_stage_of_tile(tile_rows buffer, size_t sub_line, size_t count, size_t q,
                               size_t apart, size_t sub_lines, tile_rows to, size_t width,
                               int radix, const lane *twiddles) {
#define LAST(r)                                                                                    \
    last_stage_of(&buffer, sub_line, count, q, apart, sub_lines, &to, width, r, twiddles)
    buffer.is_buffer = 1;
    to.is_buffer = 0;
    if (to.is_swapped) {
        to.is_swapped = to.is_scaled = 1;
        ANY_RADIX(radix, LAST)
    } else {
        to.is_swapped = to.is_scaled = 0;
        ANY_RADIX(radix, LAST)
    }
}

/* ---- a tile -------------------------------------------------------------------------------------
 */

typedef struct tile {
    const fast_line *column;
    size_t width, pitch;
    tile_rows to;
} tile;

/* What is left of sub-lines q, q + apart, .. after stage s - 1, which made `count` of them, of
 * `length` rows each, `sub_line` apart in the buffer from `first` on. */
static void stages_from(const tile *t, int s, lane *first, size_t sub_line, size_t count, size_t q,
                        size_t apart, size_t length) {
    const factor_list *factors = &t->column->factors;
    const lane *twiddles = t->column->twiddles[s];
    tile_rows buffer = {.values = first, .pitch = t->pitch};
    int radix = factors->radix[s];
    if (s == factors->count - 1) {
        last_stage_of_tile(buffer, sub_line, count, q, apart, count * apart, t->to, t->width, radix,
                           twiddles);
        return;
    }
    for (size_t i = 0; i < count; i++, buffer.values += sub_line, q += apart) {
        size_t m = length / (size_t)radix;
        next_stage_of_tile(buffer, m, t->width, radix,
                           twiddles + 2 * q * stage_twiddles((size_t)radix));
        stages_from(t, s + 1, buffer.values, m * t->pitch, (size_t)radix, q, count * apart, m);
    }
}

static void all_column_stages(const fast_line *column, pair_rows from, pair_rows to, size_t width,
                              lane *work, int is_inverse, lane scale) {
    size_t radix = (size_t)column->factors.radix[0], m = column->length / radix;
    size_t sub_line = (m + rows_apart(column->length)) * width;
    tile t = {
        .column = column,
        .width = width,
        .pitch = width,
        .to = {.values = to.values, .pitch = to.pitch, .is_swapped = is_inverse, .scale = scale}};
    first_stage_of_tile(
        (tile_rows){.values = from.values, .pitch = from.pitch, .is_swapped = is_inverse},
        (tile_rows){.values = work, .pitch = width}, column->length, sub_line, width, (int)radix);
    stages_from(&t, 1, work, sub_line, radix, 0, 1, m);
}

static void columns(const fast_line *column, pair_rows from, pair_rows to, size_t width,
                    lane *work) {
    all_column_stages(column, from, to, width, work, 0, 1);
}

static void columns_inverse(const fast_line *column, pair_rows from, pair_rows to, size_t width,
                            lane *work, lane scale) {
    all_column_stages(column, from, to, width, work, 1, scale);
}

#endif
