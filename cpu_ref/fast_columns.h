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
#include "pieces.h"

/* Where the columns come from or go to: rows of pairs. */
typedef struct tile_end {
    const mid_view *to; /* of the last stage */
    pair_rows from;     /* of the first one */
    size_t column;
    int is_inverse;
    lane scale;
} tile_end;

static WEFT_HD cpx load_buffer(const lane *row) {
    return cpx_of(load_lanes(row), load_lanes(row + LANES));
}

static WEFT_HD void store_buffer(lane *row, cpx z) {
    store_lanes(row, z.re);
    store_lanes(row + LANES, z.im);
}

static WEFT_HD cpx load_row(const lane *row, int is_inverse) {
    cpx z = load_pairs(row, ANYHOW);
    return is_inverse ? cpx_swap(z) : z;
}

/* How the last stage stores. */
typedef struct ending {
    int is_inverse, streams;
} ending;

static WEFT_HD void store_row(lane *row, cpx z, ending how, lane scale) {
    z = how.is_inverse ? cpx_scale(cpx_swap(z), lanes_of(scale)) : z;
    put_pairs(row, z, ANYHOW, how.streams);
}

_Static_assert(NARROW_TILE % (2 * LANES) == 0, "a narrow tile is whole vectors of pairs");

/* ---- stages: each for all its radices, ways and widths ------------------------------------------
 * A row of the tile's buffer is as wide as the tile: vectors of real parts and of imaginary ones in
 * turn. Rows lie one behind another.
 */

/* As many numbers as two vectors. */
static WEFT_HD void fetch_row(const lane *from) {
    WEFT_UNROLL
    for (int i = 0; i < 2 * LANES; i += CACHE_LINE / (int)sizeof(lane)) {
        __builtin_prefetch(from + i, 0, 2);
    }
}

/* Where rows are a power of two apart, what a butterfly reads lies in few sets of the second-level
 * cache, and lines that come into one set at once wait for one another. So each butterfly fetches
 * for several that come later, of each every so many-th row, unless pair_rows says not to; and not
 * before its own work but in the midst of it (2026-11-26, docs/performance.md). */
enum { FETCHED_IN_TURN = 4 };

/* The first row of what butterfly j fetches, all of it of this tile or of the one beside it: some
 * rows at the end of this one and at the beginning of that are fetched by nobody. */
static WEFT_HD const lane *rows_to_fetch(const pair_rows *rows, size_t j, size_t m, size_t width) {
    size_t ahead = j + rows->ahead;
    return ahead + FETCHED_IN_TURN <= m
               ? rows->values + ahead * rows->pitch
               : rows->values + (ahead > m ? ahead - m : 0) * rows->pitch + width;
}

static WEFT_HD void first_stage_of(const tile_end *end, int is_inverse, lane *buffer, size_t length,
                                   size_t sub_line, size_t width, int radix) {
    const pair_rows *from = &end->from;
    const size_t m = length / (size_t)radix, step = m * from->pitch, in_turn = from->in_turn;
    for (size_t j = 0; j < m; j++) {
        const lane *in = from->values + j * from->pitch;
        const lane *next = rows_to_fetch(from, j, m, width);
        lane *out = buffer + j * width;
        for (size_t n = 0; n < width; n += 2 * LANES) {
#define LOAD_IMAGE(k) load_row(in + n + (size_t)(k)*step, is_inverse)
#define STORE_FIRST(k, z)                                                                          \
    do {                                                                                           \
        fetch_row(next + n + (size_t)(k)*step + (size_t)((k) % FETCHED_IN_TURN) * in_turn);        \
        store_buffer(out + n + (size_t)(k)*sub_line, z);                                           \
    } while (0)
            BUTTERFLY(radix, NULL, NO_TWIDDLES, LOAD_IMAGE, STORE_FIRST);
        }
    }
}

/* A sub-line of radix m rows, in place. One loop for all of a butterfly's m rows, which lie one
 * behind another. */
static WEFT_HD void next_stage_of(lane *buffer, size_t width, size_t m, int radix,
                                  const lane *twiddles) {
    size_t step = m * width;
    for (lane *first = buffer; first < buffer + step; first += 2 * LANES) {
#define LOAD_NEXT(k) load_buffer(first + (size_t)(k)*step)
#define STORE_NEXT(k, z) store_buffer(first + (size_t)(k)*step, z)
        BUTTERFLY(radix, twiddles, OF_SUB_LINE, LOAD_NEXT, STORE_NEXT);
    }
}

/* Rows 0, apart, 2 apart, .. of mid, or of the image on the way back, and where in them the tile
 * begins. */
typedef struct output_rows {
    lane *row[LARGEST_RADIX];
    size_t column[LARGEST_RADIX];
} output_rows;

