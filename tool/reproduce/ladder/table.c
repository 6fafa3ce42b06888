/* SPDX-License-Identifier: MIT
 * The experiment for people; see experiment.h.
 */
#include <string.h>

#include "reproduce/ladder/experiment.h"
#include "shell/cells.h"
#include "shell/machine.h"

static void print_head(FILE *to, const ladder_experiment *e, const json_t *machine) {
    const char *machine_gpu = machine_text(machine, "gpu");

    fprintf(to, "weft reproduce ladder: real %zux%zu to its spectrum, from the report's program\n",
            e->n, e->n);
    fprintf(to, "to today's, one idea a rung; medians of %d samples, fewer of what takes long\n",
            LADDER_SAMPLES);
    fprintf(to, "  CPU   %s, GPU %s\n", machine_text(machine, "cpu"),
            machine_gpu[0] != '\0' ? machine_gpu : "none");
    fprintf(to, "  data  noise; every rung was held against the oracle first\n");
    fprintf(to, "  gain  over the rung before; total: over the first rung; lost: the last rung\n");
    fprintf(to, "        without this idea alone takes so many times its time\n");
    fprintf(to, "  weft  %s, commit %s, %s\n", weft_version(), machine_text(machine, "commit"),
            machine_text(machine, "compiler"));
}

static void print_titles(FILE *to, const char *device) {
    fprintf(to, "\n%-4s %-12s %7s %9s %7s %8s %6s  %s\n", device, "", "threads", "time", "gain",
            "total", "lost", "idea");
}

static const char *threads_cell(const ladder_row *row, char cell[CELL_SIZE]) {
    return row->threads > 0 ? number_cell("%.0f", row->threads, cell) : "-";
}

static void print_row(FILE *to, const ladder_experiment *e, const ladder_row *row) {
    char cells[5][CELL_SIZE];
    const ladder_entry *entry = row->entry;

    fprintf(to, "%4s %-12s %7s ", "", row->name, threads_cell(row, cells[0]));
    if (!row->verdict.passed) {
        fprintf(to, "FAILED: %s\n", row->verdict.why);
        return;
    }
    fprintf(to, "%9s %7s %8s %6s  %s\n", time_cell(row->summary.median_us, cells[1]),
            number_cell("%.2f", ladder_gain(e, row), cells[2]),
            number_cell("%.1f", ladder_total_gain(e, row), cells[3]),
            number_cell("%.2f", ladder_loss(e, row), cells[4]),
            entry == NULL       ? "-"
            : entry->is_without ? "left out"
                                : entry->rung->idea);
}

/* Rows of a device that could not run for the same reason are one line; how many they are. */
static size_t print_skipped(FILE *to, const ladder_experiment *e, size_t at) {
    const ladder_row *row = &e->rows[at];
    size_t end = at + 1;

    while (end < e->count && e->rows[end].device == row->device &&
           strcmp(e->rows[end].reason, row->reason) == 0) {
        end++;
    }
    fprintf(to, "SKIP %s", row->name);
    for (size_t i = at + 1; i < end; i++) {
        fprintf(to, ", %s", e->rows[i].name);
    }
    fprintf(to, ": %s\n", row->reason);
    return end - at;
}

/* What is left out has its figure in the row of its idea. */
static int is_shown(const ladder_row *row) {
    return row->entry == NULL || !row->entry->is_without || !row->verdict.passed;
}

void ladder_table(FILE *to, const ladder_experiment *e, const json_t *machine) {
    print_head(to, e, machine);
    for (size_t i = 0, step; i < e->count; i += step) {
        const ladder_row *row = &e->rows[i];
        step = 1;
        if (i == 0 || row[-1].device != row->device) {
            print_titles(to, row->device);
        }
        if (row->reason[0] != '\0') {
            step = print_skipped(to, e, i);
        } else if (is_shown(row)) {
            print_row(to, e, row);
        }
    }
}
