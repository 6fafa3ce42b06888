/* SPDX-License-Identifier: MIT
 * The bells that other programs blur with: sampled at pixels, and cut off, each where its program
 * cuts it. What is left of a wave is the sum of the taps, each times a cosine.
 */
#ifndef WEFT_TOOL_FILTER_BELLS_H
#define WEFT_TOOL_FILTER_BELLS_H

#include <stddef.h>

typedef enum bell {
    BELL_WHOLE,       /* of frequencies, and not cut: ours */
    BELL_SKIMAGE,     /* 4 standard deviations, as of scipy.ndimage */
    BELL_OPENCV,      /* 4 standard deviations, of bytes 3 */
    BELL_VIPS,        /* where it is below a fifth; taps are whole twentieths */
    BELL_IMAGEMAGICK, /* where a tap is below 1/65535; each is the mean of three in a pixel */
} bell;

size_t bell_reach(bell b, double sigma, int is_of_bytes); /* pixels, each way */
/* Factors of the frequencies k / length, k < count. */
void bell_respond(bell b, double sigma, int is_of_bytes, size_t length, size_t count, double *to);

#endif
