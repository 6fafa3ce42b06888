/* SPDX-License-Identifier: MIT
 * Vectors of WEFT_LANES numbers in and out of memory, and their lanes in another order. A shuffle
 * is a macro of the result's lane i: which lane of the first vector it is, or, from WEFT_LANES on,
 * of the second.
 */
#ifndef WEFT_CPU_SHUFFLE_H
#define WEFT_CPU_SHUFFLE_H

#include <string.h>

#include "arith/real.h"

enum { LANES = WEFT_LANES };

#define LANES_2(f, i) f(i), f((i) + 1)
#define LANES_4(f, i) LANES_2(f, i), LANES_2(f, (i) + 2)
#define LANES_8(f, i) LANES_4(f, i), LANES_4(f, (i) + 4)
#define LANES_16(f, i) LANES_8(f, i), LANES_8(f, (i) + 8)
#if WEFT_LANES == 16
#define ALL_LANES(f) LANES_16(f, 0)
#elif WEFT_LANES == 8
#define ALL_LANES(f) LANES_8(f, 0)
#elif WEFT_LANES == 4
#define ALL_LANES(f) LANES_4(f, 0)
#elif WEFT_LANES == 2
#define ALL_LANES(f) LANES_2(f, 0)
#else
#error "WEFT_LANES must be 2, 4, 8 or 16"
#endif

#if defined(__clang__)
#define SHUFFLE(a, b, f) __builtin_shufflevector(a, b, ALL_LANES(f))
#elif WEFT_REAL_BITS == 32
typedef int lane_numbers __attribute__((vector_size(WEFT_LANES * sizeof(int))));
#define SHUFFLE(a, b, f) __builtin_shuffle(a, b, (lane_numbers){ALL_LANES(f)})
#else
typedef long long lane_numbers __attribute__((vector_size(WEFT_LANES * sizeof(long long))));
#define SHUFFLE(a, b, f) __builtin_shuffle(a, b, (lane_numbers){ALL_LANES(f)})
#endif

static WEFT_HD real load_lanes(const lane *from) {
    real all;
    memcpy(&all, from, sizeof all);
    return all;
}

static WEFT_HD void store_lanes(lane *to, real all) {
    memcpy(to, &all, sizeof all);
}

#define EVEN_LANE(i) (2 * (i))
#define ODD_LANE(i) (2 * (i) + 1)
#define LOW_LANE(i) ((i) / 2 + (i) % 2 * WEFT_LANES)
#define HIGH_LANE(i) (WEFT_LANES / 2 + LOW_LANE(i))
#define NEXT_LANE(i) ((i) ^ 1)
#define TURN_LANE(i) ((i) + (i) % 2 * WEFT_LANES)
#define LAST_LANE(i) (WEFT_LANES - 1 - (i))

/* Complex numbers, of which re and im lie side by side in memory. */
static WEFT_HD cpx load_pairs(const lane *from) {
    real low = load_lanes(from), high = load_lanes(from + LANES);
    return cpx_of(SHUFFLE(low, high, EVEN_LANE), SHUFFLE(low, high, ODD_LANE));
}

static WEFT_HD void store_pairs(lane *to, cpx z) {
    store_lanes(to, SHUFFLE(z.re, z.im, LOW_LANE));
    store_lanes(to + LANES, SHUFFLE(z.re, z.im, HIGH_LANE));
}

/* Lanes 0 and 1 exchanged, 2 and 3, .. */
static WEFT_HD real neighbours(real a) {
    return SHUFFLE(a, a, NEXT_LANE);
}

/* Even lanes of one and odd lanes of the other. */
static WEFT_HD real in_turn(real even, real odd) {
    return SHUFFLE(even, odd, TURN_LANE);
}

static WEFT_HD real backwards(real a) {
    return SHUFFLE(a, a, LAST_LANE);
}

/* ---- units of neighbouring lanes, of two vectors: every second one ------------------------------
 */

#define EVEN_UNIT_8(i) ((i) / 8 * 16 + (i) % 8)
#define ODD_UNIT_8(i) (EVEN_UNIT_8(i) + 8)

static WEFT_HD real even_units(real a, real b, int unit) {
#if WEFT_LANES > 8
    if (unit == 8) {
        return SHUFFLE(a, b, EVEN_UNIT_8);
    }
#endif
    (void)unit;
    return SHUFFLE(a, b, EVEN_LANE);
}

static WEFT_HD real odd_units(real a, real b, int unit) {
#if WEFT_LANES > 8
    if (unit == 8) {
        return SHUFFLE(a, b, ODD_UNIT_8);
    }
#endif
    (void)unit;
    return SHUFFLE(a, b, ODD_LANE);
}

/* Of `apart` lists of vectors, list k at k, k + apart, .., the even units and the odd ones: two
 * lists of half the length each. */
static WEFT_HD void halve_lists(real *x, int count, int apart, int unit) {
    real y[16];
    WEFT_UNROLL
    for (int pair = 0; pair < count / 2; pair++) {
        int even = pair / apart * 2 * apart + pair % apart, odd = even + apart;
        y[even] = even_units(x[even], x[odd], unit);
        y[odd] = odd_units(x[even], x[odd], unit);
    }
    WEFT_UNROLL
    for (int k = 0; k < count; k++) {
        x[k] = y[k];
    }
}

/* x[0 .. count - 1] one after another are units 0, 1, ..; after it x[k] has units k, k + count,
 * k + 2 count, ..: count is a power of two, at most 16; a unit is 1 lane or 8. */
static WEFT_HD void every_count_th_unit(real *x, int count, int unit) {
    halve_lists(x, count, 1, unit);
    if (count > 2) {
        halve_lists(x, count, 2, unit);
    }
    if (count > 4) {
        halve_lists(x, count, 4, unit);
    }
    if (count > 8) {
        halve_lists(x, count, 8, unit);
    }
}

#endif
