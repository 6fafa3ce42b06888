/* SPDX-License-Identifier: MIT
 * The passes of cpu.fast over images whose sides have any length: which rows and columns each
 * kernel of across.h gets. Tiles of columns that are not whole, that are integer pixels, that are
 * scaled or that have an odd width's last column go through a copy of their rows, `staging`. That
 * last column is tangled with zeros; its spectrum is stored untangled, so that a row of the
 * intermediate is as wide as the image. Rows go in blocks of as many slots as there are lanes; slot
 * 0, which is rows 0 and H/2, is the first lane of the first block.
 */
#include <string.h>

#include "fast/job.h"

/* Its tiles do not turn. */
static intermediate_view intermediate_of(const fast_plan *plan, scalar *values, size_t pitch,
                                         int is_straight, int is_inverse) {
    (void)is_straight;
    int is_lines = (uintptr_t)values % CACHE_LINE == 0 && pitch * sizeof(scalar) % CACHE_LINE == 0;
    return (intermediate_view){.values = values,
                               .pitch = pitch,
                               .streams = plan->streams[is_inverse] && is_lines,
                               .is_cached = plan->is_cached,
                               .is_fetched = plan->fetches_outputs[is_inverse],
                               .height = plan->problem.height};
}

/* ---- tiles of columns --------------------------------------------------------------------------
 */

/* One tile: so many reals of each row from `column` on; as wide as kernels need it. */
typedef struct tile {
    size_t column, count, width;
    int is_staged;
    pair_rows staging;
} tile;

static tile tile_at(const job *j, size_t column, size_t count) {
    const fast_plan *plan = j->plan;
    size_t narrow = 2 * (size_t)plan->across->lanes, width = (count + narrow - 1) / narrow * narrow;
    return (tile){.column = column,
                  .count = count,
                  .width = width,
                  .is_staged =
                      has_integer_pixels(&plan->problem) || count < width || load_scale(j) != 1,
                  .staging = rows_at(plan, scratch_of_thread(j) + plan->staging, width)};
}

/* Rows of an image or of the intermediate that begin at a tile's first column, as columns store
 * them. */
static intermediate_view stored_rows(const job *j, pair_rows rows, int is_inverse) {
    return intermediate_of(j->plan, rows.values, rows.pitch, 1, is_inverse);
}

/* Those of the staging, which are read immediately. */
static intermediate_view staged_rows(const job *j, const tile *t, int is_inverse) {
    intermediate_view rows = stored_rows(j, t->staging, is_inverse);
    rows.streams = 0;
    return rows;
}

/* The DFTs of a tile's columns, from rows of pairs to rows of pairs. */
static void transform_tile(const job *j, pair_rows from, const intermediate_view *to, size_t width,
                           int is_inverse) {
    const fast_plan *plan = j->plan;
    const across_kernels *kernels = plan->across;
    const fast_line *stages = &plan->column[is_inverse];
    scalar scale = is_inverse ? scale_of_columns_inverse(j) : 1;
    scalar *scratch = scratch_of_thread(j);
    if (stages->twiddles[0] == NULL) {
        for (size_t n = 0; n < width; n += 2 * (size_t)kernels->lanes) {
            kernels->narrow_tile(&plan->across_column[is_inverse], rows_from(from, n), to, n,
                                 is_inverse, scale, scratch);
        }
        return;
    }
    if (is_inverse) {
        kernels->columns_inverse(stages, from, to, 0, width, scratch, scale);
    } else {
        kernels->columns(stages, from, to, 0, width, scratch);
    }
}

/* Rows of `count` reals into rows of the staging, zeros behind them, or back. */
static void stage_rows(const tile *t, pair_rows from, size_t height) {
    for (size_t m = 0; m < height; m++) {
        scalar *to = t->staging.values + m * t->width;
        memcpy(to, from.values + m * from.pitch, t->count * sizeof *to);
        memset(to + t->count, 0, (t->width - t->count) * sizeof *to);
    }
}

static void unstage_rows(const tile *t, pair_rows to, size_t height) {
    for (size_t m = 0; m < height; m++) {
        memcpy(to.values + m * to.pitch, t->staging.values + m * t->width,
               t->count * sizeof *to.values);
    }
}

/* load_pixels() puts rows of `count` reals one behind another. */
static void spread_rows(const tile *t, size_t height) {
    for (size_t m = height; m-- > 0;) {
        scalar *to = t->staging.values + m * t->width;
        memmove(to, t->staging.values + m * t->count, t->count * sizeof *to);
        memset(to + t->count, 0, (t->width - t->count) * sizeof *to);
    }
}

static void close_rows(const tile *t, size_t height) {
    for (size_t m = 0; m < height; m++) {
        memmove(t->staging.values + m * t->count, t->staging.values + m * t->width,
                t->count * sizeof *t->staging.values);
    }
}

