/* SPDX-License-Identifier: MIT
 * The factor list of each length: which radices, in which order. Part of the one arithmetic: a list
 * decides the bits, so every executor, on CPU and GPU, takes it from here.
 */
#ifndef WEFT_ARITH_FACTORS_H
#define WEFT_ARITH_FACTORS_H

#include "arith/numbers.h"

enum {
    MAX_STAGES = 64, /* enough for 2^63, the longest list of radices 2 in 64 bits */
    /* The largest butterfly() in registers: as many complex numbers as a GPU thread holds in 255.
     */
    LARGEST_RADIX_LOG2 = 4,
    LARGEST_RADIX = 1 << LARGEST_RADIX_LOG2,
    /* The largest prime; a length with a larger one goes through Bluestein's algorithm, which soon
     * after it is as fast in cpu.fast (docs/log/2026-11.md). */
    LARGEST_ODD_RADIX = 127
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

static WEFT_CONSTANT void reverse_list(factor_list *list) {
    for (int i = 0, last = list->count - 1; i < last - i; i++) {
        int radix = list->radix[i];
        list->radix[i] = list->radix[last - i];
        list->radix[last - i] = radix;
    }
}

/* Appends `radix` as often as it divides *n, which it then no longer does. */
static WEFT_CONSTANT void append_radix(factor_list *list, size_t *n, int radix) {
    for (; *n % (size_t)radix == 0; *n /= (size_t)radix) {
        list->radix[list->count++] = radix;
    }
}

/* The exponents of 2, 3 and 5 in a number. */
typedef struct exponents {
    int of[3];
} exponents;

/* Takes these three primes out of *n. */
static WEFT_CONSTANT exponents take_exponents(size_t *n) {
    const size_t primes[] = {2, 3, 5};
    exponents e = {{0, 0, 0}};
    for (int p = 0; p < 3; p++) {
        for (; *n % primes[p] == 0; *n /= primes[p]) {
            e.of[p]++;
        }
    }
    return e;
}

static WEFT_CONSTANT int divides(exponents a, exponents b) {
    return a.of[0] <= b.of[0] && a.of[1] <= b.of[1] && a.of[2] <= b.of[2];
}

/* Where in an array of the divisors of `whole` a divisor is: the sum of where its factors are. */
static WEFT_CONSTANT int place_of_divisor(exponents e, exponents whole) {
    return (e.of[0] * (whole.of[1] + 1) + e.of[1]) * (whole.of[2] + 1) + e.of[2];
}

/* A row of radices.def, and its radix as a divisor. */
typedef struct radix_row {
    int radix, cost;
    exponents factors;
    int place;
} radix_row;

/* Of all lists for a divisor, the cheapest: what it costs, and a row that is in it. */
typedef struct cheapest_list {
    int cost, row;
} cheapest_list;

enum { MOST_DIVISORS = 3250 }; /* 2^i 3^j 5^k that a number of 64 bits has */

/* A cheapest list without one of its radices is one of the rest; of equal ones the last row's. */
static WEFT_CONSTANT cheapest_list find_cheapest(exponents divisor, const radix_row *rows,
                                                 int count, const cheapest_list *here) {
    cheapest_list found = {0, 0};
    for (int r = 0; r < count; r++) {
        if (divides(rows[r].factors, divisor)) {
            int cost = (here - rows[r].place)->cost + rows[r].cost;
            if (found.cost == 0 || cost <= found.cost) {
                found.cost = cost;
                found.row = r;
            }
        }
    }
    return found;
}

/* Appends the radices whose product is `whole` and whose sum of costs is least. */
static WEFT_CONSTANT void append_cheapest(factor_list *list, exponents whole) {
    radix_row rows[] = {
#define RADIX(radix, cost) {radix, cost, {{0, 0, 0}}, 0},
#include "arith/radices.def"
#undef RADIX
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    int times[ROWS] = {0};
    cheapest_list lists[MOST_DIVISORS] = {{0, 0}};
    for (int r = 0; r < ROWS; r++) {
        size_t radix = (size_t)rows[r].radix;
        rows[r].factors = take_exponents(&radix);
        rows[r].place = place_of_divisor(rows[r].factors, whole);
    }
    exponents e = {{0, 0, 0}};
    for (e.of[0] = 0; e.of[0] <= whole.of[0]; e.of[0]++) {
        for (e.of[1] = 0; e.of[1] <= whole.of[1]; e.of[1]++) {
            for (e.of[2] = 0; e.of[2] <= whole.of[2]; e.of[2]++) {
                cheapest_list *here = &lists[place_of_divisor(e, whole)];
                *here = find_cheapest(e, rows, ROWS, here);
            }
        }
    }
    for (int left = place_of_divisor(whole, whole); left > 0;) {
        int r = lists[left].row;
        times[r]++;
        left -= rows[r].place;
    }
    for (int r = 0; r < ROWS; r++) {
        for (; times[r] > 0; times[r]--) {
            list->radix[list->count++] = rows[r].radix;
        }
    }
}

/* The list of any n >= 1: primes above 5, the largest first, then the radices that share out the
 * rest. 0 if n has a prime factor above LARGEST_ODD_RADIX. */
static WEFT_CONSTANT int factor_length(size_t n, factor_list *list) {
    const int is_power = (n & (n - 1)) == 0;
    const exponents whole = take_exponents(&n);
    list->count = 0;
    if (is_power) {
        append_power(list, whole.of[0]);
        return 1;
    }
    for (int odd = 7; odd <= LARGEST_ODD_RADIX; odd += 2) { /* of a product the primes are gone */
        append_radix(list, &n, odd);
    }
    reverse_list(list);
    append_cheapest(list, whole);
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

/* The radix of a convolution's length that is no power of two: the rest is one, of two radices or
 * more. 1: there is none. */
static WEFT_CONSTANT size_t odd_of_convolution(size_t n) {
    const size_t radices[] = {12, 10, 9, 6, 5};
    for (size_t i = 0; (n & (n - 1)) != 0 && i < sizeof radices / sizeof *radices; i++) {
        size_t power = n / radices[i];
        if (n % radices[i] == 0 && power >= 64 && (power & (power - 1)) == 0) {
            return radices[i];
        }
    }
    return 1;
}

/* The list of a length of convolution_length(). It begins and ends with powers of two, so that
 * chirps, and the zeros behind a line, need code for few radices. */
static WEFT_CONSTANT int factor_convolution(size_t n, factor_list *list) {
    const size_t odd = odd_of_convolution(n);
    factor_length(n / odd, list);
    if (odd > 1) {
        for (int s = list->count++; s > 1; s--) {
            list->radix[s] = list->radix[s - 1];
        }
        list->radix[1] = (int)odd;
    }
    return 1;
}

/* What a line belongs to. */
enum axis { AXIS_ROW, AXIS_COLUMN, CONVOLVED };

/* The list of a line; returns 0 if there is none. An inverse transform has the list in reverse: it
 * begins with the radix with which the forward one ends, so that a filter, and a convolution, need
 * not move values between the two. */
static WEFT_CONSTANT int factor_line(size_t n, int axis, int is_inverse, factor_list *list) {
    int has_list = axis == AXIS_COLUMN ? factor_column(n, list)
                   : axis == CONVOLVED ? factor_convolution(n, list)
                                       : factor_length(n, list);
    if (is_inverse) {
        reverse_list(list);
    }
    return has_list;
}

#endif
