/* SPDX-License-Identifier: MIT
 * The table of a bench; see table.h. GPU times are those of graph replay; plain launches are
 * in the JSON document only.
 */
#include "bench/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/report_figures.h"
#include "shell/cells.h"
#include "shell/complain.h"
#include "shell/machine.h"
#include "shell/options.h"

/* ---- what was measured ----------------------------------------------------------------------- */

static double median(const measurement *m) {
    return m != NULL ? m->summary.median_us : (double)NAN;
}

/* ---- head ------------------------------------------------------------------------------------ */

static const char *why_no_gpu(const line_up *l, int *has_told_of_gpu) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (contender_on_gpu(c) && c->plan == NULL) {
            return reason_cell("", c->status, c->reason, has_told_of_gpu);
        }
    }
    return WEFT_WITH_CUDA ? "none asked for" : "none: this weft was built without CUDA";
}

static void print_head(FILE *to, const line_up *l, const bench_task *t, const bench_input *source,
                       const json_t *machine, int *has_told_of_gpu) {
    char data[MOST_LINE];

    snprintf(data, sizeof data, "%s", source->path != NULL ? source->path : "the scene");
    make_printable(data);
    fprintf(to, "weft bench: %s, %zux%zu, batch %zu, %s, %s pixels, %s spectra, %zu samples%s\n",
            operation_words[t->what], t->height, t->width, t->batch, precision_words[t->precision],
            pixel_words[t->pixel], layout_words[t->layout], t->repeat,
            t->fewest > 0 ? ", fewer of what takes seconds" : "");
    fprintf(to, "  CPU   %s, %d usable cores\n", machine_text(machine, "cpu"),
            (int)json_integer_value(json_object_get(machine, "cores")));
    if (json_is_string(json_object_get(machine, "gpu"))) {
        fprintf(to, "  GPU   %s, driver %s, CUDA %s\n", machine_text(machine, "gpu"),
                machine_text(machine, "driver"), machine_text(machine, "cuda"));
    } else {
        fprintf(to, "  GPU   %s\n", why_no_gpu(l, has_told_of_gpu));
    }
    fprintf(to, "  data  %s timed; verified before on %s\n", data,
            t->pixel == WEFT_PIXEL_REAL ? "random numbers of mean zero (seed 1)" : "the same");
    fprintf(to, "  weft  %s, commit %s, %s\n\n", weft_version(), machine_text(machine, "commit"),
            machine_text(machine, "compiler"));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *threads_cell(const contender *c, char cell[CELL_SIZE]) {
    snprintf(cell, CELL_SIZE, "%d", c->threads);
    return contender_on_gpu(c) ? "gpu" : cell;
}

/* What the rows have in common: whom speed-ups are against, and how wide two columns are. */
typedef struct columns {
    const contender *base;
    const char *base_name;
    int name, against;
} columns;

/* What speed-ups are against: the report's algorithm on one thread, or what comes first, on the
 * fewest threads that it was timed on. */
static const contender *base_of(const line_up *l) {
    const contender *first = NULL;
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (contender_ready(c) && !contender_is_copy(c)) {
            const int fewer =
                first != NULL && c->candidate == first->candidate && c->threads < first->threads;
            first = first == NULL || fewer ? c : first;
            if (strcmp(c->strategy->name, "cpu.report") == 0 && c->threads == 1) {
                return c;
            }
        }
    }
    return first;
}

static columns columns_of(const line_up *l) {
    const contender *base = base_of(l);
    const char *name = base != NULL ? base->candidate->name : "-";
    const int length = (int)strlen(name) + 2; /* with "x " before it */
    return (columns){.base = base,
                     .base_name = name,
                     .name = candidates_name_width(&l->candidates),
                     .against = length > 15 ? length : 15};
}

static void print_titles(FILE *to, const columns *w) {
    fprintf(to, "%-*s %7s %10s %10s %10s %7s %7s %*s%s %9s\n", w->name, "strategy", "threads",
            "hot", "cold", "min", "GB/s", "% copy", w->against - (int)strlen(w->base_name), "x ",
            w->base_name, "rel L2");
}

static void print_row(FILE *to, const line_up *l, const contender *c, const columns *w) {
    const measurement *hot = bench_find(c, "transform", "hot"),
                      *cold = bench_find(c, "transform", "cold");
    const double base =
        w->base != NULL ? median(bench_find(w->base, "transform", "hot")) : (double)NAN;
    char cells[8][CELL_SIZE];

    if (hot == NULL) {
        return;
    }
    fprintf(to, "%-*s %7s %10s %10s %10s %7s %7s %*s %9s\n", w->name, c->candidate->name,
            threads_cell(c, cells[7]), time_cell(hot->summary.median_us, cells[0]),
            time_cell(median(cold), cells[1]), time_cell(hot->summary.min_us, cells[2]),
            number_cell("%.1f", contender_bytes(c) / hot->summary.median_us * 1e-3, cells[3]),
            number_cell("%.1f", percent_of_copy(l, c, hot), cells[4]), w->against,
            contender_is_copy(c) ? "-"
                                 : number_cell("%.4g", base / hot->summary.median_us, cells[5]),
            contender_is_copy(c) ? "exact" : number_cell("%.2e", c->verdict.rel_l2, cells[6]));
}

static void print_rows(FILE *to, const line_up *l) {
    const columns w = columns_of(l);
    print_titles(to, &w);
    for (int on_gpu = 1; on_gpu >= 0; on_gpu--) {
        for (int copies = 1; copies >= 0; copies--) { /* the roofline first */
            for (size_t i = 0; i < l->count; i++) {
                const contender *c = &l->list[i];
                if (contender_on_gpu(c) == on_gpu && contender_is_copy(c) == copies &&
                    contender_ready(c)) {
                    print_row(to, l, c, &w);
                }
            }
        }
    }
}

