/* SPDX-License-Identifier: MIT
 * How far an input is scaled: no farther than it takes, so that small values stay what they are.
 */
#include "scaling.h"

#include <math.h>
#include <stdint.h>

/* As powers of two. Where values add up to less than SAFE nothing overflows on the way: a quarter
 * turn and the longest convolution together multiply by less than 2^72, in double precision by less
 * than 2^112. A scale is a number of the type itself up to MOST. Sums are in units of UNIT, so that
 * they do not overflow either: those of a spectrum may be larger than any of its transform's
 * values. */
#if WEFT_REAL_BITS == 32
enum { SAFE = 56, MOST = 126, UNIT = 0 };
#define absolute(x) fabsf(x)
#else
enum { SAFE = 912, MOST = 1022, UNIT = 64 };
#define absolute(x) fabs(x)
#endif

/* x < 2^this. */
static int exponent_of(double x) {
    int exponent = 0;
    frexp(x, &exponent);
    return exponent;
}

static int bits_above_safe(int exponent) {
    return exponent > SAFE ? exponent - SAFE : 0;
}

double sum_at_most(double most, size_t count) {
    return ldexp(most, -UNIT) * (double)count;
}

/* How many bits an input is scaled down by. */
static int bits_of_input(double sum) {
    return isfinite(sum) ? bits_above_safe(exponent_of(sum) + UNIT) : 0;
}

scaling scaling_of_forward(const problem *p, double sum) {
    int bits = bits_of_input(sum);
    if (bits == 0) {
        return unscaled(p); /* soon, for the sake of small images */
    }
    return (scaling){(scalar)ldexp(1, -bits), ldexp(p->forward_scale, bits), p->inverse_scale};
}

scaling scaling_of_inverse(const problem *p, double sum) {
    int bits = bits_of_input(sum);
    if (bits == 0) {
        return unscaled(p); /* soon, for the sake of small images */
    }
    return (scaling){(scalar)ldexp(1, -bits), p->forward_scale, ldexp(p->inverse_scale, bits)};
}

/* The spectrum, each of whose values may be as large as the sum, is scaled once more before the
 * transfer multiplies it. */
scaling scaling_of_filter(const problem *p, double sum, double most) {
    const double values = (double)p->height * (double)p->width;
    if (has_integer_pixels(p)) {
        sum = ldexp(values * UINT16_MAX, -UNIT);
    }
    int bits = bits_of_input(sum), more = 0;
    if (isfinite(sum) && isfinite(most)) {
        more = bits_above_safe(exponent_of(sum) + UNIT - bits + exponent_of(most) +
                               exponent_of(values));
        more = more < MOST - bits ? more : MOST - bits;
    }
    return (scaling){(scalar)ldexp(1, -bits), ldexp(p->forward_scale, -more),
                     ldexp(p->inverse_scale, bits + more)};
}

/* What the absolute values of rows add up to at most, which is found faster than the sum itself. */
static double sum_of_rows(const scalar *values, size_t height, size_t pitch, size_t count) {
    double sum = 0;
    for (size_t m = 0; m < height; m++) {
        scalar most = 0;
#pragma omp simd reduction(max : most)
        for (size_t i = 0; i < count; i++) {
            scalar value = absolute(values[m * pitch + i]);
            most = value > most ? value : most;
        }
        sum += sum_at_most((double)most, count);
    }
    return sum;
}

double sum_of_image(const problem *p, const void *images, size_t index) {
    return sum_of_rows((const scalar *)images + index * p->image_stride, p->height, p->image_pitch,
                       p->width);
}

double sum_of_spectrum(const problem *p, const void *spectra, size_t index) {
    spectrum_view s = view_of(p, (void *)spectra, index);
    return sum_of_rows(s.values, s.height, row_reals(s), reals_of_row(s));
}
