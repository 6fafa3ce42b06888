/* SPDX-License-Identifier: MIT
 * The passes of cpu.fast over images whose sides are powers of two: which rows and columns each
 * kernel of kernels.h gets. Tiles of columns go from the image to the intermediate, tangled, or
 * back; slots of rows from there to the spectrum, or back; a filter has rows there and back.
 */
#include <string.h>

#include "fast/job.h"

/* Tiles turn where rows would share few sets of the caches, unless the intermediate has to be
 * straight. Only whole cache lines are streamed. */
static intermediate_view intermediate_of(const fast_plan *plan, scalar *values, size_t pitch,
                                         int is_straight, int is_inverse) {
    const size_t period = 2048 / sizeof(scalar); /* rows so far apart share 2 of 64 sets */
    int is_lines = (uintptr_t)values % CACHE_LINE == 0 && pitch * sizeof(scalar) % CACHE_LINE == 0;
    int streams = plan->streams[is_inverse] && is_lines;
    size_t tile = is_lines ? plan->width_of_lines[is_inverse] : plan->tile_width;
    size_t height = plan->problem.height;
    int turns = !is_straight && pitch % period == 0 && tile >= (size_t)plan->row_kernels->lanes;
    return (intermediate_view){.values = values,
                               .pitch = pitch,
                               .streams = streams,
                               .is_cached = plan->is_cached,
                               .is_fetched = plan->fetches_outputs[is_inverse],
                               .prefetches_far = plan->tuning.prefetches_far,
                               .height = height,
                               .turns = turns ? plan->problem.width - tile : 0,
                               .log2_tile = __builtin_ctzll(tile),
                               .log2_part = __builtin_ctzll(height / LARGEST_RADIX)};
}

/* The intermediate as columns read it on their way back, usually in place: its tiles do not turn.
 * Rows of a filter are not streamed, since they are written over what was read just before. */
static intermediate_view straight(const intermediate_view *intermediate) {
    intermediate_view same = *intermediate;
    same.turns = 0;
    same.streams = 0;
    return same;
}

static size_t tile_width(const job *j) {
    return (size_t)1 << j->intermediate.log2_tile;
}

/* ---- integer pixels -----------------------------------------------------------------------------
 */

/* A tile's pixels as reals, behind the stages' buffer. */
static pair_rows reals_of_pixels(const job *j, scalar *scratch) {
    size_t width = tile_width(j);
    return rows_at(j->plan, scratch + tile_rows_of(j->plan->problem.height) * width, width);
}

/* ---- forward ----------------------------------------------------------------------------------
 */

static void columns_of_pixels(const job *j, size_t column, scalar *scratch) {
    const fast_plan *plan = j->plan;
    const fast_kernels *kernels = plan->column_kernels;
    pixel_tile tile = tile_of_pixels(j, j->image, column, tile_width(j));
    pair_rows reals = reals_of_pixels(j, scratch);
    tile_sums sums;
    kernels->sum_pixels(&tile, &sums);
    kernels->load_pixels(&tile, &sums, reals.values);
    kernels->columns(&plan->column[0], reals, &j->intermediate, column, tile_width(j), scratch);
    kernels->restore_classes(&sums, &j->intermediate, column, tile_width(j));
    memcpy(j->sums + column, sums.of_column, tile_width(j) * sizeof *j->sums);
}

/* A tile of the image, scaled, where the intermediate of it will lie. */
static pair_rows scaled_tile(const job *j, size_t column) {
    pair_rows from = image_rows(j, j->image, column), to = tile_of_intermediate(j, column);
    for (size_t m = 0; m < j->plan->problem.height; m++) {
        scalar *row = to.values + m * to.pitch;
        memmove(row, from.values + m * from.pitch, tile_width(j) * sizeof *row);
        scale_all(row, tile_width(j), load_scale(j));
    }
    return to;
}

