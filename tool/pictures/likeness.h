/* SPDX-License-Identifier: MIT
 * How much alike two pictures of one kind are: by the largest difference of two samples, by PSNR,
 * and by SSIM (Z. Wang and others, Image quality assessment, 2004), which asks whether they look
 * alike.
 */
#ifndef WEFT_TOOL_PICTURES_LIKENESS_H
#define WEFT_TOOL_PICTURES_LIKENESS_H

#include "files/image.h"

typedef struct likeness {
    double psnr;    /* dB, of all colours together; INFINITY where none differs */
    double ssim;    /* the mean of the colours; NAN where a side is shorter than the window, 11 */
    double largest; /* difference, also of alpha, */
    size_t at;      /* and where: the sample, planes one after the other, alpha the last */
    size_t differing, samples;
} likeness;

/* Both have the same sides, planes and depth; where one has no alpha it counts as opaque. peak: the
 * value of white. An exit code, after a complaint. */
int likeness_find(likeness *found, const image *a, const image *b, double peak);
/* |a - b| of the colours, the largest of them white, in a picture of 8 or 16 bits. */
int likeness_draw(image *drawing, const image *a, const image *b);

#endif
