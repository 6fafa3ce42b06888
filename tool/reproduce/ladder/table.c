/* SPDX-License-Identifier: MIT
 * A weft-ladder/1 document for people; see experiment.h.
 */
#include <math.h>
#include <string.h>

#include "reproduce/ladder/experiment.h"
#include "shell/cells.h"
#include "shell/machine.h"

/* ---- what a document says -------------------------------------------------------------------- */

static const char *text(const json_t *row, const char *key) {
    const char *value = json_string_value(json_object_get(row, key));
    return value != NULL ? value : "";
}

static double number(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int is_equal(const json_t *a, const json_t *b, const char *key) {
    return strcmp(text(a, key), text(b, key)) == 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_head(FILE *to, const json_t *document) {
    const json_t *machine = json_object_get(document, "machine");
    const char *gpu = machine_text(machine, "gpu");

    fprintf(to,
            "weft reproduce ladder: real %.0fx%.0f to its spectrum, from the report's program\n",
            number(document, "height"), number(document, "width"));
    fprintf(to, "to today's, one idea a rung; medians of %d samples, fewer of what takes long\n",
            LADDER_SAMPLES);
    fprintf(to, "  CPU   %s, GPU %s\n", machine_text(machine, "cpu"),
            gpu[0] != '\0' ? gpu : "none");
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

static void print_row(FILE *to, const json_t *row) {
    const double threads = number(row, "threads");
    char cells[5][CELL_SIZE];

    fprintf(to, "%4s %-12s %7s ", "", text(row, "name"),
            threads > 0 ? number_cell("%.0f", threads, cells[0]) : "-");
    if (text(row, "error")[0] != '\0') {
        fprintf(to, "FAILED: %s\n", text(row, "error"));
        return;
    }
    fprintf(to, "%9s %7s %8s %6s  %s\n", time_cell(number(row, "median_us"), cells[1]),
            number_cell("%.2f", number(row, "gain"), cells[2]),
            number_cell("%.1f", number(row, "total_gain"), cells[3]),
            number_cell("%.2f", number(row, "lost"), cells[4]),
            text(row, "idea")[0] != '\0' ? text(row, "idea") : "-");
}

/* Rows of a device that could not run for the same reason are one line; how many they are. */
static size_t print_skipped(FILE *to, const json_t *rows, size_t at) {
    const json_t *row = json_array_get(rows, at), *next;
    size_t end = at + 1;

    fprintf(to, "SKIP %s", text(row, "name"));
    while ((next = json_array_get(rows, end)) != NULL && is_equal(next, row, "device") &&
           is_equal(next, row, "reason")) {
        if (strcmp(text(next, "kind"), "without") != 0) {
            fprintf(to, ", %s", text(next, "name"));
        }
        end++;
    }
    fprintf(to, ": %s\n", text(row, "reason"));
    return end - at;
}

/* What is left out has its figure in the row of its idea. */
static int is_shown(const json_t *row) {
    return strcmp(text(row, "kind"), "without") != 0 || text(row, "error")[0] != '\0';
}

void ladder_table(FILE *to, const json_t *document) {
    const json_t *rows = json_object_get(document, "results"), *row, *before = NULL;

    print_head(to, document);
    for (size_t i = 0, step = 1; (row = json_array_get(rows, i)) != NULL; i += step) {
        step = 1;
        if (before == NULL || !is_equal(row, before, "device")) {
            print_titles(to, text(row, "device"));
        }
        if (text(row, "reason")[0] != '\0') {
            step = print_skipped(to, rows, i);
        } else if (is_shown(row)) {
            print_row(to, row);
        }
        before = row;
    }
}
