/* SPDX-License-Identifier: MIT
 * The factor list of each length: which radices, in which order. Part of the one arithmetic: a list
 * decides the bits, so every executor, on CPU and GPU, takes it from here.
 */
#ifndef WEFT_ARITH_FACTORS_H
#define WEFT_ARITH_FACTORS_H

#include "arith/numbers.h"

enum {
    MAX_STAGES = 48, /* enough for 3^40, the longest list in 64 bits */
    /* The largest butterfly(): as many complex numbers as a GPU thread holds in its 255 registers.
     */
    LARGEST_RADIX_LOG2 = 4,
    LARGEST_RADIX = 1 << LARGEST_RADIX_LOG2,
    LARGEST_ODD_RADIX =
        13 /* a length with a larger prime factor goes through Bluestein's algorithm */
};

typedef struct factor_list {
    int count;
    int radix[MAX_STAGES];
} factor_list;

/* The number of stages of 2^log2n: as few as the largest radix allows, but two from 16 on, so that
 * a line has work for several threads. */
static WEFT_CONSTANT int power_stages(int log2n) {
    int fewest = (log2n + LARGEST_RADIX_LOG2 - 1) / LARGEST_RADIX_LOG2;
    return log2n >= 4 && fewest < 2 ? 2 : fewest;
}

/* Appends the stages of 2^log2n, as even as possible, smaller radices first. */
static WEFT_CONSTANT void append_power(factor_list *list, int log2n) {
    for (int left = power_stages(log2n); left > 0; left--) {
        list->radix[list->count++] = 1 << (log2n / left);
        log2n -= log2n / left;
    }
}

/* Appends `radix` as often as it divides *n, which it then no longer does. */
static WEFT_CONSTANT void append_radix(factor_list *list, size_t *n, int radix) {
    for (; *n % (size_t)radix == 0; *n /= (size_t)radix) {
        list->radix[list->count++] = radix;
    }
}

/* The list of any n >= 1: primes above 5, then 15, 9, 5 and 3, then powers of two; where a power
 * of two would need one more stage for a single factor of 2 or 4, a 5 or a 3 takes that along. 0 if
 * n has a prime factor above LARGEST_ODD_RADIX. */
static WEFT_CONSTANT int factor_length(size_t n, factor_list *list) {
    const int odd_radices[] = {LARGEST_ODD_RADIX, 11, 7, 15, 9};
    int log2n = 0;
    list->count = 0;
    for (; n % 2 == 0; n /= 2) {
        log2n++;
    }
    const size_t odd = n;
    for (size_t i = 0; i < sizeof odd_radices / sizeof *odd_radices; i++) {
        append_radix(list, &n, odd_radices[i]);
    }
    const int left = log2n % LARGEST_RADIX_LOG2;
    if (n % 5 == 0 && left == 1) {
        list->radix[list->count++] = 10;
        n /= 5;
        log2n -= 1;
    } else if (n % 3 == 0 && (left == 1 || left == 2)) {
        list->radix[list->count++] = 3 << left;
        n /= 3;
        log2n -= left;
    }
    append_radix(list, &n, 5);
    append_radix(list, &n, 3);
    if (odd > 1 && log2n == LARGEST_RADIX_LOG2) {
        list->radix[list->count++] = LARGEST_RADIX; /* the other radices are work for threads */
    } else {
        append_power(list, log2n);
    }
    return n == 1;
}

/* The last radix of a column of n values that factors.def lists, else 0. */
static WEFT_CONSTANT int last_of_column(size_t n) {
    switch (n) {
#define COLUMN(length, last_f32, last_f64)                                                         \
    case length:                                                                                   \
        return WEFT_REAL_BITS == 32 ? last_f32 : last_f64;
#include "arith/factors.def"
#undef COLUMN
    default:
        return 0;
    }
}

/* The number of classes of a column of n values. A class is the values whose rows are equal modulo
 * the last radix, if factors.def lists that; else the whole column is one class. */
static WEFT_CONSTANT unsigned classes_of_column(size_t n) {
    int last = last_of_column(n);
    return last == 0 ? 1 : (unsigned)last;
}

static WEFT_CONSTANT int factor_column(size_t n, factor_list *list) {
    int last = last_of_column(n);
    if (last == 0) {
        return factor_length(n, list);
    }
    factor_length(n / (size_t)last, list);
    list->radix[list->count++] = last;
    return 1;
}

enum axis { AXIS_ROW, AXIS_COLUMN };

/* The list of a line; returns 0 if there is none. An inverse transform has the list in reverse: it
 * begins with the radix with which the forward one ends, so that a filter need not move values
 * between the two. */
static WEFT_CONSTANT int factor_line(size_t n, int axis, int is_inverse, factor_list *list) {
    int has_list = axis == AXIS_COLUMN ? factor_column(n, list) : factor_length(n, list);
    for (int i = 0, last = list->count - 1; is_inverse && i < last - i; i++) {
        int radix = list->radix[i];
        list->radix[i] = list->radix[last - i];
        list->radix[last - i] = radix;
    }
    return has_list;
}

#endif
