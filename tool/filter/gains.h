/* SPDX-License-Identifier: MIT
 * Gains: what a filter leaves of a wave, as a function of its frequency alone. Every kind of gain
 * is a row of the table gain_kinds: its option, and how it is computed from one or two responses,
 * each a row and a column of numbers, so that a picture's table takes no exponential per value.
 */
#ifndef WEFT_TOOL_FILTER_GAINS_H
#define WEFT_TOOL_FILTER_GAINS_H

#include <stddef.h>
#include <stdio.h>

#include "filter/bells.h"
#include "filter/frequency.h"

/* How a band ends. All of them let half of the wave through at the cutoff, but the ideal one. */
typedef enum gain_shape { SHAPE_GAUSSIAN, SHAPE_BUTTERWORTH, SHAPE_IDEAL } gain_shape;

typedef struct gain {
    const struct gain_kind *kind;
    double sigma;     /* pixels */
    double low, high; /* cycles per pixel; of one frequency: low */
    double amount;
    double angle; /* radians, counter-clockwise from the right; NAN: every direction */
    gain_shape shape;
    unsigned order;  /* of SHAPE_BUTTERWORTH */
    unit unit;       /* of numbers without one, when it is parsed */
    bell bell;       /* of a blur */
    int is_of_bytes; /* pictures of 8 bits, for some bells */
} gain;

/* Factors or summands of one function of frequency: rows[k] and columns[l] for l <= W/2. */
typedef struct response {
    enum { IS_PRODUCT, IS_SUM, IS_IDEAL, IS_BUTTERWORTH, IS_RING, IS_LINE } rule;
    double parameter;
    double *rows, *columns;
} response;

enum {
    AVERAGES = 1, /* with SHAPE_GAUSSIAN no result leaves the range of the pixels */
    HAS_SHAPE = 2,
    KEEPS_MEAN = 4,  /* whatever the type of the result */
    IS_ONE_WAVE = 8, /* `low` is its frequency, and others stay */
    RUNS_ALONG = 16, /* at `angle`, */
    RUNS_ACROSS = 32 /* or at a right angle to it, run the waves that go */
};

typedef struct gain_kind {
    const char *name, *argument, *about;                  /* of the option */
    const char *(*parse)(const char *text, gain *parsed); /* NULL, or what is wrong */
    void (*say)(const gain *g, FILE *to);                 /* to a photographer: a line */
    /* Pixels on which a result depends, each way, or HUGE_VAL. least: what is a smaller part of a
     * pixel than this is not missed. */
    double (*reach)(const gain *g, double least);
    void (*prepare)(const gain *g, size_t height, size_t width, response parts[2]);
    /* The gain out of both responses, n values each. */
    void (*combine)(size_t n, const double *a, const double *b, double amount, double *row);
    unsigned traits;
} gain_kind;

enum { GAIN_KINDS = 10 };
extern const gain_kind gain_kinds[GAIN_KINDS];

/* "ideal", "gaussian", "butterworth", "butterworth:N"; NULL, or what is wrong. */
const char *parse_shape(const char *text, gain_shape *shape, unsigned *order);

/* Of the waves that go, from 0 to half a turn; NAN where none is meant. */
double gain_direction(const gain *g);

/* A gain at the frequencies of one size. */
typedef struct gain_table {
    const gain *of;
    size_t columns; /* W/2 + 1 */
    response parts[2];
    double *lines; /* two of them */
} gain_table;

/* An exit code, after a complaint. */
int gain_table_make(gain_table *t, const gain *g, size_t height, size_t width);
void gain_table_multiply(const gain_table *t, size_t k, double *row); /* row k, W/2 + 1 values */
void gain_table_free(gain_table *t);                                  /* fine when zeroed */

#endif
