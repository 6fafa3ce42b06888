/* SPDX-License-Identifier: MIT
 * Every bench in its turn: the strategy that Weft chooses on the CPU or on a GPU, the peer and the
 * copy of the same place, verified, then timed in turn; or all that there are, verified only. Out
 * of what was found come rows of tables.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/document.h"
#include "bench/measure.h"
#include "bench/memory.h"
#include "reproduce/weft/experiment.h"
#include "shell/cells.h"
#include "shell/complain.h"
#include "shell/json_file.h"
#include "shell/options.h"
#include "shell/progress.h"

const char *const own_peers[PLACES] = {"cpu.fftw", "cuda.cufft"};
const double largest_slower = 1.25;

static int is_of_errors(const aim *a) {
    return a->table == L2_F32 || a->table == L2_F64;
}

static int is_for(const aim *a, int place) {
    const int is_of_cpu = a->table == CPU_POWERS || a->table == CPU_PICTURES;

    return is_of_errors(a) || a->table == SIZES || (place == ON_CPU) == is_of_cpu;
}

/* ---- the tables ------------------------------------------------------------------------------ */

static const char *const columns_of_gpu[] = {
    "copy hot, us", "copy cold, us", "cuFFT, us", "Weft, us",
    "Weft / floor", "Weft / cuFFT",  "rel. L2",   NULL};
static const char *const columns_of_cpu[] = {"1 thread, ms", "2 threads, ms", "2 / 1", "FFTW, ms",
                                             "Weft / FFTW",  "rel. L2",       NULL};
static const char *const columns_of_roofline[] = {"MB read and written", "GB/s",    "of copy's",
                                                  "flops per byte",      "Gflop/s", NULL};
static const char *const columns_of_sizes[] = {"sizes", "slower", "least", "mean", "largest", NULL};

static const struct about_table {
    const char *name, *about;
    const char *const *columns; /* NULL: the sizes whose errors it has */
} about[TABLES] = {
    [GPU_REACH] = {"GPU, to be reached", "cold, as graphs; over the floor [goal], over cuFFT [aim]",
                   columns_of_gpu},
    [GPU_KEEP] = {"GPU, to be kept",
                  "cold, as graphs; over the floor [goal], over cuFFT [commit 24c4186, H100]",
                  columns_of_gpu},
    [GPU_ROOFLINE] = {"Roofline, GPU",
                      "cold; every number read and written once, 2.5 N log2 N flops a transform",
                      columns_of_roofline},
    [CPU_POWERS] = {"CPU, powers of two", "hot; of one thread, over FFTW [aim]", columns_of_cpu},
    [CPU_PICTURES] = {"CPU, sizes of pictures",
                      "hot; two threads over one [aim], of one thread over FFTW [aim]",
                      columns_of_cpu},
    [CPU_ROOFLINE] = {"Roofline, CPU",
                      "one thread, cold; every number read and written once, 2.5 N log2 N flops",
                      columns_of_roofline},
    [SIZES] = {"Many sizes", "Weft's time over the peer's, f32, one thread hot, GPU cold; [most]",
               columns_of_sizes},
    [L2_F32] = {"Accuracy, f32, relative L2 error", "against the oracle", NULL},
    [MAX_F32] = {"Accuracy, f32, largest error over RMS", "against the oracle", NULL},
    [L2_F64] = {"Accuracy, f64, relative L2 error", "against the oracle", NULL},
    [MAX_F64] = {"Accuracy, f64, largest error over RMS", "against the oracle", NULL},
};

/* A column of the tables of errors, for each of the sizes. */
static size_t columns_of_errors(const own_experiment *e, table_number table, const aim *until,
                                char labels[MOST_COLUMNS][MOST_WORDS]) {
    size_t count = 0;

    for (const aim *a = aims; a < until; a++) {
        if (a->table == table && own_is_wanted(e, a)) {
            snprintf(labels[count++], MOST_WORDS, "%zux%zu", a->task.height, a->task.width);
        }
    }
    return count;
}

