/* SPDX-License-Identifier: MIT
 * A picture through a filter: enlarged by its borders, filtered and cut out again, and rounded
 * where the result is of integers. Small planes go in one call, large ones one after another or,
 * where the filter does not reach far, in strips of rows, of which some are read and written while
 * others are filtered. Plan and transfer serve as many pictures of the same size as follow one
 * another.
 */
#ifndef WEFT_TOOL_FILTER_RUN_H
#define WEFT_TOOL_FILTER_RUN_H

#include <stdio.h>

#include "files/image.h"
#include "filter/transfer.h"
#include "shell/options.h"

typedef struct filter_run {
    filter *filter; /* a screen that it is to remove is looked for in every picture */
    const transform_options *options;

    /* Of the last picture: */
    size_t height, width, colours;
    int depth, is_to_float;
    weft_precision precision;
    double reach;
    size_t strips;  /* of a plane; 1: all of it together */
    weft_desc desc; /* of the enlarged one, or of an enlarged strip */
    weft_plan *plan;
    transfer transfer;
    int keeps_mean;
    double gain_of_mean;
    double black, factor; /* values of the result become (value - black) * factor */
    /* Enlarged planes, or strips of each, and workspaces where these are host memory. Both are NULL
     * before the first picture. */
    char *planes, *work;
} filter_run;

/* Of the values of a result: those that would have left the range of its pixels, and those that
 * are no finite numbers, which are 0 where pixels are integers. */
typedef struct filter_losses {
    size_t clamped, not_finite;
} filter_losses;

/* Where rows of the picture come from and rows of the result go to while others are filtered. Each
 * is called by one thread at a time, the last time with the picture's height, and gives an exit
 * code, after a complaint. */
typedef struct filter_pipeline {
    int (*read)(void *context, size_t end); /* all rows before that are in the picture afterwards */
    int (*write)(void *context, size_t end); /* all rows before that are those of the result */
    void *context;
} filter_pipeline;

/* Exit codes, after a complaint. The picture becomes the result, of floats where the filter says
 * so. pipeline: NULL where all rows are there; else the result has the picture's memory, so that
 * integers must not become floats. */
int filter_run_picture(filter_run *r, image *picture, const filter_pipeline *pipeline,
                       filter_losses *losses);
/* Plan and transfer for such a picture. */
int filter_run_prepare(filter_run *r, const image *picture);
/* Gives back what only filter_run_picture() needs, and would take again. */
void filter_run_rest(filter_run *r);
void filter_run_end(filter_run *r); /* fine when zeroed but for filter and options */

/* In explain.c, after filter_run_prepare(). What would happen, for people: */
int filter_say_picture(filter_run *r, const char *path, const image *picture, FILE *to);
/* A drawing of the gains for this size, frequency 0 in the middle; white: all of a wave, or the
 * most that is left of any where that is more. */
int filter_draw_gains(const filter_run *r, size_t height, size_t width, image *drawing,
                      double *white);

#endif
