/* SPDX-License-Identifier: MIT
 * A weft-ladder/1 document as a table for each device. In every build: a document may come from
 * another machine.
 */
#include <math.h>
#include <string.h>

#include "reproduce/claims.h"
#include "reproduce/reproduce.h"
#include "shell/cells.h"

static const char *text(const json_t *row, const char *key) {
    return page_text(json_object_get(row, key));
}

static double number(const json_t *row, const char *key) {
    return page_number(json_object_get(row, key));
}

static int is_equal(const json_t *a, const json_t *b, const char *key) {
    return strcmp(text(a, key), text(b, key)) == 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_head(page *p, const json_t *document, size_t samples) {
    page_print(p,
               "weft reproduce ladder: real %.0fx%.0f to its spectrum, from the report's program\n",
               number(document, "height"), number(document, "width"));
    page_print(p, "to today's, one idea a rung; medians of %zu samples, fewer of what takes long\n",
               samples);
    page_machine(p, document);
    page_print(p, "  data  noise; every rung was held against the oracle first\n");
    page_print(p,
               "  gain  over the rung before; total: over the first rung; lost: the last rung\n");
    page_print(p, "        without this idea alone takes so many times its time\n");
    page_weft(p, document);
}

static void print_titles(page *p, const char *device) {
    page_print(p, "\n%-4s %-12s %7s %9s %7s %8s %6s  %s\n", device, "", "threads", "time", "gain",
               "total", "lost", "idea");
}

static void print_row(page *p, const json_t *row) {
    const double threads = number(row, "threads");
    char cells[5][CELL_SIZE];

    page_print(p, "%4s %-12s %7s ", "", text(row, "name"),
               threads > 0 ? number_cell("%.0f", threads, cells[0]) : "-");
    if (text(row, "error")[0] != '\0') {
        page_print(p, "FAILED: %s\n", text(row, "error"));
        return;
    }
    page_print(p, "%9s %7s %8s %6s  %s\n", time_cell(number(row, "median_us"), cells[1]),
               number_cell("%.2f", number(row, "gain"), cells[2]),
               number_cell("%.1f", number(row, "total_gain"), cells[3]),
               number_cell("%.2f", number(row, "lost"), cells[4]),
               text(row, "idea")[0] != '\0' ? text(row, "idea") : "-");
}

/* Rows of a device that could not run for the same reason are one line; how many they are. */
static size_t print_skipped(page *p, const json_t *rows, size_t at) {
    const json_t *row = json_array_get(rows, at), *next;
    size_t end = at + 1;

    page_print(p, "SKIP %s", text(row, "name"));
    while ((next = json_array_get(rows, end)) != NULL && is_equal(next, row, "device") &&
           is_equal(next, row, "reason")) {
        if (strcmp(text(next, "kind"), "without") != 0) {
            page_print(p, ", %s", text(next, "name"));
        }
        end++;
    }
    page_print(p, ": %s\n", text(row, "reason"));
    return end - at;
}

/* What is left out has its figure in the row of its idea. */
static int is_shown(const json_t *row) {
    return strcmp(text(row, "kind"), "without") != 0 || text(row, "error")[0] != '\0';
}

/* All that is read of a row without asking whether it is there. */
static int is_row(page *p, const json_t *row) {
    const char *device, *kind, *name;
    const json_t *samples;

    return page_take(p, row, "{s:s, s:s, s:s}", "device", &device, "kind", &kind, "name", &name) &&
           page_list(p, row, "samples_us", &samples);
}

/* The samples of the row that has most. */
static size_t check_rows(page *p, const json_t *rows) {
    const json_t *row;
    size_t i, most = 0;

    page_foreach(p, rows, i, row) {
        if (is_row(p, row)) {
            const size_t count = json_array_size(json_object_get(row, "samples_us"));
            most = count > most ? count : most;
        }
    }
    return most;
}

static void note_wrong(page *p, const json_t *row) {
    if (text(row, "error")[0] != '\0') {
        page_wrong(p, "%s %s%s: %s", text(row, "device"),
                   strcmp(text(row, "kind"), "without") == 0 ? "without " : "", text(row, "name"),
                   text(row, "error"));
    }
}

void ladder_print(page *p, const json_t *document) {
    const json_t *rows, *row, *before = NULL;
    size_t samples;

    if (!page_list(p, document, "results", &rows)) {
        return;
    }
    samples = check_rows(p, rows);
    print_head(p, document, samples);
    for (size_t i = 0, step = 1; p->code == 0 && i < json_array_size(rows); i += step) {
        row = json_array_get(rows, i);
        step = 1;
        if (before == NULL || !is_equal(row, before, "device")) {
            print_titles(p, text(row, "device"));
        }
        if (text(row, "reason")[0] != '\0') {
            step = print_skipped(p, rows, i);
        } else if (is_shown(row)) {
            print_row(p, row);
        }
        note_wrong(p, row);
        before = row;
    }
    claims_print(p, json_object_get(document, "claims"));
}
