/* SPDX-License-Identifier: MIT
 * Vectors of WEFT_LANES scalars to and from memory, and shuffles of their lanes. A shuffle is given
 * by a macro f(i): lane i of the result is lane f(i) of the first vector, or, from WEFT_LANES on,
 * of the second.
 */
#ifndef WEFT_CPU_REF_FAST_SHUFFLE_H
#define WEFT_CPU_REF_FAST_SHUFFLE_H

#include <string.h>

#include "arith/numbers.h"
#include "sizes.h"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

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

/* Loads have the type of scalars, so that the compiler knows that stores to other types do not
 * change them. Stores go by memcpy and may change anything, so that it loads the pointers that lie
 * in memory anew after each. Nevertheless stores of scalars made rows slower with gcc 12; the
 * reason was not found (docs/log/2026-11.md). */
typedef scalar lanes_in_memory
    __attribute__((vector_size(WEFT_LANES * sizeof(scalar)), aligned(sizeof(scalar))));

static WEFT_HD vector load_lanes(const scalar *from) {
    return *(const lanes_in_memory *)from;
}

static WEFT_HD void store_lanes(scalar *to, vector all) {
    memcpy(to, &all, sizeof all);
}

/* Streaming stores go past the caches to memory; other threads see them after finish_streams().
 * They are used only where a cache line is written in one go: by one vector, or by two side by
 * side. */
enum { VECTOR_IS_LINE = LANES * sizeof(scalar) == CACHE_LINE };
enum { TWO_ARE_LINES = 2 * LANES * sizeof(scalar) >= CACHE_LINE };

#if defined(__AVX2__) && WEFT_LANES * WEFT_REAL_BITS >= 256
static WEFT_HD void stream_lanes(scalar *to, vector all) {
#if WEFT_LANES * WEFT_REAL_BITS == 512
    _mm512_stream_si512((void *)to, (__m512i)all);
#else
    _mm256_stream_si256((void *)to, (__m256i)all);
#endif
}

static WEFT_HD void finish_streams(void) {
    _mm_sfence();
}
#else
static WEFT_HD void stream_lanes(scalar *to, vector all) {
    store_lanes(to, all);
}

static WEFT_HD void finish_streams(void) {}
#endif

static WEFT_HD void put_lanes(scalar *to, vector all, int streams) {
    if (streams) {
        stream_lanes(to, all);
    } else {
        store_lanes(to, all);
    }
}

#define EVEN_LANE(i) (2 * (i))
#define ODD_LANE(i) (2 * (i) + 1)
#define LOW_LANE(i) ((i) / 2 + (i) % 2 * WEFT_LANES)
#define HIGH_LANE(i) (WEFT_LANES / 2 + LOW_LANE(i))
#define NEXT_LANE(i) ((i) ^ 1)
#define TURN_LANE(i) ((i) + (i) % 2 * WEFT_LANES)
#define LAST_LANE(i) (WEFT_LANES - 1 - (i))

/* The even, odd, low and high lanes within each block of 128 bits: each takes one x86 instruction,
 * which needs no vector of lane numbers. */
#define BLOCK (128 / WEFT_REAL_BITS)
#define BLOCKS_EVEN_LANE(i)                                                                        \
    ((i) / BLOCK * BLOCK + (i) % (BLOCK / 2) * 2 + (i) % BLOCK / (BLOCK / 2) * WEFT_LANES)
#define BLOCKS_ODD_LANE(i) (BLOCKS_EVEN_LANE(i) + 1)
#define BLOCKS_LOW_LANE(i) ((i) / BLOCK * BLOCK + (i) % BLOCK / 2 + (i) % 2 * WEFT_LANES)
#define BLOCKS_HIGH_LANE(i) (BLOCKS_LOW_LANE(i) + BLOCK / 2)

/* Whole blocks of 128 bits, and groups of eight lanes. */
#define EVEN_BLOCK(i) ((i) / BLOCK * 2 * BLOCK + (i) % BLOCK)
#define ODD_BLOCK(i) (EVEN_BLOCK(i) + BLOCK)
#define LOW_EIGHT(i) ((i) % 8 + (i) / 8 * WEFT_LANES)
#define HIGH_EIGHT(i) (LOW_EIGHT(i) + 8)

/* ---- two vectors ------------------------------------------------------------------------------*/

/* What exchange_lanes() makes of two vectors: the even lanes of both and the odd ones; or their low
 * lanes in turn and their high ones in turn; the same two within each block; even blocks and odd
 * ones; low groups of eight lanes and high ones. */
enum exchange {
    EVEN_AND_ODD,
    LOW_AND_HIGH,
    BLOCKS_EVEN_AND_ODD,
    BLOCKS_LOW_AND_HIGH,
    BLOCKS,
    EIGHTS
};

#define EXCHANGE(f, g)                                                                             \
    *a = SHUFFLE(first, second, f);                                                                \
    *b = SHUFFLE(first, second, g)

