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

/* x = 2 pi k / n, 0 <= k < n <= 2^60. */
static inline angle angle_of(size_t k, size_t n) {
    const long double quarter_pi = 0.785398163397448309615660845819875721L;
    octant o = octant_of(k, n);
    long double a = quarter_pi * ((long double)o.rest / (long double)n);
    long double x = o.is_steep ? sinl(a) : cosl(a), y = o.is_steep ? cosl(a) : sinl(a);
    angle of = {o.is_left ? -x : x, o.is_lower ? -y : y};
    return of;
}

#endif
