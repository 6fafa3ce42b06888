/* SPDX-License-Identifier: MIT
 * Every row is run and held against the oracle, bin by bin; then all that are right are timed in
 * turn, one sample each, on one image and one spectrum of their memory space. See experiment.h.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/call.h"
#include "bench/task.h"
#include "gates.h"
#include "isa.h"
#include "operation.h"
#include "plan.h"
#include "reproduce/ladder/experiment.h"
#include "shell/progress.h"

#if WEFT_WITH_CUDA
#include "base/device.h"
#define DEVICE_MEMORY &device_memory
#else
#define DEVICE_MEMORY NULL
static weft_status device_usable(int device) {
    (void)device;
    return weft_fail(WEFT_NO_DEVICE, "this build has no CUDA");
}
#endif

enum { ALIGNMENT = 256, LEAST_SAMPLES = 3 };
static const double sample_us = 2000, slow_us = 1e5;

/* A row made ready to run. */
typedef struct runner {
    ladder_row *row;
    const memory_space *space;
    void *of;        /* of a rung */
    weft_plan *plan; /* of a strategy */
    void *work;
    size_t executions; /* in a sample */
    double spent_us;
} runner;

/* ---- making ready ---------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void refuse(ladder_row *row, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(row->reason, sizeof row->reason, format, values);
    va_end(values);
}

static weft_desc desc_of(const ladder_experiment *e) {
    return (weft_desc){.height = e->n, .width = e->n};
}

/* What kind of a machine the rungs were compiled for is the build's choice, see ladder.cmake. */
static int can_run(ladder_row *row) {
    isa chosen;

    if (strcmp(row->device, "gpu") == 0) {
        if (device_usable(0) != WEFT_OK) {
            refuse(row, "%s", weft_last_error());
        }
    } else if (isa_choose(&chosen) != WEFT_OK || chosen < LADDER_ISA) {
        refuse(row, "built for AVX2, which this CPU or WEFT_ISA has not; to build it alone: "
                    "cc -O3 -march=native");
    }
    return row->reason[0] == '\0';
}

static weft_status open_rung(runner *r, size_t n) {
    if (!can_run(r->row)) {
        return WEFT_OK;
    }
    r->of = r->row->entry->rung->prepare(n);
    if (r->of == NULL && r->space->is_device) {
        refuse(r->row, "not prepared: no memory, or not a size that it takes");
        return WEFT_OK;
    }
    return r->of != NULL ? WEFT_OK
                         : weft_fail(WEFT_NO_MEMORY, "%s: no memory for its tables", r->row->name);
}

/* A copy moves the bytes of the image as one row. */
static weft_status open_plan(runner *r, const ladder_experiment *e) {
    weft_desc desc = desc_of(e);
    weft_status status;

    desc.threads = r->row->threads;
    status = plan_create_over(&r->plan, &desc, r->row->over);
    if (status == WEFT_OK) {
        const size_t bytes = weft_plan_workspace(r->plan);
        return bytes > 0 ? r->space->allocate(0, bytes, &r->work) : WEFT_OK;
    }
    if (status == WEFT_NO_MEMORY && !r->space->is_device) {
        return status;
    }
    refuse(r->row, "%s", weft_last_error());
    return WEFT_OK;
}

static weft_status open_runner(runner *r, ladder_row *row, const ladder_experiment *e) {
    *r = (runner){.row = row,
                  .space = strcmp(row->device, "cpu") == 0 ? &host_memory : DEVICE_MEMORY};
    return row->entry != NULL ? open_rung(r, e->n) : open_plan(r, e);
}

static void close_runner(runner *r) {
    if (r->of != NULL) {
        r->row->entry->rung->finish(r->of);
    }
    if (r->work != NULL) {
        r->space->release(0, r->work);
    }
    weft_plan_destroy(r->plan);
}

/* Enqueues it on a device. */
static weft_status run(const runner *r, const void *image, void *spectrum) {
    if (r->plan != NULL) {
        return weft_forward(r->plan, image, spectrum, r->work, NULL);
    }
    return r->row->entry->rung->run(r->of, image, spectrum) == 0
               ? WEFT_OK
               : weft_fail(WEFT_DEVICE_FAILED, "%s: it failed while it ran",
                           r->row->entry->rung->file);
}

/* ---- verification ---------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void fail(ladder_row *row, const char *format, ...) {
    va_list values;
    if (row->verdict.passed) { /* the first reason is the one to read */
        row->verdict.passed = 0;
        va_start(values, format);
        vsnprintf(row->verdict.why, sizeof row->verdict.why, format, values);
        va_end(values);
    }
}

static double worse(double a, double b) {
    return b <= a ? a : b; /* NaN is worse than all */
}

