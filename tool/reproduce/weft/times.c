/* SPDX-License-Identifier: MIT
 * Every bench in its turn: the strategy that Weft chooses on the CPU or on a GPU, the peer and the
 * copy of the same place, verified, then timed in turn; or all that there are, verified only.
 */
#include <stdio.h>

#include "bench/document.h"
#include "bench/measure.h"
#include "bench/memory.h"
#include "reproduce/weft/experiment.h"
#include "shell/complain.h"
#include "shell/progress.h"

const char *const own_peers[PLACES] = {"cpu.fftw", "cuda.cufft"};

/* ---- who takes part -------------------------------------------------------------------------- */

/* Whether somebody of this place takes part; a size is compared on both, and errors are. */
static int is_for(const aim *a, int place) {
    return own_is_of_errors(a) || a->table == SIZES || (place == ON_GPU) == own_is_of_gpu(a);
}

static int place_of(const candidate *c) {
    return c->row->for_precision[WEFT_F32]->space->is_device ? ON_GPU : ON_CPU;
}

/* Whether it is a copy, where none is wanted, or of a place that the bench is not for. */
static int is_left_out(const own_experiment *e, const aim *a, const candidate *c) {
    const int place = place_of(c), is_copy = c->peer != NULL && c->peer->is_copy;

    return !is_for(a, place) || (is_copy && (own_is_of_errors(a) || a->table == SIZES)) ||
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

    if (own_is_of_errors(a)) {
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

/* ---- running --------------------------------------------------------------------------------- */

static bench_task task_of(const own_experiment *e, const aim *a) {
    bench_task task = a->task;

    task.repeat = own_is_of_errors(a) ? 0 : e->samples;
    task.threads[task.thread_counts++] = 1;
    if (e->has_two_cores && !own_is_of_errors(a) && a->table != SIZES) {
        task.threads[task.thread_counts++] = 2;
    }
    return task;
}

/* What is wrong, the findings say; of what memory was missing on a GPU, a complaint has said. */
static int is_a_finding(const aim *a, int code) {
    return code == EXIT_CHECK_FAILED || (code == EXIT_MEMORY && own_is_of_gpu(a));
}

static int keep(own_experiment *e, const aim *a, const bench_task *task, const line_up *l) {
    const int code = bench_exit_code(l);

    own_add_rows(e, a, l);
    if (bench_records(e->results, e->skipped, l, task) != 0) {
        return complain(EXIT_MEMORY, "out of memory for the document");
    }
    return is_a_finding(a, code) ? EXIT_DONE : code;
}

static int run_bench(own_experiment *e, const aim *a) {
    bench_task task = task_of(e, a);
    line_up l = {0};
    int code = choose(e, a, &l.candidates);

    if (code == EXIT_DONE) {
        code = bench_scene(&l, &task);
        if (is_a_finding(a, code)) {
            own_add_reason(e, a, "there is too little memory for it");
            code = EXIT_DONE;
        } else if (code == EXIT_DONE) {
            code = keep(e, a, &task, &l);
        }
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
    if (a->table == SIZES) {
        for (int place = 0; place < PLACES; place++) {
            e->sizes[place].missing += (size_t)e->has_peer[place];
        }
    } else if (!own_is_of_errors(a)) {
        snprintf(reason, sizeof reason, "to verify it takes %.1f GiB more than there is",
                 memory_lacks(&desc));
        own_add_reason(e, a, reason);
    }
    return EXIT_DONE;
}

int own_find_times(own_experiment *e) {
    const size_t all = count_wanted(e);
    size_t number = 0;
    int code = EXIT_DONE;

    own_add_tables(e);
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
            own_add_compared(e, place);
        }
    }
    return code;
}
