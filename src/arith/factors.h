/* SPDX-License-Identifier: MIT
 * The factor list of each length: which radices, in which order. Part of the one arithmetic: a list
 * decides the bits, so every executor, on CPU and GPU, takes it from here.
 */
#ifndef WEFT_ARITH_FACTORS_H
#define WEFT_ARITH_FACTORS_H

#include <stddef.h>

#include "arith/dialect.h"

enum {
    MAX_STAGES = 48,    /* enough for 3^40, the longest list in 64 bits */
    LARGEST_RADIX = 16, /* of butterfly() */
    LARGEST_ODD_RADIX =
        13 /* a length with a larger prime factor has no list: Bluestein's algorithm */
};

typedef struct factor_list {
    int count;
    int radix[MAX_STAGES];
} factor_list;

/* Number of stages of 2^log2n. */
static WEFT_CONSTANT int power_stages(int log2n) {
    return log2n <= 3 ? (log2n > 0) : 1 + (log2n - 3 + 3) / 4;
}

/* log2 of the radix of one stage of 2^log2n. The last is 8 wherever 2^log2n >= 16: sixteen values
 * in a thread then hold butterflies t and N/8 - t, whose outputs are mirror images, so that
 * untangling needs no exchange. The other stages share the rest as evenly as possible, larger
 * radices first, none above 16. */
static WEFT_CONSTANT int power_radix_log2(int log2n, int stage) {
    return log2n <= 3 ? log2n
           : stage == power_stages(log2n) - 1
               ? 3
               : (log2n - 3 + power_stages(log2n) - 2 - stage) / (power_stages(log2n) - 1);
}

/* The list of any n >= 1; 0 if n has a prime factor above LARGEST_ODD_RADIX. Defined in factors.c.
 */
WEFT_C int factor_length(size_t n, factor_list *list);

#endif
