/* SPDX-License-Identifier: MIT
 * Makes a plan of cpu.fast: its kernels, tables, tiles and threads, see plan.h.
 */
#include "fast/plan.h"

#include <stdint.h>
#include <stdlib.h>

#include "arith/twiddle.h"
#include "isa.h"
#include "refusals.h"
#include "sizes.h"
#include "status.h"
#include "threads.h"

/* ---- kernels ----------------------------------------------------------------------------------
 */

#define KERNELS(isa, lanes) KERNELS_OF(WEFT_REAL_BITS, isa, lanes)
#define KERNELS_OF(bits, isa, lanes) KERNELS_NAMED(bits, isa, lanes)
#define KERNELS_NAMED(bits, isa, lanes) fast_kernels_f##bits##_##isa##_##lanes

/* For each instruction set the kernels with most lanes first: as many as its registers hold, and
 * fewer for short lines. */
#if WEFT_REAL_BITS == 32
#define PLAIN_KERNELS &KERNELS(plain, 4)
#define V2_KERNELS &KERNELS(v2, 4)
#define V3_KERNELS &KERNELS(v3, 8), &KERNELS(v3, 4)
#define V4_KERNELS &KERNELS(v4, 16), &KERNELS(v4, 8), &KERNELS(v3, 4)
#else
#define PLAIN_KERNELS &KERNELS(plain, 2)
#define V2_KERNELS &KERNELS(v2, 2)
#define V3_KERNELS &KERNELS(v3, 4)
#define V4_KERNELS &KERNELS(v4, 8), &KERNELS(v4, 4)
#endif
extern const fast_kernels KERNELS(plain, 2), KERNELS(plain, 4), KERNELS(v2, 2), KERNELS(v2, 4),
    KERNELS(v3, 4), KERNELS(v3, 8), KERNELS(v4, 4), KERNELS(v4, 8), KERNELS(v4, 16);

/* Indexed by isa. */
#define LIST(...)                                                                                  \
    (const fast_kernels *const[]) {                                                                \
        __VA_ARGS__, NULL                                                                          \
    }
static const fast_kernels *const *const all_kernels[] = {
    ROW_OF_PLAIN(LIST(PLAIN_KERNELS)) ROW_OF_V2(LIST(V2_KERNELS)) ROW_OF_V3(LIST(V3_KERNELS))
        ROW_OF_V4(LIST(V4_KERNELS))};

/* The smallest number of butterflies that a stage of the line has. */
static size_t fewest_butterflies(size_t length, int axis) {
    factor_list factors;
    int largest = 1;
    factor_line(length, axis, 0, &factors);
    for (int s = 0; s < factors.count; s++) {
        largest = factors.radix[s] > largest ? factors.radix[s] : largest;
    }
    return length / (size_t)largest;
}

/* Scratch of a tile: its buffer and, for integer pixels, the tile's reals beside it. */
static size_t column_scratch(const problem *p, size_t width) {
    size_t tiles = has_integer_pixels(p) ? 2 : 1;
    return whole_lines(tiles * tile_rows_of(p->height) * width * sizeof(scalar));
}

/* Scratch of a pair of rows: the stages' buffers, and behind them a filter's rows k and H - k of
 * the spectrum. */
static size_t row_scratch(const problem *p) {
    return whole_lines((row_work(p->width) + 2 * p->width) * sizeof(scalar));
}

/* ---- tables -----------------------------------------------------------------------------------
 */

static size_t line_numbers(size_t length, int axis, int is_inverse) {
    factor_list factors;
    factor_line(length, axis, is_inverse, &factors);
    return 2 * twiddles_before(&factors, factors.count);
}

/* Lays out the twiddles of a stage whose vectors hold those of as many butterflies as there are
 * lanes. */
static void spread(scalar *to, const cpx *of_stage, size_t butterflies, size_t m, size_t each,
                   size_t lanes) {
    for (size_t b = 0; b < butterflies; b++) {
        for (size_t k = 0; k < each; k++) {
            cpx w = of_stage[b / m * each + k];
            scalar *of_vector = to + 2 * (b / lanes * lanes * each + k * lanes) + b % lanes;
            of_vector[0] = w.re;
            of_vector[lanes] = w.im;
        }
    }
}

/* How many scalars the tables of a line take, from `tables` on; fills them in if `tables` is not
 * NULL. */
