/* SPDX-License-Identifier: MIT
 * The bins X[k][l] of a half spectrum as complex numbers, whatever its precision; and of a picture
 * of the spectrum, which bin is drawn where.
 */
#ifndef WEFT_TOOL_PICTURES_BINS_H
#define WEFT_TOOL_PICTURES_BINS_H

#include <complex.h>

#include "files/spectrum.h"

/* A stored one: l is at most W/2. */
static inline double complex bin_stored(const spectrum *s, size_t plane, size_t k, size_t l) {
    const size_t i = 2 * ((plane * s->height + k) * spectrum_row_length(s) + l);

    return CMPLX(spectrum_number(s, i), spectrum_number(s, i + 1));
}

/* Any one: columns beyond W/2 by symmetry. */
static inline double complex bin_of(const spectrum *s, size_t plane, size_t k, size_t l) {
    return l < spectrum_row_length(s)
               ? bin_stored(s, plane, k, l)
               : conj(bin_stored(s, plane, (s->height - k) % s->height, s->width - l));
}

static inline void bin_store(spectrum *s, size_t plane, size_t k, size_t l, double complex x) {
    const size_t i = 2 * ((plane * s->height + k) * spectrum_row_length(s) + l);

    if (s->precision == WEFT_F64) {
        ((double *)s->values)[i] = creal(x);
        ((double *)s->values)[i + 1] = cimag(x);
    } else {
        ((float *)s->values)[i] = (float)creal(x);
        ((float *)s->values)[i + 1] = (float)cimag(x);
    }
}

/* How many bins of a whole spectrum a stored one of column l stands for: itself, and its mirror
 * image. */
static inline size_t bin_weight(const spectrum *s, size_t l) {
    return l == 0 || 2 * l == s->width ? 1 : 2;
}

/* The frequency, of n, that is drawn i-th where frequency 0 is in the middle, at n/2. */
static inline size_t bin_from_middle(size_t i, size_t n) {
    return (i + n - n / 2) % n;
}

#endif
