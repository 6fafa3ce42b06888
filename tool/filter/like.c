/* SPDX-License-Identifier: MIT
 * The table of conventions; see like.h.
 */
#include "filter/like.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 4, LIKE_PROGRAMS = 5, IMAGEJ_BINS = 256 };
enum {
    GAUSSIAN = 1 << SHAPE_GAUSSIAN,
    BUTTERWORTH = 1 << SHAPE_BUTTERWORTH,
    IDEAL = 1 << SHAPE_IDEAL,
    VIPS_SHAPES = GAUSSIAN | BUTTERWORTH | IDEAL
};

const char *const like_words[] = {"imagej", "skimage", "vips", "opencv", "imagemagick", NULL};

static const char structure[] =
    "a bare number is the size of a structure, half a period, of which 1/e is left; the mean stays";
static const char ratio[] = "a bare number is in cycles per pixel, as cutoff_frequency_ratio";
static const char part_of_nyquist[] =
    "a bare number is a part of the highest frequency, of whose wave half is left; the mean stays";

static const like rows[LIKE_PROGRAMS][MOST_ROWS + 1] = {
    {{"gaussian", REPLICATE, UNIT_PERIOD, BELL_WHOLE, 0, 0, 0, 0, 0, "Gaussian Blur"},
     {"lowpass", REFLECT, UNIT_STRUCTURE, BELL_WHOLE, GAUSSIAN, 1, 0, IMAGEJ_BINS, 0, structure},
     {"highpass", REFLECT, UNIT_STRUCTURE, BELL_WHOLE, GAUSSIAN, 1, 0, IMAGEJ_BINS, 1, structure},
     {"bandpass", REFLECT, UNIT_STRUCTURE, BELL_WHOLE, GAUSSIAN, 1, 0, IMAGEJ_BINS, 1, structure}},
    {{"gaussian", REPLICATE, UNIT_PERIOD, BELL_SKIMAGE, 0, 0, 0, 0, 0,
      "a sampled bell of 4 standard deviations each way"},
     {"lowpass", WRAP, UNIT_CYCLES, BELL_WHOLE, BUTTERWORTH, 0, 0, 0, 0, ratio},
     {"highpass", WRAP, UNIT_CYCLES, BELL_WHOLE, BUTTERWORTH, 0, 0, 0, 0, ratio}},
    {{"gaussian", REPLICATE, UNIT_PERIOD, BELL_VIPS, 0, 0, 0, 0, 0,
      "a sampled bell, cut at a fifth of its height, in steps of a twentieth"},
     {"lowpass", WRAP, UNIT_NYQUIST, BELL_WHOLE, VIPS_SHAPES, 1, 0, 0, 0, part_of_nyquist},
     {"highpass", WRAP, UNIT_NYQUIST, BELL_WHOLE, VIPS_SHAPES, 1, 0, 0, 0, part_of_nyquist}},
    {{"gaussian", REFLECT101, UNIT_PERIOD, BELL_OPENCV, 0, 0, 0, 0, 0,
      "a sampled bell of 3 standard deviations each way, of other pixels than bytes 4"}},
    {{"gaussian", REPLICATE, UNIT_PERIOD, BELL_IMAGEMAGICK, 0, 0, 1, 0, 0,
      "a sampled bell, cut where a tap is below 1/65535; 8 bits are rounded down"}}};

const like *like_of(int program, const char *filter) {
    for (const like *row = rows[program]; row->filter != NULL; row++) {
        if (strcmp(row->filter, filter) == 0) {
            return row;
        }
    }
    return NULL;
}

const char *like_filters(int program, char *text, size_t size) {
    size_t used = 0;

    *text = '\0';
    for (const like *row = rows[program]; row->filter != NULL && used < size; row++) {
        used += (size_t)snprintf(text + used, size - used, "%s--%s",
                                 row == rows[program] ? "" : ", ", row->filter);
    }
    return text;
}