static size_t make_line(fast_line *line, size_t length, int axis, int is_inverse, size_t lanes,
                        scalar *tables) {
    size_t used = line_numbers(length, axis, is_inverse), m = length;
    line->length = length;
    factor_line(length, axis, is_inverse, &line->factors);
    if (tables != NULL) {
        twiddle_fill(&line->factors, NULL, (cpx *)tables);
    }
    for (int s = 0; s < line->factors.count; s++) {
        size_t radix = (size_t)line->factors.radix[s], each = stage_twiddles(radix);
        size_t before = 2 * twiddles_before(&line->factors, s);
        m /= radix;
        line->twiddles[s] = tables != NULL ? tables + before : NULL;
        if (s > 0 && axis == AXIS_ROW && m < lanes) {
            if (tables != NULL) {
                spread(tables + used, (const cpx *)(tables + before), length / radix, m, each,
                       lanes);
                line->twiddles[s] = tables + used;
            }
            used += 2 * (length / radix) * each;
        }
    }
    return (used + 15) / 16 * 16;
}

/* Whether there are kernels for a line's factor list. Between the first and the last stage of a row
 * a vector holds neighbouring butterflies of one sub-line; the exception is 16 lanes that hold
 * eight butterflies of each of two sub-lines. */
static int has_kernels(const fast_line *line, int axis, size_t lanes) {
    size_t m = line->length;
    for (int s = 0; s < line->factors.count; s++) {
        size_t radix = (size_t)line->factors.radix[s];
        int is_middle = s > 0 && s < line->factors.count - 1;
        m /= radix;
        if ((radix & (radix - 1)) != 0 || radix > LARGEST_RADIX ||
            (axis == AXIS_ROW && is_middle &&
             (radix < 8 || (m < lanes && (m != 8 || lanes != 16))))) {
            return 0;
        }
    }
    return 1;
}

static int has_all_kernels(const fast_plan *plan) {
    for (int way = 0; way < 2; way++) {
        if (!has_kernels(&plan->row[way], AXIS_ROW, (size_t)plan->row_kernels->lanes) ||
            !has_kernels(&plan->column[way], AXIS_COLUMN, (size_t)plan->column_kernels->lanes)) {
            return 0;
        }
    }
    return 1;
}

static size_t make_lines(fast_plan *plan, scalar *tables) {
    const problem *p = &plan->problem;
    size_t used = 0;
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        used += make_line(&plan->column[is_inverse], p->height, AXIS_COLUMN, is_inverse,
                          (size_t)plan->column_kernels->lanes, tables ? tables + used : NULL);
        used += make_line(&plan->row[is_inverse], p->width, AXIS_ROW, is_inverse,
                          (size_t)plan->row_kernels->lanes, tables ? tables + used : NULL);
    }
    return used * sizeof(scalar);
}

/* ---- a plan -----------------------------------------------------------------------------------
 */

static size_t image_bytes(const problem *p) {
    return p->height * p->width * sizeof(scalar);
}

/* The most that the scratch of all threads may take: with the padding that aligns it to a cache
 * line, no more than an image. */
static size_t scratch_of_all(const problem *p) {
    return image_bytes(p) - CACHE_LINE;
}

/* An image of at most this part of the second-level cache stays there together with the
 * intermediate (docs/log/2026-11.md). */
enum { CACHED_PART = 4 };

static int is_cached(const fast_plan *plan) {
    return image_bytes(&plan->problem) <= plan->caches.second / CACHED_PART;
}

/* How many threads can have a tile of two vectors, and scratch for it. */
static size_t threads_with_tiles(const problem *p, size_t lanes) {
    size_t tiles = p->width / (2 * lanes), fit = scratch_of_all(p) / column_scratch(p, 2 * lanes);
    return tiles < fit ? tiles : fit;
}

/* Kernels with half as many lanes have narrower tiles, so that more threads have one. That is
 * faster for images from LEAST_IN_FEW_LANES on that fit into the second-level cache, unless tiles
 * would share cache lines. Larger images, whose last tiles go to whichever thread is free, get
 * slower by it, and smaller ones do not need that many threads (docs/log/2026-11.md). */
enum { LEAST_IN_FEW_LANES = 1 << 16 }; /* bytes of an image */

static int wants_fewer_lanes(const fast_plan *plan, size_t lanes, size_t threads) {
    const problem *p = &plan->problem;
    return plan->is_cached && image_bytes(p) >= LEAST_IN_FEW_LANES &&
           lanes * sizeof(scalar) >= CACHE_LINE && threads_with_tiles(p, lanes) < threads;
}