static void columns(const job *j, size_t tile) {
    const fast_plan *plan = j->plan;
    size_t column = tile * tile_width(j);
    if (has_integer_pixels(&plan->problem)) {
        columns_of_pixels(j, column, scratch_of_thread(j));
    } else {
        plan->column_kernels->columns(
            &plan->column[0],
            load_scale(j) == 1 ? image_rows(j, j->image, column) : scaled_tile(j, column),
            &j->intermediate, column, tile_width(j), scratch_of_thread(j));
    }
}

static void folded_rows(const job *j, scalar scale) {
    const fast_plan *plan = j->plan;
    const fast_kernels *kernels = plan->row_kernels;
    const scalar *re = kernels->folded_rows(&plan->row[0], &j->intermediate, scratch_of_thread(j));
    kernels->part_folded(re, j->spectrum, untangled_scale(scale));
    for (size_t l = 0; l < (size_t)kernels->lanes; l++) {
        part_folded_value(j, re, l, scale);
    }
    part_folded_value(j, re, plan->problem.width / 2, scale);
    if (has_integer_pixels(&plan->problem)) {
        put_self_paired(j->spectrum, 0, 0,
                        cpx_of(dc_of(sum_of_all(j), j->measure->scaling.forward), 0));
    }
}

static void rows(const job *j, size_t k) {
    const fast_plan *plan = j->plan;
    const scalar scale = scale_of_rows(j);
    if (k == 0) {
        folded_rows(j, scale);
    } else {
        plan->row_kernels->rows(&plan->row[0], &j->intermediate, k, j->spectrum, k, scale,
                                scratch_of_thread(j));
    }
}

/* ---- inverse ----------------------------------------------------------------------------------
 */

static void folded_rows_inverse(const job *j, scalar *scratch) {
    const fast_plan *plan = j->plan;
    const fast_kernels *kernels = plan->row_kernels;
    kernels->join_folded(j->spectrum, scratch);
    for (size_t l = 0; l < (size_t)kernels->lanes; l++) {
        join_folded_value(j, scratch, l);
    }
    join_folded_value(j, scratch, plan->problem.width / 2);
    if (load_scale(j) != 1) {
        scale_all(scratch, parts_apart(plan->problem.width) + plan->problem.width, load_scale(j));
    }
    kernels->folded_rows_inverse(&plan->row[1], &j->intermediate, scratch);
}

/* Behind the stages' buffers: rows 1 and 2 of three are rows k and H - k of a spectrum. */
static spectrum_view rows_of_scratch(const job *j) {
    size_t W = j->plan->problem.width;
    return (spectrum_view){scratch_of_thread(j) + row_work(W) - W, 3, W, W, 0};
}

static spectrum_view scaled_rows(const job *j, size_t k) {
    spectrum_view rows = rows_of_scratch(j), s = j->spectrum;
    for (size_t l = 0; l <= s.width / 2; l++) {
        if (l == mirror(l, s.width)) {
            put_self_paired(rows, 1, l, get_self_paired(s, k, l));
        } else {
            put_paired(rows, 1, l, get_paired(s, k, l));
            put_paired(rows, 2, l, get_paired(s, s.height - k, l));
        }
    }
    scale_all(rows.values + rows.width, 2 * rows.width, load_scale(j));
    return rows;
}

static void rows_inverse(const job *j, size_t k) {
    const fast_plan *plan = j->plan;
    scalar *scratch = scratch_of_thread(j);
    if (k == 0) {
        folded_rows_inverse(j, scratch);
    } else if (load_scale(j) != 1) {
        plan->row_kernels->rows_inverse(&plan->row[1], scaled_rows(j, k), 1, &j->intermediate, k,
                                        scratch);
    } else {
        plan->row_kernels->rows_inverse(&plan->row[1], j->spectrum, k, &j->intermediate, k,
                                        scratch);
    }
}

