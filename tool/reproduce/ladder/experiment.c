/* SPDX-License-Identifier: MIT
 * Which rows there are, and what their times are to one another; see experiment.h.
 */
#include "reproduce/ladder/experiment.h"

#include <math.h>
#include <string.h>

#include "bench/peers/peers.h"
#include "strategy_name.h"
#include "threads.h"

#if WEFT_WITH_CUDA
static const int has_cuda = 1;
#else
static const int has_cuda = 0;
#endif

/* Compared as pointers. */
static const char cpu[] = "cpu", gpu[] = "gpu";

/* ---- rows ------------------------------------------------------------------------------------ */

static ladder_row *add(ladder_experiment *e, const char *device, const char *name, int threads) {
    const double unknown = (double)NAN;
    ladder_row *row = &e->rows[e->count++];

    *row = (ladder_row){.device = device, .name = name, .threads = threads};
    row->verdict = (verdict){.passed = 1, .rel_l2 = unknown, .max_rms = unknown};
    row->summary = (sample_summary){unknown, unknown, unknown};
    return row;
}

/* Threads are the idea of one rung: that one has all of them, and so has the last one, which is
 * without any other idea but that. */
static int threads_of(const ladder_entry *entry, int all) {
    const int is_threads = strcmp(entry->name, "threads") == 0;

    return strcmp(entry->device, cpu) != 0 ? 0 : is_threads != entry->is_without ? all : 1;
}

static void add_entries(ladder_experiment *e, const char *device, int all) {
    for (size_t i = 0; i < ladder_entry_count; i++) {
        const ladder_entry *entry = &ladder_entries[i];
        if (strcmp(entry->device, device) == 0) {
            add(e, device, entry->name, threads_of(entry, all))->entry = entry;
        }
    }
}

static void add_strategy(ladder_experiment *e, const char *device, const char *name,
                         const strategy *over, int threads) {
    add(e, device, name, threads)->over = over;
}

static const strategy *find_strategy(const char *name) {
    for (int i = 0; i < strategy_count; i++) {
        const strategy *s = strategy_table[i].for_precision[WEFT_F32];
        if (s != NULL && strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}

static const strategy *find_copy(int is_device) {
    for (int i = 0; i < peer_count; i++) {
        const strategy *s = peer_table[i].row.for_precision[WEFT_F32];
        if (peer_table[i].is_copy && s->space->is_device == is_device) {
            return s;
        }
    }
    return NULL;
}

static void list_cpu(ladder_experiment *e) {
    const int all = (int)threads_asked_for(0);

    add_entries(e, cpu, all);
    for (int threads = 1; threads <= all; threads += all > 1 ? all - 1 : 1) {
        add_strategy(e, cpu, "cpu.fast", find_strategy("cpu.fast"), threads);
        add_strategy(e, cpu, "copy", find_copy(0), threads);
    }
}

static void list_gpu(ladder_experiment *e) {
    add_entries(e, gpu, 0);
    if (has_cuda) {
        add_strategy(e, gpu, "cuda.twopass", find_strategy("cuda.twopass"), 0);
        add_strategy(e, gpu, "copy", find_copy(1), 0);
    }
}

void ladder_list(ladder_experiment *e, const char *device) {
    e->count = 0;
    if (device == NULL || strcmp(device, cpu) == 0) {
        list_cpu(e);
    }
    if (device == NULL || strcmp(device, gpu) == 0) {
        list_gpu(e);
    }
}

/* ---- ratios ---------------------------------------------------------------------------------- */

static int is_rung(const ladder_row *row) {
    return row->entry != NULL && !row->entry->is_without;
}

/* A device's rungs are beside each other. */
static const ladder_row *first_of(const ladder_experiment *e, const ladder_row *row) {
    while (row > e->rows && is_rung(row - 1) && row[-1].device == row->device) {
        row--;
    }
    return row;
}

static const ladder_row *last_of(const ladder_experiment *e, const ladder_row *row) {
    while (row + 1 < e->rows + e->count && is_rung(row + 1) && row[1].device == row->device) {
        row++;
    }
    return row;
}

static double median(const ladder_row *row) {
    return row->summary.median_us;
}

double ladder_gain(const ladder_experiment *e, const ladder_row *row) {
    return is_rung(row) && row != first_of(e, row) ? median(row - 1) / median(row) : (double)NAN;
}

double ladder_total_gain(const ladder_experiment *e, const ladder_row *row) {
    return is_rung(row) ? median(first_of(e, row)) / median(row) : (double)NAN;
}

double ladder_loss(const ladder_experiment *e, const ladder_row *row) {
    for (size_t i = 0; is_rung(row) && i < e->count; i++) {
        const ladder_entry *other = e->rows[i].entry;
        if (other != NULL && other->is_without && e->rows[i].device == row->device &&
            strcmp(other->name, row->name) == 0) {
            return median(&e->rows[i]) / median(last_of(e, row));
        }
    }
    return (double)NAN;
}
