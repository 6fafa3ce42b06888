/* SPDX-License-Identifier: MIT
 * Tables of findings, as text and as JSON; see findings.h.
 */
#include "reproduce/fractal/findings.h"

#include <math.h>

#include "shell/cells.h"
#include "shell/json_file.h"

const char lost_value[] = "lost";

finding_table *findings_add(findings *f, const char *name, const char *about,
                            const char *const *columns) {
    finding_table *t = &f->tables[f->count++];

    t->name = name;
    t->about = about;
    for (t->columns = 0; columns[t->columns] != NULL; t->columns++) {
        json_label(t->column[t->columns], MOST_WORDS, columns[t->columns]);
    }
    return t;
}

finding_row *finding_add(finding_table *t, const char *what) {
    finding_row *row = &t->rows[t->count++];

    *row = (finding_row){.terms = NAN};
    json_label(row->what, sizeof row->what, what);
    for (size_t i = 0; i < MOST_COLUMNS; i++) {
        row->here[i] = NAN;
    }
    return row;
}

void finding_add_sample(finding_row *row, const finding_sample *sample) {
    row->sample[row->samples++] = *sample;
}

/* ---- as text --------------------------------------------------------------------------------- */

static void print_cell(FILE *to, const finding_row *row, size_t column) {
    char number[CELL_SIZE], both[MOST_WORDS];
    const double found = row->here[column];
    const char *here =
        found < 10000 ? number_cell("%.4g", found, number) : number_cell("%.0f", found, number);
    const char *seed = row->seed[column];

    if (seed != NULL) {
        snprintf(both, sizeof both, "%s [%s]", here, seed);
    }
    fprintf(to, " %16s", seed != NULL ? both : here);
}

static void print_row(FILE *to, const finding_table *t, const finding_row *row) {
    char terms[CELL_SIZE];

    fprintf(to, "  %-36s", row->what);
    for (size_t i = 0; i < t->columns; i++) {
        print_cell(to, row, i);
    }
    fprintf(to, " %10s%s%s\n", number_cell("%.3g", row->terms, terms),
            row->reason[0] != '\0' ? "  " : "", row->reason);
}

void findings_print(FILE *to, const findings *f) {
    for (const finding_table *t = f->tables; t < f->tables + f->count; t++) {
        fprintf(to, "\n%s: %s\n  %-36s", t->name, t->about, "");
        for (size_t i = 0; i < t->columns; i++) {
            fprintf(to, " %16s", t->column[i]);
        }
        fprintf(to, " %10s\n", "terms");
        for (size_t i = 0; i < t->count; i++) {
            print_row(to, t, &t->rows[i]);
        }
    }
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static json_t *json_of_samples(const finding_row *row) {
    json_t *list = json_array();

    for (const finding_sample *s = row->sample; s < row->sample + row->samples; s++) {
        list = json_append(list, json_pack("{s:s, s:s, s:I, s:f, s:f, s:f, s:f}", "film", s->film,
                                           "search", s->search, "frames", (json_int_t)s->frames,
                                           "search_seconds", s->of.search, "transfer_seconds",
                                           s->of.transfers, "kernel_seconds", s->of.kernels,
                                           "seconds", s->of.whole));
    }
    return list;
}

static json_t *json_of_row(const finding_table *t, const finding_row *row) {
    json_t *seed = json_array(), *here = json_array();

    for (size_t i = 0; i < t->columns; i++) {
        seed = json_append(seed, row->seed[i] != NULL ? json_string(row->seed[i]) : json_null());
        here = json_append(here, json_finite(row->here[i]));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:s?, s:o}", "what", row->what, "seed", seed, "here",
                     here, "terms", json_finite(row->terms), "reason",
                     row->reason[0] != '\0' ? row->reason : NULL, "samples", json_of_samples(row));
}

static json_t *json_of_table(const finding_table *t) {
    json_t *columns = json_array(), *rows = json_array();

    for (size_t i = 0; i < t->columns; i++) {
        columns = json_append(columns, json_string(t->column[i]));
    }
    for (size_t i = 0; i < t->count; i++) {
        rows = json_append(rows, json_of_row(t, &t->rows[i]));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "name", t->name, "about", t->about, "columns", columns,
                     "rows", rows);
}

json_t *findings_json(const findings *f) {
    json_t *tables = json_array();

    for (size_t i = 0; i < f->count; i++) {
        tables = json_append(tables, json_of_table(&f->tables[i]));
    }
    return tables;
}