static void add_table_of_errors(own_experiment *e, table_number number, table_number sizes_of) {
    char labels[MOST_COLUMNS][MOST_WORDS];
    const char *columns[MOST_COLUMNS + 1] = {NULL};

    for (size_t i = columns_of_errors(e, sizes_of, aims + aim_count, labels); i-- > 0;) {
        columns[i] = labels[i];
    }
    e->tables[number] = findings_add(&e->found, about[number].name, about[number].about, columns);
    finding_add(e->tables[number], "limit");
}

static void add_table(own_experiment *e, table_number number, table_number rows_of) {
    if (about[number].columns == NULL) {
        add_table_of_errors(e, number, rows_of);
    } else {
        e->tables[number] =
            findings_add(&e->found, about[number].name, about[number].about, about[number].columns);
    }
}

/* In the order in which they are printed; those that nothing would fill are not there. */
static void add_tables(own_experiment *e) {
    static const table_number of[TABLES] = {
        [GPU_ROOFLINE] = GPU_KEEP, [CPU_ROOFLINE] = CPU_PICTURES,
        [MAX_F32] = L2_F32,        [MAX_F64] = L2_F64,
        [GPU_REACH] = GPU_REACH,   [GPU_KEEP] = GPU_KEEP,
        [CPU_POWERS] = CPU_POWERS, [CPU_PICTURES] = CPU_PICTURES,
        [SIZES] = SIZES,           [L2_F32] = L2_F32,
        [L2_F64] = L2_F64};

    for (int number = 0; number < BITS; number++) {
        for (size_t i = 0; i < aim_count && e->tables[number] == NULL; i++) {
            if (aims[i].table == of[number] && own_is_wanted(e, &aims[i])) {
                add_table(e, (table_number)number, of[number]);
            }
        }
    }
}

/* ---- who takes part -------------------------------------------------------------------------- */

static int place_of(const candidate *c) {
    return c->row->for_precision[WEFT_F32]->space->is_device ? ON_GPU : ON_CPU;
}

/* Whether it is a copy, where none is wanted, or of a place that the bench is not for. */
static int is_left_out(const own_experiment *e, const aim *a, const candidate *c) {
    const int place = place_of(c), is_copy = c->peer != NULL && c->peer->is_copy;

    return !is_for(a, place) || (is_copy && (is_of_errors(a) || a->table == SIZES)) ||
           (place == ON_GPU && e->no_gpu[0] != '\0') || (a->table == SIZES && !e->has_peer[place]);
}

static void leave_out(const own_experiment *e, const aim *a, candidate_list *l) {
    size_t kept = 0;

    for (size_t i = 0; i < l->count; i++) {
        if (!is_left_out(e, a, &l->list[i])) {
            l->list[kept++] = l->list[i];
        }
    }
    l->count = kept;
}

static int choose(const own_experiment *e, const aim *a, candidate_list *l) {
    static const char *const kinds[PLACES] = {"cpu", "cuda"};
    const weft_desc desc = task_desc(&a->task);
    int code = EXIT_DONE;

    if (is_of_errors(a)) {
        code = candidates_add(l, NULL);
    } else {
        for (int place = 0; place < PLACES && code == EXIT_DONE; place++) {
            if (is_for(a, place)) {
                code = candidates_add_chosen(l, &desc, kinds[place], place == ON_GPU);
            }
        }
        code = code == EXIT_DONE ? candidates_add_peers(l) : code;
    }
    leave_out(e, a, l);
    return code;
}

/* ---- rows ------------------------------------------------------------------------------------ */

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
 * the L2 cache if it is small; a filter has one pass more, and images on chip have nothing between.
 */
static double floor_of(const bench_task *t, const char *name, const contender *copy) {
    static const double in_l2 = 2048 * 2048 * 4;
    const double bytes = (double)t->height * (double)t->width * (double)t->batch *
                         (t->precision == WEFT_F32 ? 4 : 8);
    const double again = bytes <= in_l2 ? hot(copy) : cold(copy);

    return cold(copy) + (strcmp(name, "cuda.onchip") == 0 ? 0
                         : t->what == OPERATION_FILTER    ? 2 * again
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
        row->here[FLOOR_CELL] =
            cold(own) / floor_of(&a->task, plan_strategy(own->plan)->name, copy);
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
    const size_t column = columns_of_errors(e, a->table, a, labels);

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
        }
        if (own != NULL && own->plan != NULL && !own->verdict.passed) {
            note_error(row_of(e->tables[SIZES], own_peers[place]), a, own);
        }
    }
}

