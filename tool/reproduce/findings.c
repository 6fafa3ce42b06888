/* SPDX-License-Identifier: MIT
 * Tables of findings, as JSON and as text; see findings.h.
 */
#include "reproduce/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shell/cells.h"
#include "shell/complain.h"
#include "shell/json_file.h"

const char lost_value[] = "lost";

/* ---- found ----------------------------------------------------------------------------------- */

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

    *row = (finding_row){.terms = NAN, .samples = json_array()};
    json_label(row->what, sizeof row->what, what);
    for (size_t i = 0; i < MOST_COLUMNS; i++) {
        row->here[i] = NAN;
    }
    return row;
}

const finding_table *findings_find(const findings *f, const char *name) {
    for (const finding_table *t = f->tables; t < f->tables + f->count; t++) {
        if (strcmp(t->name, name) == 0) {
            return t;
        }
    }
    return NULL;
}

const finding_row *finding_find(const findings *f, const char *table, const char *what) {
    const finding_table *t = findings_find(f, table);

    for (size_t i = 0; t != NULL && i < t->count; i++) {
        if (strcmp(t->rows[i].what, what) == 0) {
            return &t->rows[i];
        }
    }
    return NULL;
}

void finding_add_sample(finding_row *row, json_t *sample) {
    row->samples = json_append(row->samples, sample);
}

void findings_free(findings *f) {
    for (size_t i = 0; i < f->count; i++) {
        for (size_t k = 0; k < f->tables[i].count; k++) {
            json_decref(f->tables[i].rows[k].samples);
        }
    }
    f->count = 0;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static const char *or_null(const char *text) {
    return text[0] != '\0' ? text : NULL;
}

static json_t *json_of_row(const findings *f, const finding_table *t, const finding_row *row) {
    json_t *source = json_array(), *here = json_array();

    for (size_t i = 0; i < t->columns; i++) {
        source =
            json_append(source, row->source[i] != NULL ? json_string(row->source[i]) : json_null());
        here = json_append(here, json_finite(row->here[i]));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:s?, s:s?, s:O}", "what", row->what, f->source, source,
                     "here", here, "terms", json_finite(row->terms), "reason", or_null(row->reason),
                     "error", or_null(row->error), "samples", row->samples);
}

static json_t *json_of_table(const findings *f, const finding_table *t) {
    json_t *columns = json_array(), *rows = json_array();

    for (size_t i = 0; i < t->columns; i++) {
        columns = json_append(columns, json_string(t->column[i]));
    }
    for (size_t i = 0; i < t->count; i++) {
        rows = json_append(rows, json_of_row(f, t, &t->rows[i]));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "name", t->name, "about", t->about, "columns", columns,
                     "rows", rows);
}

json_t *findings_json(const findings *f) {
    json_t *tables = json_array();

    for (size_t i = 0; i < f->count; i++) {
        tables = json_append(tables, json_of_table(f, &f->tables[i]));
    }
    return tables;
}

/* ---- as text --------------------------------------------------------------------------------- */

/* A table of a document, and how wide its columns are: the first one is that of what was found. */
typedef struct printed_table {
    const char *name, *about, *source;
    const json_t *columns, *rows;
    int has_terms;
    size_t widths[MOST_COLUMNS + 2];
} printed_table;

typedef struct printed_row {
    const char *what, *reason, *error;
    const json_t *source, *here;
    double terms;
} printed_row;

static int take_row(page *p, const printed_table *t, const json_t *from, printed_row *row) {
    const size_t columns = json_array_size(t->columns);
    const json_t *terms, *reason, *error = NULL;

    if (!page_list(p, from, t->source, &row->source) || !page_list(p, from, "here", &row->here) ||
        !page_take(p, from, "{s:s, s:o, s:o, s?:o}", "what", &row->what, "terms", &terms, "reason",
                   &reason, "error", &error)) {
        return 0;
    }
    if (json_array_size(row->source) != columns || json_array_size(row->here) != columns) {
        p->code = complain(EXIT_BAD_INPUT, "%s: damaged: \"%s\" has not %zu cells", p->name,
                           row->what, columns);
        return 0;
    }
    row->terms = page_number(terms);
    row->reason = page_text(reason);
    row->error = page_text(error);
    return 1;
}

