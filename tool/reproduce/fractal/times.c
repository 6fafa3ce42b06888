/* SPDX-License-Identifier: MIT
 * The seed's times (Tables V to VII), and its transfer. The seed timed videos with few changes, its
 * domains pruned; a full search of all ranges is what can be compared between machines, and has a
 * row of its own.
 */
#include <math.h>
#include <string.h>

#include "reproduce/fractal/experiment.h"
#include "shell/complain.h"
#include "shell/progress.h"

enum { SEARCH, TRANSFER, RATE, CELLS };

/* Of a GPU the seed tells how long kernels took; of a CPU that is the whole search. */
static const char *const cpu_columns[] = {"search, ms", "transfer, ms", "frames/s", NULL};
static const char *const gpu_columns[] = {"kernels, ms", "transfer, ms", "frames/s", NULL};

typedef struct timed {
    const char *what;
    weft_fractal_desc how;
    const char *seed[CELLS]; /* of its videos */
} timed;

typedef struct timed_table {
    const char *name, *about;
    const char *const *columns;
    const timed *rows;
    size_t count;
} timed_table;

#define CPU(number, count)                                                                         \
    { .search = "cpu", .arith = WEFT_FRACTAL_##number, .threads = count }
#define GPU_FLOAT(width)                                                                           \
    { .search = "cuda", .arith = WEFT_FRACTAL_FLOAT, .block = width }
#define GPU_UNROLLED(number, turn)                                                                 \
    { .search = "cuda", .arith = WEFT_FRACTAL_##number, .unroll = turn }
#define LOST                                                                                       \
    { lost_value, lost_value, lost_value }

static const timed of_cpu[] = {
    {"seq [Xeon, one thread]", {.search = "seq", .threads = 1}, {"1600", "0", "0.6"}},
    {"cpu, float, 1 thread", CPU(FLOAT, 1), {NULL}},
    {"cpu, float [Xeon, 6 cores]", CPU(FLOAT, 0), {"196", "0", "4.6"}},
    {"cpu, fixed, 1 thread", CPU(FIXED, 1), {NULL}},
    {"cpu, fixed [Xeon, 6 cores]", CPU(FIXED, 0), {"> 196", "0", lost_value}},
};
static const timed of_gpu[] = {
    {"float, block 16 [C2075]", GPU_FLOAT(16), LOST},
    {"float, block 32 [C2075]", GPU_FLOAT(32), LOST},
    {"float, block 64 [C2075]", GPU_FLOAT(64), LOST},
    {"float, block 128 [C2075]", GPU_FLOAT(128), {"5.2", "3.1", "53"}},
    {"float, block 256 [C2075]", GPU_FLOAT(256), {"5.2", "3.1", "53"}},
    {"float, block 512 [C2075]", GPU_FLOAT(512), {"5.2", "3.1", "53"}},
    {"fixed [C2075]",
     {.search = "cuda", .arith = WEFT_FRACTAL_FIXED},
     {"3 times float", lost_value, lost_value}},
};
static const timed of_fpga[] = {
    {"fixed, unrolled 1", GPU_UNROLLED(FIXED, 1), LOST},
    {"fixed, unrolled 2", GPU_UNROLLED(FIXED, 2), LOST},
    {"fixed, unrolled 4", GPU_UNROLLED(FIXED, 4), LOST},
    {"fixed, unrolled 8", GPU_UNROLLED(FIXED, 8), LOST},
    {"fixed, unrolled 16", GPU_UNROLLED(FIXED, 16), LOST},
    {"fixed, unrolled 24 [Stratix IV]", GPU_UNROLLED(FIXED, 24), {"2.0", lost_value, "70.9"}},
    {"fixed, unrolled 24 [Stratix V]", GPU_UNROLLED(FIXED, 24), {"1.72", lost_value, "74.4"}},
    {"float, unrolled 2 [Stratix V]", GPU_UNROLLED(FLOAT, 2), {"11.8", lost_value, "38.8"}},
};
static const timed of_transfer[] = {
    {"a domain once, scaled by the search",
     {.search = "cuda", .arith = WEFT_FRACTAL_FLOAT},
     {NULL, lost_value, NULL}},
    {"its seven scaled copies",
     {.search = "cuda", .arith = WEFT_FRACTAL_FLOAT, .store_scaled = 1},
     {NULL, "7 times that", NULL}},
    {"pixels of a block not moved together",
     {.search = "cuda", .arith = WEFT_FRACTAL_FLOAT, .no_reorder = 1},
     LOST},
};

#define ROWS(list) list, sizeof(list) / sizeof *(list)
static const timed_table tables[] = {
    {"Table V", "the CPU, a frame", cpu_columns, ROWS(of_cpu)},
    {"Table VI", "the GPU, a frame", gpu_columns, ROWS(of_gpu)},
    {"Table VII", "the FPGAs, for which a GPU stands in, a frame", gpu_columns, ROWS(of_fpga)},
    {"The transfer", "what is sent to a GPU, a frame", gpu_columns, ROWS(of_transfer)},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* ---- one row --------------------------------------------------------------------------------- */

static int is_seq(const timed *what) {
    return strcmp(what->how.search, "seq") == 0;
}

static size_t samples_of(const experiment *e, const timed *what) {
    return is_seq(what) ? e->chosen->samples_of_seq : e->chosen->samples;
}

/* Every range of the first frame, all domains. */
static int time_full(const experiment *e, const timed *what, passage_coded *coded) {
    const passage p = {.of = &e->films[0], .end = 1, .samples = samples_of(e, what)};

    return passage_code(&p, &what->how, coded);
}

/* The mean of the drawn films, as the seed has that of its five; it ends with the first reason. The
 * samples of all of them go to the row. */
static int time_video(const experiment *e, const timed *what, passage_coded *mean,
                      finding_row *row) {
    weft_fractal_desc desc = what->how;
    int code = EXIT_DONE;

    desc.pruning = SEED_PRUNING;
    *mean = (passage_coded){.reason = ""};
    for (int i = 0; code == EXIT_DONE && i < DRAWN_FILMS; i++) {
        const passage p = {.of = &e->films[i],
                           .first = 1,
                           .end = e->films[i].frames,
                           .samples = samples_of(e, what)};
        passage_coded one;

        code = passage_code(&p, &desc, &one);
        if (one.reason[0] != '\0') {
            *mean = one;
            return code;
        }
        mean->ms += one.ms / DRAWN_FILMS;
        mean->search_ms += one.search_ms / DRAWN_FILMS;
        mean->kernel_ms += one.kernel_ms / DRAWN_FILMS;
        mean->transfer_ms += one.transfer_ms / DRAWN_FILMS;
        mean->terms += one.terms / DRAWN_FILMS;
        passage_note_samples(&one, row);
    }
    return code;
}

static void name_row(finding_row *row, const timed *what, const char *of) {
    snprintf(row->what, sizeof row->what, "%s%s", what->what, of);
}

static void note(finding_row *row, const timed *what, const passage_coded *coded) {
    const int is_on_gpu = strcmp(what->how.search, "cuda") == 0;

    snprintf(row->reason, sizeof row->reason, "%s", coded->reason);
    if (coded->reason[0] == '\0') {
        row->here[SEARCH] = is_on_gpu ? coded->kernel_ms : coded->search_ms;
        row->here[TRANSFER] = coded->transfer_ms;
        row->here[RATE] = 1e3 / coded->ms;
        row->terms = coded->terms;
    }
}

/* Two rows, of which a search that cannot run has one. */
static int time_row(experiment *e, finding_table *t, const timed *what) {
    passage_coded full = {.reason = "left out: --no-seq"}, later = full;
    const int is_timed = !(e->no_seq && is_seq(what));
    finding_row *row;
    int code = is_timed ? time_full(e, what, &full) : EXIT_DONE;

    if (code == EXIT_DONE && full.reason[0] == '\0') {
        row = finding_add(t, "");
        name_row(row, what, ", full");
        note(row, what, &full);
        passage_note_samples(&full, row);
    }
    if (code == EXIT_DONE) {
        row = finding_add(t, "");
        code = is_timed ? time_video(e, what, &later, row) : EXIT_DONE;
        name_row(row, what, later.reason[0] == '\0' ? ", video" : "");
        note(row, what, &later);
        for (int i = 0; i < CELLS; i++) {
            row->source[i] = what->seed[i];
        }
    }
    return code;
}

int find_times(experiment *e) {
    int code = EXIT_DONE;

    for (int i = 0; code == EXIT_DONE && i < TABLES; i++) {
        finding_table *t =
            findings_add(&e->found, tables[i].name, tables[i].about, tables[i].columns);

        progress_start(tables[i].name);
        for (size_t k = 0; code == EXIT_DONE && k < tables[i].count; k++) {
            code = time_row(e, t, &tables[i].rows[k]);
            progress_step((double)(k + 1) / (double)tables[i].count, NULL);
        }
        progress_end();
    }
    return code;
}
