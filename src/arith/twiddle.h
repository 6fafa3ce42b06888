/* SPDX-License-Identifier: MIT
 * Roots of unity, exp(-2 pi i k / n): the angle is reduced to the first octant in integers, sine
 * and cosine are taken in long double and rounded once. A line's table holds, stage after stage,
 * the factors of its butterflies in the order in which consecutive butterflies use them, so that
 * CPU and GPU read it in sequence.
 */
#ifndef WEFT_ARITH_TWIDDLE_H
#define WEFT_ARITH_TWIDDLE_H

#include "arith/factors.h"
#include "arith/real.h"

/* exp(-2 pi i k / n), 0 <= k < n <= 2^60. */
WEFT_C cpx REAL_NAME(unit_root)(size_t k, size_t n);
#define unit_root REAL_NAME(unit_root)

/* Fills the table of a line of n points with these factors, twiddles_before(n, list, list->count)
 * values. A stage of radix r on sub-lines of r m points owns stage_twiddles(r, m) of them:
 * exp(-2 pi i j k / (r m)) for 0 <= k < r, 0 <= j < m at twiddle_index(m, j, k). The last stage
 * (m = 1) has none. */
WEFT_C void REAL_NAME(twiddle_fill)(size_t n, const factor_list *list, cpx *table);
#define twiddle_fill REAL_NAME(twiddle_fill)

static WEFT_CONSTANT size_t twiddle_index(size_t m, size_t j, size_t k) {
    return k * m + j;
}

static WEFT_CONSTANT size_t stage_twiddles(size_t radix, size_t m) {
    return radix * m;
}

/* The same count for the first `stages` stages only: where stage `stages` begins. */
static WEFT_CONSTANT size_t twiddles_before(size_t n, const factor_list *list, int stages) {
    size_t count = 0;
    for (int stage = 0; stage < stages && stage + 1 < list->count; stage++) {
        n /= (size_t)list->radix[stage];
        count += stage_twiddles((size_t)list->radix[stage], n);
    }
    return count;
}

/* (cos, -sin) of octant * pi/4 + a, or of (octant + 1) * pi/4 - a in odd octants, given c = cos a
 * and s = sin a, 0 <= a <= pi/4: the other half of the octant reduction. */
static WEFT_HD cpx root_of_octant(int octant, real c, real s) {
    real x = (octant + 1) & 2 ? s : c, y = (octant + 1) & 2 ? c : s;
    return cpx_of((octant + 2) & 4 ? -x : x, octant & 4 ? y : -y);
}

#endif
