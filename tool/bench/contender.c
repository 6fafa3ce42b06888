/* SPDX-License-Identifier: MIT
 * The line-up of a bench, from the table of strategies and the table of peers; see contender.h.
 */
#include "bench/contender.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/input.h"
#include "elements.h"
#include "shell/complain.h"
#include "shell/machine.h"
#include "shell/progress.h"

static const double slow_cpu_us = 100e3, slow_gpu_us = 20e3;

/* ---- asking ---------------------------------------------------------------------------------- */

int contender_on_gpu(const contender *c) {
    return c->strategy->space->is_device;
}

int contender_is_copy(const contender *c) {
    return c->candidate->peer != NULL && c->candidate->peer->is_copy;
}

int contender_ready(const contender *c) {
    return c->plan != NULL && c->verdict.passed;
}

int contender_is_slow(const contender *c) {
    return c->run_us > (contender_on_gpu(c) ? slow_gpu_us : slow_cpu_us);
}

double contender_bytes(const contender *c) {
    return (double)operation_input_bytes(c->what, c->plan) +
           (double)operation_output_bytes(c->what, c->plan);
}

const measurement *contender_find(const contender *c, const bench_mode *mode) {
    for (size_t i = 0; i < c->measured; i++) {
        if (c->measurements[i].mode == mode) {
            return &c->measurements[i];
        }
    }
    return NULL;
}

double percent_of_copy(const line_up *l, const contender *c, const measurement *m) {
    const measurement *best = NULL;
    for (size_t i = 0; i < l->count; i++) {
        const contender *other = &l->list[i];
        const measurement *same = contender_find(other, m->mode);
        if (contender_is_copy(other) && contender_on_gpu(other) == contender_on_gpu(c) &&
            other->threads <= c->threads && same != NULL &&
            (best == NULL || same->summary.median_us < best->summary.median_us)) {
            best = same;
        }
    }
    return best == NULL ? (double)NAN : 100 * best->summary.median_us / m->summary.median_us;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* The problem that stands for the task with a peer: a copy moves half of the bytes that a transform
 * reads and writes, as one long row; others transform unscaled to half spectra. */
static void adapt(contender *c, const bench_task *task) {
    const peer *its_peer = c->candidate->peer;
    const double pixels = (double)task->height * (double)task->width;
    if (its_peer->is_copy) {
        const double real = (double)element_size(task->precision, WEFT_PIXEL_REAL);
        const double pixel = (double)element_size(task->precision, task->pixel);
        const double other = task->what == OPERATION_FILTER ? pixel : real;
        const double moved = (double)task->batch * pixels * (pixel + other) / 2;
        c->desc = (weft_desc){.height = 1,
                              .width = (size_t)ceil(moved / real),
                              .batch = 1,
                              .precision = task->precision};
        c->what = OPERATION_FORWARD;
    } else if (its_peer->half_only) {
        c->desc.layout = WEFT_HALF;
        c->desc.norm = WEFT_NORM_NONE;
    }
}

static void make_plan(contender *c) {
    c->status = plan_create_over(&c->plan, &c->desc, c->strategy);
    if (c->status != WEFT_OK) {
        snprintf(c->reason, sizeof c->reason, "%s", weft_last_error());
    }
}

static void add(line_up *l, const bench_task *task, const candidate *who, int threads) {
    contender *c = &l->list[l->count++];
    c->candidate = who;
    c->strategy = who->row->for_precision[task->precision];
    c->threads = threads;
    c->what = task->what;
    c->desc = task_desc(task);
    if (who->peer != NULL) {
        adapt(c, task);
    }
    c->desc.strategy = who->name;
    c->desc.threads = threads;
    if (threads > omp_get_thread_limit()) {
        c->status = WEFT_UNSUPPORTED;
        snprintf(c->reason, sizeof c->reason, "%d threads: OMP_THREAD_LIMIT is %d", threads,
                 omp_get_thread_limit());
    } else {
        make_plan(c);
    }
}

static void add_all_threads(line_up *l, const bench_task *task, const candidate *who) {
    const strategy *s = who->row->for_precision[task->precision];
    const int all = machine_threads();
    if (!(s->flags & USES_THREADS)) {
        add(l, task, who, 1);
    } else if (task->thread_counts > 0) {
        const int is_alone = who->peer != NULL && task->peers_alone;
        for (size_t i = 0; i < (is_alone ? 1 : task->thread_counts); i++) {
            add(l, task, who, (int)task->threads[i]);
        }
    } else {
        add(l, task, who, 1);
        if (all > 1) {
            add(l, task, who, all);
        }
    }
}

int line_up_check_memory(const line_up *l) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (c->status == WEFT_NO_MEMORY && !contender_on_gpu(c)) {
            return complain(EXIT_MEMORY, "%s: %s", c->candidate->name,
                            c->plan == NULL ? c->reason : c->verdict.why);
        }
    }
    return EXIT_DONE;
}

/* What was asked for by name must have its GPU. A copy is asked for on both sides: either will do.
 * And what is asked for wrongly, as by WEFT_ISA, is refused before anything is timed. */
static int check_plans(const line_up *l) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        if (c->status == WEFT_BAD_ARGUMENT) {
            return complain(EXIT_USAGE, "%s", c->reason);
        }
        if (c->status == WEFT_NO_DEVICE && !contender_is_copy(c) && c->candidate->demanded) {
            return complain(EXIT_GPU, "%s: %s", c->candidate->name, c->reason);
        }
    }
    return line_up_check_memory(l);
}

static void describe_plans(const line_up *l) {
    for (size_t i = 0; i < l->count; i++) {
        if (l->list[i].plan != NULL) {
            fputs(weft_plan_describe(l->list[i].plan), stderr);
        }
    }
}

int line_up_make(line_up *l, const bench_task *task) {
    const candidate_list *all = &l->candidates;

    l->list =
        calloc(all->count * (task->thread_counts > 2 ? task->thread_counts : 2), sizeof *l->list);
    if (l->list == NULL) {
        return complain(EXIT_MEMORY, "out of memory");
    }
    progress_start("planning");
    for (size_t i = 0; i < all->count; i++) {
        progress_step((double)i / (double)all->count, all->list[i].name);
        add_all_threads(l, task, &all->list[i]);
    }
    progress_end();
    if (task->verbose) {
        describe_plans(l);
    }
    return check_plans(l);
}

void line_up_free(line_up *l) {
    for (size_t i = 0; i < l->count; i++) {
        weft_plan_destroy(l->list[i].plan);
        for (size_t m = 0; m < l->list[i].measured; m++) {
            free(l->list[i].measurements[m].samples_us);
        }
    }
    free(l->list);
    candidates_free(&l->candidates);
    *l = (line_up){0};
}