/* An odd width's last column, in the staging: its spectrum, untangled, real parts in rows k and
 * imaginary parts in rows H - k. untangle() doubles values; where a row is its own mirror that is
 * left to load_slot_0(). */
static void untangle_last_column(const tile *t, size_t height) {
    scalar *last = t->staging.values + t->count - 1;
    for (size_t k = 1; k < height - k; k++) {
        scalar *upper = last + k * t->width, *lower = last + (height - k) * t->width;
        cpx f, g;
        untangle(cpx_of(upper[0], upper[1]), cpx_of(lower[0], lower[1]), &f, &g);
        upper[0] = f.re;
        lower[0] = f.im;
    }
}

/* The way back: tangles it with zeros. */
static void tangle_last_column(const tile *t, size_t height) {
    scalar *last = t->staging.values + t->count - 1;
    const cpx zero = cpx_of(0, 0);
    for (size_t k = 1; k < height - k; k++) {
        scalar *upper = last + k * t->width, *lower = last + (height - k) * t->width;
        cpx f = cpx_of(upper[0], lower[0]), z = tangle(f, zero),
            mirrored = tangle_mirrored(f, zero);
        upper[0] = z.re;
        upper[1] = z.im;
        lower[0] = mirrored.re;
        lower[1] = mirrored.im;
    }
}

static int has_last_column(const tile *t) {
    return t->count % 2 != 0;
}

/* Integer pixels of a tile, less their means, into the staging. */
static void stage_pixels(const job *j, const tile *t, tile_sums *sums) {
    const fast_kernels *pixels = j->plan->column_kernels;
    pixel_tile of_image = tile_of_pixels(j, j->image, t->column, t->count);
    pixels->sum_pixels(&of_image, sums);
    pixels->load_pixels(&of_image, sums, t->staging.values);
    spread_rows(t, j->plan->problem.height);
    memcpy(j->sums + t->column, sums->of_column, t->count * sizeof *j->sums);
}

static void columns_of_tile(const job *j, tile t) {
    size_t height = j->plan->problem.height;
    pair_rows to = tile_of_intermediate(j, t.column);
    if (!t.is_staged) {
        intermediate_view rows_of_tile = stored_rows(j, to, 0);
        rows_of_tile.streams = rows_of_tile.streams && j->intermediate.streams;
        transform_tile(j, image_rows(j, j->image, t.column), &rows_of_tile, t.width, 0);
        return;
    }
    tile_sums sums;
    intermediate_view staged = staged_rows(j, &t, 0);
    int is_integer = has_integer_pixels(&j->plan->problem);
    if (is_integer) {
        stage_pixels(j, &t, &sums);
    } else {
        stage_rows(&t, image_rows(j, j->image, t.column), height);
        if (load_scale(j) != 1) {
            scale_all(t.staging.values, height * t.width, load_scale(j));
        }
    }
    transform_tile(j, t.staging, &staged, t.width, 0);
    if (is_integer) {
        j->plan->column_kernels->restore_classes(&sums, &staged, 0, t.width);
    }
    if (has_last_column(&t)) {
        untangle_last_column(&t, height);
    }
    unstage_rows(&t, to, height);
}

static void columns_of_tile_inverse(const job *j, tile t) {
    size_t height = j->plan->problem.height;
    pair_rows from = tile_of_intermediate(j, t.column);
    if (!t.is_staged) {
        intermediate_view to = stored_rows(j, image_rows(j, j->out, t.column), 1);
        transform_tile(j, from, &to, t.width, 1);
        return;
    }
    intermediate_view staged = staged_rows(j, &t, 1);
    stage_rows(&t, from, height);
    if (has_last_column(&t)) {
        tangle_last_column(&t, height);
    }
    transform_tile(j, t.staging, &staged, t.width, 1);
    if (has_integer_pixels(&j->plan->problem)) {
        pixel_tile of_image = tile_of_pixels(j, j->out, t.column, t.count);
        close_rows(&t, height);
        j->plan->column_kernels->store_pixels(&of_image, t.staging.values);
    } else {
        unstage_rows(&t, image_rows(j, j->out, t.column), height);
    }
}

/* The last tile of reals that is not whole is done in two parts, of which only the second one is
 * staged. */
static void parts_of_tile(const job *j, size_t index, void (*part)(const job *j, tile t)) {
    const fast_plan *plan = j->plan;
    size_t column = index * plan->tile_width, left = plan->problem.width - column;
    size_t count = left < plan->tile_width ? left : plan->tile_width;
    size_t rest =
        has_integer_pixels(&plan->problem) ? 0 : count % (2 * (size_t)plan->across->lanes);
    if (count > rest) {
        part(j, tile_at(j, column, count - rest));
    }
    if (rest > 0) {
        part(j, tile_at(j, column + count - rest, rest));
    }
}

