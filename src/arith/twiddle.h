/* SPDX-License-Identifier: MIT
 * Roots of unity and the tables of twiddles of a line, computed by twiddle.c when a plan is made.
 * The angle of exp(-2 pi i k / n) is reduced to the first octant in integers; its sine and cosine
 * are computed in long double (64 bits of mantissa on x86-64) and rounded once. Lines are decimated
 * in time: a stage multiplies the inputs of its butterflies by its twiddles, and all butterflies of
 * a sub-line have the same ones. A line's table holds them stage after stage, and in a stage
 * sub-line after sub-line; before those of a stage whose radix is a large prime, the prime's roots.
 */
#ifndef WEFT_ARITH_TWIDDLE_H
#define WEFT_ARITH_TWIDDLE_H

#include "arith/factors.h"
#include "arith/numbers.h"

/* exp(-2 pi i k / n), 0 <= k < n <= 2^60. */
WEFT_C cpx REAL_NAME(unit_root)(size_t k, size_t n);
#define unit_root REAL_NAME(unit_root)

/* How many numbers the table holds for each sub-line of a stage of radix r. If there are P
 * sub-lines before the stage, sub-line q needs the powers 1 to r - 1 of x = exp(-2 pi i q / (P r)).
 * For r that is no power of two the table holds these powers, else the tangents, cosines and
 * quotients of cosines that butterfly_turned() takes. Let c(y) and t(y) be the cosine and the
 * tangent of the angle by which y turns clockwise, and e = exp(-2 pi i / r):
 *
 *   four(y)   c(y^2) t(y^2), t(y) t(y^3), c(y) c(y^3)/c(y): what a DFT of 4 needs
 *   four'(y)  the same with i y^2 in place of y^2
 *   r = 2     c(x) t(x)
 *   r = 4     four(x)
 *   r = 8     four(x^2); c(y) t(y) of y = x, x e, x, x e
 *   r = 16    four(x^4); four(x), four(x e), four'(x e^2), four'(x e^3)
 *
 * For even r the last number is 0. A tangent is the sine divided by the rounded cosine. A cosine of
 * 0 is replaced by 2^-40, in double precision by 2^-80, and its tangent by the inverse of that: a
 * quarter turn then adds this small part of a value to its result, and values must be smaller than
 * the largest real by this factor: see cpu_ref/scaling.h. */
static WEFT_CONSTANT size_t stage_twiddles(size_t radix) {
    return radix / 2 * 2;
}

/* How many roots large_odd_outputs() takes from the table: exp(-2 pi i j / r) for 0 <= j < r. */
static WEFT_CONSTANT size_t stage_roots(size_t radix) {
    return radix > LARGEST_RADIX ? radix : 0;
}

/* Where in the table the twiddles of stage `stages` begin; right before them end its roots. The
 * first stage has no twiddles. */
static WEFT_CONSTANT size_t twiddles_before(const factor_list *list, int stages) {
    size_t count = 0, sub_lines = 1;
    for (int stage = 0; stage < stages; stage++) {
        size_t radix = (size_t)list->radix[stage];
        count += stage_roots(radix) + (stage > 0 ? sub_lines * stage_twiddles(radix) : 0);
        sub_lines *= radix;
    }
    return count + (stages < list->count ? stage_roots((size_t)list->radix[stages]) : 0);
}

/* Fills the table of a line with these factors, twiddles_before(list, list->count) numbers. Where
 * there are several lists of one length, `scratch` remembers the angles that they have in common:
 * twiddle_scratch() bytes, aligned as memory of malloc() is, at first all 0. It may be NULL. */
WEFT_C void REAL_NAME(twiddle_fill)(const factor_list *list, void *scratch, cpx *table);
#define twiddle_fill REAL_NAME(twiddle_fill)

/* Of a cosine and a sine in long double for each of the parts of an octant, and for its end. */
static inline size_t twiddle_scratch(size_t length) {
    return (length + 1) * (2 * sizeof(long double));
}

#endif