/* A median of more than so many times the least says little of a strategy. */
static const double most_of_least = 1.5;

static void print_unsteady(FILE *to, const line_up *l) {
    char cells[3][CELL_SIZE];
    static const char *const caches[] = {"hot", "cold"};
    size_t printed = 0;
    for (size_t i = 0; i < 2 * l->count; i++) {
        const contender *c = &l->list[i / 2];
        const char *cache = caches[i % 2];
        const measurement *m = contender_ready(c) ? bench_find(c, "transform", cache) : NULL;
        if (m != NULL && m->summary.median_us > most_of_least * m->summary.min_us) {
            fprintf(to, "%s  %-*s %7s %-4s %10s in the middle, %s at least\n",
                    printed++ == 0 ? "\nunsteady:\n" : "", candidates_name_width(&l->candidates),
                    c->candidate->name, threads_cell(c, cells[2]), cache,
                    time_cell(m->summary.median_us, cells[0]),
                    time_cell(m->summary.min_us, cells[1]));
        }
    }
    if (printed != 0) {
        fputs("something else had the machine meanwhile, or its clock changed: measure again\n",
              to);
    }
}

/* Times beyond the transform, where they were taken. */
static void print_scope(FILE *to, const line_up *l, const char *scope, const char *title) {
    char cells[2][CELL_SIZE];
    for (size_t i = 0, printed = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        const measurement *m = contender_ready(c) ? bench_find(c, scope, "hot") : NULL;
        if (m != NULL) {
            if (printed++ == 0) {
                fprintf(to, "\n%s\n", title);
            }
            fprintf(to, "%-*s %7s %10s\n", candidates_name_width(&l->candidates),
                    c->candidate->name, threads_cell(c, cells[1]),
                    time_cell(m->summary.median_us, cells[0]));
        }
    }
}

/* ---- foot ------------------------------------------------------------------------------------ */

static void print_absent(FILE *to, const line_up *l, int *has_told_of_gpu) {
    const int width = candidates_name_width(&l->candidates);
    for (size_t i = 0, printed = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        const int repeated = i > 0 && l->list[i - 1].candidate == c->candidate;
        if (c->plan == NULL && !repeated) {
            fprintf(to, "%s  %-*s %s%s\n", printed++ == 0 ? "\nnot run:\n" : "", width,
                    c->candidate->name,
                    contender_is_copy(c) && contender_on_gpu(c) ? "on a GPU: " : "",
                    reason_cell(c->candidate->name, c->status, c->reason, has_told_of_gpu));
        }
    }
    for (size_t i = 0, printed = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (c->plan != NULL && !c->verdict.passed) {
            fprintf(to, "%s  %-*s %s\n", printed++ == 0 ? "\nFAILED, therefore not timed:\n" : "",
                    width, c->candidate->name, c->verdict.why);
        }
    }
}

static const contender *fastest(const line_up *l, int on_gpu, const char *name) {
    const contender *best = NULL;
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        const measurement *m = contender_ready(c) ? bench_find(c, "transform", "hot") : NULL;
        if (m != NULL && c->candidate->peer == NULL && contender_on_gpu(c) == on_gpu &&
            (name == NULL || strcmp(c->strategy->name, name) == 0) &&
            (best == NULL || m->summary.median_us < median(bench_find(best, "transform", "hot")))) {
            best = c;
        }
    }
    return best;
}

static void print_beside(FILE *to, const char *what, double report_s, const contender *same,
                         const contender *best) {
    const double same_us = same != NULL ? median(bench_find(same, "transform", "hot")) : NAN;
    char cells[2][CELL_SIZE];
    fprintf(to, "  %-14s %6.2f s", what, report_s);
    if (same != NULL) {
        fprintf(to, "   here its program %s", time_cell(same_us, cells[0]));
    }
    if (same == NULL && best == NULL) {
        fputs("   nothing to compare with here", to);
    }
    if (best != NULL && best != same) {
        const double us = median(bench_find(best, "transform", "hot"));
        fprintf(to, "%s%s %s", same != NULL ? ", " : "   here ", best->candidate->name,
                time_cell(us, cells[1]));
        if (same != NULL) {
            fprintf(to, " (%.4g times as fast)", same_us / us);
        }
    }
    fputc('\n', to);
}

static void print_report(FILE *to, const line_up *l, const bench_task *t) {
    if (t->height == REPORT_SIDE && t->width == REPORT_SIDE && t->batch == 1 &&
        t->what == OPERATION_FORWARD) {
        fputs("\nthe report measured, for this transform, on other machines:\n", to);
        print_beside(to, report_cpu, report_cpu_s, fastest(l, 0, "cpu.report"),
                     fastest(l, 0, NULL));
        print_beside(to, report_gpu, report_gpu_s, fastest(l, 1, "cuda.report"),
                     fastest(l, 1, NULL));
    }
}

void bench_table(FILE *to, const line_up *l, const bench_task *task, const bench_input *source,
                 const json_t *machine) {
    int has_told_of_gpu = 0;

    print_head(to, l, task, source, machine, &has_told_of_gpu);
    print_rows(to, l);
    print_unsteady(to, l);
    print_scope(to, l, "transfer", "host to host: transfer in, transform, transfer out");
    print_scope(to, l, "file", "PNG to PNG: decode, forward, inverse, encode");
    print_absent(to, l, &has_told_of_gpu);
    print_report(to, l, task);
    fputs("\ncolumns: weft bench --help\n", to);
}
