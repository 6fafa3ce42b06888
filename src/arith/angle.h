/* SPDX-License-Identifier: MIT
 * Sine and cosine of a part of a turn in long double (64 bits of mantissa on x86-64), for tables
 * that are computed when a plan is made and rounded once.
 */
#ifndef WEFT_ARITH_ANGLE_H
#define WEFT_ARITH_ANGLE_H

#include <math.h>

#include "arith/octant.h"

/* exp(-i x) = cosine - i sine. */
typedef struct angle {
    long double cosine, sine;
} angle;

/* The cosine and the sine of rest/n of pi/4. */
static inline angle angle_in_octant(size_t rest, size_t n) {
    const long double quarter_pi = 0.785398163397448309615660845819875721L;
    long double x = quarter_pi * ((long double)rest / (long double)n);
    angle of = {cosl(x), sinl(x)};
    return of;
}

/* The whole angle that octant_of() has reduced to one in the first octant. */
static inline angle angle_out_of_octant(angle in, octant o) {
    long double x = o.is_steep ? in.sine : in.cosine, y = o.is_steep ? in.cosine : in.sine;
    angle of = {o.is_left ? -x : x, o.is_lower ? -y : y};
    return of;
}

/* x = 2 pi k / n, 0 <= k < n <= 2^60. */
static inline angle angle_of(size_t k, size_t n) {
    octant o = octant_of(k, n);
    return angle_out_of_octant(angle_in_octant(o.rest, n), o);
}

#endif
