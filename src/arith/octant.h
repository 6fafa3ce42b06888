/* SPDX-License-Identifier: MIT
 * An angle reduced to the first octant, in integers, so that sine and cosine lose nothing by it.
 */
#ifndef WEFT_ARITH_OCTANT_H
#define WEFT_ARITH_OCTANT_H

#include <stddef.h>

#include "arith/dialect.h"

/* The reduced angle is rest/n of pi/4, 0 <= rest <= n. Its cosine and sine become those of the
 * whole angle in two steps: exchange them if is_steep; then negate the cosine if is_left, and the
 * sine if is_lower. */
typedef struct octant {
    size_t rest;
    int is_steep, is_left, is_lower;
} octant;

/* Reduces the angle 2 pi k / n, 0 <= k < n <= 2^60. */
static WEFT_HD octant octant_of(size_t k, size_t n) {
    int number = (int)(8 * k / n);
    size_t rest = 8 * k % n;
    octant o;
    o.rest = number & 1 ? n - rest : rest;
    o.is_steep = (number + 1) & 2;
    o.is_left = (number + 2) & 4;
    o.is_lower = number & 4;
    return o;
}

#endif