static void choose_kernels(fast_plan *plan, isa set, size_t threads) {
    const problem *p = &plan->problem;
    const fast_kernels *const *all = all_kernels[set];
    size_t fewest = fewest_butterflies(p->width, AXIS_ROW);
    int row = 0, column = 0;
    while (all[row + 1] != NULL && (size_t)all[row]->lanes > fewest) {
        row++;
    }
    while (all[column + 1] != NULL &&
           (threads_with_tiles(p, (size_t)all[column]->lanes) < 1 ||
            wants_fewer_lanes(plan, (size_t)all[column]->lanes, threads))) {
        column++;
    }
    plan->row_kernels = all[row];
    plan->column_kernels = all[column];
}

static int streams(const fast_plan *plan, int is_inverse) {
    return plan->column_kernels->can_stream &&
           are_outgrown(&plan->caches, image_bytes(&plan->problem), is_inverse);
}

/* The width of the tiles of streamed images, in reals. */
static size_t streamed_width(const fast_plan *plan) {
    return plan->tuning.streamed_lines * CACHE_LINE / sizeof(scalar);
}

/* From so many bytes on each row of an image lies on a page of its own, and the TLB cannot hold
 * that many. */
enum { LARGE_IMAGE = 1 << 26 };

/* The width of a tile, in reals, where its rows in memory share cache lines with those of its
 * neighbours: not narrow. Tiles of large images are as wide as possible, so that more of a page is
 * used. */
static size_t best_width(const fast_plan *plan) {
    int is_large = image_bytes(&plan->problem) >= LARGE_IMAGE;
    return is_large ? MOST_TILE_WIDTH : 2 * NARROW_TILE;
}

/* One thread's tiles are wider, on CPUs that want it (tuning.def), where rows are a multiple of a
 * way of the first-level cache apart and a narrow tile does not fit into that cache. */
enum { FIRST_CACHE = 1 << 15, WAY_OF_FIRST_CACHE = 1 << 12 };

static int wants_more_lines(const fast_plan *plan, int is_inverse, size_t threads) {
    const problem *p = &plan->problem;
    return plan->tuning.wants_more_lines && !is_inverse && threads == 1 &&
           p->image_pitch * sizeof(scalar) % WAY_OF_FIRST_CACHE == 0 &&
           p->height * NARROW_TILE * sizeof(scalar) > FIRST_CACHE;
}

/* The width of a tile where its rows in memory are whole cache lines: narrow, so that much of the
 * tile is in the first-level cache; but not for integer pixels, whose rows have fewer bytes. Tiles
 * of large images that are not streamed are half as wide as best_width(). */
static size_t best_width_of_lines(const fast_plan *plan, int is_inverse, size_t threads) {
    int is_integer = has_integer_pixels(&plan->problem);
    if (plan->streams[is_inverse]) {
        return is_integer ? 2 * NARROW_TILE : streamed_width(plan);
    }
    return is_integer || wants_more_lines(plan, is_inverse, threads) ? best_width(plan)
                                                                     : best_width(plan) / 2;
}

/* Tiles are narrower than would be best where so many threads need tiles and scratch for them. */
static void choose_tile(fast_plan *plan, size_t threads) {
    const problem *p = &plan->problem;
    size_t narrowest = 2 * (size_t)plan->column_kernels->lanes;
    plan->tile_width = best_width(plan);
    while (plan->tile_width > narrowest &&
           (column_scratch(p, plan->tile_width) * threads > scratch_of_all(p) ||
            plan->tile_width * threads > p->width)) {
        plan->tile_width /= 2;
    }
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        size_t of_lines = best_width_of_lines(plan, is_inverse, threads);
        plan->width_of_lines[is_inverse] =
            of_lines < plan->tile_width ? of_lines : plan->tile_width;
    }
}

/* Sets how many threads share one image: no more than there is work for, and not so many that their
 * scratch takes more than an image. */
