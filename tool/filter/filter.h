/* SPDX-License-Identifier: MIT
 * A filter as the user asked for it: gains one after another, and at most one of a kernel, a
 * spread that is to be undone, and a table of gains; and what happens around them.
 */
#ifndef WEFT_TOOL_FILTER_FILTER_H
#define WEFT_TOOL_FILTER_FILTER_H

#include "files/npy.h"
#include "filter/borders.h"
#include "filter/gains.h"
#include "filter/kernel.h"
#include "filter/like.h"
#include "filter/screen.h"

enum { MOST_GAINS = 16 };

typedef struct filter {
    gain gains[MOST_GAINS];
    size_t gain_count;

    int descreens;
    screen screen; /* of the last picture */

    kernel kernel;
    int correlates; /* the kernel is laid over the picture as it is, not turned by half a turn */

    kernel spread; /* what blurred the picture: its taps add up to 1 */
    double balance;

    npy_header table_header; /* real or complex, (H, W/2 + 1) or (H, W) */
    void *table;             /* NULL: none */
    const char *table_path;

    border border;
    const like *like; /* the only gain is as of another program; or NULL */
    const char *like_word;
    int keeps_mean;   /* the mean of each plane stays; asked for */
    int has_offset;   /* something else is added instead: */
    double offset;    /* NAN: half of the largest value of a pixel */
    int is_spread;    /* the least value of the result becomes black, the largest white; */
    double saturated; /* or so many of all values, in percent, half of them each */
    int is_linear;    /* light, not stored values, is filtered: sRGB is undone before */
    int is_to_float;  /* the result is not rounded, whatever the picture */
} filter;

/* Exit codes, after a complaint. */
int filter_read_kernel(filter *f, const char *path);
int filter_read_spread(filter *f, const char *path);
int filter_read_table(filter *f, const char *path);
void filter_free(filter *f);

double filter_reach(const filter *f, double least); /* as of a gain */
int filter_averages(const filter *f);               /* no result leaves the range of the pixels */
extern const double no_mean; /* a gain of the mean that is less leaves none of it */
int filter_keeps_mean(const filter *f, int is_integer, double gain_of_mean);
void filter_say(const filter *f, FILE *to); /* lines, each with two blanks in front */

#endif