static void columns(const job *j, size_t index) {
    parts_of_tile(j, index, columns_of_tile);
}

static void columns_inverse(const job *j, size_t index) {
    parts_of_tile(j, index, columns_of_tile_inverse);
}

/* ---- blocks of slots ---------------------------------------------------------------------------
 */

/* A block at work: its first slot, its memory. */
typedef struct block {
    size_t first, slots;
    scalar *buffer, *second; /* of the lanes */
    scalar *spare;           /* a row that nobody reads */
    scalar *folded;          /* slot 0, as job.h has it */
} block;

static block block_of(const job *j, size_t index) {
    const fast_plan *plan = j->plan;
    size_t first = index * (size_t)plan->across->lanes, H = plan->problem.height;
    size_t left = folded_lines(H) - first, lanes = (size_t)plan->across->lanes;
    scalar *scratch = scratch_of_thread(j), *spare = scratch + plan->spare_row;
    size_t reals = reals_of_spectrum_row(&plan->problem), unit = CACHE_LINE;
    return (block){.first = first,
                   .slots = left < lanes ? left : lanes,
                   .buffer = scratch,
                   .second = scratch + plan->second_buffer,
                   .spare = spare,
                   .folded = spare + (reals + unit - 1) / unit * unit};
}

/* The rows of a block's lanes. Slot 0 and lanes without a slot get the spare row where they are
 * stored, and any row where they are loaded. */
static slot_rows rows_of_block(const job *j, const block *b, scalar *values, size_t pitch,
                               int is_stored) {
    size_t H = j->plan->problem.height;
    slot_rows rows = {{0}, {0}};
    for (size_t i = 0; i < (size_t)j->plan->across->lanes; i++) {
        size_t k = b->first + (i < b->slots ? i : 0);
        int is_spare = is_stored && (k == 0 || i >= b->slots);
        rows.upper[i] = is_spare ? b->spare : values + k * pitch;
        rows.lower[i] = is_spare ? b->spare : values + mirror(k, H) * pitch;
    }
    return rows;
}

static slot_rows rows_of_intermediate(const job *j, const block *b, int is_stored) {
    return rows_of_block(j, b, j->intermediate.values, j->intermediate.pitch, is_stored);
}

static slot_rows rows_of_spectrum(const job *j, const block *b, spectrum_view view, int is_stored) {
    return rows_of_block(j, b, view.values, row_reals(view), is_stored);
}

/* Slot 0 from lane 0 of a buffer and into it, there with real and imaginary parts exchanged. */
static void take_slot_0(const job *j, const block *b) {
    const fast_plan *plan = j->plan;
    size_t lanes = (size_t)plan->across->lanes, W = plan->problem.width;
    for (size_t l = 0; l < W; l++) {
        const scalar *place = b->buffer + 2 * lanes * plan->across_row[0].out[l];
        b->folded[l] = place[0];
        b->folded[parts_apart(W) + l] = place[lanes];
    }
}

static void put_slot_0(const job *j, const block *b, scalar *buffer) {
    const fast_plan *plan = j->plan;
    size_t lanes = (size_t)plan->across->lanes, W = plan->problem.width;
    for (size_t l = 0; l < W; l++) {
        scalar *place = buffer + 2 * lanes * plan->across_row[1].in[l];
        place[lanes] = b->folded[l];
        place[0] = b->folded[parts_apart(W) + l];
    }
}

/* Rows 0 and H/2 of the intermediate into lane 0: they are their own mirrors, so untangle() doubles
 * their real parts. */
static void load_slot_0(const job *j, const block *b) {
    const fast_plan *plan = j->plan;
    size_t lanes = (size_t)plan->across->lanes, H = plan->problem.height;
    const scalar *row_0 = j->intermediate.values, *middle = row_0 + H / 2 * j->intermediate.pitch;
    for (size_t n = 0; n < plan->problem.width; n++) {
        scalar *place = b->buffer + 2 * lanes * plan->across_row[0].in[n];
        place[0] = row_0[n] + row_0[n];
        place[lanes] = H % 2 == 0 ? middle[n] + middle[n] : 0;
    }
}

/* tangle() of two real values: z - 0 is z, but 0 + z is not where z is -0. */
static void store_slot_0(const job *j, const scalar *buffer) {
    const fast_plan *plan = j->plan;
    size_t lanes = (size_t)plan->across->lanes, H = plan->problem.height;
    scalar *row_0 = j->intermediate.values, *middle = row_0 + H / 2 * j->intermediate.pitch;
    for (size_t n = 0; n < plan->problem.width; n++) {
        const scalar *place = buffer + 2 * lanes * plan->across_row[1].out[n];
        row_0[n] = n % 2 == 0 ? place[lanes] : 0 + place[lanes];
        if (H % 2 == 0) {
            middle[n] = n % 2 == 0 ? place[0] : 0 + place[0];
        }
    }
}

