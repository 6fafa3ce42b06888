/* SPDX-License-Identifier: MIT
 * How far frames are from their originals: the PSNR of each plane, and of all of them, where Y
 * counts six times. Of many frames, the PSNR of their mean error, and the mean of their PSNR.
 */
#ifndef WEFT_TOOL_COMMANDS_FRACTAL_QUALITY_H
#define WEFT_TOOL_COMMANDS_FRACTAL_QUALITY_H

#include <stdio.h>

#include "files/video.h"
#include "shell/cells.h"
#include "weft_fractal.h"

enum { QUALITY_OF_ALL = WEFT_FRACTAL_PLANES, QUALITY_ROWS }; /* behind those of the planes */

typedef struct quality {
    int planes;
    size_t frames;
    double error[QUALITY_ROWS], decibels[QUALITY_ROWS]; /* sums over all frames */
} quality;

/* Adds a frame, of whose planes these are the mean square errors. */
void quality_add(quality *q, int planes, const double error[WEFT_FRACTAL_PLANES]);
/* The same, of two frames of this format. */
void quality_compare(quality *q, const video_format *format, const uint8_t *original,
                     const uint8_t *decoded);

double decibels_of(double mean_square_error); /* infinite, where nothing differs */
double quality_of_mean_error(const quality *q, int row);
double quality_mean(const quality *q, int row);
/* "30.31", "inf" where nothing differs, "-" without a frame. */
const char *decibel_cell(double decibels, char cell[CELL_SIZE]);

/* A line: the name, and of each plane the one, with the other in brackets if there is more than one
 * frame. */
void quality_print(FILE *to, const char *name, const quality *q);

#endif
