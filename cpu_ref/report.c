/* SPDX-License-Identifier: MIT
 * cpu.report: the report's program on the CPU, on one thread or on many: a loop over row pairs,
 * then a loop over column pairs (report_program.h). It reproduces the report's figures, so nothing
 * in it is made faster or slower than the report has it.
 */
#include "report_program.h"

#include <stdlib.h>

#include "describe.h"
#include "multiply.h"
#include "scaling.h"
#include "team.h"
#include "threads.h"

typedef void word(report_job j, size_t index);

/* As many threads as are asked for, but no more than there are pairs. */
static int thread_count(const problem *p, size_t pairs) {
    size_t threads = threads_asked_for(p->threads);
    return (int)(pairs < threads ? pairs : threads);
}

/* An image at work, with a word for each pass. */
typedef struct image_work {
    report_job job;
    word *word[2];
} image_work;

static void run_pairs(const void *of, size_t pass, size_t member, size_t first, size_t end) {
    const image_work *image = of;
    (void)member;
    for (size_t i = first; i < end; i++) {
        image->word[pass](image->job, i);
    }
}

static void scale(report_job *j, scaling by) {
    j->load_scale = by.load;
    j->forward_scale = untangled_scale((scalar)by.forward);
    j->inverse_scale = (scalar)by.inverse;
}

static void run_image(const problem *p, const image_work *image, size_t first, size_t second) {
    const team_work work = {
        .run = run_pairs, .of = image, .passes = 2, .tasks = {{first, 1}, {second, 1}}};
    team_run(&work, (size_t)thread_count(p, first > second ? first : second));
}

static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const problem *p = state;
    (void)stream;
    for (size_t i = 0; i < p->batch; i++) {
        image_work w = {report_job_of(p, (void *)image, view_of(p, spectrum, i), work, i),
                        {report_rows, report_columns}};
        int is_measured = image == spectrum;
        do {
            if (is_measured) {
                scale(&w.job, scaling_of_forward(p, sum_of_image(p, image, i)));
            }
            run_image(p, &w, report_row_pairs(p->height), folded_lines(p->width));
        } while (must_repeat(&is_measured));
    }
    return WEFT_OK;
}

static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const problem *p = state;
    (void)stream;
    for (size_t i = 0; i < p->batch; i++) {
        image_work w = {report_job_of(p, image, view_of(p, (void *)spectrum, i), work, i),
                        {report_columns_inverse, report_rows_inverse}};
        int is_measured = image == spectrum;
        do {
            if (is_measured) {
                scale(&w.job, scaling_of_inverse(p, sum_of_spectrum(p, spectrum, i)));
            }
            run_image(p, &w, folded_lines(p->width), report_row_pairs(p->height));
        } while (must_repeat(&is_measured));
    }
    return WEFT_OK;
}

static weft_status multiply(const void *state, void *spectrum, const void *transfer,
                            weft_transfer kind, struct CUstream_st *stream) {
    (void)stream;
    multiply_on_host(state, spectrum, transfer, kind);
    return WEFT_OK;
}

static weft_status supports(const problem *p) {
    return report_supports("cpu.report", p);
}

static weft_status create(const problem *p, void **state, size_t *workspace) {
    problem *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory for a plan");
    }
    *copy = *p;
    *state = copy;
    *workspace = report_workspace(p);
    return WEFT_OK;
}

/* A step of the recurrence is a stage of radix 2. */
static void describe_pass(text *to, const char *pass, const problem *p, size_t length,
                          size_t pairs) {
    factor_list steps = {0};
    for (; length > 1; length /= 2) {
        steps.radix[steps.count++] = 2;
    }
    describe_list(to, pass, 0, &steps, "stockham");
    text_add(to, "%zu pairs, %d threads", pairs, thread_count(p, pairs));
}

static void describe(const void *state, text *to) {
    const problem *p = state;
    size_t row_spectra = p->batch * p->height * p->width * sizeof(scalar);
    describe_pass(to, "rows", p, p->width, report_row_pairs(p->height));
    describe_bytes(to, pixels_moved(p), row_spectra);
    describe_pass(to, "columns", p, p->height, folded_lines(p->width));
    describe_bytes(to, row_spectra, spectra_moved(p));
}

const strategy REAL_NAME(cpu_report) = {
    .name = "cpu.report",
    .about = "the report's recurrence as written, sine and cosine per element; powers of two",
    .space = &host_memory,
    .supports = supports,
    .create = create,
    .destroy = free,
    .forward = forward,
    .inverse = inverse,
    .multiply = multiply,
    .describe = describe,
    .flags = USES_THREADS,
    .sizes = {.powers_of_two = 1},
};
