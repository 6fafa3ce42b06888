/* SPDX-License-Identifier: MIT
 * Roots of unity, exp(-2 pi i k / n): the angle is reduced to the first octant in integers, sine
 * and cosine are taken in long double, whose 64 bits x86-64's tables come of, and rounded. And the
 * twiddles of a line, decimated in time: those of a stage are on the inputs of its butterflies, and
 * all butterflies of a sub-line have the same. A line's table holds them stage after stage,
 * sub-line after sub-line.
 */
#ifndef WEFT_ARITH_TWIDDLE_H
#define WEFT_ARITH_TWIDDLE_H

#include "arith/factors.h"
#include "arith/numbers.h"

/* exp(-2 pi i k / n), 0 <= k < n <= 2^60. */
WEFT_C cpx REAL_NAME(unit_root)(size_t k, size_t n);
#define unit_root REAL_NAME(unit_root)

/* A stage of radix r, after whose predecessors there are P sub-lines, wants in sub-line q the
 * powers 1 to r - 1 of x = exp(-2 pi i q / (P r)), as stage_twiddles(r) numbers that
 * butterfly_turned() takes: for odd r just so, else as tangents, cosines and quotients of cosines.
 * With c(y), t(y) the cosine and the tangent of the angle by which y turns, clockwise, and e =
 * exp(-2 pi i / r):
 *
 *   four(y)   c(y^2) t(y^2), t(y) t(y^3), c(y) c(y^3)/c(y): what a DFT of 4 wants. four'(y): the
 *             same with i y^2 in place of y^2
 *   r = 2     c(x) t(x)
 *   r = 4     four(x)
 *   r = 8     four(x^2); c(y) t(y) of y = x, x e, x, x e
 *   r = 16    four(x^4); four(x), four(x e), four'(x e^2), four'(x e^3)
 *
 * Of even r the last number is 0. Tangents are those of cosines that have been rounded. For a
 * cosine of 0 stands 2^-40, in double precision 2^-80, and its inverse for the tangent: a quarter
 * turn adds that part of the value to it, and values must be so much smaller than the largest real.
 */
static WEFT_CONSTANT size_t stage_twiddles(size_t radix) {
    return radix / 2 * 2;
}

/* All twiddles of the first `stages` stages of a line: where stage `stages` begins. The first stage
 * has none. */
static WEFT_CONSTANT size_t twiddles_before(const factor_list *list, int stages) {
    size_t count = 0, sub_lines = 1;
    for (int stage = 0; stage < stages; stage++) {
        count += stage > 0 ? sub_lines * stage_twiddles((size_t)list->radix[stage]) : 0;
        sub_lines *= (size_t)list->radix[stage];
    }
    return count;
}

/* Fills the table of a line with these factors, twiddles_before(list, list->count) numbers. */
WEFT_C void REAL_NAME(twiddle_fill)(const factor_list *list, cpx *table);
#define twiddle_fill REAL_NAME(twiddle_fill)

#endif
