/* SPDX-License-Identifier: MIT
 * What the report says of the transform, on an image so small that all its sums can be added up:
 * the forward transform is not divided by anything, two real lines need one transform, and an
 * image, tangled and packed, needs half of the transforms and half of the numbers.
 */
#include <math.h>
#include <stdlib.h>

#include "oracle/oracle.h"
#include "plan.h"
#include "reproduce/report/complex_line.h"
#include "reproduce/report/experiment.h"
#include "shell/complain.h"

enum { SIDE = SMALL_SIDE, PIXELS = SIDE * SIDE };

typedef struct square {
    double image[PIXELS], rows[PIXELS], packed[PIXELS];
    complex_number sums[PIXELS], there[PIXELS];
} square;

/* ---- the definition -------------------------------------------------------------------------- */

static void add_up(square *s) {
    complex_number roots[SIDE], noise[PIXELS];

    line_noise(PIXELS, 1, 1, noise);
    for (size_t i = 0; i < SIDE; i++) {
        roots[i] = line_root(i, SIDE);
    }
    for (size_t i = 0; i < PIXELS; i++) {
        s->image[i] = creal(noise[i]);
    }
    for (size_t bin = 0; bin < PIXELS; bin++) {
        complex_number sum = 0;

        for (size_t i = 0; i < PIXELS; i++) {
            sum += s->image[i] * roots[(i / SIDE * (bin / SIDE) + i % SIDE * (bin % SIDE)) % SIDE];
        }
        s->sums[bin] = sum;
    }
}

/* Of what was packed. */
static double packed_error(square *s) {
    for (size_t i = 0; i < PIXELS; i++) {
        double re, im;

        oracle_read(SIDE, SIDE, WEFT_F64, WEFT_PACKED, SIDE, s->packed, i / SIDE, i % SIDE, &re,
                    &im);
        s->there[i] = re + I * im;
    }
    return line_error(PIXELS, s->there, s->sums);
}

/* ---- the report's program -------------------------------------------------------------------- */

static weft_status find_defined(square *s, small_image *found) {
    const weft_desc desc = {
        .height = SIDE, .width = SIDE, .precision = WEFT_F64, .strategy = "cpu.report"};
    weft_plan *plan;
    weft_status status = weft_plan_create(&plan, &desc);

    if (status == WEFT_OK) {
        status = weft_forward_host(plan, s->image, s->packed);
    }
    weft_plan_destroy(plan);
    found->defined = packed_error(s);
    for (size_t i = 0; i < PIXELS; i++) {
        s->there[i] /= PIXELS;
    }
    found->divided = line_error(PIXELS, s->there, s->sums);
    return status;
}

static weft_status find_bytes(const report_experiment *e, small_image *found) {
    weft_desc desc = task_desc(&e->task);
    weft_plan *plan;
    weft_status status;

    desc.strategy = "cpu.report";
    status = weft_plan_create(&plan, &desc);
    if (status == WEFT_OK) {
        found->image_bytes = plan_image_bytes(plan);
        found->spectrum_bytes = plan_spectrum_bytes(plan);
        found->workspace = weft_plan_workspace(plan);
    }
    weft_plan_destroy(plan);
    return status;
}

/* ---- pairs of lines -------------------------------------------------------------------------- */

/* F and G of real f and g out of that of h = f + j g, as the report has it. */
static void untangle(const complex_number h[SIDE], complex_number f[SIDE], complex_number g[SIDE]) {
    for (size_t u = 0; u < SIDE; u++) {
        const complex_number mirrored = conj(h[(SIDE - u) % SIDE]);

        f[u] = (h[u] + mirrored) / 2;
        g[u] = (h[u] - mirrored) / (2 * I);
    }
}

static void transform(complex_number h[SIDE]) {
    complex_number other[SIDE];

    line_recurrence(SIDE, h, other, READ_RIGHT);
}

static double pair_error(void) {
    complex_number f[SIDE], g[SIDE], h[SIDE], right[2 * SIDE], there[2 * SIDE];

    line_noise(SIDE, 1, 2, f);
    line_noise(SIDE, 1, 3, g);
    for (size_t x = 0; x < SIDE; x++) {
        h[x] = f[x] + I * g[x];
    }
    line_sums(SIDE, f, right);
    line_sums(SIDE, g, right + SIDE);
    transform(h);
    untangle(h, there, there + SIDE);
    return line_error(2 * SIDE, there, right);
}