/* The row of a place, when all its sizes were compared. */
static void add_compared(own_experiment *e, int place) {
    static const char most[] = "1.25";
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
    row->source[4] = most;
}

/* ---- running --------------------------------------------------------------------------------- */

static void add_rows(own_experiment *e, const aim *a, const line_up *l) {
    if (is_of_errors(a)) {
        add_errors(e, a, l);
    } else if (a->table == SIZES) {
        add_size(e, a, l);
    } else if (own_is_of_gpu(a)) {
        add_gpu(e, a, l);
    } else {
        add_cpu(e, a, l);
    }
}

static bench_task task_of(const own_experiment *e, const aim *a) {
    bench_task task = a->task;

    task.repeat = is_of_errors(a) ? 0 : e->samples;
    task.threads[task.thread_counts++] = 1;
    if (e->has_two_cores && !is_of_errors(a) && a->table != SIZES) {
        task.threads[task.thread_counts++] = 2;
    }
    return task;
}

static void add_reason(own_experiment *e, const aim *a, const char *reason) {
    char label[MOST_WORDS];
    finding_row *row;

    own_label(&a->task, label);
    row = finding_add(e->tables[a->table], label);
    snprintf(row->reason, sizeof row->reason, "%s", reason);
}

static int run_bench(own_experiment *e, const aim *a) {
    bench_task task = task_of(e, a);
    line_up l = {0};
    int code = choose(e, a, &l.candidates);

    if (code == EXIT_DONE) {
        code = bench_scene(&l, &task);
    }
    if (code == EXIT_MEMORY && own_is_of_gpu(a)) { /* a complaint has said of what */
        add_reason(e, a, "this GPU has too little memory");
        code = EXIT_DONE;
    } else if (code == EXIT_DONE) {
        add_rows(e, a, &l);
        code = bench_exit_code(&l);
        /* The findings say so. */
        code = code == EXIT_CHECK_FAILED || (code == EXIT_MEMORY && own_is_of_gpu(a)) ? EXIT_DONE
                                                                                      : code;
    }
    if (code == EXIT_DONE && bench_records(e->results, e->skipped, &l, &task) != 0) {
        code = complain(EXIT_MEMORY, "out of memory for the document");
    }
    line_up_free(&l);
    return code;
}

static size_t count_wanted(const own_experiment *e) {
    size_t count = 0;

    for (size_t i = 0; i < aim_count; i++) {
        count += (size_t)own_is_wanted(e, &aims[i]);
    }
    return count;
}

/* A size for which this machine has too little memory is a row that says so. */
static int run_if_it_fits(own_experiment *e, const aim *a) {
    const weft_desc desc = task_desc(&a->task);
    char reason[MOST_REASON];

    if (memory_lacks(&desc) <= 0) {
        return run_bench(e, a);
    }
    if (a->table != SIZES && !is_of_errors(a)) {
        snprintf(reason, sizeof reason, "to verify it takes %.1f GiB more than there is",
                 memory_lacks(&desc));
        add_reason(e, a, reason);
    }
    return EXIT_DONE;
}

int own_find_times(own_experiment *e) {
    const size_t all = count_wanted(e);
    size_t number = 0;
    int code = EXIT_DONE;

    add_tables(e);
    for (const aim *a = aims; a < aims + aim_count && code == EXIT_DONE; a++) {
        if (own_is_wanted(e, a)) {
            char label[MOST_WORDS], whole[2 * MOST_WORDS];

            own_label(&a->task, label);
            snprintf(whole, sizeof whole, "%zu of %zu, %s: ", ++number, all, label);
            progress_part(whole);
            code = run_if_it_fits(e, a);
        }
    }
    progress_part("");
    for (int place = 0; place < PLACES && code == EXIT_DONE; place++) {
        if (e->sizes[place].count > 0) {
            add_compared(e, place);
        }
    }
    return code;
}
