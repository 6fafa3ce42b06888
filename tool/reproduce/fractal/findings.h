/* SPDX-License-Identifier: MIT
 * What weft reproduce fractal finds: tables, in whose cells the seed's value stands beside ours.
 * The seed is the paper that the codec was built after; most cells of its tables have not come
 * down.
 */
#ifndef WEFT_TOOL_REPRODUCE_FRACTAL_FINDINGS_H
#define WEFT_TOOL_REPRODUCE_FRACTAL_FINDINGS_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "commands/fractal/coding_sample.h"

enum { MOST_COLUMNS = 9, MOST_ROWS = 32, MOST_TABLES = 12, MOST_WORDS = 64, MOST_REASON = 200 };
enum { MOST_SAMPLES = 16 };

/* Some frames of a film, coded once by a search. */
typedef struct finding_sample {
    const char *film, *search;
    size_t frames;
    coding_sample of;
} finding_sample;

typedef struct finding_row {
    char what[MOST_WORDS];
    const char *seed[MOST_COLUMNS];      /* as it says it; NULL: it has no such cell; lost_value */
    double here[MOST_COLUMNS];           /* not finite: nothing was found */
    double terms;                        /* |q d - 4 r| that were computed for a frame; else NAN */
    char reason[MOST_REASON];            /* why nothing was found; "" */
    finding_sample sample[MOST_SAMPLES]; /* what its times were found from */
    size_t samples;
} finding_row;

/* The seed had this cell, but nobody knows what was in it. */
extern const char lost_value[];

typedef struct finding_table {
    const char *name, *about;
    size_t columns, count;
    char column[MOST_COLUMNS][MOST_WORDS];
    finding_row rows[MOST_ROWS];
} finding_table;

typedef struct findings {
    finding_table tables[MOST_TABLES];
    size_t count;
} findings;

/* A new table, with the names of its columns up to NULL; a new row, in which nothing was found yet.
 */
finding_table *findings_add(findings *f, const char *name, const char *about,
                            const char *const *columns);
finding_row *finding_add(finding_table *t, const char *what);

void finding_add_sample(finding_row *row, const finding_sample *sample);

void findings_print(FILE *to, const findings *f);
/* NULL where memory ran out. */
json_t *findings_json(const findings *f);

#endif