/* ---- an image -------------------------------------------------------------------------------- */

/* The spectrum of a real line in as many numbers, so far from one another. */
static void pack(const complex_number F[SIDE], double *to, size_t step) {
    for (size_t u = 0; u <= SIDE / 2; u++) {
        to[u * step] = creal(F[u]);
    }
    for (size_t u = 1; u < SIDE / 2; u++) {
        to[(SIDE - u) * step] = cimag(F[u]);
    }
}

static size_t tangle_rows(square *s) {
    complex_number h[SIDE], f[SIDE], g[SIDE];
    size_t m;

    for (m = 0; m < SIDE / 2; m++) {
        const double *row = s->image + 2 * m * SIDE;

        for (size_t n = 0; n < SIDE; n++) {
            h[n] = row[n] + I * row[SIDE + n];
        }
        transform(h);
        untangle(h, f, g);
        pack(f, s->rows + 2 * m * SIDE, 1);
        pack(g, s->rows + (2 * m + 1) * SIDE, 1);
    }
    return m;
}

/* Columns 0 and N/2 are real and tangled; columns n and N - n are one complex column as they lie.
 */
static size_t tangle_columns(square *s) {
    complex_number h[SIDE], f[SIDE], g[SIDE];
    size_t n;

    for (n = 0; n < SIDE / 2; n++) {
        const size_t second = n == 0 ? SIDE / 2 : SIDE - n;

        for (size_t m = 0; m < SIDE; m++) {
            h[m] = s->rows[m * SIDE + n] + I * s->rows[m * SIDE + second];
        }
        transform(h);
        if (n == 0) {
            untangle(h, f, g);
            pack(f, s->packed + n, SIDE);
            pack(g, s->packed + second, SIDE);
        }
        for (size_t k = 0; n > 0 && k < SIDE; k++) {
            s->packed[k * SIDE + n] = creal(h[k]);
            s->packed[k * SIDE + second] = cimag(h[k]);
        }
    }
    return n;
}

/* Every row, then every column, as complex lines; from there to there. */
static size_t transform_lines(complex_number *there, size_t line_step, size_t step) {
    complex_number h[SIDE];
    size_t line;

    for (line = 0; line < SIDE; line++) {
        for (size_t i = 0; i < SIDE; i++) {
            h[i] = there[line * line_step + i * step];
        }
        transform(h);
        for (size_t i = 0; i < SIDE; i++) {
            there[line * line_step + i * step] = h[i];
        }
    }
    return line;
}

static void find_lines(square *s, small_image *found) {
    found->pair = pair_error();
    found->tangled_transforms = tangle_rows(s) + tangle_columns(s);
    found->tangled = packed_error(s);
    for (size_t i = 0; i < PIXELS; i++) {
        s->there[i] = s->image[i];
    }
    found->single_transforms =
        transform_lines(s->there, SIDE, 1) + transform_lines(s->there, 1, SIDE);
    found->single = line_error(PIXELS, s->there, s->sums);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void add_row(finding_table *t, const char *what, double error, double transforms,
                    double numbers) {
    finding_row *row = finding_add(t, what);

    row->here[0] = error;
    row->here[1] = transforms;
    row->here[2] = numbers;
}

static void add_table(report_experiment *e) {
    static const char *const columns[] = {"rel. L2", "transforms of lines", "real numbers", NULL};
    const small_image *found = &e->small;
    finding_table *t =
        findings_add(&e->found, "The transform",
                     "64x64, against the sums of the definition, in double precision", columns);

    add_row(t, "cpu.report", found->defined, NAN, PIXELS);
    add_row(t, "cpu.report, divided by H W", found->divided, NAN, PIXELS);
    add_row(t, "two real lines out of one", found->pair, 1, 2 * SIDE);
    add_row(t, "all, tangled and packed", found->tangled, (double)found->tangled_transforms,
            PIXELS);
    add_row(t, "all, each line by itself", found->single, (double)found->single_transforms,
            2 * PIXELS);
}

int report_find_transform(report_experiment *e) {
    square *s = allocate(1, sizeof *s);
    weft_status status;

    if (s == NULL) {
        return EXIT_MEMORY;
    }
    add_up(s);
    status = find_defined(s, &e->small);
    if (status == WEFT_OK) {
        status = find_bytes(e, &e->small);
    }
    find_lines(s, &e->small);
    free(s);
    add_table(e);
    return status == WEFT_OK ? EXIT_DONE : complain_status(status);
}
