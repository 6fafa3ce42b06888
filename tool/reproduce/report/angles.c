/* SPDX-License-Identifier: MIT
 * What a sine and a cosine for every element cost in exactness, beside tables: on a line in single
 * precision, where only the roots differ, and on the image, where the strategies do.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "gates.h"
#include "reproduce/report/complex_line.h"
#include "reproduce/report/experiment.h"
#include "shell/complain.h"

/* ---- roots ----------------------------------------------------------------------------------- */

typedef float complex single;
typedef single root(size_t u, size_t n);

static single of_float_angle(size_t u, size_t n) {
    const float turn = 6.28318530717958647692f, angle = turn * (float)u / (float)n;

    return cosf(angle) - I * sinf(angle);
}

static single of_double_angle(size_t u, size_t n) {
    const double turn = 6.28318530717958647692, angle = turn * (double)u / (double)n;

    return (float)cos(angle) - I * (float)sin(angle);
}

/* What a table holds: more exact, and rounded once. */
static single of_table(size_t u, size_t n) {
    return (single)line_root(u, n);
}

/* ---- a line ---------------------------------------------------------------------------------- */

/* The recurrence as in complex_line.c, in single precision; the result is in the array that is
 * returned. */
static const single *recurrence(size_t n, single *from, single *to, root *root_of) {
    for (size_t size = 2; size <= n; size *= 2) {
        const size_t S = n / size;
        single *swap = from;

        for (size_t i = 0; i < n; i++) {
            const size_t u = i / S;

            to[i] = from[(i + u * S) % n] + root_of(u, size) * from[(i + u * S + S) % n];
        }
        from = to;
        to = swap;
    }
    return from;
}

typedef struct lines {
    complex_number *f, *right, *there; /* [n]; f is exact in single precision */
    single *first, *second;
} lines;

static double error_with(const lines *l, size_t n, root *root_of) {
    const single *found;

    for (size_t x = 0; x < n; x++) {
        l->first[x] = (single)l->f[x];
    }
    found = recurrence(n, l->first, l->second, root_of);
    for (size_t u = 0; u < n; u++) {
        l->there[u] = found[u];
    }
    return line_error(n, l->there, l->right);
}

static int find_line(line_errors *found, size_t n) {
    const lines l = {.f = allocate(n, sizeof *l.f),
                     .right = allocate(n, sizeof *l.right),
                     .there = allocate(n, sizeof *l.there),
                     .first = allocate(n, sizeof *l.first),
                     .second = allocate(n, sizeof *l.second)};
    const int is_there = l.f && l.right && l.there && l.first && l.second;

    if (is_there) {
        line_noise(n, 0, 1, l.f);
        line_noise(n, 0, 1, l.right);
        line_recurrence(n, l.right, l.there, READ_RIGHT);
        *found = (line_errors){.float_angle = error_with(&l, n, of_float_angle),
                               .per_element = error_with(&l, n, of_double_angle),
                               .table = error_with(&l, n, of_table),
                               .gate = gate_l2(1, n, WEFT_F32)};
    }
    free(l.f);
    free(l.right);
    free(l.there);
    free(l.first);
    free(l.second);
    return is_there ? EXIT_DONE : EXIT_MEMORY;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void add_row(finding_table *t, const char *what, double error, double gate) {
    finding_row *row = finding_add(t, what);

    row->here[0] = error;
    row->here[1] = error / gate;
}

static void add_program(const report_experiment *e, finding_table *t, const char *what,
                        const char *name) {
    const contender *c = report_program(e, name, 1);

    if (c != NULL) {
        add_row(t, what, c->verdict.rel_l2, c->verdict.gate_l2);
    }
}

int report_find_angles(report_experiment *e) {
    static const char *const columns[] = {"rel. L2", "of its gate", NULL};
    const line_errors *l = &e->line;
    finding_table *t = findings_add(
        &e->found, "Sine and cosine",
        "the error where each element has its own, beside tables, in single precision", columns);
    const int code = find_line(&e->line, e->task.width);

    add_row(t, "a line, of an angle in single precision", l->float_angle, l->gate);
    add_row(t, "a line, of an angle in double precision, rounded", l->per_element, l->gate);
    add_row(t, "a line, a table, rounded once", l->table, l->gate);
    add_program(e, t, "the image, an element each: cpu.report", "cpu.report");
    add_program(e, t, "the image, an element each: cuda.report", "cuda.report");
    add_program(e, t, "the image, tables: cpu.fast", "cpu.fast");
    add_program(e, t, "the image, tables: cuda.twopass", "cuda.twopass");
    return code;
}
