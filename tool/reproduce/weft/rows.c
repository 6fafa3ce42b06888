/* SPDX-License-Identifier: MIT
 * What a bench found, as rows of tables: times over those of others, beside what they are to be;
 * the errors; and how far from what moving the bytes takes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"
#include "reproduce/weft/experiment.h"

const char largest_slower[] = "1.25";

typedef enum part { WEFT_ITSELF, ITS_PEER, ITS_COPY } part;

/* NULL: it took no part. */
static const contender *find(const line_up *l, part wanted, int place, int threads) {
    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];
        const part is = c->candidate->peer == NULL ? WEFT_ITSELF
                        : contender_is_copy(c)     ? ITS_COPY
                                                   : ITS_PEER;

        if (is == wanted && contender_on_gpu(c) == place &&
            (place == ON_GPU || c->threads == threads)) {
            return c;
        }
    }
    return NULL;
}

/* us, NAN for NULL. On a CPU the least of the samples, as others use its cores. */
static double time_of(const contender *c, const char *cache) {
    const measurement *m = c != NULL ? bench_find(c, "transform", cache) : NULL;

    return m == NULL ? (double)NAN : contender_on_gpu(c) ? m->summary.median_us : m->summary.min_us;
}

static double hot(const contender *c) {
    return time_of(c, "hot");
}

static double cold(const contender *c) {
    const double us = time_of(c, "cold");

    return isfinite(us) ? us : hot(c); /* what is slow is not timed cold */
}

/* What moving the bytes takes: the image, cold, and what lies between the passes, which stays in
 * the L2 cache if it is small; a filter has one pass more, and where there is one pass nothing lies
 * between.
 */
static double floor_of(const bench_task *t, const strategy *s, const contender *copy) {
    static const double in_l2 = 2048 * 2048 * 4;
    const double bytes = (double)t->height * (double)t->width * (double)t->batch *
                         (t->precision == WEFT_F32 ? 4 : 8);
    const double again = bytes <= in_l2 ? hot(copy) : cold(copy);

    return cold(copy) + ((s->flags & IS_ONE_PASS) != 0 ? 0
                         : t->what == OPERATION_FILTER ? 2 * again
                                                       : again);
}

static double flops_of(const bench_task *t) {
    const double pixels = (double)t->height * (double)t->width;

    return 2.5 * pixels * log2(pixels) * (double)t->batch * (t->what == OPERATION_FILTER ? 2 : 1);
}

static void add_roofline(finding_table *t, const aim *a, const contender *own,
                         const contender *copy) {
    const double us = cold(own), bytes = contender_bytes(own), flops = flops_of(&a->task);
    char label[MOST_WORDS];
    finding_row *row;

    own_label(&a->task, label);
    row = finding_add(t, label);
    row->here[0] = bytes * 1e-6;
    row->here[1] = bytes * 1e-3 / us;
    row->here[2] = cold(copy) / us;
    row->here[3] = flops / bytes;
    row->here[4] = flops * 1e-3 / us;
}

/* A row with the state of all: one that is wrong is said first. */
static finding_row *begin_row(finding_table *t, const aim *a, const line_up *l,
                              const contender *own) {
    char label[MOST_WORDS];
    finding_row *row;

    own_label(&a->task, label);
    row = finding_add(t, label);
    program_note(row, own, "strategy that takes this size");
    for (size_t i = 0; i < l->count && row->error[0] == '\0'; i++) {
        if (l->list[i].plan != NULL) {
            program_note(row, &l->list[i], "");
        }
    }
    return row;
}

static void add_gpu(own_experiment *e, const aim *a, const line_up *l) {
    const char *const *ratios = e->is_h200 ? a->ratios_h200 : a->ratios;
    const contender *own = find(l, WEFT_ITSELF, ON_GPU, 1), *copy = find(l, ITS_COPY, ON_GPU, 1);
    const double cufft = cold(find(l, ITS_PEER, ON_GPU, 1));
    finding_row *row = begin_row(e->tables[a->table], a, l, own);

    row->here[0] = hot(copy);
    row->here[1] = cold(copy);
    row->here[2] = cufft;
    row->source[FLOOR_CELL] = ratios[0];
    row->source[CUFFT_CELL] = ratios[1];
    if (own != NULL && own->plan != NULL) {
        row->here[3] = cold(own);
        row->here[FLOOR_CELL] = cold(own) / floor_of(&a->task, plan_strategy(own->plan), copy);
        row->here[CUFFT_CELL] = cold(own) / cufft;
        row->here[6] = own->verdict.rel_l2;
        add_roofline(e->tables[GPU_ROOFLINE], a, own, copy);
    }
}