static WEFT_HD output_rows rows_of_end(const tile_end *end, size_t apart, int count) {
    output_rows rows;
    WEFT_UNROLL
    for (int k = 0; k < count; k++) {
        rows.row[k] = end->to->values + (size_t)k * apart * end->to->pitch;
        rows.column[k] = end->column ^ turn_of_row(end->to, (size_t)k * apart);
    }
    return rows;
}

/* The tile's part of rows q, q + apart, ..: q, less than apart, has other bits than multiples of
 * that, a power of two, and so their turns are those of both together. */
static WEFT_HD void few_rows_of_tile(const tile_end *end, const output_rows *rows, size_t q,
                                     int count, lane **tile) {
    size_t down = q * end->to->pitch, turn = turn_of_row(end->to, q);
    for (int k = 0; k < count; k++) {
        tile[k] = rows->row[k] + down + (rows->column[k] ^ turn);
    }
}

/* So many that there are not registers for their places. Within a stage gcc works each out by
 * itself and puts it on the stack two or three times; here several at once, and once (128x128 and
 * 256x256 -5 to -10 %, an EPYC, 2026-11-24, docs/performance.md). */
enum { MANY_ROWS = 8 };

static __attribute__((noinline)) void
many_rows_of_tile(const tile_end *end, const output_rows *rows, size_t q, int count, lane **tile) {
    few_rows_of_tile(end, rows, q, count, tile);
}

static WEFT_HD void rows_of_tile(const tile_end *end, const output_rows *rows, size_t q, int count,
                                 lane **tile) {
    if (count < MANY_ROWS) {
        few_rows_of_tile(end, rows, q, count, tile);
    } else {
        many_rows_of_tile(end, rows, q, count, tile);
    }
}

/* To be written: into the first-level cache; of small images into the second one only, where they
 * are most often (2 % of 256x256, and as fast where they are not, a Xeon, 2026-11-23,
 * docs/performance.md). */
static WEFT_HD void fetch_outputs(lane *const *rows, int count, size_t width, int is_cached) {
    for (size_t n = 0; n < width; n += CACHE_LINE / sizeof(lane)) {
        WEFT_UNROLL
        for (int k = 0; k < count; k++) {
            if (is_cached) {
                __builtin_prefetch(rows[k] + n, 0, 2);
            } else {
                __builtin_prefetch(rows[k] + n, 1, 3);
            }
        }
    }
}

/* Of `count` sub-lines, each of radix rows, `sub_line` apart in the buffer; they are sub-lines q, q
 * + apart, .., of `sub_lines`, and their outputs go where that says. */
static WEFT_HD void last_stage_of(const lane *buffer, size_t sub_line, size_t count, size_t q,
                                  size_t apart, size_t sub_lines, const tile_end *end, ending how,
                                  size_t width, int radix, const lane *twiddles) {
    /* Of this butterfly and of the next. Two arrays of many change their roles; few places, which
     * are in registers, are copied (512x512 -2 to -3 %, an EPYC, 2026-11-25, docs/performance.md).
     */
    const int are_many = radix >= MANY_ROWS;
    lane *places[2][LARGEST_RADIX];
    const output_rows rows = rows_of_end(end, sub_lines, radix);
    rows_of_tile(end, &rows, q, radix, places[0]);
    for (size_t i = 0; i < count; i++, q += apart) {
        const lane *in = buffer + i * sub_line;
        const lane *w = twiddles + 2 * q * stage_twiddles((size_t)radix);
        lane **out = places[are_many ? i % 2 : 1], **next = places[are_many ? 1 - i % 2 : 0];
        if (!are_many) {
            WEFT_UNROLL
            for (int k = 0; k < radix; k++) {
                out[k] = next[k];
            }
        }
        if (i + 1 < count) {
            rows_of_tile(end, &rows, q + apart, radix, next);
            if (!how.streams && end->to->is_fetched) {
                fetch_outputs(next, radix, width, end->to->is_cached);
            }
        }
        for (size_t n = 0; n < width; n += 2 * LANES) {
#define LOAD_LAST(k) load_buffer(in + n + (size_t)(k)*width)
#define STORE_LAST(k, z) store_row(out[k] + n, z, how, end->scale)
            BUTTERFLY(radix, w, OF_SUB_LINE, LOAD_LAST, STORE_LAST);
        }
    }
}

