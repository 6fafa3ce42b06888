/* SPDX-License-Identifier: MIT
 * A butterfly of vectors with its twiddles, which are fetched step by step, as they are wanted:
 * there are not registers for all of them.
 */
#ifndef WEFT_CPU_TURNED_H
#define WEFT_CPU_TURNED_H

#include "arith/butterfly.h"
#include "shuffle.h"

/* call(r) with the radix as a constant. */
#define ANY_RADIX(radix, call)                                                                     \
    switch (radix) {                                                                               \
    case 2:                                                                                        \
        call(2);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        call(4);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        call(8);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(16);                                                                                  \
    }

/* All lanes have the twiddles of one sub-line, as twiddle.h has them; or, is_each, every lane has
 * its own: number by number a vector of real parts and one of imaginary ones. */
static WEFT_HD void turned(cpx *x, int radix, const lane *twiddles, int is_each) {
    cpx w[LARGEST_RADIX];
    WEFT_UNROLL
    for (int step = 0; step < turned_steps(radix); step++) {
        WEFT_UNROLL
        for (int k = twiddles_of_steps(radix, step); k < twiddles_of_steps(radix, step + 1); k++) {
            w[k] = is_each ? cpx_of(load_lanes(twiddles + 2 * k * LANES),
                                    load_lanes(twiddles + (2 * k + 1) * LANES))
                           : cpx_of(lanes_of(twiddles[2 * k]), lanes_of(twiddles[2 * k + 1]));
        }
        turned_step(x, w, radix, step);
    }
}

#endif
