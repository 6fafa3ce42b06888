/* SPDX-License-Identifier: MIT
 * The report's program on one thread, on all, and on a GPU, beside what the report says of it; and
 * whatever else can run, on the same image. Each is verified by check/ before it is timed, in turn
 * with the others, as weft bench does it.
 */
#include <math.h>

#include "bench/measure.h"
#include "bench/report_figures.h"
#include "reproduce/report/experiment.h"
#include "shell/cells.h"
#include "shell/complain.h"
#include "shell/machine.h"

/* ---- who ------------------------------------------------------------------------------------- */

int report_all_threads(void) {
    return machine_threads();
}

static const contender *find(const report_experiment *e, const char *name, int threads) {
    return program_find(&e->programs, name, threads);
}

const contender *report_program(const report_experiment *e, const char *name, int threads) {
    const contender *c = find(e, name, threads);

    return c != NULL && contender_ready(c) ? c : NULL;
}

double report_median(const contender *c) {
    return program_median(c, "transform", "hot");
}

static int run(report_experiment *e) {
    int code = candidates_add(&e->programs.candidates, NULL);

    if (code == EXIT_DONE) {
        code = bench_scene(&e->programs, &e->task);
    }
    if (code == EXIT_DONE) {
        code = bench_exit_code(&e->programs);
    }
    return code == EXIT_CHECK_FAILED ? EXIT_DONE : code; /* the findings say so */
}

/* ---- the report's program -------------------------------------------------------------------- */

enum { SECONDS, TIMES_AS_FAST, ERROR, OF_GATE };

static finding_row *add_own(const report_experiment *e, finding_table *t, const char *what,
                            const contender *c, const char *scope) {
    const double base = report_median(report_program(e, "cpu.report", 1));
    const double us = program_median(c, scope, "hot");
    finding_row *row = finding_add(t, what);

    row->here[SECONDS] = us * 1e-6;
    row->here[TIMES_AS_FAST] = base / us;
    if (c != NULL && c->plan != NULL) {
        row->here[ERROR] = c->verdict.rel_l2;
        row->here[OF_GATE] = c->verdict.rel_l2 / c->verdict.gate_l2;
    }
    return row;
}

static void add_report(report_experiment *e) {
    static const char *const columns[] = {"hot, s", "times as fast", "rel. L2", "of its gate",
                                          NULL};
    static char cpu_s[CELL_SIZE], gpu_s[CELL_SIZE], ratio[CELL_SIZE];
    const int all = report_all_threads();
    const contender *one = find(e, "cpu.report", 1), *many = find(e, "cpu.report", all);
    const contender *gpu = find(e, "cuda.report", 1);
    finding_table *t = findings_add(&e->found, "The report's program",
                                    "forward; in [ ] what the report has, of 2048x2048", columns);
    char what[MOST_WORDS];
    finding_row *row;

    snprintf(cpu_s, sizeof cpu_s, "%.3g", report_cpu_s);
    snprintf(gpu_s, sizeof gpu_s, "%.3g", report_gpu_s);
    snprintf(ratio, sizeof ratio, "%.3g", report_cpu_s / report_gpu_s);

    snprintf(what, sizeof what, "1 thread [%s]", report_cpu);
    row = add_own(e, t, what, one, "transform");
    row->source[SECONDS] = cpu_s;
    program_note(row, one, "cpu.report");

    snprintf(what, sizeof what, "%d threads [%s]", all, report_cpu);
    row = add_own(e, t, what, all > 1 ? many : NULL, "transform");
    row->source[TIMES_AS_FAST] = "not considerably";
    if (all > 1) {
        program_note(row, many, "cpu.report");
    } else {
        snprintf(row->reason, sizeof row->reason, "Weft may use one core only");
    }

    snprintf(what, sizeof what, "GPU [%s]", report_gpu);
    row = add_own(e, t, what, gpu, "transform");
    row->source[SECONDS] = gpu_s;
    row->source[TIMES_AS_FAST] = ratio;
    program_note(row, gpu, "cuda.report");

    row = add_own(e, t, "GPU, with both transfers", gpu, "transfer");
    program_note(row, gpu, "cuda.report");
}

/* ---- today's --------------------------------------------------------------------------------- */

enum { NAME_SIZE = FULL_NAME_SIZE + CELL_SIZE };

static void name_program(const contender *c, char what[NAME_SIZE]) {
    if (contender_on_gpu(c)) {
        snprintf(what, NAME_SIZE, "%s%s", c->candidate->name, contender_is_copy(c) ? ", GPU" : "");
    } else {
        snprintf(what, NAME_SIZE, "%s, %d thread%s", c->candidate->name, c->threads,
                 c->threads == 1 ? "" : "s");
    }
}

static void add_today(report_experiment *e) {
    static const char *const columns[] = {"hot, ms",       "cold, ms", "least, ms",
                                          "times as fast", "rel. L2",  NULL};
    const double base = report_median(report_program(e, "cpu.report", 1));
    finding_table *t =
        findings_add(&e->found, "Today's programs",
                     "on the same image; as fast as the report's on one thread", columns);

    for (size_t i = 0; i < e->programs.count && t->count < MOST_ROWS; i++) {
        const contender *c = &e->programs.list[i];
        const measurement *hot = bench_find(c, "transform", "hot");
        char what[NAME_SIZE];
        finding_row *row;

        name_program(c, what);
        row = finding_add(t, what);
        program_note(row, c, c->candidate->name);
        row->here[0] = report_median(c) * 1e-3;
        row->here[1] = program_median(c, "transform", "cold") * 1e-3;
        row->here[2] = hot != NULL ? hot->summary.min_us * 1e-3 : NAN;
        row->here[3] = contender_is_copy(c) ? NAN : base / report_median(c);
        row->here[4] = contender_is_copy(c) || c->plan == NULL ? NAN : c->verdict.rel_l2;
    }
}

int report_find_programs(report_experiment *e) {
    const int code = run(e);

    if (code == EXIT_DONE) {
        add_report(e);
        add_today(e);
    }
    return code;
}