static weft_status compare(ladder_row *row, reference *r, weft_layout layout,
                           const void *spectrum) {
    verdict *v = &row->verdict;
    oracle_error error;
    weft_status status = reference_compare(r, 0, WEFT_F32, layout, r->width, spectrum, 1, &error);

    if (status == WEFT_OK) {
        v->rel_l2 = isnan(v->rel_l2) ? error.rel_l2 : worse(v->rel_l2, error.rel_l2);
        v->max_rms = isnan(v->max_rms) ? error.max_rms : worse(v->max_rms, error.max_rms);
        if (!(v->rel_l2 <= v->gate_l2) || !(v->max_rms <= v->gate_max)) {
            fail(row,
                 "relative L2 error %.3g, gate %.3g, max error / RMS %.3g, gate %.3g, worst "
                 "at [%zu][%zu]",
                 v->rel_l2, v->gate_l2, v->max_rms, v->gate_max, error.worst_k, error.worst_l);
        }
    }
    return status;
}

/* Of a complex spectrum the left half is as WEFT_HALF has it; the right half becomes so when it is
 * turned about the origin and conjugated. */
static weft_status compare_turned(ladder_row *row, reference *r, const float *full) {
    const size_t n = r->width;
    float *turned = malloc(2 * n * n * sizeof *turned);
    weft_status status;

    if (turned == NULL) {
        return weft_fail(WEFT_NO_MEMORY, "no memory to turn a spectrum");
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < n; l++) {
            const float *from = full + 2 * ((n - k) % n * n + (n - l) % n);
            turned[2 * (k * n + l)] = from[0];
            turned[2 * (k * n + l) + 1] = -from[1];
        }
    }
    status = compare(row, r, WEFT_HALF, turned);
    free(turned);
    return status;
}

/* Runs over poison, and fetches what was written. */
static weft_status run_over(runner *r, int poison, const buffer *image, const buffer *spectrum) {
    ptrdiff_t at;
    weft_status status = buffer_poison(spectrum, poison);

    if (status == WEFT_OK &&
        (status = run(r, buffer_memory(image), buffer_memory(spectrum))) == WEFT_OK &&
        (status = r->space->wait(0)) == WEFT_OK &&
        (status = buffer_find_change(image, &at)) == WEFT_OK) {
        if (at != NOWHERE) {
            fail(r->row, "the image was modified, first at byte %td", at);
        }
        status = buffer_get(spectrum);
        buffer_find_stain(spectrum, poison, &at);
        if (at != NOWHERE) {
            fail(r->row, "wrote outside the spectrum, first at byte %td", at);
        }
    }
    return status;
}

/* Twice, over other poison: what is not written, or made of what was not written, differs. */
static weft_status run_twice(runner *r, const buffer *image, const buffer *spectrum) {
    buffer first = {0};
    ptrdiff_t at;
    weft_status status = run_over(r, POISON_NAN, image, spectrum);

    if (status == WEFT_OK && (status = buffer_keep(spectrum, &first)) == WEFT_OK &&
        (status = run_over(r, POISON_HUGE, image, spectrum)) == WEFT_OK) {
        buffer_find_difference(&first, spectrum, &at);
        if (at != NOWHERE) {
            fail(r->row, "the second run gave other bits, first at byte %td", at);
        }
    }
    buffer_free(&first);
    return status;
}

static weft_status judge_rung(runner *r, reference *of) {
    const int is_full = r->row->entry->rung->layout == LADDER_FULL;
    const size_t n = of->width, values = is_full ? 2 * n : n;
    buffer image, spectrum = {0};
    weft_status status =
        buffer_make(&image, r->space, 0, (grid){1, n, n, n, n * n, sizeof(float)}, ALIGNMENT);

    if (status == WEFT_OK &&
        (status = buffer_make(&spectrum, r->space, 0,
                              (grid){1, n, values, values, n * values, sizeof(float)},
                              ALIGNMENT)) == WEFT_OK) {
        buffer_set_image(&image, 0, reference_pixels(of, 0));
        if ((status = buffer_put(&image)) == WEFT_OK &&
            (status = run_twice(r, &image, &spectrum)) == WEFT_OK &&
            (status = compare(r->row, of, is_full ? WEFT_HALF : WEFT_PACKED,
                              buffer_mirror(&spectrum))) == WEFT_OK &&
            is_full) {
            status = compare_turned(r->row, of, buffer_mirror(&spectrum));
        }
    }
    buffer_free(&spectrum);
    buffer_free(&image);
    return status;
}

static weft_status verify(runner *r, reference *of) {
    verdict *v = &r->row->verdict;

    if (r->row->over != NULL) {
        return strcmp(r->row->name, "copy") == 0
                   ? verify_copy(r->plan, v)
                   : verify_plan(r->plan, OPERATION_FORWARD, of, (leniency){0}, v);
    }
    v->gate_l2 = gate_l2(of->height, of->width, WEFT_F32);
    v->gate_max = gate_max(of->height, of->width, WEFT_F32);
    return judge_rung(r, of);
}