static void first_stage_of_tile(const tile_end *end, lane *buffer, size_t length, size_t sub_line,
                                size_t width, int radix) {
#define FIRST_AS(is_inverse, width, r)                                                             \
    first_stage_of(end, is_inverse, buffer, length, sub_line, width, r)
#define FIRST(r) FIRST_AS(0, width, r)
#define FIRST_NARROW(r) FIRST_AS(0, NARROW_TILE, r)
#define FIRST_INVERSE(r) FIRST_AS(1, width, r)
#define FIRST_INVERSE_NARROW(r) FIRST_AS(1, NARROW_TILE, r)
    int is_narrow = width == NARROW_TILE;
    if (end->is_inverse && is_narrow) {
        ANY_RADIX(radix, FIRST_INVERSE_NARROW)
    } else if (end->is_inverse) {
        ANY_RADIX(radix, FIRST_INVERSE)
    } else if (is_narrow) {
        ANY_RADIX(radix, FIRST_NARROW)
    } else {
        ANY_RADIX(radix, FIRST)
    }
}

static void next_stage_of_tile(lane *buffer, size_t width, size_t m, int radix,
                               const lane *twiddles) {
#define NEXT(r) next_stage_of(buffer, width, m, r, twiddles)
    ANY_RADIX(radix, NEXT)
}

static void last_stage_of_tile(const lane *buffer, size_t sub_line, size_t count, size_t q,
                               size_t apart, size_t sub_lines, const tile_end *end, size_t width,
                               int radix, const lane *twiddles) {
#define LAST_AS(is_inverse, streams, width, r)                                                     \
    last_stage_of(buffer, sub_line, count, q, apart, sub_lines, end,                               \
                  (ending){is_inverse, streams}, width, r, twiddles)
#define LAST(r) LAST_AS(0, 0, width, r)
#define LAST_NARROW(r) LAST_AS(0, 0, NARROW_TILE, r)
#define LAST_STREAMED(r) LAST_AS(0, 1, width, r)
#define LAST_INVERSE(r) LAST_AS(1, 0, width, r)
#define LAST_INVERSE_NARROW(r) LAST_AS(1, 0, NARROW_TILE, r)
#define LAST_INVERSE_STREAMED(r) LAST_AS(1, 1, width, r)
    int streams = TWO_ARE_LINES && end->to->streams, is_narrow = width == NARROW_TILE;
    if (end->is_inverse && streams) {
        ANY_RADIX(radix, LAST_INVERSE_STREAMED)
    } else if (end->is_inverse && is_narrow) {
        ANY_RADIX(radix, LAST_INVERSE_NARROW)
    } else if (end->is_inverse) {
        ANY_RADIX(radix, LAST_INVERSE)
    } else if (streams) {
        ANY_RADIX(radix, LAST_STREAMED)
    } else if (is_narrow) {
        ANY_RADIX(radix, LAST_NARROW)
    } else {
        ANY_RADIX(radix, LAST)
    }
}

/* ---- a tile -------------------------------------------------------------------------------------
 */

/* What is left of sub-lines q, q + apart, .. after stage s - 1, which made `count` of them, of
 * `length` rows each, `sub_line` apart in the buffer from there on. */
static void stages_from(const fast_line *line, const tile_end *end, int s, lane *buffer,
                        size_t width, size_t sub_line, size_t count, size_t q, size_t apart,
                        size_t length) {
    const factor_list *factors = &line->factors;
    const lane *twiddles = line->twiddles[s];
    int radix = factors->radix[s];
    if (s == factors->count - 1) {
        last_stage_of_tile(buffer, sub_line, count, q, apart, count * apart, end, width, radix,
                           twiddles);
        return;
    }
    for (size_t i = 0; i < count; i++, buffer += sub_line, q += apart) {
        size_t m = length / (size_t)radix;
        next_stage_of_tile(buffer, width, m, radix,
                           twiddles + 2 * q * stage_twiddles((size_t)radix));
        stages_from(line, end, s + 1, buffer, width, m * width, (size_t)radix, q, count * apart, m);
    }
}

static void all_column_stages(const fast_line *line, const tile_end *end, size_t width,
                              lane *work) {
    size_t radix = (size_t)line->factors.radix[0], m = line->length / radix;
    size_t sub_line = (m + rows_apart(line->length)) * width;
    first_stage_of_tile(end, work, line->length, sub_line, width, (int)radix);
    stages_from(line, end, 1, work, width, sub_line, radix, 0, 1, m);
    if (end->to->streams) {
        finish_streams();
    }
}

static void columns(const fast_line *line, pair_rows from, const mid_view *to, size_t column,
                    size_t width, lane *work) {
    tile_end end = {to, from, column, 0, 1};
    all_column_stages(line, &end, width, work);
}

static void columns_inverse(const fast_line *line, pair_rows from, const mid_view *to,
                            size_t column, size_t width, lane *work, lane scale) {
    tile_end end = {to, from, column, 1, scale};
    all_column_stages(line, &end, width, work);
}

#endif