static WEFT_HD void exchange_lanes(vector *a, vector *b, enum exchange what) {
    vector first = *a, second = *b;
    if (what == EVEN_AND_ODD) {
        EXCHANGE(EVEN_LANE, ODD_LANE);
    } else if (what == LOW_AND_HIGH) {
        EXCHANGE(LOW_LANE, HIGH_LANE);
    } else if (what == BLOCKS_EVEN_AND_ODD) {
        EXCHANGE(BLOCKS_EVEN_LANE, BLOCKS_ODD_LANE);
    } else if (what == BLOCKS_LOW_AND_HIGH) {
        EXCHANGE(BLOCKS_LOW_LANE, BLOCKS_HIGH_LANE);
    } else if (what == BLOCKS) {
        EXCHANGE(EVEN_BLOCK, ODD_BLOCK);
#if WEFT_LANES > 8
    } else if (what == EIGHTS) {
        EXCHANGE(LOW_EIGHT, HIGH_EIGHT);
#endif
    }
}

/* How complex numbers, whose re and im lie side by side in memory, are loaded: IN_ORDER puts number
 * i into lane i; ANY_ORDER is faster, for code to which lanes do not matter as long as numbers are
 * stored the same way. */
enum lane_order { IN_ORDER, ANY_ORDER };

static WEFT_HD cpx load_pairs(const scalar *from, enum lane_order order) {
    vector low = load_lanes(from), high = load_lanes(from + LANES);
    exchange_lanes(&low, &high, order == IN_ORDER ? EVEN_AND_ODD : BLOCKS_EVEN_AND_ODD);
    return cpx_of(low, high);
}

static WEFT_HD void put_pairs(scalar *to, cpx z, enum lane_order order, int streams) {
    exchange_lanes(&z.re, &z.im, order == IN_ORDER ? LOW_AND_HIGH : BLOCKS_LOW_AND_HIGH);
    put_lanes(to, z.re, streams);
    put_lanes(to + LANES, z.im, streams);
}

static WEFT_HD void store_pairs(scalar *to, cpx z, enum lane_order order) {
    put_pairs(to, z, order, 0);
}

/* Lanes 0 and 1 exchanged, 2 and 3, .. */
static WEFT_HD vector neighbours(vector a) {
    return SHUFFLE(a, a, NEXT_LANE);
}

/* Even lanes of the one and odd lanes of the other. */
static WEFT_HD vector in_turn(vector even, vector odd) {
    return SHUFFLE(even, odd, TURN_LANE);
}

static WEFT_HD vector backwards(vector a) {
    return SHUFFLE(a, a, LAST_LANE);
}

/* ---- every so-many-th lane of many vectors ------------------------------------------------------
 */

/* Exchanges lanes of x[i] and x[i + apart], for all such pairs. */
static WEFT_HD void exchange_all(vector *x, int count, int apart, enum exchange what) {
    WEFT_UNROLL
    for (int pair = 0; pair < count / 2; pair++) {
        int first = pair / apart * 2 * apart + pair % apart;
        exchange_lanes(&x[first], &x[first + apart], what);
    }
}

/* x[0 .. count - 1] hold lists, one after another, of `count` units each; a unit is one lane or
 * eight lanes. Afterwards x[k] holds unit k of each list, in the order of the lists. Count is a
 * power of two, at most 16.
 *
 * The number of a unit among all has these bits: on top those of its list, then those of k. At
 * first the upper bits are the number of the vector and the lower ones that of the lane. Exchanging
 * lanes of two vectors whose numbers differ in one bit moves this bit into the lane's number and
 * one bit of the lane's number to its place:
 * - BLOCKS_LOW_AND_HIGH makes it the lowest bit of the lane, shifts the others within a block up by
 *   one, and takes out the highest of them. So the highest bit has to come first.
 * - BLOCKS makes it the highest bit of the lane, shifts those of the block's number down by one,
 *   and takes out the lowest. So here the lowest bit has to come first.
 * - EIGHTS exchanges it with the fourth bit of the lane, which is all if units are eight lanes.
 * Then the lane's number is that of the list, and the vector's number is k with its low bits above
 * its high ones; the last loop puts the vectors in order. */
static WEFT_HD void every_count_th_unit(vector *x, int count, int unit) {
    int units = LANES / unit; /* of a vector */
    if (count < units) {
        /* A vector holds several lists: all bits but the lowest one of the lane keep their order.
         */
        WEFT_UNROLL
        for (int apart = 1; apart < count; apart *= 2) {
            exchange_all(x, count, apart, EVEN_AND_ODD);
        }
        return;
    }
    int each = count / units; /* vectors of a list */
    if (unit == 1) {
        WEFT_UNROLL
        for (int apart = BLOCK / 2 * each; apart >= each; apart /= 2) {
            exchange_all(x, count, apart, BLOCKS_LOW_AND_HIGH);
        }
        WEFT_UNROLL
        for (int apart = BLOCK * each; apart < count; apart *= 2) {
            exchange_all(x, count, apart, BLOCKS);
        }
    } else {
        exchange_all(x, count, each, EIGHTS);
    }
    vector y[16];
    WEFT_UNROLL
    for (int k = 0; k < count; k++) {
        y[k] = x[k % units * each + k / units];
    }
    WEFT_UNROLL
    for (int k = 0; k < count; k++) {
        x[k] = y[k];
    }
}

#endif