/* ---- timing ---------------------------------------------------------------------------------- */

static int is_ready(const runner *r) {
    return r->row->reason[0] == '\0' && r->row->verdict.passed;
}

static weft_status time_runs(const runner *r, size_t runs, const void *image, void *spectrum,
                             double *us) {
    const double start = clock_us();
    weft_status status = WEFT_OK;

    for (size_t i = 0; i < runs && status == WEFT_OK; i++) {
        status = run(r, image, spectrum);
    }
    if (status == WEFT_OK) {
        status = r->space->wait(0);
    }
    *us = clock_us() - start;
    return status;
}

/* After the others' turns the first run finds other things in the caches. */
static weft_status take_sample(runner *r, const void *image, void *spectrum) {
    double us = 0;
    weft_status status = WEFT_OK;

    if (r->executions == 0 || r->spent_us / (double)r->row->count < slow_us) {
        status = time_runs(r, 1, image, spectrum, &us);
    }
    if (r->executions == 0) {
        r->executions = executions_per_sample(us, sample_us);
    }
    if (status == WEFT_OK) {
        status = time_runs(r, r->executions, image, spectrum, &us);
        r->row->samples_us[r->row->count++] = us / (double)r->executions;
        r->spent_us += us;
    }
    return status;
}

static int wants_sample(const runner *r, double enough_us) {
    return is_ready(r) && r->row->count < LADDER_SAMPLES &&
           (r->row->count < LEAST_SAMPLES || r->spent_us < enough_us);
}

static weft_status time_space(runner *runners, const ladder_experiment *e,
                              const memory_space *space, const void *pixels) {
    const size_t bytes = e->n * e->n * sizeof(float);
    void *image = NULL, *spectrum = NULL;
    weft_status status = space->allocate(0, bytes, &image);

    if (status == WEFT_OK && (status = space->allocate(0, 2 * bytes, &spectrum)) == WEFT_OK) {
        status = space->copy_in(0, image, pixels, bytes);
    }
    progress_start("timing");
    for (size_t s = 0; s < LADDER_SAMPLES; s++) {
        for (size_t i = 0; status == WEFT_OK && i < e->count; i++) {
            if (runners[i].space == space && wants_sample(&runners[i], e->enough_us)) {
                progress_step((double)s / LADDER_SAMPLES, runners[i].row->name);
                status = take_sample(&runners[i], image, spectrum);
            }
        }
    }
    progress_end();
    space->release(0, spectrum);
    space->release(0, image);
    return status;
}

static weft_status time_all(runner *runners, const ladder_experiment *e, const void *pixels) {
    weft_status status = time_space(runners, e, &host_memory, pixels);

    for (size_t i = 0; i < e->count && status == WEFT_OK; i++) {
        if (is_ready(&runners[i]) && runners[i].space->is_device) {
            status = time_space(runners, e, runners[i].space, pixels);
            break;
        }
    }
    for (size_t i = 0; i < e->count && status == WEFT_OK; i++) {
        ladder_row *row = runners[i].row;
        if (row->count > 0) {
            status = samples_summarize(&row->summary, row->samples_us, row->count);
        }
    }
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

static weft_status open_and_verify(runner *runners, ladder_experiment *e, reference *of) {
    weft_status status = WEFT_OK;

    progress_start("verifying");
    for (size_t i = 0; i < e->count && status == WEFT_OK; i++) {
        progress_step((double)i / (double)e->count, e->rows[i].name);
        status = open_runner(&runners[i], &e->rows[i], e);
        if (status == WEFT_OK && is_ready(&runners[i])) {
            status = verify(&runners[i], of);
        }
    }
    progress_end();
    return status;
}

weft_status ladder_climb(ladder_experiment *e) {
    const weft_desc desc = desc_of(e);
    runner *runners = calloc(LADDER_MOST_ROWS, sizeof *runners);
    reference of = {0};
    weft_status status = WEFT_NO_MEMORY;

    if (runners == NULL || reference_create(&of, &desc, 1, bench_seed, NULL, NULL) != 0) {
        weft_fail(status, "no memory for an image of %zux%zu and its spectrum", e->n, e->n);
    } else {
        status = open_and_verify(runners, e, &of);
        if (status == WEFT_OK) {
            status = time_all(runners, e, reference_pixels(&of, 0));
        }
        for (size_t i = 0; i < e->count; i++) {
            if (runners[i].row != NULL) {
                close_runner(&runners[i]);
            }
        }
    }
    reference_destroy(&of);
    free(runners);
    return status;
}
