/* SPDX-License-Identifier: MIT
 * The bins X[k][l] of a half spectrum as complex numbers, whatever its precision; and of a picture
 * of the spectrum, which bin is drawn where.
 */
#ifndef WEFT_TOOL_PICTURES_BINS_H
#define WEFT_TOOL_PICTURES_BINS_H

#include <complex.h>
#include <string.h>

#include "files/spectrum.h"

/* C11's CMPLX, which clang 14 lacks beside glibc. Written as a sum, a part that is no finite number
 * would spoil the other one. */
static inline double complex complex_of(double real, double imaginary) {
    const double parts[2] = {real, imaginary};
    double complex z;

    memcpy(&z, parts, sizeof z);
    return z;
}

/* The number of its real part: the imaginary one is next. Inline, as these are called for each bin
 * several times. */
static inline size_t bin_place(const spectrum *s, size_t plane, size_t k, size_t l) {
    return 2 * ((plane * s->height + k) * (s->width / 2 + 1) + l);
}

/* A stored one: l is at most W/2. */
static inline double complex bin_stored(const spectrum *s, size_t plane, size_t k, size_t l) {
    const size_t i = bin_place(s, plane, k, l);

    return s->precision == WEFT_F64
               ? complex_of(((const double *)s->values)[i], ((const double *)s->values)[i + 1])
               : complex_of(((const float *)s->values)[i], ((const float *)s->values)[i + 1]);
}

/* Any one: columns beyond W/2 by symmetry. */
static inline double complex bin_of(const spectrum *s, size_t plane, size_t k, size_t l) {
    return l <= s->width / 2 ? bin_stored(s, plane, k, l)
                             : conj(bin_stored(s, plane, k > 0 ? s->height - k : 0, s->width - l));
}

static inline void bin_store(spectrum *s, size_t plane, size_t k, size_t l, double complex x) {
    const size_t i = bin_place(s, plane, k, l);

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
