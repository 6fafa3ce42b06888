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
#include "threads.h"

typedef void word(report_job j, size_t index);

/* As many threads as are asked for, but no more than there are pairs. */
static int thread_count(const problem *p, size_t pairs) {
    size_t threads = threads_asked_for(p);
    return (int)(pairs < threads ? pairs : threads);
}

static void for_all(word *run, report_job j, size_t pairs, const problem *p) {
    int threads = thread_count(p, pairs), overflows = 0;
#pragma omp parallel num_threads(threads) reduction(| : overflows)
    {
        environment callers = take_default_environment();
#pragma omp for schedule(static)
        for (size_t i = 0; i < pairs; i++) {
            run(j, i);
        }
        overflows |= take_overflow();
        give_back_environment(callers);
    }
    if (overflows) {
        raise_overflow();
    }
}

static report_job scaled(report_job j, scaling by) {
    j.load_scale = by.load;
    j.forward_scale = untangled_scale((scalar)by.forward);
    j.inverse_scale = (scalar)by.inverse;
    return j;
}

static weft_status forward(const void *state, const void *image, void *spectrum, void *work,
                           struct CUstream_st *stream) {
    const problem *p = state;
    (void)stream;
    for (size_t i = 0; i < p->batch; i++) {
        report_job j = report_job_of(p, (void *)image, view_of(p, spectrum, i), work, i);
        int is_measured = image == spectrum;
        do {
            j = is_measured ? scaled(j, scaling_of_forward(p, sum_of_image(p, image, i))) : j;
            for_all(report_rows, j, report_row_pairs(p->height), p);
            for_all(report_columns, j, folded_lines(p->width), p);
        } while (must_repeat(&is_measured));
    }
    return WEFT_OK;
}

static weft_status inverse(const void *state, const void *spectrum, void *image, void *work,
                           struct CUstream_st *stream) {
    const problem *p = state;
    (void)stream;
    for (size_t i = 0; i < p->batch; i++) {
        report_job j = report_job_of(p, image, view_of(p, (void *)spectrum, i), work, i);
        int is_measured = image == spectrum;
        do {
            j = is_measured ? scaled(j, scaling_of_inverse(p, sum_of_spectrum(p, spectrum, i))) : j;
            for_all(report_columns_inverse, j, folded_lines(p->width), p);
            for_all(report_rows_inverse, j, report_row_pairs(p->height), p);
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