enum { BOTH_SIZE = 2 * MOST_WORDS };

/* Ours, and in brackets that of the source, if it has one. */
static const char *cell_of(const printed_row *row, size_t column, char both[BOTH_SIZE]) {
    char number[CELL_SIZE];
    const double found = page_number(json_array_get(row->here, column));
    const char *here =
        found < 10000 ? number_cell("%.4g", found, number) : number_cell("%.0f", found, number);
    const char *source = page_text(json_array_get(row->source, column));

    if (source[0] == '\0') {
        snprintf(both, BOTH_SIZE, "%s", here);
    } else {
        snprintf(both, BOTH_SIZE, "%s [%s]", here, source);
    }
    return both;
}

/* In characters, of which a byte may be the second of one. */
static size_t length_of(const char *text) {
    size_t length = 0;

    for (; *text != '\0'; text++) {
        length += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return length;
}

static void widen(size_t *width, const char *text) {
    const size_t length = length_of(text);

    *width = length > *width ? length : *width;
}

static void print_right(page *p, size_t width, const char *text) {
    const size_t length = length_of(text);

    page_print(p, "  %*s%s", (int)(length < width ? width - length : 0), "", text);
}

static int measure_table(page *p, printed_table *t) {
    const json_t *each;
    char both[BOTH_SIZE];
    size_t i;

    for (i = 0; i < json_array_size(t->columns); i++) {
        widen(&t->widths[i + 1], page_text(json_array_get(t->columns, i)));
    }
    page_foreach(p, t->rows, i, each) {
        printed_row row;

        if (take_row(p, t, each, &row)) {
            widen(&t->widths[0], row.what);
            t->has_terms |= isfinite(row.terms);
            for (size_t k = 0; k < json_array_size(t->columns); k++) {
                widen(&t->widths[k + 1], cell_of(&row, k, both));
            }
        }
    }
    return p->code == EXIT_DONE;
}

static void print_row(page *p, const printed_table *t, const printed_row *row) {
    char both[BOTH_SIZE];

    page_print(p, "  %s%*s", row->what, (int)(t->widths[0] - length_of(row->what)), "");
    for (size_t i = 0; i < json_array_size(t->columns); i++) {
        print_right(p, t->widths[i + 1], cell_of(row, i, both));
    }
    if (t->has_terms) {
        print_right(p, CELL_SIZE / 2, number_cell("%.3g", row->terms, both));
    }
    if (row->error[0] != '\0') {
        page_print(p, "  WRONG: %s", row->error);
        page_wrong(p, "%s, %s: %s", t->name, row->what, row->error);
    }
    page_print(p, "%s%s\n", row->reason[0] != '\0' ? "  " : "", row->reason);
}

static void print_table(page *p, printed_table *t) {
    const json_t *each;
    size_t i;

    page_print(p, "\n%s: %s\n  %*s", t->name, t->about, (int)t->widths[0], "");
    for (i = 0; i < json_array_size(t->columns); i++) {
        print_right(p, t->widths[i + 1], page_text(json_array_get(t->columns, i)));
    }
    if (t->has_terms) {
        print_right(p, CELL_SIZE / 2, "terms");
    }
    page_print(p, "\n");
    page_foreach(p, t->rows, i, each) {
        printed_row row;

        if (take_row(p, t, each, &row)) {
            print_row(p, t, &row);
        }
    }
}

void findings_print(page *p, const json_t *tables, const char *source) {
    const json_t *each;
    size_t i;

    page_foreach(p, tables, i, each) {
        printed_table t = {.source = source};

        if (page_take(p, each, "{s:s, s:s}", "name", &t.name, "about", &t.about) &&
            page_list(p, each, "columns", &t.columns) && page_list(p, each, "rows", &t.rows)) {
            if (json_array_size(t.columns) > MOST_COLUMNS) {
                p->code = complain(EXIT_BAD_INPUT, "%s: damaged: %s has more than %d columns",
                                   p->name, t.name, MOST_COLUMNS);
            } else if (measure_table(p, &t)) {
                print_table(p, &t);
            }
        }
    }
}
