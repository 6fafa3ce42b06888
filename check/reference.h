/* SPDX-License-Identifier: MIT
 * What every strategy is held against: the inputs of one shape and what the oracle says of them,
 * each worked out once, when first asked for, and kept. The judge of verify and bench reads it, and
 * the tests of accuracy, which ask for harder inputs.
 */
#ifndef WEFT_CHECK_REFERENCE_H
#define WEFT_CHECK_REFERENCE_H

#include <stdint.h>

#include "buffer.h"
#include "operation.h"
#include "oracle/oracle.h"
#include "wide.h"

/* How many images verify and bench tell apart: more would only cost oracle time. */
enum { MOST_DISTINCT = 3 };

/* The bytes of one batch element that a strategy reads, and the image that must come of them. */
typedef struct expectation {
    void *input;
    wide image;
} expectation;

typedef struct reference_image reference_image;

typedef struct reference {
    size_t height, width, distinct; /* image b of a batch is image b % distinct */
    weft_precision precision;
    weft_pixel pixel;
    int is_long;
    /* To be set, if wanted, before what they are about is asked for: */
    int gains_are_even; /* g[k][l] = g[H - k][l]: those who multiply bin by bin need that; else
                           gains are lopsided */
    int reads_noise;    /* spectra to be read and transfers are noise, which is not Hermitian in
                           columns 0 and W/2 of WEFT_HALF; else those of the image and of a blur */
    uint64_t seed;
    reference_image *images;
    void *transfers[2][2]; /* by weft_transfer, weft_layout */
} reference;

/* Takes the shape from `desc` (its layout is ignored). Pixels are picture(context, b, pixels),
 * tight and of the description's type; without a picture, real ones are uniform random numbers of
 * mean zero from `seed`, integer ones random in a narrow bright band, where a plain transform
 * drowns in the rounding of the mean. Returns 0, or -1 when out of memory. */
typedef void reference_picture(const void *context, size_t b, void *pixels);
int reference_create(reference *r, const weft_desc *desc, size_t most_distinct, uint64_t seed,
                     reference_picture *picture, const void *context);
void reference_destroy(reference *r);

/* Image b of the batch, tight, as a strategy reads it. */
const void *reference_pixels(const reference *r, size_t b);

/* How far a spectrum in memory is from that of image b; see oracle_compare. */
weft_status reference_compare(reference *r, size_t b, weft_precision precision, weft_layout layout,
                              size_t pitch, const void *spectrum, double factor,
                              oracle_error *error);

/* Each NULL when out of memory. What a round trip gives is the image again. */
const wide *reference_returned(reference *r, size_t b);
const expectation *reference_inverse(reference *r, weft_layout layout, size_t b);
const void *reference_transfer(reference *r, weft_transfer kind, weft_layout layout);
const wide *reference_filtered(reference *r, weft_transfer kind, weft_layout layout, size_t b);

/* Poisons a buffer and puts what the operation reads into it, all of the batch; and a transfer. */
weft_status reference_put(reference *r, operation what, weft_layout layout, const buffer *input);
weft_status reference_put_transfer(reference *r, weft_transfer kind, weft_layout layout,
                                   const buffer *transfer);

#endif
