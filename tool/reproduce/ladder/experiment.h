/* SPDX-License-Identifier: MIT
 * What the experiment ladder measures: rows, each a rung, the last rung without one idea, a
 * strategy of Weft, or a copy. experiment.c lists them, measure.c fills them in,
 * document.c and claims.c read them.
 */
#ifndef WEFT_TOOL_REPRODUCE_LADDER_EXPERIMENT_H
#define WEFT_TOOL_REPRODUCE_LADDER_EXPERIMENT_H

#include <jansson.h>
#include <stdio.h>

#include "bench/samples.h"
#include "judge.h"
#include "reproduce/ladder/rungs.h"
#include "strategy.h"

enum { LADDER_SAMPLES = 15, LADDER_TEXT_SIZE = 240 };

typedef struct ladder_row {
    const char *device, *name;
    const ladder_entry *entry; /* NULL: a plan over a strategy */
    const strategy *over;
    int threads;                   /* 0: of a GPU */
    char reason[LADDER_TEXT_SIZE]; /* why it could not run, "" if it did */
    verdict verdict;
    double samples_us[LADDER_SAMPLES];
    size_t count;           /* of samples; 0: not timed */
    sample_summary summary; /* NaN where nothing was timed */
} ladder_row;

enum { LADDER_MOST_ROWS = 64, LADDER_PLANS = 6 }; /* the latter over strategies and copies */
typedef struct ladder_experiment {
    size_t n;         /* rows and columns of the image */
    double enough_us; /* a row takes no more samples, but three, when its samples took so long */
    ladder_row rows[LADDER_MOST_ROWS];
    size_t count;
} ladder_experiment;

/* The rows of one device, "cpu" or "gpu", or, where it is NULL, of both. What goes wrong with one
 * row alone is its reason or its verdict. */
void ladder_list(ladder_experiment *e, const char *device);
weft_status ladder_climb(ladder_experiment *e);

/* Ratios of medians, NaN where one is not known: the time of the rung before, of the first rung, of
 * the last rung without this idea, the last one to that of the last rung. */
double ladder_gain(const ladder_experiment *e, const ladder_row *row);
double ladder_total_gain(const ladder_experiment *e, const ladder_row *row);
double ladder_loss(const ladder_experiment *e, const ladder_row *row);

/* New references, or NULL when out of memory: the claims, and weft-ladder/1 with them. */
json_t *ladder_claims(const ladder_experiment *e);
json_t *ladder_document(const ladder_experiment *e, json_t *machine);

#endif
