/* SPDX-License-Identifier: MIT
 * cpu.fast: two passes over an image, on one thread or on many. Columns go in tiles from the image
 * to the intermediate, tangled; then rows, a slot at a time, from the intermediate to the spectrum.
 * The inverse goes the other way; a filter has three passes. The intermediate lies in the memory of
 * the output, or in the workspace where that is integer pixels, which are too small for it. Of a
 * batch, each image is transformed by all threads or by one. The bits are those of cpu.reference
 * for any number of threads and any instruction set with fused operations. Here is who does what
 * and when; the passes are those of powers.c or, for images of other sizes, of across.c.
 */
#include <string.h>

#include "fast/job.h"
#include "isa.h"

static const pass_set *passes_of(const fast_plan *plan) {
    return plan->across != NULL ? &passes_across : &passes_of_powers;
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
    int is_measured; /* each image is measured before it is transformed */
    int is_kept;     /* each image is copied into the workspace before it is overwritten */
} call;

static intermediate_view intermediate_of_image(const call *c, const job *j, scalar *behind) {
    pair_rows rows = rows_at(c->plan, behind, c->plan->problem.width);
    if (c->out == NULL) {
        rows = rows_at(c->plan, j->spectrum.values, row_reals(j->spectrum));
    } else if (!has_integer_pixels(&c->plan->problem)) {
        rows = image_rows(j, c->out, 0);
    }
    return passes_of(c->plan)->intermediate(c->plan, rows.values, rows.pitch, c->is_straight,
                                            c->image == NULL);
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
