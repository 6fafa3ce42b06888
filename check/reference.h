/* SPDX-License-Identifier: MIT
 * What every strategy is held against: the inputs of one shape and what the oracle says of them,
 * each worked out once, when first asked for, and kept. bench and verify share it through
 * verify_case.c.
 */
#ifndef WEFT_CHECK_REFERENCE_H
#define WEFT_CHECK_REFERENCE_H

#include <stdint.h>

#include "weft.h"
#include "wide.h"

enum {
    MOST_DISTINCT = 3
}; /* image b of a batch is image b % 3: more would only cost oracle time */

/* The bytes of one batch element that a strategy reads, and the image that must come of them. */
typedef struct expectation {
    void *input;
    wide image;
} expectation;

typedef struct reference {
    size_t height, width, distinct;
    weft_precision precision;
    weft_pixel pixel;
    int is_long;
    int gains_are_even; /* g[k][l] = g[H - k][l]: those who multiply bin by bin need that. Set it,
                           if wanted, before a transfer is asked for; else gains are lopsided. */
    void *pixels[MOST_DISTINCT];            /* as the strategy reads them, tight [H][W] */
    wide spectra[MOST_DISTINCT];            /* tight half spectra */
    expectation inverses[2][MOST_DISTINCT]; /* by weft_layout */
    void *transfers[2][2];                  /* by weft_transfer, weft_layout */
    wide filtered[2][2][MOST_DISTINCT];     /* by weft_transfer, weft_layout */
} reference;

/* Takes the shape from `desc` (its layout is ignored). Real pixels are uniform random numbers of
 * mean zero from `seed`. Integer ones are picture(context, b, pixels), or, without one, random in a
 * narrow bright band, where a plain transform drowns in the rounding of the mean. Returns 0, or -1
 * when out of memory. */
typedef void reference_picture(const void *context, size_t b, void *pixels);
int reference_create(reference *r, const weft_desc *desc, uint64_t seed, reference_picture *picture,
                     const void *context);
void reference_destroy(reference *r);

size_t reference_pixel_bytes(const reference *r); /* of one pixel */

/* Each NULL when out of memory. b is any image of the batch. */
const wide *reference_spectrum(reference *r, size_t b);
const expectation *reference_inverse(reference *r, weft_layout layout, size_t b);
const void *reference_transfer(reference *r, weft_transfer kind, weft_layout layout);
const wide *reference_filtered(reference *r, weft_transfer kind, weft_layout layout, size_t b);

#endif