/* The spectra of a block's slots, in its buffer. */
static void transform_block(const job *j, const block *b) {
    const across_kernels *kernels = j->plan->across;
    slot_rows from = rows_of_intermediate(j, b, 0);
    kernels->load_untangled(&j->plan->across_row[0], &from, b->buffer);
    if (b->first == 0) {
        load_slot_0(j, b);
    }
    kernels->transform(&j->plan->across_row[0], b->buffer);
}

static void store_folded(const job *j, const block *b) {
    const problem *p = &j->plan->problem;
    take_slot_0(j, b);
    for (size_t l = 0; l <= p->width / 2; l++) {
        part_folded_value(j, b->folded, l, scale_of_rows(j));
    }
    if (has_integer_pixels(p)) {
        put_self_paired(j->spectrum, 0, 0,
                        cpx_of(dc_of(sum_of_all(j), j->measure->scaling.forward), 0));
    }
}

static void rows(const job *j, size_t index) {
    block b = block_of(j, index);
    transform_block(j, &b);
    slot_rows to = rows_of_spectrum(j, &b, j->spectrum, 1);
    j->plan->across->store_spectrum(&j->plan->to_spectrum, j->spectrum, b.buffer, scale_of_rows(j),
                                    &to);
    if (b.first == 0) {
        store_folded(j, &b);
    }
}

/* The way back of what is in a buffer. */
static void transform_back(const job *j, const block *b, scalar *buffer) {
    const across_line *row = &j->plan->across_row[1];
    slot_rows to = rows_of_intermediate(j, b, 1);
    j->plan->across->transform(row, buffer);
    j->plan->across->store_tangled(row, buffer, &to);
    if (b->first == 0) {
        store_slot_0(j, buffer);
    }
}

static void rows_inverse(const job *j, size_t index) {
    block b = block_of(j, index);
    slot_rows from = rows_of_spectrum(j, &b, j->spectrum, 0);
    j->plan->across->load_spectrum(&j->plan->from_spectrum, j->spectrum, &from, 1, b.buffer);
    if (b.first == 0) {
        for (size_t l = 0; l <= j->plan->problem.width / 2; l++) {
            join_folded_value(j, b.folded, l);
        }
        put_slot_0(j, &b, b.buffer);
    }
    if (load_scale(j) != 1) {
        scale_all(b.buffer, 2 * (size_t)j->plan->across->lanes * j->plan->across_row[1].places,
                  load_scale(j));
    }
    transform_back(j, &b, b.buffer);
}

/* The rows of the transfer that a block is multiplied by, into its second buffer. */
static void load_transfer(const job *j, const block *b) {
    const fast_plan *plan = j->plan;
    if (j->transfer.gain != NULL) {
        slot_rows from =
            rows_of_block(j, b, (scalar *)j->transfer.gain, plan->problem.width / 2 + 1, 0);
        plan->across->load_gain(&plan->across_row[1], &from, b->second);
    } else {
        slot_rows from = rows_of_spectrum(j, b, j->transfer.spectrum, 0);
        plan->across->load_spectrum(&plan->from_spectrum, j->transfer.spectrum, &from, 0,
                                    b->second);
    }
}

static void filter(const job *j, size_t index) {
    const fast_plan *plan = j->plan;
    size_t W = plan->problem.width;
    block b = block_of(j, index);
    transform_block(j, &b);
    load_transfer(j, &b);
    plan->across->multiply(&plan->across_row[0], b.buffer, scale_of_rows(j), &plan->across_row[1],
                           b.second, j->transfer.gain != NULL);
    if (b.first == 0) {
        take_slot_0(j, &b);
        for (size_t l = 0; l <= W / 2; l++) {
            filter_folded(j, b.folded, b.folded + parts_apart(W), l, scale_of_rows(j));
        }
        put_slot_0(j, &b, b.second);
    }
    transform_back(j, &b, b.second);
}

/* ---- tasks -------------------------------------------------------------------------------------
 */

static tasks tiles(const job *j) {
    return (tasks){across_tiles(j->plan), 1};
}

static tasks blocks(const job *j) {
    return (tasks){across_blocks(j->plan), 1};
}

const pass_set passes_across = {.intermediate = intermediate_of,
                                .columns = columns,
                                .rows = rows,
                                .rows_inverse = rows_inverse,
                                .columns_inverse = columns_inverse,
                                .filter = filter,
                                .tiles = tiles,
                                .slots = blocks};