static void columns_inverse(const job *j, size_t tile) {
    const fast_plan *plan = j->plan;
    size_t column = tile * tile_width(j);
    int is_integer = has_integer_pixels(&plan->problem);
    scalar *scratch = scratch_of_thread(j);
    pair_rows reals = is_integer ? reals_of_pixels(j, scratch) : image_rows(j, j->out, column);
    intermediate_view to = intermediate_of(plan, reals.values, reals.pitch, 1, 1);
    to.streams = to.streams && !is_integer; /* store_pixels() reads them immediately */
    plan->column_kernels->columns_inverse(&plan->column[1], tile_of_intermediate(j, column), &to, 0,
                                          tile_width(j), scratch, scale_of_columns_inverse(j));
    if (is_integer) {
        pixel_tile pixels = tile_of_pixels(j, j->out, column, tile_width(j));
        plan->column_kernels->store_pixels(&pixels, reals.values);
    }
}

/* ---- a filter ---------------------------------------------------------------------------------
 */

/* Multiplies one value of rows k and H - k, which are rows 1 and 2 of the three of `rows`. */
static void filter_value(const job *j, spectrum_view rows, size_t k, size_t l) {
    size_t H = j->plan->problem.height;
    if (l == mirror(l, rows.width)) {
        put_self_paired(rows, 1, l, multiplied(get_self_paired(rows, 1, l), j->transfer, k, l));
    } else {
        put_paired(rows, 1, l, multiplied(get_paired(rows, 1, l), j->transfer, k, l));
        put_paired(rows, 2, l, multiplied(get_paired(rows, 2, l), j->transfer, H - k, l));
    }
}

static void filter_rows(const job *j, size_t k) {
    const fast_plan *plan = j->plan;
    const fast_kernels *kernels = plan->row_kernels;
    size_t W = plan->problem.width, lanes = (size_t)kernels->lanes;
    scalar *scratch = scratch_of_thread(j);
    spectrum_view rows = rows_of_scratch(j);
    intermediate_view back = straight(&j->intermediate);
    kernels->rows(&plan->row[0], &j->intermediate, k, rows, 1, scale_of_rows(j), scratch);
    kernels->multiply(rows, 1, j->transfer.spectrum, k, j->transfer.gain);
    for (size_t l = 0; l < lanes; l++) {
        filter_value(j, rows, k, l);
    }
    filter_value(j, rows, k, W / 2);
    kernels->rows_inverse(&plan->row[1], rows, 1, &back, k, scratch);
}

static void filter_folded_rows(const job *j) {
    const fast_plan *plan = j->plan;
    size_t W = plan->problem.width;
    intermediate_view back = straight(&j->intermediate);
    scalar *scratch = scratch_of_thread(j);
    scalar *re = plan->row_kernels->folded_rows(&plan->row[0], &j->intermediate, scratch);
    for (size_t l = 0; l <= W / 2; l++) {
        filter_folded(j, re, re + parts_apart(W), l, scale_of_rows(j));
    }
    memmove(scratch, re, (parts_apart(W) + W) * sizeof *scratch);
    plan->row_kernels->folded_rows_inverse(&plan->row[1], &back, scratch);
}

static void filter(const job *j, size_t k) {
    if (k == 0) {
        filter_folded_rows(j);
    } else {
        filter_rows(j, k);
    }
}

/* ---- tasks -------------------------------------------------------------------------------------
 */

static tasks tiles(const job *j) {
    return (tasks){j->plan->problem.width / tile_width(j), 1};
}

/* A thread prefetches the rows that follow its own, so it takes SLOT_CHUNK slots one after another.
 */
enum { SLOT_CHUNK = 4 };

static tasks slots(const job *j) {
    return (tasks){j->plan->problem.height / 2, SLOT_CHUNK};
}

const pass_set passes_of_powers = {.intermediate = intermediate_of,
                                   .columns = columns,
                                   .rows = rows,
                                   .rows_inverse = rows_inverse,
                                   .columns_inverse = columns_inverse,
                                   .filter = filter,
                                   .tiles = tiles,
                                   .slots = slots};
