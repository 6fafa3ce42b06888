/* SPDX-License-Identifier: MIT
 * cpu.fast: two passes over an image, on one thread or on many. Columns go in tiles from the image
 * to the intermediate, tangled; then rows, a slot at a time, from the intermediate to the spectrum.
 * The inverse goes the other way; a filter has three passes. The intermediate lies in the memory of
 * the output, or in the workspace where that is integer pixels, which are too small for it. Of a
 * batch, each image is transformed by all threads or by one. The bits are those of cpu.reference
 * for any number of threads and any instruction set with fused operations. Here are the passes of
 * powers of two, and who does what; the passes of other sizes are in across.c.
 */
#include <string.h>

#include "fast/job.h"
#include "isa.h"

/* Tiles turn where rows would share few sets of the caches, unless the intermediate has to be
 * straight. Only whole cache lines are streamed. */
static intermediate_view intermediate_of(const fast_plan *plan, scalar *values, size_t pitch,
                                         int is_straight, int is_inverse) {
    const size_t period = 2048 / sizeof(scalar); /* rows so far apart share 2 of 64 sets */
    if (plan->across != NULL) {
        return intermediate_across(plan, values, pitch, is_inverse);
    }
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

/* ---- who does what -----------------------------------------------------------------------------
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

/* One call of the strategy: its operands and its passes. */
typedef struct call {
    const fast_plan *plan;
    const void *image; /* NULL for an inverse */
    void *spectrum;    /* NULL for a filter */
    transfer_view transfer;
    void *out; /* the image that an inverse or a filter writes */
    void *work;
    int is_straight; /* the intermediate's tiles do not turn: they are written over what they come
                        from, or columns read them */
    pass passes[MOST_PASSES];
    size_t count;
    int is_measured, is_kept; /* of each image: before it is transformed; in the workspace */
} call;

static intermediate_view intermediate_of_image(const call *c, const job *j, scalar *behind) {
    pair_rows rows = rows_at(c->plan, behind, c->plan->problem.width);
    if (c->out == NULL) {
        rows = rows_at(c->plan, j->spectrum.values, row_reals(j->spectrum));
    } else if (!has_integer_pixels(&c->plan->problem)) {
        rows = image_rows(j, c->out, 0);
    }
    return intermediate_of(c->plan, rows.values, rows.pitch, c->is_straight, c->image == NULL);
}

/* Part `number` of the workspace. */
static char *part_of_work(const call *c, size_t number) {
    char *all = (char *)(((uintptr_t)c->work + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    return all + number * scratch_of_image(c->plan);
}

/* The job for image `index` of the batch, with part `number` of the workspace. */
static job job_of(const call *c, size_t index, size_t number) {
    const fast_plan *plan = c->plan;
    const problem *p = &plan->problem;
    char *scratch = part_of_work(c, number);
    char *behind = scratch + (size_t)plan->threads * plan->thread_scratch;
    job j = {.plan = plan,
             .call = c,
             .image = c->image,
             .index = index,
             .first = index * p->image_stride,
             .scratch = scratch,
             .sums = (uint64_t *)(behind + plan->intermediate_bytes),
             .transfer = c->transfer,
             .out = c->out};
    if (c->spectrum != NULL) {
        j.spectrum = view_of(p, c->spectrum, index);
    }
    j.intermediate = intermediate_of_image(c, &j, (scalar *)behind);
    if (c->spectrum == c->out) {
        j.intermediate.streams = 0; /* an inverse in place has its rows in the caches */
    }
    return j;
}

/* For team_run(): tasks of one image. */
static void run_tasks(const void *of, size_t number, size_t member, size_t first, size_t end) {
    job j = *(const job *)of;
    j.member = member;
    for (size_t index = first; index < end; index++) {
        j.call->passes[number].task(&j, index);
    }
}

static void begin_pass(const void *of, size_t number) {
    const job *j = of;
    if (j->call->passes[number].before != NULL) {
        j->call->passes[number].before(j);
    }
}

/* Whether anything overflowed. */
static int run_image(const call *c, size_t index, size_t number) {
    measure scaled = {unscaled(&c->plan->problem), 0, 0};
    job j = job_of(c, index, number);
    j.measure = &scaled;
    team_work work = {.run = run_tasks, .begin = begin_pass, .of = &j, .passes = c->count};
    for (size_t i = 0; i < c->count; i++) {
        work.tasks[i] = c->passes[i].tasks(&j);
    }
    team_run(&work, (size_t)c->plan->threads);
    return take_overflow();
}

/* ---- images whose values are large -------------------------------------------------------------
 */

static void raise_to(_Atomic double *most, double value) {
    double seen = atomic_load(most);
    while (value > seen && !atomic_compare_exchange_weak(most, &seen, value)) {
    }
}

/* Rows are measured so many together. */
enum { MEASURED_ROWS = 64 };

static tasks rows_to_measure(const job *j) {
    return (tasks){(j->plan->problem.height + MEASURED_ROWS - 1) / MEASURED_ROWS, 1};
}

static double largest_of(const job *j, size_t index, const scalar *values, size_t pitch,
                         size_t width) {
    size_t first = index * MEASURED_ROWS, left = j->plan->problem.height - first;
    return (double)j->plan->column_kernels->largest(
        values + first * pitch, left < MEASURED_ROWS ? left : MEASURED_ROWS, pitch, width);
}

static double largest_of_view(const job *j, size_t index, spectrum_view view) {
    return largest_of(j, index, view.values, row_reals(view), reals_of_row(view));
}

/* Rows of the image, or of the spectrum of an inverse; and of a filter's transfer. */
static void measure_rows(const job *j, size_t index) {
    const problem *p = &j->plan->problem;
    if (j->image == NULL) {
        raise_to(&j->measure->input, largest_of_view(j, index, j->spectrum));
    } else if (!has_integer_pixels(p)) {
        raise_to(&j->measure->input,
                 largest_of(j, index, image_rows(j, j->image, 0).values, p->image_pitch, p->width));
    }
    if (j->transfer.gain != NULL) {
        raise_to(&j->measure->transfer,
                 largest_of(j, index, j->transfer.gain, p->width / 2 + 1, p->width / 2 + 1));
    } else if (j->transfer.spectrum.values != NULL) {
        raise_to(&j->measure->transfer, largest_of_view(j, index, j->transfer.spectrum));
    }
}

static scaling scaling_for(const job *j, double sum) {
    const problem *p = &j->plan->problem;
    return j->image == NULL ? scaling_of_inverse(p, sum)
           : j->out == NULL ? scaling_of_forward(p, sum)
                            : scaling_of_filter(p, sum, j->measure->transfer);
}

/* An input that must be scaled is measured once more, closely. */
static void choose_scaling(const job *j) {
    const problem *p = &j->plan->problem;
    measure *m = j->measure;
    size_t count = p->height * (j->image == NULL ? reals_of_row(j->spectrum) : p->width);
    m->scaling = scaling_for(j, sum_at_most(m->input, count));
    if (is_scaled(p, m->scaling) && !has_integer_pixels(p)) {
        m->scaling =
            scaling_for(j, j->image == NULL ? sum_of_spectrum(p, j->call->spectrum, j->index)
                                            : sum_of_image(p, j->image, j->index));
    }
}

/* The same call with a pass before that measures the image. What is scaled may lie where the
 * intermediate will. */
static call measured(const call *c) {
    call m = *c;
    m.is_measured = m.is_straight = 1;
    m.count = c->count + 1;
    memcpy(m.passes + 1, c->passes, c->count * sizeof *c->passes);
    m.passes[0] = (pass){NULL, measure_rows, rows_to_measure};
    m.passes[1].before = choose_scaling;
    return m;
}

/* Where an image lies that is overwritten: its strides are those of its spectrum. */
static char *input_of(const call *c, size_t index) {
    const void *images = c->image != NULL ? c->image : c->spectrum;
    return (char *)images + index * c->plan->problem.image_stride * sizeof(scalar);
}

static void transform_image(const call *c, size_t index, size_t number) {
    const size_t bytes = c->plan->kept_bytes;
    char *kept = part_of_work(c, number) + scratch_of_image(c->plan) - whole_lines(bytes);
    if (c->is_kept) {
        memcpy(kept, input_of(c, index), bytes);
    }
    if (run_image(c, index, number) && !c->is_measured) {
        const call again = measured(c);
        if (c->is_kept) {
            memcpy(input_of(c, index), kept, bytes);
        }
        run_image(&again, index, number);
    }
}

/* ---- all images --------------------------------------------------------------------------------
 */

/* For team_run(): images of a batch, each by one member. */
static void run_images_apart(const void *of, size_t number, size_t member, size_t first,
                             size_t end) {
    (void)number;
    for (size_t index = first; index < end; index++) {
        transform_image(of, index, member);
    }
}

/* Tiny images are taken so many together that each thread takes TIMES_SHARED times: to take them
 * one by one would last longer than to transform them. */
enum { TIMES_SHARED = 16 };

static tasks images(const fast_plan *plan) {
    size_t count = plan->problem.batch;
    size_t chunk = count / (TIMES_SHARED * (size_t)plan->concurrent_images);
    return (tasks){count, chunk > 0 ? chunk : 1};
}

/* Each thread transforms images of its own, or all threads one image after another. */
static void run_images(const call *c) {
    const fast_plan *plan = c->plan;
    if (plan->concurrent_images > 1) {
        const team_work apart = {
            .run = run_images_apart, .of = c, .passes = 1, .tasks = {images(plan)}};
        team_run(&apart, (size_t)plan->concurrent_images);
        return;
    }
    for (size_t i = 0; i < plan->problem.batch; i++) {
        transform_image(c, i, 0);
    }
}

/* Input that is overwritten cannot be measured when something has overflowed, unless it is kept. */
static void transform_images(const call *c, int is_overwritten) {
    const int is_kept = is_overwritten && c->plan->kept_bytes > 0;
    call by = is_overwritten && !is_kept ? measured(c) : *c;
    by.is_kept = is_kept;
    run_images(&by);
}

static const pass_set power_passes = {.columns = columns,
                                      .rows = rows,
                                      .rows_inverse = rows_inverse,
                                      .columns_inverse = columns_inverse,
                                      .filter = filter,
                                      .tiles = tiles,
                                      .slots = slots};

static const pass_set *passes_of(const fast_plan *plan) {
    return plan->across != NULL ? &passes_across : &power_passes;
}

/* Rows after columns. */
static pass rows_of(const fast_plan *plan, void (*task)(const job *, size_t)) {
    return (pass){has_integer_pixels(&plan->problem) ? restore_row_0 : NULL, task,
                  passes_of(plan)->slots};
}

static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const fast_plan *plan = state;
    const pass_set *by = passes_of(plan);
    const call c = {.plan = plan,
                    .image = image,
                    .spectrum = spectrum,
                    .work = work,
                    .is_straight = image == spectrum,
                    .passes = {{NULL, by->columns, by->tiles}, rows_of(plan, by->rows)},
                    .count = 2};
    (void)stream;
    transform_images(&c, image == spectrum);
    return WEFT_OK;
}

static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const fast_plan *plan = state;
    const pass_set *by = passes_of(plan);
    const call c = {
        .plan = plan,
        .spectrum = (void *)spectrum,
        .out = image,
        .work = work,
        .is_straight = 1,
        .passes = {{NULL, by->rows_inverse, by->slots}, {NULL, by->columns_inverse, by->tiles}},
        .count = 2};
    (void)stream;
    transform_images(&c, image == spectrum);
    return WEFT_OK;
}

static weft_status filter_images(const void *state, const void *image, const void *transfer,
                                 weft_transfer kind, void *out, void *work,
                                 struct CUstream_st *stream) {
    const fast_plan *plan = state;
    const pass_set *by = passes_of(plan);
    const call c = {.plan = plan,
                    .image = image,
                    .transfer = transfer_of(&plan->problem, transfer, kind),
                    .out = out,
                    .work = work,
                    .is_straight = image == out && !has_integer_pixels(&plan->problem),
                    .passes = {{NULL, by->columns, by->tiles},
                               rows_of(plan, by->filter),
                               {NULL, by->columns_inverse, by->tiles}},
                    .count = 3};
    (void)stream;
    transform_images(&c, image == out);
    return WEFT_OK;
}

/* ---- the strategy ------------------------------------------------------------------------------
 */

static weft_status supports(const problem *p) {
    (void)p;
    return WEFT_OK;
}

static weft_status create(const problem *p, void **state, size_t *workspace) {
    fast_plan *plan = NULL;
    weft_status status = fast_plan_create(p, &plan);
    if (status == WEFT_OK) {
        *state = plan;
        *workspace = (size_t)plan->concurrent_images * scratch_of_image(plan) + CACHE_LINE;
    }
    return status;
}

static void destroy(void *state) {
    fast_plan_destroy(state);
}

const strategy REAL_NAME(cpu_fast) = {
    .name = "cpu.fast",
    .about = "tiles of columns, then rows, in vectors; on any number of threads the same bits; "
             "any size",
    .space = &host_memory,
    .supports = supports,
    .create = create,
    .destroy = destroy,
    .forward = forward,
    .inverse = inverse,
    .filter = filter_images,
    .describe = fast_plan_describe,
    .here = isa_about,
    .flags = EQUAL_BITS | USES_THREADS,
    .has_fused = isa_has_fused,
};
