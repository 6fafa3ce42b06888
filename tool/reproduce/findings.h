/* SPDX-License-Identifier: MIT
 * What an experiment finds: tables, in whose cells the value of the source stands beside ours. The
 * source is whatever the experiment follows: a paper, a report.
 */
#ifndef WEFT_TOOL_REPRODUCE_FINDINGS_H
#define WEFT_TOOL_REPRODUCE_FINDINGS_H

#include <jansson.h>
#include <stddef.h>

#include "reproduce/page.h"

enum { MOST_COLUMNS = 9, MOST_ROWS = 48, MOST_TABLES = 12, MOST_WORDS = 64, MOST_REASON = 240 };

typedef struct finding_row {
    char what[MOST_WORDS];
    const char *source[MOST_COLUMNS]; /* as it says it; NULL: it has no such cell; lost_value */
    double here[MOST_COLUMNS];        /* not finite: nothing was found */
    double terms;                     /* of the codec: |q d - 4 r| computed for a frame; else NAN */
    char reason[MOST_REASON];         /* why nothing was found; "" */
    char error[MOST_REASON];          /* how what was found is wrong; "" */
    json_t *samples;                  /* what its times were found from; NULL: memory ran out */
} finding_row;

/* The source had this cell, but nobody knows what was in it. */
extern const char lost_value[];

typedef struct finding_table {
    const char *name, *about;
    size_t columns, count;
    char column[MOST_COLUMNS][MOST_WORDS];
    finding_row rows[MOST_ROWS];
} finding_table;

/* All zero at first, but for the name of the source. */
typedef struct findings {
    const char *source;
    finding_table tables[MOST_TABLES];
    size_t count;
} findings;
void findings_free(findings *f);

/* A new table, with the names of its columns up to NULL; a new row, in which nothing was found yet.
 */
finding_table *findings_add(findings *f, const char *name, const char *about,
                            const char *const *columns);
finding_row *finding_add(finding_table *t, const char *what);

/* By their names; NULL where there is none. */
const finding_table *findings_find(const findings *f, const char *name);
const finding_row *finding_find(const findings *f, const char *table, const char *what);

/* A JSON object, which is taken over. */
void finding_add_sample(finding_row *row, json_t *sample);

/* The list of tables for a document; NULL where memory ran out. */
json_t *findings_json(const findings *f);

/* Such a list, by the name of its source. What is wrong is noted on the page. */
void findings_print(page *p, const json_t *tables, const char *source);

#endif