static void share_image(fast_plan *plan, size_t most) {
    const problem *p = &plan->problem;
    choose_tile(plan, most);
    size_t column = column_scratch(p, plan->tile_width), row = row_scratch(p);
    plan->thread_scratch = column > row ? column : row;
    size_t fit = scratch_of_all(p) / plan->thread_scratch, tiles = p->width / plan->tile_width;
    size_t work = tiles > p->height / 2 ? tiles : p->height / 2;
    most = most < work ? most : work;
    most = most < fit ? most : fit;
    plan->threads = most < 1 ? 1 : (int)most;
    if (has_integer_pixels(p)) {
        plan->intermediate_bytes = whole_lines(image_bytes(p));
        plan->sums_bytes = whole_lines(p->width * sizeof(uint64_t));
    }
}

/* How many images of a batch are transformed concurrently, by one thread each. Threads that share a
 * small image wait for one another longer than they work. For images up to SMALL_IMAGE both ways
 * are equally fast at worst, if all threads have the same number of images, or nearly so
 * (docs/log/2026-11.md). */
enum { TINY_IMAGE = 1 << 18, SMALL_IMAGE = 1 << 20 };

static size_t concurrent_images(const problem *p, size_t threads) {
    int is_even = p->batch % threads == 0 || p->batch >= 4 * threads;
    int is_apart = image_bytes(p) <= (size_t)(is_even ? SMALL_IMAGE : TINY_IMAGE);
    return !is_apart ? 1 : p->batch < threads ? p->batch : threads;
}

/* To copy an image takes less time than to measure it while both are in the first-level cache.
 * Memory between rows is not this library's to write. */
enum { MOST_KEPT = 1 << 12 };

static size_t kept_bytes(const problem *p) {
    int is_kept = !has_integer_pixels(p) && p->image_pitch == p->width;
    return is_kept && image_bytes(p) <= MOST_KEPT ? image_bytes(p) : 0;
}

/* What does not depend on kernels. Returns how many threads may share an image. */
static size_t choose(fast_plan *plan) {
    size_t threads = threads_asked_for(plan->problem.threads), bytes = image_bytes(&plan->problem);
    plan->caches = caches_of_cpu();
    plan->tuning = tuning_of(&plan->caches);
    plan->is_cached = is_cached(plan);
    plan->kept_bytes = kept_bytes(&plan->problem);
    plan->concurrent_images = (int)concurrent_images(&plan->problem, threads);
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        plan->fetches_outputs[is_inverse] = are_outputs_fetched(&plan->caches, bytes, is_inverse);
    }
    return plan->concurrent_images > 1 ? 1 : threads;
}

enum { LEAST_SIDE = LARGEST_RADIX }; /* intermediate_of() divides rows into so many parts */

static int are_powers(const problem *p) {
    return is_power_of_two(p->height) && is_power_of_two(p->width) && p->height >= LEAST_SIDE &&
           p->width >= LEAST_SIDE;
}

/* A plan for powers of two; each choice depends on those before it. */
static weft_status plan_of_powers(fast_plan *plan, isa set, size_t threads) {
    choose_kernels(plan, set, threads);
    for (int is_inverse = 0; is_inverse < 2; is_inverse++) {
        plan->streams[is_inverse] = streams(plan, is_inverse);
    }
    share_image(plan, threads);
    size_t bytes = make_lines(plan, NULL);
    if (!has_all_kernels(plan)) {
        return across_plan(plan, set, threads);
    }
    weft_status status = host_memory_holds(bytes);
    if (status != WEFT_OK) {
        return status;
    }
    plan->tables = aligned_alloc(64, whole_lines(bytes));
    if (plan->tables == NULL) {
        char text[BYTES_TEXT_SIZE];
        return weft_fail(WEFT_NO_MEMORY, "no memory for %s of tables", bytes_text(bytes, text));
    }
    make_lines(plan, plan->tables);
    return WEFT_OK;
}

weft_status fast_plan_create(const problem *p, fast_plan **made) {
    isa set;
    weft_status status = isa_choose(&set);
    if (status != WEFT_OK) {
        return status;
    }
    fast_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    plan->problem = *p;
    plan->column_kernels = all_kernels[set][0]; /* the pixels of tiles of any length, too */
    size_t threads = choose(plan);
    status = are_powers(p) ? plan_of_powers(plan, set, threads) : across_plan(plan, set, threads);
    if (status != WEFT_OK) {
        fast_plan_destroy(plan);
        return status;
    }
    *made = plan;
    return WEFT_OK;
}

void fast_plan_destroy(fast_plan *plan) {
    if (plan != NULL) {
        across_plan_clear(plan);
        free(plan->tables);
        free(plan);
    }
}
