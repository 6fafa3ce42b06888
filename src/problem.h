/* SPDX-License-Identifier: MIT
 * From what the caller wrote (weft_desc) to what a strategy gets (problem): defaults, checks,
 * sizes.
 */
#ifndef WEFT_PROBLEM_H
#define WEFT_PROBLEM_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_OPTIONS = 4 };

/* A weft_desc with every default filled in and every size checked for overflow. */
typedef struct problem {
    size_t height, width, batch;
    weft_precision precision;
    weft_pixel pixel;
    weft_layout layout;
    size_t image_pitch, image_stride;       /* in pixels */
    size_t spectrum_pitch, spectrum_stride; /* in reals (PACKED) or complex numbers (HALF) */
    size_t transfer_pitch;                  /* of a filter's spectrum, in the same */
    double forward_scale, inverse_scale;    /* the norm's factors */
    int threads;                            /* 0 = as OpenMP is set */
    int device;                             /* CUDA ordinal */
    int choice[MOST_OPTIONS]; /* for each of strategy.options the index of its value */
} problem;

/* WEFT_OK, or WEFT_BAD_ARGUMENT with the value that is wrong. */
weft_status problem_from_desc(problem *p, const weft_desc *desc);

/* The same without gaps between rows and spectra, but for those of a transfer: the problem of a
 * spectrum that lies in the workspace. */
problem problem_with_tight_spectrum(const problem *p);

static inline int has_integer_pixels(const problem *p) {
    return p->pixel != WEFT_PIXEL_REAL;
}

size_t real_bytes(const problem *p);             /* of one real number */
size_t pixel_bytes(const problem *p);            /* of one image element */
size_t spectrum_element_bytes(const problem *p); /* of one real (PACKED) or complex number (HALF) */
size_t spectrum_columns(const problem *p);       /* elements in a row of the spectrum */

/* Bytes of all pixels, and of all values of the spectra, of the batch: what must be moved. */
size_t pixels_moved(const problem *p);
size_t spectra_moved(const problem *p);

/* Bytes from the first to past the last element of the batch. */
size_t image_batch_bytes(const problem *p);
size_t spectrum_batch_bytes(const problem *p);
size_t transfer_bytes(const problem *p, weft_transfer kind); /* one image's worth */

#ifdef __cplusplus
}
#endif
#endif
