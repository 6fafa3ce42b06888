/* SPDX-License-Identifier: MIT
 * The promise of equal bits: spectra and images by every strategy that gives it, by every
 * instruction set that this build and this CPU have, on several numbers of threads, beside those of
 * cpu.reference. It is kept for every bit, or it is broken.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elements.h"
#include "random.h"
#include "reproduce/weft/experiment.h"
#include "shell/complain.h"
#include "shell/progress.h"

/* Powers of two: one that all take, one that has work for many threads; primes up to 13; primes. */
static const struct shape {
    size_t height, width;
} shapes[] = {{256, 256}, {256, 1024}, {270, 480}, {251, 241}};
enum {
    SHAPES = sizeof shapes / sizeof *shapes,
    WAYS = 2,
    PRECISIONS = 2,
    CASES = SHAPES * WAYS * PRECISIONS
};

static const int thread_counts[] = {1, 2, 3, 7};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

/* A transform, what goes in and what comes out of it by cpu.reference: as many bytes. */
typedef struct bit_case {
    weft_desc desc;
    int is_inverse;
    size_t bytes;
    void *input, *right, *found;
} bit_case;

static weft_status transform(const bit_case *c, const char *name, int threads, void *to) {
    weft_desc desc = c->desc;
    weft_plan *plan;
    weft_status status;

    desc.strategy = name;
    desc.threads = threads;
    status = weft_plan_create(&plan, &desc);
    if (status == WEFT_OK) {
        memset(to, -1, c->bytes);
        status = c->is_inverse ? weft_inverse_host(plan, c->input, to)
                               : weft_forward_host(plan, c->input, to);
    }
    weft_plan_destroy(plan);
    return status;
}

/* Noise is noise, as an image and as a packed spectrum. */
static weft_status prepare(bit_case *c, size_t number) {
    const struct shape *of = &shapes[number / WAYS % SHAPES];
    uint64_t state = number;

    c->desc = (weft_desc){.height = of->height,
                          .width = of->width,
                          .precision = number / (WAYS * SHAPES) == 0 ? WEFT_F32 : WEFT_F64};
    c->is_inverse = number % WAYS;
    c->bytes = tight_spectrum_bytes(&c->desc);
    c->input = malloc(c->bytes);
    c->right = malloc(c->bytes);
    c->found = malloc(c->bytes);
    if (c->input == NULL || c->right == NULL || c->found == NULL) {
        return WEFT_NO_MEMORY;
    }
    for (size_t i = 0; i < of->height * of->width; i++) {
        element_set(c->input, i, c->desc.precision, WEFT_PIXEL_REAL,
                    next_noise(&state, c->desc.precision));
    }
    return transform(c, "cpu.reference", 1, c->right);
}

static double other_numbers(const bit_case *c) {
    const size_t size = element_size(c->desc.precision, WEFT_PIXEL_REAL);
    double count = 0;

    for (size_t at = 0; at < c->bytes; at += size) {
        count += memcmp((const char *)c->found + at, (const char *)c->right + at, size) != 0;
    }
    return count;
}

/* Into a cell; a strategy need not take every size. */
static weft_status compare(const bit_case *cases, const char *name, int threads, double *cell) {
    weft_status status = WEFT_OK;

    for (size_t i = 0; i < CASES && status == WEFT_OK; i++) {
        status = transform(&cases[i], name, threads, cases[i].found);
        if (status == WEFT_OK) {
            *cell = (isfinite(*cell) ? *cell : 0) + other_numbers(&cases[i]);
        } else if (status == WEFT_UNSUPPORTED) {
            status = isfinite(*cell) || i + 1 < CASES ? WEFT_OK : status;
        }
    }
    return status;
}

static void note(finding_row *row, size_t column, weft_status status) {
    static const char none[] = "0";

    if (isfinite(row->here[column])) {
        row->source[column] = none;
    } else if (status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE) {
        snprintf(row->reason, sizeof row->reason, "%s", weft_last_error());
    }
    if (row->here[column] > 0) {
        snprintf(row->error, sizeof row->error, "%.0f number%s other bits", row->here[column],
                 row->here[column] == 1 ? " has" : "s have");
    }
}

static weft_status end_of(weft_status status) {
    return status == WEFT_UNSUPPORTED || status == WEFT_NO_DEVICE ? WEFT_OK : status;
}

/* WEFT_ISA is how one is asked for. */
static weft_status compare_instructions(finding_table *t, const bit_case *cases, const char *set) {
    const char *before = getenv("WEFT_ISA");
    char *kept = before != NULL ? strdup(before) : NULL, what[MOST_WORDS];
    weft_status status = WEFT_OK;
    finding_row *row;

    snprintf(what, sizeof what, "cpu.fast, %s", set);
    row = finding_add(t, what);
    if (omp_get_thread_limit() < thread_counts[THREAD_COUNTS - 1]) {
        snprintf(row->reason, sizeof row->reason, "OMP_THREAD_LIMIT is %d", omp_get_thread_limit());
    }
    setenv("WEFT_ISA", set, 1);
    for (size_t i = 0; i < THREAD_COUNTS && status == WEFT_OK && row->reason[0] == '\0'; i++) {
        progress_step(-1, what);
        status = compare(cases, "cpu.fast", thread_counts[i], &row->here[i]);
        note(row, i, status);
        status = end_of(status);
    }
    if (kept != NULL) {
        setenv("WEFT_ISA", kept, 1);
    } else {
        unsetenv("WEFT_ISA");
    }
    free(kept);
    return status;
}

static weft_status compare_gpu(finding_table *t, const bit_case *cases) {
    weft_status status = WEFT_OK;

    for (int i = 0; i < strategy_count && status == WEFT_OK; i++) {
        const strategy *s = strategy_table[i].for_precision[WEFT_F32];

        if (s->space->is_device && (s->flags & EQUAL_BITS)) {
            finding_row *row = finding_add(t, s->name);

            progress_step(-1, s->name);
            status = compare(cases, s->name, 1, &row->here[THREAD_COUNTS]);
            note(row, THREAD_COUNTS, status);
            status = end_of(status);
        }
    }
    return status;
}

static weft_status compare_all(own_experiment *e, const bit_case *cases) {
    static const char *const sets[] = {"plain", "v3", "v4"}; /* v2 has no fused multiply-add */
    static const char *const columns[] = {"1 thread",  "2 threads", "3 threads",
                                          "7 threads", "GPU",       NULL};
    finding_table *t = e->tables[BITS] = findings_add(
        &e->found, "Bits",
        "numbers that are not those of cpu.reference; 4 sizes, there and back, f32 and f64; [aim]",
        columns);
    weft_status status = WEFT_OK;

    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == WEFT_OK; i++) {
        status = compare_instructions(t, cases, sets[i]);
    }
    return status == WEFT_OK && e->no_gpu[0] == '\0' ? compare_gpu(t, cases) : status;
}

int own_find_bits(own_experiment *e) {
    bit_case cases[CASES] = {{.bytes = 0}};
    weft_status status = WEFT_OK;

    progress_start("comparing bits");
    for (size_t i = 0; i < CASES && status == WEFT_OK; i++) {
        status = prepare(&cases[i], i);
    }
    if (status == WEFT_OK) {
        status = compare_all(e, cases);
    }
    for (size_t i = 0; i < CASES; i++) {
        free(cases[i].input);
        free(cases[i].right);
        free(cases[i].found);
    }
    progress_end();
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}
