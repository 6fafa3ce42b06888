/* SPDX-License-Identifier: MIT
 * The tables with their names and columns, in the order in which they are printed; see
 * experiment.h. Their rows come from rows.c.
 */
#include <stdio.h>

#include "reproduce/weft/experiment.h"

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
    table_number rows_of;       /* the first table of the benches that give it a row */
} about[TABLES] = {
    [GPU_REACH] = {"GPU, to be reached", "cold, as graphs; over the floor [goal], over cuFFT [aim]",
                   columns_of_gpu, GPU_REACH},
    [GPU_KEEP] =
        {"GPU, to be kept",
         "cold, as graphs; over the floor [goal], over cuFFT [commit 24c4186]; an H200 has aims "
         "of its own, others those of an H100",
         columns_of_gpu, GPU_KEEP},
    [GPU_ROOFLINE] = {"Roofline, GPU",
                      "cold; every number read and written once, 2.5 N log2 N flops a transform",
                      columns_of_roofline, GPU_KEEP},
    [CPU_POWERS] = {"CPU, powers of two", "hot; of one thread, over FFTW [aim]", columns_of_cpu,
                    CPU_POWERS},
    [CPU_PICTURES] = {"CPU, sizes of pictures",
                      "hot; two threads over one [aim], of one thread over FFTW [aim]",
                      columns_of_cpu, CPU_PICTURES},
    [CPU_ROOFLINE] = {"Roofline, CPU",
                      "one thread, cold; every number read and written once, 2.5 N log2 N flops",
                      columns_of_roofline, CPU_PICTURES},
    [SIZES] = {"Many sizes", "Weft's time over the peer's, f32, one thread hot, GPU cold; [most]",
               columns_of_sizes, SIZES},
    [L2_F32] = {"Accuracy, f32, relative L2 error", "against the oracle", NULL, L2_F32},
    [MAX_F32] = {"Accuracy, f32, largest error over RMS", "against the oracle", NULL, L2_F32},
    [L2_F64] = {"Accuracy, f64, relative L2 error", "against the oracle", NULL, L2_F64},
    [MAX_F64] = {"Accuracy, f64, largest error over RMS", "against the oracle", NULL, L2_F64},
};

size_t own_columns_of_errors(const own_experiment *e, table_number table, const aim *until,
                             char labels[MOST_COLUMNS][MOST_WORDS]) {
    size_t count = 0;

    for (const aim *a = aims; a < until; a++) {
        if (a->table == table && own_is_wanted(e, a)) {
            snprintf(labels[count++], MOST_WORDS, "%zux%zu", a->task.height, a->task.width);
        }
    }
    return count;
}

static finding_table *add_table_of_errors(own_experiment *e, const struct about_table *t) {
    char labels[MOST_COLUMNS][MOST_WORDS];
    const char *columns[MOST_COLUMNS + 1] = {NULL};
    finding_table *made;

    for (size_t i = own_columns_of_errors(e, t->rows_of, aims + aim_count, labels); i-- > 0;) {
        columns[i] = labels[i];
    }
    made = findings_add(&e->found, t->name, t->about, columns);
    finding_add(made, "limit");
    return made;
}

static void add_table(own_experiment *e, const struct about_table *t, table_number number) {
    e->tables[number] = t->columns != NULL ? findings_add(&e->found, t->name, t->about, t->columns)
                                           : add_table_of_errors(e, t);
}

void own_add_tables(own_experiment *e) {
    for (int number = 0; number < BITS; number++) {
        for (size_t i = 0; i < aim_count && e->tables[number] == NULL; i++) {
            if (aims[i].table == about[number].rows_of && own_is_wanted(e, &aims[i])) {
                add_table(e, &about[number], (table_number)number);
            }
        }
    }
}