static void add_cpu(own_experiment *e, const aim *a, const line_up *l) {
    const contender *one = find(l, WEFT_ITSELF, ON_CPU, 1), *two = find(l, WEFT_ITSELF, ON_CPU, 2);
    const double fftw = hot(find(l, ITS_PEER, ON_CPU, 1));
    finding_row *row = begin_row(e->tables[a->table], a, l, one);

    row->here[0] = hot(one) * 1e-3;
    row->here[1] = hot(two) * 1e-3;
    row->here[TWO_THREADS_CELL] = hot(two) / hot(one);
    row->here[3] = fftw * 1e-3;
    row->here[FFTW_CELL] = hot(one) / fftw;
    row->source[TWO_THREADS_CELL] = a->ratios[1];
    row->source[FFTW_CELL] = a->ratios[0];
    if (one != NULL && one->plan != NULL) {
        row->here[5] = one->verdict.rel_l2;
        add_roofline(e->tables[CPU_ROOFLINE], a, one, find(l, ITS_COPY, ON_CPU, 1));
    }
}

static finding_row *row_of(finding_table *t, const char *what) {
    for (size_t i = 0; i < t->count; i++) {
        if (strcmp(t->rows[i].what, what) == 0) {
            return &t->rows[i];
        }
    }
    return finding_add(t, what);
}

static void note_error(finding_row *row, const aim *a, const contender *c) {
    if (row->error[0] == '\0' && c->plan != NULL && !c->verdict.passed) {
        char label[MOST_WORDS];

        own_label(&a->task, label);
        snprintf(row->error, sizeof row->error, "%s: %.*s", label, MOST_REASON - MOST_WORDS - 2,
                 c->verdict.why);
    }
}

static void add_errors(own_experiment *e, const aim *a, const line_up *l) {
    finding_table *l2 = e->tables[a->table], *most = e->tables[a->table + 1];
    char labels[MOST_COLUMNS][MOST_WORDS];
    const size_t column = own_columns_of_errors(e, a->table, a, labels);

    for (size_t i = 0; i < l->count; i++) {
        const contender *c = &l->list[i];

        if (c->plan != NULL && c->threads == 1) {
            row_of(l2, c->candidate->name)->here[column] = c->verdict.rel_l2;
            row_of(most, c->candidate->name)->here[column] = c->verdict.max_rms;
            note_error(row_of(l2, c->candidate->name), a, c);
        }
        if (c->plan != NULL && c->candidate->peer == NULL) { /* that of a peer is wider */
            l2->rows[LIMIT_ROW].here[column] = c->verdict.gate_l2;
            most->rows[LIMIT_ROW].here[column] = c->verdict.gate_max;
        }
    }
}

static void add_size(own_experiment *e, const aim *a, const line_up *l) {
    for (int place = 0; place < PLACES; place++) {
        const contender *own = find(l, WEFT_ITSELF, place, 1), *other = find(l, ITS_PEER, place, 1);
        const double ratio = place == ON_GPU ? cold(own) / cold(other) : hot(own) / hot(other);
        compared *with = &e->sizes[place];

        if (isfinite(ratio) && with->count < MOST_SIZES) {
            with->height[with->count] = a->task.height;
            with->width[with->count] = a->task.width;
            with->ratio[with->count++] = ratio;
        } else if (own != NULL && other != NULL) {
            with->missing++;
        }
        if (own != NULL) {
            note_error(row_of(e->tables[SIZES], own_peers[place]), a, own);
        }
        if (other != NULL) {
            note_error(row_of(e->tables[SIZES], own_peers[place]), a, other);
        }
    }
}

void own_add_compared(own_experiment *e, int place) {
    compared *with = &e->sizes[place];
    finding_row *row = row_of(e->tables[SIZES], own_peers[place]);
    double least = INFINITY, largest = 0, logarithms = 0, slower = 0;

    for (size_t i = 0; i < with->count; i++) {
        least = fmin(least, with->ratio[i]);
        largest = fmax(largest, with->ratio[i]);
        logarithms += log(with->ratio[i]);
        slower += with->ratio[i] > 1;
    }
    snprintf(with->slower_aim, sizeof with->slower_aim, "%zu", with->count / ONE_SLOWER_IN);
    row->here[0] = (double)with->count;
    row->here[1] = slower;
    row->here[2] = least;
    row->here[3] = exp(logarithms / (double)with->count);
    row->here[4] = largest;
    row->source[1] = with->slower_aim;
    row->source[4] = largest_slower;
}

/* ---- all of them ----------------------------------------------------------------------------- */

void own_add_rows(own_experiment *e, const aim *a, const line_up *l) {
    if (own_is_of_errors(a)) {
        add_errors(e, a, l);
    } else if (a->table == SIZES) {
        add_size(e, a, l);
    } else if (own_is_of_gpu(a)) {
        add_gpu(e, a, l);
    } else {
        add_cpu(e, a, l);
    }
}

void own_add_reason(own_experiment *e, const aim *a, const char *reason) {
    char label[MOST_WORDS];
    finding_row *row;

    own_label(&a->task, label);
    row = finding_add(e->tables[a->table], label);
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}
